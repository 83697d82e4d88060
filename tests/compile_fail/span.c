/* expect: span .?'bins.?' is over 256 bytes */
/* More bins than an accumulator holds. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) S(double, bins, 33, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { (void)x; }
#include <upsweep/kernel_end.h>
