/* expect: span .?'sums.?': USW_IN_STEP is for spans of at most 256 bytes */
/* Threads of a team take turns at the cells of a large span. */
#define USW_KERNEL bad
#define USW_IN_STEP 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(uint32_t, key)
#define USW_REDUCERS(R, S) S(double, sums, 100, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_at(sums, key, x); }
#include <upsweep/kernel_end.h>
