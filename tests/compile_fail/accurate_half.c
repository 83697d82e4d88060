/* expect: reducer .?'totals.?': USW_PLUS_REPRODUCIBLE is for float, double and complex numbers of both */
/* A span of halves: float has room for what a half is summed to. */
#include <upsweep/half.h>
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(usw_f16_t, x)
#define USW_REDUCERS(R, S) S(usw_f16_t, totals, 4, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_at(totals, i % 4, x); }
#include <upsweep/kernel_end.h>
