/* What scans of all kinds share. */
#ifndef USWI_API_SCAN_H
#define USWI_API_SCAN_H

#include <upsweep/descriptor.h>
#include <upsweep/scan.h>

#include "policy/call.h"

enum { USWI_MOST_RESULT_BYTES = 64 /* of an item */ };

/* A scan of the library's. */
typedef struct uswi_scan {
  const void *x;
  size_t n;
  void *out;
  int is_exclusive;
  const void *initial;                 /* NULL: the identity */
  const usw_restart_words_t *restarts; /* of kernels that begin anew, but for the initial value; else NULL */
} uswi_scan_t;

/* The beginning of such a call: enter the library, find the kernel, or say why there is none. */
usw_status_t uswi_scan_kernel(usw_operation_t operation, usw_type_t type, int is_of_segments, const void *initial,
                              const usw_options_t *options, const usw_kernel_t **kernel_out);

/* The arguments of one; and its variable, which has what is before the first item, and afterwards what all have come to. */
void uswi_scan_fill(const usw_kernel_t *kernel, const uswi_scan_t *scan, char total_out[USWI_MOST_RESULT_BYTES],
                    uint64_t arguments_out[USWI_MAX_ARGUMENTS]);

/* Run it; how often it has begun anew, unless restarts_out is NULL. */
usw_status_t uswi_scan(const usw_kernel_t *kernel, const uswi_scan_t *scan, const usw_options_t *options,
                       uint32_t *restarts_out);

#endif
