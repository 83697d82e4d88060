/* expect: usw_inc_at: reducer .?'bins.?' is not an integer */
/* ++ on an element that is no integer. */
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) S(double, bins, 4, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_inc_at(bins, 1);
  (void)x;
}
#include <upsweep/kernel_end.h>
