/* What the kernels of reducer sets read of each reducer. */
#ifndef USWI_API_SET_TASK_H
#define USWI_API_SET_TASK_H

#include "api/set_object.h"
#include "backend/backend.h"
#include "policy/call.h"

/* Fill in the reducer's task but for what a run says. */
void uswi_set_describe(uswi_set_reducer_t *reducer);

/* What a task says of a reducer's n elements of which an item takes so many; its addresses are made valid where the call
 * runs. */
usw_status_t uswi_set_fill_task(const uswi_set_reducer_t *reducer, size_t n, uint64_t elements_per_item,
                                uswi_call_t *call, usw_set_task_t *task);

/* The set's tasks where the kernel can read them; those of the last run are still there. */
usw_status_t uswi_set_carry_tasks(usw_set_t *set, uint32_t count, const uswi_device_t *device,
                                  const usw_set_task_t **tasks_out);

#endif
