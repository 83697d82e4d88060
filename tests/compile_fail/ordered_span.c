/* expect: span .?'sums.?': USW_ORDERED is for spans of at most 256 bytes */
/* The cells of a large span are combined by whoever comes. */
#define USW_KERNEL bad
#define USW_ORDERED 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(uint32_t, key)
#define USW_REDUCERS(R, S) S(double, sums, 100, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_at(sums, key, x); }
#include <upsweep/kernel_end.h>
