/* expect: USW_VISIT: as many index names as USW_DIMENSIONS */
/* One index in two dimensions. */
#define USW_KERNEL bad
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, x); }
#include <upsweep/kernel_end.h>
