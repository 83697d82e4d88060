/* expect: USW_AXES is for kernels without USW_OUTPUTS */
#define USW_KERNEL bad
#define USW_AXES 1
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_OUTPUTS(OUT) OUT(double, y)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(j, i) {
  usw_add(sum, x);
  usw_write(y, x);
}
#include <upsweep/kernel_end.h>
