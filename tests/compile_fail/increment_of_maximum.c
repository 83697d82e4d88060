/* expect: usw_add does not fit the operator of reducer .?'most.?' */
/* usw_inc on a maximum. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(int, x)
#define USW_REDUCERS(R, S) R(int, most, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_inc(most); }
#include <upsweep/kernel_end.h>
