/* expect: error: .*residual_is_not_closed_include_upsweep_kernel_end_h */
#include <upsweep/upsweep.h>

#define USW_KERNEL residual
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x); }
