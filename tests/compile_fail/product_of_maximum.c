/* expect: usw_add_product does not fit the operator of reducer .?'most.?' */
/* usw_add_product on a maximum. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, most, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_product(most, x, x); }
#include <upsweep/kernel_end.h>
