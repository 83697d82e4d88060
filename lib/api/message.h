/* Steps of reductions to messages, which gatherings take, too. */
#ifndef USWI_API_MESSAGE_H
#define USWI_API_MESSAGE_H

#include "policy/call.h"

/* Check the kernel, and find the size of its records; variables may be NULL where there are no spans. */
usw_status_t uswi_describe_message(const usw_kernel_t *kernel, const usw_variable_t *variables,
                                   size_t *record_bytes_out);

/* The same, and memory for a message: what one that cannot be written would be about. */
usw_status_t uswi_check_message(const usw_kernel_t *kernel, const usw_variable_t *variables, const void *message,
                                size_t bytes, size_t *record_bytes_out);

/* Whether so many items may be counted from an index on. */
usw_status_t uswi_check_indices(const usw_kernel_t *kernel, size_t n, uint64_t first_index);

/* Arguments with those behind them that the library sets, which need not be there: USW_MAX_PART_ARGUMENTS words are room for all. */
const uint64_t *uswi_with_own_arguments(const usw_kernel_t *kernel, const uint64_t *arguments, uint64_t *words);

/* Where a message's record begins: with spans, of which records may be large, on the boundary that kernels expect, so that a message on it is
 * merged where it lies. */
size_t uswi_record_of_message(const usw_kernel_t *kernel);

/* Write what comes before the record of a call, or that it has failed; returns the status. */
usw_status_t uswi_write_message_header(const uswi_call_t *call, usw_status_t status, uint32_t source, void *message,
                                       size_t bytes);

#endif
