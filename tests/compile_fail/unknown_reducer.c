/* expect: bad_(type|combine)_totl */
/* A reducer that is not in the list. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(totl, x); }
#include <upsweep/kernel_end.h>
