/* The parts of a call with usw_options_t::devices: which device takes which items. By the call, where its streams are mapped, and the
 * tuning table, never by what this run measures: results have the same bits on every run. */
#ifndef USWI_POLICY_DEVICE_PARTS_H
#define USWI_POLICY_DEVICE_PARTS_H

#include "policy/mapped_sections.h"

/* Of a call that uswi_check() has passed; `devices` as usw_options_t::devices, not 0. */
usw_status_t uswi_device_parts(const uswi_call_t *whole, uint64_t devices, uswi_device_parts_t *parts_out);

#endif
