/* expect: (_Generic|controlling expression).*long double */
/* usw_sum has nothing for long double. */
#include <upsweep/upsweep.h>
usw_status_t sum_of(const long double *x, size_t n, double *sum) { return usw_sum(x, n, sum); }
