/* expect: (_Generic|controlling expression).*char */
/* usw_sum has nothing for characters. */
#include <upsweep/upsweep.h>
usw_status_t sum_of(const char *x, size_t n, double *sum) { return usw_sum(x, n, sum); }
