/* Outputs: the streams that a kernel writes. */
#ifndef USWI_POLICY_OUTPUTS_H
#define USWI_POLICY_OUTPUTS_H

#include "policy/call.h"

/* Elements of an array: n of them from an address on, each `step` bytes behind the one before. */
typedef struct uswi_elements {
  uint64_t first;
  int64_t step;
  uint32_t bytes;
  size_t n; /* over 0 */
} uswi_elements_t;

/* Whether two arrays share no element: they are members of the same structures, or ranges that do not meet. */
int uswi_are_apart(const uswi_elements_t *a, const uswi_elements_t *b);

/* What is wrong with the outputs of a call whose arguments are checked otherwise: every item writes elements that nobody else
 * writes or reads, but its own of an input. Of a space only the strides are looked at. */
usw_status_t uswi_check_outputs(const uswi_call_t *call);

/* Whether an output is an input too, which has changed after the call. */
int uswi_is_in_place(const uswi_call_t *call);

#endif
