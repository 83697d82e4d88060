/* expect: usw_segment: the kernel is not USW_SEGMENTS */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(uint64_t, numbers, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(numbers, usw_segment()); }
#include <upsweep/kernel_end.h>
