/* OpenMP's reduction clause on a device in the shape that clang compiles best. Its runtime reduces over a team inside the
 * distributed loop, once an iteration: so the loop here has one iteration for each thread of the launch, which strides
 * over its elements by itself, with several loads under way. On a GPU that is a team of 1024 for each multiprocessor, or two of 512 where a
 * thread needs more registers. */
#include "peers.h"

#include "measure/device.h"

#include <math.h>
#include <string.h>

/* As many threads as there are iterations. */
typedef struct shape {
  int teams, team_size;
  size_t workers;
} shape_t;

enum { SHAPE_LOADS = 8, SHAPE_THREADS = 1024 };

static shape_t shape_of(int device, int teams_each) {
  const char *target = usw_device_target(device);
  const int processors = (int)bench_device_multiprocessors(device);
  if (target && strcmp(target, "x86_64") == 0)
    return (shape_t){1, processors, (size_t)processors};
  return (shape_t){processors * teams_each, SHAPE_THREADS / teams_each, (size_t)processors * SHAPE_THREADS};
}

#define SUM_OF(a, b) ((a) + (b))
#define LESSER(a, b) ((b) < (a) ? (b) : (a))
#define GREATER(a, b) ((b) > (a) ? (b) : (a))

#define TAG f64
#define ELEMENT double
#define SUM double
#define LARGEST INFINITY
#define LEAST (-INFINITY)
#define HAS_DOT 1
#include "shaped_clause_type.inc"

#define TAG f32
#define ELEMENT float
#define SUM float
#define LARGEST INFINITY
#define LEAST (-INFINITY)
#define HAS_DOT 1
#include "shaped_clause_type.inc"

#define TAG i64
#define ELEMENT int64_t
#define SUM int64_t
#define LARGEST INT64_MAX
#define LEAST INT64_MIN
#define HAS_DOT 0
#include "shaped_clause_type.inc"

#define TAG i32
#define ELEMENT int32_t
#define SUM int64_t
#define LARGEST INT32_MAX
#define LEAST INT32_MIN
#define HAS_DOT 0
#include "shaped_clause_type.inc"

#define TAG u8
#define ELEMENT uint8_t
#define SUM uint64_t
#define LARGEST UINT8_MAX
#define LEAST 0
#define HAS_DOT 0
#include "shaped_clause_type.inc"

#define CLAUSE_RUN(kernel, tag)                                                                                        \
  (by_block ? kernel##_##tag##_by_block(call, shape) : kernel##_##tag##_by_element(call, shape))
static int run(const bench_call_t *call, bench_value_t *result_out, int by_block) {
  const shape_t shape = shape_of(call->device, by_block || call->kernel->inputs == 2 ? 2 : 1);
#include "clause_cases.inc"
}

int peer_shaped_clause(const bench_call_t *call, bench_value_t *result_out) { return run(call, result_out, 0); }

int peer_shaped_clause_wide(const bench_call_t *call, bench_value_t *result_out) { return run(call, result_out, 1); }
