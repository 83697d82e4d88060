/* Keys of scans. */
#ifndef USWI_API_KEYS_H
#define USWI_API_KEYS_H

#include "api/scan.h"

/* Whether keys of scans may have a type. */
usw_status_t uswi_keys_check(const char *name, usw_type_t key_type);

/* Where a scan near x begins anew, by keys of such a type: words that tell its kernel, and options that name its place. */
usw_status_t uswi_keys_find(const char *name, const uswi_scan_t *scan, usw_type_t key_type, const void *keys,
                            const usw_options_t *options, usw_restart_words_t *words_out, usw_options_t *own_out);

#endif
