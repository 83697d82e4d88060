/* expect: reducer .?'total.?': USW_PLUS_COMPENSATED and -ffast-math exclude each other */
/* As -ffast-math defines it. */
#define __FAST_MATH__ 1
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS_COMPENSATED)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x); }
#include <upsweep/kernel_end.h>
