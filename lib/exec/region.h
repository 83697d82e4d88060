/* The parallel region of a call on the host. */
#ifndef USWI_EXEC_REGION_H
#define USWI_EXEC_REGION_H

#include "policy/call.h"
#include "policy/schedule.h"

/* Run body(context, t, members) on every thread of the crew's team, with the arithmetic that the call's kernel wants, and bound where
 * USW_BIND says so. */
typedef void (*uswi_region_body_t)(void *context, uint32_t t, uint32_t members);
void uswi_run_region(const uswi_crew_t *crew, const uswi_call_t *call, uswi_region_body_t body, void *context);

#endif
