/* expect: USW_AXES is for kernels of two or three dimensions: define USW_DIMENSIONS */
#define USW_KERNEL bad
#define USW_AXES 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, x); }
#include <upsweep/kernel_end.h>
