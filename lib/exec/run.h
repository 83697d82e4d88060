/* Calls that are decided, from their first launch to the written result. */
#ifndef USWI_EXEC_RUN_H
#define USWI_EXEC_RUN_H

#include "policy/call.h"

/* Check, decide and run an initialized call with its variables, to the written result and report. */
usw_status_t uswi_run_call(uswi_call_t *call, const uint64_t *arguments);

/* The same of a kernel: usw_kernel_run(), for callers inside the library. */
usw_status_t uswi_run_kernel(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                             const usw_variable_t *variables, const usw_options_t *options);

/* Run a prepared call to its written result, with room for a record. */
usw_status_t uswi_run(uswi_call_t *call, void *record);

/* Its parts. The record of all items, on a 64-byte boundary of host memory; run twice, if it is a call to recheck. */
usw_status_t uswi_accumulate(uswi_call_t *call, void *record_out);

/* The same of a call that is not prepared, to its report: what callers keep or send in place of a result. */
usw_status_t uswi_reduce_to_record(uswi_call_t *call, const uint64_t *arguments, void *record_out);

/* Combine the original values in and write the result; the record is used up. In the arithmetic of accurate sums, if the
 * call has some. */
usw_status_t uswi_finish(const uswi_call_t *call, void *record);

/* The same with other variables in place of the call's, all of the host's. */
usw_status_t uswi_finish_apart(const uswi_call_t *call, void *record, const usw_variable_t *own);

/* For a report: how many of the items of a record, complete but for original values, count. */
void uswi_count_kept(uswi_call_t *call, const void *record);

/* Write what ran into the call's report, if it asked for one. */
void uswi_fill_report(const uswi_call_t *call);

#endif
