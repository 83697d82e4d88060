#include "base/state.h"

#include <sched.h>

#include "base/error.h"

atomic_int uswi_state = USWI_FRESH;

usw_status_t uswi_wait_for_state(void) {
  int now;
  while ((now = atomic_load(&uswi_state)) == USWI_FINALIZING)
    sched_yield(); /* it ends, or goes on running */
  switch (now) {
  case USWI_RUNNING:
    return USW_OK;
  case USWI_FORKED:
    return uswi_fail(USW_ERROR_STATE, "the library was used before fork(): a child cannot use it");
  default:
    return uswi_fail(USW_ERROR_STATE, "the library was used after usw_finalize()");
  }
}
