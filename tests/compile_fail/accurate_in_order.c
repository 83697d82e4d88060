/* expect: reducer .?'total.?': USW_PLUS_REPRODUCIBLE has no order to keep */
/* Its bits do not depend on any order. */
#define USW_KERNEL bad
#define USW_ORDERED 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x); }
#include <upsweep/kernel_end.h>
