/* How many threads a call on the host takes. */
#ifndef USWI_HOST_THREADS_H
#define USWI_HOST_THREADS_H

#include <stdint.h>

/* Most threads that a call may take: OpenMP's, or USW_THREADS if that is less. */
uint32_t uswi_threads_limit(void);

/* Threads for a call with this many chunks of work: its share of the cores while it runs, given
 * back afterwards. */
uint32_t uswi_threads_take(uint32_t chunks);
void uswi_threads_give_back(void);

#endif
