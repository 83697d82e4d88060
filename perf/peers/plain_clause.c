/* OpenMP's reduction clause on a device, for a few cases: it is far behind at all of them. */
#include "peers.h"

#include <math.h>

#define TAG f64
#define ELEMENT double
#define SUM double
#define LARGEST INFINITY
#define LEAST (-INFINITY)
#define HAS_DOT 1
#include "plain_clause.inc"

#define TAG f32
#define ELEMENT float
#define SUM float
#define LARGEST INFINITY
#define LEAST (-INFINITY)
#define HAS_DOT 1
#include "plain_clause.inc"

#define TAG i64
#define ELEMENT int64_t
#define SUM int64_t
#define LARGEST INT64_MAX
#define LEAST INT64_MIN
#define HAS_DOT 0
#include "plain_clause.inc"

#define TAG i32
#define ELEMENT int32_t
#define SUM int64_t
#define LARGEST INT32_MAX
#define LEAST INT32_MIN
#define HAS_DOT 0
#include "plain_clause.inc"

#define TAG u8
#define ELEMENT uint8_t
#define SUM uint64_t
#define LARGEST UINT8_MAX
#define LEAST 0
#define HAS_DOT 0
#include "plain_clause.inc"

#define CLAUSE_RUN(kernel, tag) kernel##_##tag(call->device, STREAMS_##kernel, call->n)
#define STREAMS_sum call->x
#define STREAMS_min call->x
#define STREAMS_max call->x
#define STREAMS_dot call->x, call->y

int peer_plain_clause(const bench_call_t *call, bench_value_t *result_out) {
#include "clause_cases.inc"
}
