/* expect: usw_add does not fit the operator of reducer .?'worst.?': use usw_combine */
/* usw_add on a maximum. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, worst, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(worst, x); }
#include <upsweep/kernel_end.h>
