/* The library's kernels by code. */
#ifndef USWI_REDUCE_H
#define USWI_REDUCE_H

#include <upsweep/descriptor.h>

/* Slots of a library kernel: two streams at most, the index of the first item, the NaN policy. */
enum { USWI_MAX_LIBRARY_SLOTS = 4 };

/* The kernel of (operation, type) for the accuracy of the options, which may be NULL; or NULL with the error told:
 * USW_ERROR_UNSUPPORTED. Whether it does promise that accuracy is for the checks of a call. */
const usw_kernel_t *uswi_kernel(usw_operation_t operation, usw_type_t type, const usw_options_t *options);

/* The same if it reads that many streams, else NULL: USW_ERROR_UNSUPPORTED, whose text says what to do instead. */
const usw_kernel_t *uswi_kernel_of_streams(usw_operation_t operation, usw_type_t type, uint32_t streams,
                                           const usw_options_t *options);

#endif
