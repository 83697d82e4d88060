/* What calls of parts check, and the options of a part. */
#ifndef USWI_API_PARTS_H
#define USWI_API_PARTS_H

#include <upsweep/descriptor.h>
#include <upsweep/parts.h>

/* What no part can be blamed for, and their sizes; options are not NULL. */
usw_status_t uswi_check_parts(const char *name, const usw_part_t *parts, size_t count, const usw_options_t *options);

/* Refuse more bins than one sweep keeps. */
usw_status_t uswi_fail_of_folds(const usw_kernel_t *kernel, const usw_options_t *options);

usw_options_t uswi_options_of_part(const usw_part_t *part, const usw_options_t *options);

#endif
