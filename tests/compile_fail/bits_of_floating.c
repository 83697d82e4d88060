/* expect: (_Generic|controlling expression).*double */
/* usw_bit_and has nothing for floating numbers. */
#include <upsweep/upsweep.h>
usw_status_t call(const double *x, size_t n, double *all) { return usw_bit_and(x, n, all); }
