/* Results that cannot be written where they are to be: they are written into room of the host's, and copied from there. */
#ifndef USWI_EXEC_RESULT_ROOM_H
#define USWI_EXEC_RESULT_ROOM_H

#include "policy/call.h"

/* A variable, or all of its results, to and from host memory; it may be in any device's. */
usw_status_t uswi_result_copy_here(const uswi_call_t *call, uint32_t r, void *to);
usw_status_t uswi_result_copy_back(const uswi_call_t *call, uint32_t r, const void *from);

/* To and from room for the results of all variables (policy/results.h), of those whose bit is set; original values of those only that do not
 * start from the identity. */
usw_status_t uswi_results_to_room(const uswi_call_t *call, uint64_t variables, char *room);
usw_status_t uswi_results_from_room(const uswi_call_t *call, uint64_t variables, const char *room);

/* Variables in such room, which are to be written in place of the call's, with the original values of all; and what they hold into the call's,
 * first into those of devices, because copies may fail. */
usw_status_t uswi_variables_to_room(const uswi_call_t *call, char *room, usw_variable_t *own_out);
usw_status_t uswi_variables_back(const uswi_call_t *call, const usw_variable_t *own);

#endif
