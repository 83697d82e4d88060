/* How many threads a call on the host takes: what this process has by now, put to policy/schedule.h. */
#ifndef USWI_EXEC_THREADS_H
#define USWI_EXEC_THREADS_H

#include "policy/schedule.h"

/* Threads for a call with this many chunks of work, of which one thread would take so long: its share of the cores while it
 * runs, given back afterwards. */
uswi_crew_t uswi_threads_take(uint32_t chunks, uint64_t serial_ns);
void uswi_threads_give_back(const uswi_crew_t *crew);

/* The calling thread had to wait so long for the others of its team, behind a part of its own that took so long. */
void uswi_threads_tell(const uswi_crew_t *crew, uint64_t own_ns, uint64_t wait_ns);

/* Those that it would take now if no other call were under way. */
uswi_crew_t uswi_threads_expect(uint32_t chunks, uint64_t serial_ns);

#endif
