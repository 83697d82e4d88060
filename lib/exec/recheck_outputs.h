/* What a recheck keeps of the outputs of a call: copies of their elements in the caller's arrays. */
#ifndef USWI_EXEC_RECHECK_OUTPUTS_H
#define USWI_EXEC_RECHECK_OUTPUTS_H

#include "policy/call.h"

/* Copy all outputs; *copies_out is NULL where nothing is to be compared (none, or those of a space), else free() it.
 * USW_ERROR_MEMORY, USW_ERROR_DEVICE. */
usw_status_t uswi_outputs_copy(const uswi_call_t *call, char **copies_out);

/* Whether two copies differ: in an element of that argument. */
int uswi_outputs_differ(const uswi_call_t *call, const char *one, const char *other, uint32_t *argument_out,
                        size_t *item_out);

#endif
