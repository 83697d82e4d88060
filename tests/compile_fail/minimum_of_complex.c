/* expect: (_Generic|controlling expression).*_Complex|complex */
/* usw_min has nothing for complex numbers: they have no order. */
#include <upsweep/upsweep.h>
usw_status_t call(const usw_cf64_t *x, size_t n, usw_cf64_t *least) { return usw_min(x, n, least); }
