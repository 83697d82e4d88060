/* expect: usw_inc: reducer .?'total.?' is not an integer */
/* usw_inc on a sum of doubles. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  if (x > 0)
    usw_inc(total);
}
#include <upsweep/kernel_end.h>
