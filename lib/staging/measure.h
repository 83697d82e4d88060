/* What staging brings on this machine: measured when somebody asks, never by calls. */
#ifndef USWI_STAGING_MEASURE_H
#define USWI_STAGING_MEASURE_H

#include "launch/lane.h"

typedef struct uswi_staging_rates {
  double staged_gbs, host_gbs; /* of the longest calls that were measured */
  uint64_t pays_bytes;         /* from which on staged ones were faster; 0: none was */
} uswi_staging_rates_t;

/* Of one of the library's kernels; the last answer is kept. */
usw_status_t uswi_staging_measure(const uswi_device_t *device, const usw_kernel_t *kernel, const usw_options_t *options,
                                  uswi_staging_rates_t *rates_out);

#endif
