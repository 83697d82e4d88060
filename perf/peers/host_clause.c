/* OpenMP's reduction clause on the host's threads, as anybody would write it. */
#include "peers.h"

#include <complex.h>
#include <math.h>
#include <upsweep/half.h>

#define TO_VALUE(x) (x)
#define FROM_VALUE(v) (v)
#define IS_INTEGER 1
#define IS_ORDERED 1
#define IS_CONTINUOUS 0
#define IS_COMPLEX 0
#define TAG i8
#include "host_clause.inc"
#define TAG i16
#include "host_clause.inc"
#define TAG i32
#include "host_clause.inc"
#define TAG i64
#include "host_clause.inc"
#define TAG u8
#include "host_clause.inc"
#define TAG u16
#include "host_clause.inc"
#define TAG u32
#include "host_clause.inc"
#define TAG u64
#include "host_clause.inc"

#undef IS_INTEGER
#undef IS_CONTINUOUS
#define IS_INTEGER 0
#define IS_CONTINUOUS 1
#define ABSOLUTE(v) fabs(v)
#define SQUARE(v) ((double)(v) * (double)(v))
#define TAG f32
#include "host_clause.inc"
#define TAG f64
#include "host_clause.inc"

#undef TO_VALUE
#undef FROM_VALUE
#define TO_VALUE(x) usw_f16_to_float(x)
#define FROM_VALUE(v) usw_float_to_f16(v)
#define TAG f16
#include "host_clause.inc"
#undef TO_VALUE
#undef FROM_VALUE
#define TO_VALUE(x) usw_bf16_to_float(x)
#define FROM_VALUE(v) usw_float_to_bf16(v)
#define TAG bf16
#include "host_clause.inc"

#undef TO_VALUE
#undef ABSOLUTE
#undef SQUARE
#undef IS_ORDERED
#undef IS_COMPLEX
#define TO_VALUE(x) (x)
#define ABSOLUTE(v) cabs(v)
#define SQUARE(v) ((double)creal(v) * (double)creal(v) + (double)cimag(v) * (double)cimag(v))
#define CONJUGATE(v) conjf(v)
#define IS_ORDERED 0
#define IS_COMPLEX 1
#define TAG cf32
#include "host_clause.inc"
#undef CONJUGATE
#define CONJUGATE(v) conj(v)
#define TAG cf64
#include "host_clause.inc"

#undef IS_CONTINUOUS
#undef IS_COMPLEX
#define IS_CONTINUOUS 0
#define IS_COMPLEX 0
#define TAG b8
#include "host_clause.inc"

/* What a type has, by its class. */
#define TRY(what, tag) (what##_##tag(call, result_out) == 0)
#define RUN_INTEGER(tag) TRY(truth, tag) || TRY(arithmetic, tag) || TRY(bits, tag) || RUN_ORDER(tag)
#define RUN_HALF(tag) RUN_FLOATING(tag)
#define RUN_FLOATING(tag) TRY(truth, tag) || TRY(arithmetic, tag) || TRY(norms, tag) || RUN_ORDER(tag)
#define RUN_COMPLEX(tag) TRY(truth, tag) || TRY(arithmetic, tag) || TRY(norms, tag)
#define RUN_BOOLEAN(tag) TRY(truth, tag)
#define RUN_ORDER(tag) TRY(extremes, tag) || TRY(places, tag)

int peer_host_clause(const bench_call_t *call, bench_value_t *result_out) {
  switch (call->type->type) {
#define RUN(tag, CODE, code, type, value, sum, real, key, class, ...)                                                  \
  case USW_##CODE:                                                                                                     \
    return RUN_##class(tag) ? 0 : -1;
    USW_TYPES(RUN, )
  default:
    return -1;
  }
}
