/* expect: undeclared.*total|total.*undeclared */
/* A reducer cannot be assigned. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { total = x; }
#include <upsweep/kernel_end.h>
