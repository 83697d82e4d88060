/* Runs of a set as a batch: short arrays, each for a few teams of a GPU. */
#ifndef USWI_API_SET_BATCH_H
#define USWI_API_SET_BATCH_H

#include "api/set_object.h"
#include "policy/call.h"

/* Whether a run that is placed is a batch: short arrays, each for a few teams of a GPU; then its tasks of so many items. */
uint32_t uswi_set_batch_tasks(usw_set_t *set, size_t n, const uswi_call_t *call);

/* Run it and write the results. */
usw_status_t uswi_set_run_batch(usw_set_t *set, size_t n, uswi_call_t *placed, uint32_t tasks);

/* Whether that was the set's last run, whose arrays are read where the caller has them; then its launch and results are all
 * that another one takes. */
int uswi_set_knows_batch(const usw_set_t *set, size_t n, const usw_options_t *options);
usw_status_t uswi_set_launch_batch(usw_set_t *set);

#endif
