/* Where a call runs. */
#ifndef USWI_POLICY_PLACE_H
#define USWI_POLICY_PLACE_H

#include "policy/call.h"

/* Decide where to run and make the addresses valid there. */
usw_status_t uswi_place(uswi_call_t *call);

/* Its two steps: where to run, if the data is at first_address (0: there is none), and one address; owner and what say in
 * an error's text whose it is. */
usw_status_t uswi_place_near(uswi_call_t *call, uint64_t first_address);

/* Let the next call run where this one was placed. */
static inline void uswi_keep_place(const uswi_call_t *placed, usw_options_t *options) {
  options->place = placed->device ? USW_DEVICE : USW_HOST;
  options->device = placed->device ? placed->device->number : 0;
}
usw_status_t uswi_reach(uswi_call_t *call, const char *owner, const char *what, uint64_t *address);

/* The error where a driver could not tell whose memory it is. */
usw_status_t uswi_unknown_place(const char *owner, const char *what, uint64_t address);

/* Whether streams in host memory are to be staged, if the device cannot read them. */
int uswi_may_stage(const uswi_call_t *call);

#endif
