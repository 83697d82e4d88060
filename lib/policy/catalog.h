/* The library's kernels by codes. */
#ifndef USWI_POLICY_CATALOG_H
#define USWI_POLICY_CATALOG_H

#include <upsweep/descriptor.h>

/* Arguments of a library kernel: two streams at most, the index of the first item, the NaN policy. */
enum { USWI_MAX_LIBRARY_ARGUMENTS = 4 };

/* Codes are below these. */
enum { USWI_OPERATIONS = 64, USWI_TYPES = 32 };

static inline int uswi_are_codes(usw_operation_t operation, usw_type_t type) {
  return (unsigned)operation < USWI_OPERATIONS && (unsigned)type < USWI_TYPES;
}

/* The kernel of (operation, type) that promises an accuracy, or the nearest to it, and does what a NaN policy asks for; NULL:
 * there is none. */
const usw_kernel_t *uswi_kernel_at(usw_operation_t operation, usw_type_t type, usw_accuracy_t accuracy, usw_nan_t nan);

/* The kernel of (operation, type) for the accuracy and the NaN policy of the options, which may be NULL; or NULL with the error
 * told: USW_ERROR_UNSUPPORTED. Whether it does promise that accuracy is for the checks of a call. */
const usw_kernel_t *uswi_kernel(usw_operation_t operation, usw_type_t type, const usw_options_t *options);

/* The same if it reads that many streams, else NULL: USW_ERROR_UNSUPPORTED, whose text says what to do instead. */
const usw_kernel_t *uswi_kernel_of_streams(usw_operation_t operation, usw_type_t type, uint32_t streams,
                                           const usw_options_t *options);

#endif
