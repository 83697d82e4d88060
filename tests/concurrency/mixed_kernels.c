#include <string.h>
#include <upsweep/plan.h>

#include "faults/kernels.h"

#include "mixed_kernels.h"

usw_status_t mixed_beyond(size_t n, const double *x, double limit, double *most_out, uint64_t *over_out,
                          const usw_options_t *options) {
  return beyond_fresh(n, x, limit, most_out, over_out, options);
}

usw_status_t mixed_bins(size_t n, const double *x, double *total_out, uint64_t *counts, size_t bins,
                        const usw_options_t *options) {
  return bins_fresh(n, x, total_out, counts, bins, options);
}

usw_status_t mixed_plan_of_bins(usw_plan_t **plan_out, const usw_options_t *options) {
  return bins_plan_create(plan_out, options);
}

usw_status_t mixed_run_bins(usw_plan_t *plan, size_t n, const double *x, double *total_out, uint64_t *counts,
                            size_t bins) {
  *total_out = 0;
  memset(counts, 0, bins * sizeof *counts);
  return bins_plan_run(n, x, total_out, counts, bins, plan);
}
