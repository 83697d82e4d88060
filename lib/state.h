/* The library's life: first use, finalize, fork. */
#ifndef USWI_STATE_H
#define USWI_STATE_H

#include <upsweep/status.h>

/* Make sure that the library may be used by this call; reads the environment the first time. */
usw_status_t uswi_enter(void);

#endif
