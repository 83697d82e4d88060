/* expect: USW_PARTS is for kernels of one dimension */
#define USW_KERNEL bad
#define USW_PARTS 1
#define USW_SEGMENTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, x); }
#include <upsweep/kernel_end.h>
