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

/* The name of an operation ("sum") or of a type ("f64") for messages; NULL: no code. */
const char *uswi_operation_name(usw_operation_t operation);
const char *uswi_type_name(usw_type_t type);

/* Whether something exists over a type, and the names of the types over which it does: "i8, i16 and u8". */
typedef int (*uswi_has_type_t)(usw_operation_t operation, usw_type_t type);
enum { USWI_TYPE_LIST_BYTES = 96 };
const char *uswi_list_types(uswi_has_type_t has, usw_operation_t operation, char list[USWI_TYPE_LIST_BYTES]);

/* USW_ERROR_UNSUPPORTED where one of the codes is none, else USW_OK. */
usw_status_t uswi_check_codes(usw_operation_t operation, usw_type_t type);

/* The kernel of (operation, type) that promises an accuracy, or the nearest to it, and does what a NaN policy asks for; NULL:
 * there is none. */
const usw_kernel_t *uswi_kernel_at(usw_operation_t operation, usw_type_t type, usw_accuracy_t accuracy, usw_nan_t nan);

/* The kernel of (operation, type) for the accuracy and the NaN policy of the options, which may be NULL; or NULL with the error
 * told: USW_ERROR_UNSUPPORTED. Whether it does promise that accuracy is for the checks of a call. */
const usw_kernel_t *uswi_kernel(usw_operation_t operation, usw_type_t type, const usw_options_t *options);

/* The same if it reads that many streams, else NULL: USW_ERROR_UNSUPPORTED, whose text says what to do instead. */
const usw_kernel_t *uswi_kernel_of_streams(usw_operation_t operation, usw_type_t type, uint32_t streams,
                                           const usw_options_t *options);

/* The one that does the same along axes and for segments, and the name that errors have; or NULL with the error told. */
const usw_kernel_t *uswi_kernel_of_many(usw_operation_t operation, usw_type_t type, uint32_t streams,
                                        const usw_options_t *options, const char **name_out);

/* The library's kernel of a scan, or of one that begins anew, or NULL with an error that says which types there are. */
const usw_kernel_t *uswi_kernel_of_scan(usw_operation_t operation, usw_type_t type, int is_of_segments,
                                        const usw_options_t *options);

/* The latter, or NULL: there is none. */
const usw_kernel_t *uswi_find_segment_scan(usw_operation_t operation, usw_type_t type, const usw_options_t *options);

#endif
