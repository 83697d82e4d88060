/* expect: span .?'sums.?': of many results there are variables only */
#define USW_KERNEL bad
#define USW_AXES 1
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) S(double, sums, 4, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(j, i) { usw_add_at(sums, i, x); }
#include <upsweep/kernel_end.h>
