/* expect: USW_VISIT: no index name with USW_NO_INDEX */
/* A body that names the index that its kernel says it does not need. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#define USW_NO_INDEX 1
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, x * i); }
#include <upsweep/kernel_end.h>
