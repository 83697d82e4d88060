/* Calls with many results, which the kernel writes itself: into the caller's arrays where the place can, else into room that is copied
 * from. */
#ifndef USWI_EXEC_RESULTS_H
#define USWI_EXEC_RESULTS_H

#include "policy/call.h"

/* Run a prepared call to its written results, twice if it is one to recheck; `record` is room for one. Results in memory of the host are
 * unchanged after a failure. */
usw_status_t uswi_run_results(uswi_call_t *call, void *record);

/* Find out where each variable is, and that the place reaches them, and offsets of segments, which the call names as the place does then. */
usw_status_t uswi_results_reach(uswi_call_t *call);

/* Whether the place writes the results of every variable where they are to be. */
int uswi_results_are_direct(const uswi_call_t *call);

/* Let a call write them there: in place of their number its extents are addresses then. */
void uswi_results_aim(uswi_call_t *call);

#endif
