/* expect: usw_combine_at: .?'sum.?' is not a span: use usw_combine */
/* An index for a variable. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine_at(sum, 0, x); }
#include <upsweep/kernel_end.h>
