/* expect: (_Generic|controlling expression).*double */
/* usw_dotc has nothing for real numbers. */
#include <upsweep/upsweep.h>
usw_status_t call(const double *x, const double *y, size_t n, double *dot) { return usw_dotc(x, y, n, dot); }
