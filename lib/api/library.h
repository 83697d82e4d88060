/* The library's first use and its end. Every function of the interface that may be a process's first enters here. */
#ifndef USWI_API_LIBRARY_H
#define USWI_API_LIBRARY_H

#include "base/state.h"

/* Start the library, or say why it cannot be used any more. */
usw_status_t uswi_enter_anew(void);

static inline usw_status_t uswi_enter(void) {
  return atomic_load(&uswi_state) == USWI_RUNNING ? USW_OK : uswi_enter_anew();
}

#endif
