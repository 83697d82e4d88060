/* expect: USW_DIMENSIONS is 1, 2 or 3 */
/* Four dimensions. */
#define USW_KERNEL bad
#define USW_DIMENSIONS 4
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(l, k, j, i) { usw_add(sum, x); }
#include <upsweep/kernel_end.h>
