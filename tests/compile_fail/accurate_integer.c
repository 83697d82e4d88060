/* expect: reducer .?'total.?': USW_PLUS_REPRODUCIBLE is for float, double and complex numbers of both */
/* Sums of integers are exact as they are. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(int64_t, x)
#define USW_REDUCERS(R, S) R(int64_t, total, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x); }
#include <upsweep/kernel_end.h>
