/* expect: USW_ORDERED and USW_IN_STEP exclude each other */
/* In order, threads have unlike numbers of items. */
#define USW_KERNEL bad
#define USW_ORDERED 1
#define USW_IN_STEP 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, x); }
#include <upsweep/kernel_end.h>
