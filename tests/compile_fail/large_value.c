/* expect: VALUE .?'limits.?' is over 8 bytes: pass its address as an ARRAY */
/* Two doubles by value. */
typedef struct {
  double low, high;
} limits_t;
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) VALUE(limits_t, limits)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  if (x > limits.low && x < limits.high)
    usw_add(total, x);
}
#include <upsweep/kernel_end.h>
