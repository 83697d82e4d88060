/* What a host peer has to know of the program's threads. A plugin has no OpenMP of its own: a second runtime would bring
 * threads that nobody counts. It asks the program's. */
#ifndef BENCH_PEERS_HOST_THREADS_H
#define BENCH_PEERS_HOST_THREADS_H

#include <sched.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As many threads as the program's OpenMP takes: the library takes as many. Without OpenMP, the processors of this
 * thread. */
int peer_host_threads(void);

/* With OMP_PROC_BIND this thread is bound to one place, and what it starts would inherit that: threads and processes of
 * a peer are started between these two calls, on the processors of all places. */
void peer_host_unbind(cpu_set_t *bound_out);
void peer_host_bind(const cpu_set_t *bound);

#ifdef __cplusplus
}
#endif

#endif
