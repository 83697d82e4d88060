/* expect: usw_add_product: .?'totals.?' is a span */
/* usw_add_product has no index. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) S(double, totals, 4, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_product(totals, x, x); }
#include <upsweep/kernel_end.h>
