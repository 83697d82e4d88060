/* Parts as callers describe them: of a reduction of the library's, or of a user kernel. */
#ifndef USWI_API_PARTS_H
#define USWI_API_PARTS_H

#include <upsweep/parts.h>

#include "exec/parts.h"

typedef struct uswi_described_parts {
  const char *owner; /* in errors: the function */
  const usw_kernel_t *kernel;
  const usw_part_t *parts;            /* of the library's; else NULL, and */
  const usw_kernel_part_t *of_kernel; /* these */
  size_t count;                       /* 0 becomes one part without items */
  uint64_t first_index;               /* what the first part's items count from */
  void *record_out;                   /* for the record of all in place of a result, else NULL */
} uswi_described_parts_t;

/* What no part can be blamed for: options, which are not NULL. */
usw_status_t uswi_check_options_of_parts(const char *owner, const usw_options_t *options);

/* The same, and the sizes of parts. The options of a part. */
usw_status_t uswi_check_parts(const char *owner, const usw_part_t *parts, size_t count, const usw_options_t *options);
usw_options_t uswi_options_of_part(const usw_part_t *part, const usw_options_t *options);

/* Find the library's kernel, and check what is wrong with parts and options whatever the place. */
usw_status_t uswi_describe_parts(const char *owner, usw_operation_t operation, usw_type_t type, const usw_part_t *parts,
                                 size_t count, const usw_options_t *options, uswi_described_parts_t *described_out);
/* The same of a kernel that is found already. */
usw_status_t uswi_describe_parts_of(const char *owner, const usw_kernel_t *kernel, const usw_part_t *parts,
                                    size_t count, const usw_options_t *options, uswi_described_parts_t *described_out);
usw_status_t uswi_describe_kernel_parts(const char *owner, const usw_kernel_t *kernel, const usw_kernel_part_t *parts,
                                        size_t count, const usw_options_t *options,
                                        uswi_described_parts_t *described_out);

/* Whether the items of a kernel may be in several places: it has one result, and does not count its items from 0 in each. */
usw_status_t uswi_check_family_of_parts(const usw_kernel_t *kernel);

/* Whether no part names memory for the result of all. */
usw_status_t uswi_check_no_results(const uswi_described_parts_t *described);

/* Let room for as many parts be these. */
void uswi_fill_parts(const uswi_described_parts_t *described, const usw_options_t *options, uswi_part_t *room);

/* Room for parts; NULL: there is none, and the error is told. */
uswi_part_t *uswi_allocate_parts(const char *owner, size_t count);

/* Run them by one sweep; variables may be NULL where there is a record. */
usw_status_t uswi_run_described_parts(const uswi_described_parts_t *described, const usw_variable_t *variables,
                                      const usw_options_t *options);

/* Whether parts of the library's that take sweeps can run: not by more bins than one sweep keeps; and that. */
usw_status_t uswi_check_exact_parts(const usw_kernel_t *kernel, const usw_options_t *options);
usw_status_t uswi_run_exact_parts(const uswi_described_parts_t *described, void *result_out,
                                  const usw_options_t *options);

#endif
