/* expect: usw_add does not fit the operator of reducer .?'near.?': use usw_combine */
/* usw_add on an operator of the user's own. */
static inline double closer(double a, double b) { return a * a < b * b ? a : b; }
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, near, closer)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(near, x); }
#include <upsweep/kernel_end.h>
