/* A user's kernel of two streams and two reducers. */
#include "calls.h"

#include <math.h>

#define USW_KERNEL residual_kernel
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, b) IN(double, ax) VALUE(double, scale)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS) R(double, worst, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const double r = b - scale * ax;
  usw_add(sum, r * r);
  usw_combine(worst, fabs(r));
}
#include <upsweep/kernel_end.h>

usw_status_t counts_residual(size_t n, const double *b, const double *ax, double *sum, double *worst,
                             const usw_options_t *options) {
  return residual_kernel(n, b, ax, 0.5, sum, worst, options);
}
