/* expect: usw_item: the kernel is not USW_AXES|usw_item_of_result */
#define USW_KERNEL bad
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(uint64_t, items, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(j, i) { usw_add(items, usw_item()); }
#include <upsweep/kernel_end.h>
