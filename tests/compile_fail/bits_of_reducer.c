/* expect: reducer .?'total.?': its type does not have USW_BIT_OR */
#include <upsweep/upsweep.h>

#define USW_KERNEL residual
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_BIT_OR)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(total, x); }
#include <upsweep/kernel_end.h>
