/* expect: USW_VISIT: as many index names as USW_DIMENSIONS */
/* Two indices without USW_DIMENSIONS. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(j, i) { usw_add(sum, x); }
#include <upsweep/kernel_end.h>
