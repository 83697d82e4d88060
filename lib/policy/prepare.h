/* All decisions of a call, before anything runs. */
#ifndef USWI_POLICY_PREPARE_H
#define USWI_POLICY_PREPARE_H

#include "policy/call.h"

/* Check, place and choose. The library has been entered, and the kernel is one that it knows. */
usw_status_t uswi_prepare(uswi_call_t *call, const uint64_t *arguments);

/* The same of a call of the same kernel, by options that differ in place and strides alone, for which another one has been prepared: where
 * nothing else is to be chosen, its choice is taken. Without a stream. */
usw_status_t uswi_prepare_like(uswi_call_t *call, const uint64_t *arguments, const uswi_call_t *like);

#endif
