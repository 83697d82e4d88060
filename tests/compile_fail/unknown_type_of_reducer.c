/* expect: \A(?:(?!error:)[\s\S])*error: unknown type name .duoble.(?:(?!error:)[\s\S])*USW_TYPE_OF_REDUCER */
#include <upsweep/upsweep.h>

#define USW_KERNEL residual
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(duoble, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x); }
#include <upsweep/kernel_end.h>
