/* expect: the operator of reducer .?'near.?' has no identity */
/* The identity of an operator that has none. */
static inline double closer(double a, double b) { return a * a < b * b ? a : b; }
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, near, closer)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(near, x + usw_identity_of(near)); }
#include <upsweep/kernel_end.h>
