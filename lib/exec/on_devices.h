/* Items of one call that several devices share (usw_options_t::devices): a part of them for each. */
#ifndef USWI_EXEC_ON_DEVICES_H
#define USWI_EXEC_ON_DEVICES_H

#include "policy/call.h"

/* Whether the options ask for it. Options of another size ask for nothing: the call's checks tell. */
static inline int uswi_names_devices(const usw_options_t *options) {
  return options && options->size == sizeof *options && options->devices != 0;
}

/* The options of its parts, which are those of `whole`, and the checks that come before it has parts. `options` are the caller's. */
usw_options_t uswi_options_on_devices(const usw_options_t *options);
usw_status_t uswi_check_on_devices(uswi_call_t *whole, const uint64_t *arguments, const usw_options_t *options);

/* Run such a call of a kernel that uswi_check_kernel() knows, to the written result and report. */
usw_status_t uswi_run_on_devices(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                 const usw_variable_t *variables, const usw_options_t *options);

#endif
