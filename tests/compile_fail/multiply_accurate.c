/* expect: usw_multiply does not fit the operator of reducer .?'total.?' */
/* usw_multiply on an accurate sum. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_multiply(total, x); }
#include <upsweep/kernel_end.h>
