/* expect: \A(?:(?!error:)[\s\S])*error: unknown type name .duoble.(?:(?!error:)[\s\S])*USW_TYPE_OF_ARGUMENT */
#include <upsweep/upsweep.h>

#define USW_KERNEL residual
#define USW_ARGS(IN, ARRAY, VALUE) IN(duoble, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x); }
#include <upsweep/kernel_end.h>
