/* expect: usw_combine: .?'bins.?' is a span: use usw_combine_at */
/* A span without an index. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) S(double, bins, 4, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(bins, x); }
#include <upsweep/kernel_end.h>
