/* All decisions of a call, before anything runs. */
#ifndef USWI_POLICY_PREPARE_H
#define USWI_POLICY_PREPARE_H

#include "policy/call.h"

/* Check, place and choose. The library has been entered, and the kernel is one that it knows. */
usw_status_t uswi_prepare(uswi_call_t *call, const uint64_t *arguments);

#endif
