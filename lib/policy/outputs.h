/* Outputs: the streams that a kernel writes. */
#ifndef USWI_POLICY_OUTPUTS_H
#define USWI_POLICY_OUTPUTS_H

#include "policy/call.h"

/* What is wrong with the outputs of a call whose arguments are checked otherwise: every item writes elements that nobody else
 * writes or reads, but its own of an input. Of a space only the strides are looked at. */
usw_status_t uswi_check_outputs(const uswi_call_t *call);

/* Whether an output is an input too, which has changed after the call. */
int uswi_is_in_place(const uswi_call_t *call);

#endif
