/* Kernels of the program's own that threads run at the same time. They are in a file of their own, mixed_kernels.c, because
 * ThreadSanitizer cannot follow the emulated GPU's fibers. */
#ifndef USW_TESTS_MIXED_KERNELS_H
#define USW_TESTS_MIXED_KERNELS_H

#include <upsweep/upsweep.h>

USW_BEGIN_C

usw_status_t mixed_beyond(size_t n, const double *x, double limit, double *most_out, uint64_t *over_out,
                          const usw_options_t *options);
usw_status_t mixed_bins(size_t n, const double *x, double *total_out, uint64_t *counts, size_t bins,
                        const usw_options_t *options);
usw_status_t mixed_plan_of_bins(usw_plan_t **plan_out, const usw_options_t *options);
usw_status_t mixed_run_bins(usw_plan_t *plan, size_t n, const double *x, double *total_out, uint64_t *counts,
                            size_t bins);

USW_END_C

#endif
