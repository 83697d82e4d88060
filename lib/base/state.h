/* The library's life: whether calls may go on. api/library.c starts and ends it. */
#ifndef USWI_BASE_STATE_H
#define USWI_BASE_STATE_H

#include <stdatomic.h>
#include <upsweep/status.h>

enum { USWI_FRESH, USWI_RUNNING, USWI_FINALIZING, USWI_FINALIZED, USWI_FORKED };
extern atomic_int uswi_state;

/* Once the library has started: USW_OK, or USW_ERROR_STATE after its end. While usw_finalize() runs: waits for its outcome. */
usw_status_t uswi_wait_for_state(void);

/* Make sure that a call which has started may go on: usw_finalize() may have come between. */
static inline usw_status_t uswi_check_state(void) {
  return atomic_load(&uswi_state) == USWI_RUNNING ? USW_OK : uswi_wait_for_state();
}

#endif
