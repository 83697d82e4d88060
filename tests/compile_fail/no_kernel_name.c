/* expect: define USW_KERNEL, USW_ARGS\(IN, ARRAY, VALUE\) and USW_REDUCERS\(R, S\) before */
/* kernel.h without a name. */
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS)
#include <upsweep/kernel.h>
