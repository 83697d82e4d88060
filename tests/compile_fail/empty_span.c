/* expect: span .?'bins.?' has no element */
/* No element at all. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) S(double, bins, 0, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_at(bins, 0, x); }
#include <upsweep/kernel_end.h>
