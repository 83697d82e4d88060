/* expect: x.*(const|read-only)|(const|read-only).*x */
/* The body cannot write its input. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  x = 2;
  usw_add(total, x);
}
#include <upsweep/kernel_end.h>
