/* Keys of scans, and by which kernels runs of keys are reduced. */
#ifndef USWI_API_KEYS_H
#define USWI_API_KEYS_H

#include "api/scan.h"

/* The kernel that finds where runs of keys of such a type begin; NULL: they are no integers. */
const usw_kernel_t *uswi_keys_kernel(usw_type_t key_type);

/* The kernel by which one launch reduces runs, if results go to the memory of the call's device; NULL: there is none, or more is asked for than
 * it has. */
const usw_kernel_t *uswi_keys_at_once(const uswi_call_t *placed, usw_operation_t operation, usw_type_t type);

/* Whether keys of scans may have a type. */
usw_status_t uswi_keys_check(const char *name, usw_type_t key_type);

/* Where a scan near x begins anew, by keys of such a type: words that tell its kernel, and options that name its place. An error if the scan
 * would write into the keys: what is before an element is looked at when that has been written. */
usw_status_t uswi_keys_find(const usw_kernel_t *kernel, const uswi_scan_t *scan, usw_type_t key_type, const void *keys,
                            const usw_options_t *options, usw_restart_words_t *words_out, usw_options_t *own_out);

#endif
