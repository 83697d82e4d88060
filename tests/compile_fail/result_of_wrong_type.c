/* expect: (incompatible|passing) .*pointer */
/* only: gcc -Werror */
/* The sum of long long is one of int64_t or long long. */
#include <upsweep/upsweep.h>
usw_status_t sum_of(const long long *x, size_t n, double *sum) { return usw_sum(x, n, sum); }
