/* expect: usw_add_at does not fit the operator of reducer .?'bins.?': use usw_combine */
/* usw_add_at on a maximum. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) S(double, bins, 4, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_at(bins, 1, x); }
#include <upsweep/kernel_end.h>
