/* OpenMP's reduction clause on a device, for a few cases: it is far behind at all of them. */
#include "peers.h"

#include <math.h>

#define TAG f64
#define ELEMENT double
#define SUM double
#define LARGEST INFINITY
#include "plain_clause.inc"

#define TAG f32
#define ELEMENT float
#define SUM float
#define LARGEST INFINITY
#include "plain_clause.inc"

#define TAG i64
#define ELEMENT int64_t
#define SUM int64_t
#define LARGEST INT64_MAX
#include "plain_clause.inc"

#define TAG i32
#define ELEMENT int32_t
#define SUM int64_t
#define LARGEST INT32_MAX
#include "plain_clause.inc"

#define TAG u8
#define ELEMENT uint8_t
#define SUM uint64_t
#define LARGEST UINT8_MAX
#include "plain_clause.inc"

static double dot_f64(int device, const double *x, const double *y, size_t n) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(tofrom : s) is_device_ptr(x, y) device(device)
  for (size_t i = 0; i < n; i++)
    s += x[i] * y[i];
  return s;
}

int peer_plain_clause(const bench_call_t *call, bench_value_t *result_out) {
  const int device = call->device;
  const size_t n = call->n;
  if (call->kernel->operation == USW_DOT && call->type->type == USW_F64) {
    result_out->f64 = dot_f64(device, call->x, call->y, n);
    return 0;
  }
  const int adds = call->kernel->operation == USW_PLUS;
  if (!adds && call->kernel->operation != USW_MINIMUM)
    return -1;
  switch (call->type->type) {
  case USW_F64:
    result_out->f64 = adds ? sum_f64(device, call->x, n) : min_f64(device, call->x, n);
    return 0;
  case USW_F32:
    result_out->f32 = adds ? sum_f32(device, call->x, n) : min_f32(device, call->x, n);
    return 0;
  case USW_I64:
    result_out->i64 = adds ? sum_i64(device, call->x, n) : min_i64(device, call->x, n);
    return 0;
  case USW_I32:
    if (adds)
      result_out->i64 = sum_i32(device, call->x, n);
    else
      result_out->i32 = min_i32(device, call->x, n);
    return 0;
  case USW_U8:
    if (adds)
      result_out->u64 = sum_u8(device, call->x, n);
    else
      result_out->u8 = min_u8(device, call->x, n);
    return 0;
  default:
    return -1;
  }
}
