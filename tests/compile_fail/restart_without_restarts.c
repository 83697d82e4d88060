/* expect: usw_restart: the kernel is not USW_RESTARTS */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#define USW_SCAN 1
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_restart();
  usw_add(sum, x);
}
#include <upsweep/kernel_end.h>
