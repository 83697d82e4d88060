/* Scratch of a plan's own: the library's memory for what is put into streams, or memory that the caller lends. */
#ifndef USWI_API_PLAN_SCRATCH_H
#define USWI_API_PLAN_SCRATCH_H

#include "api/plan_object.h"
#include "policy/call.h"

/* Scratch of the plan's own, large enough for runs like this of any n: that there is some, on this device. */
usw_status_t uswi_plan_own_scratch(usw_plan_t *plan, const uswi_call_t *like);
/* The same for a run that begins now, of a plan whose scratch is lent: USW_ERROR_BUSY while another run uses it. */
usw_status_t uswi_plan_lent_scratch(usw_plan_t *plan, const uswi_call_t *like);
void uswi_plan_free_scratch(usw_plan_t *plan);

#endif
