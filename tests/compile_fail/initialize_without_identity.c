/* expect: reducer .?'near.?': USW_INITIALIZE_TO_IDENTITY, but its operator has no identity */
/* There is nothing to start from. */
static inline double nearest(double x, double y) { return x < y ? x : y; }
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, near, nearest, USW_INITIALIZE_TO_IDENTITY)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(near, x); }
#include <upsweep/kernel_end.h>
