/* The library's life: first use, finalize, fork. */
#ifndef USWI_STATE_H
#define USWI_STATE_H

#include <stdatomic.h>
#include <upsweep/status.h>

enum { USWI_FRESH, USWI_RUNNING, USWI_FINALIZING, USWI_FINALIZED, USWI_FORKED };
extern atomic_int uswi_state;

/* Where it is not running: at the first use, which reads the environment, and after the last. */
usw_status_t uswi_enter_anew(void);

/* Make sure that the library may be used by this call. */
static inline usw_status_t uswi_enter(void) {
  return atomic_load(&uswi_state) == USWI_RUNNING ? USW_OK : uswi_enter_anew();
}

#endif
