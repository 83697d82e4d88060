/* expect: the kernel before this one is not closed: #include <upsweep/kernel_end.h> behind its body */
#include <upsweep/upsweep.h>

#define USW_KERNEL residual
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x); }

#undef USW_KERNEL
#define USW_KERNEL another
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x); }
#include <upsweep/kernel_end.h>
