/* expect: reducer .?'bins.?': spans are not in this version */
/* An array reduction. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) S(double, bins, 16, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { (void)x; }
#include <upsweep/kernel_end.h>
