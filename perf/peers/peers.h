/* What Upsweep is measured against. Each function runs a call and returns 0, or -1 where it has no
 * such case. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "../bench.h"

/* OpenMP's reduction clause on the host's threads. */
int peer_host_clause(const bench_call_t *call, bench_value_t *result_out);

/* What the host's memory and caches give: every byte of up to 6 streams is read, and a stream is copied, by the OpenMP
 * threads of the process; by one thread where that is not worth waking more. Return 0, or -1 for more streams. */
int peer_read_host(const void *const *streams, const size_t *bytes, int count);
int peer_copy_host(void *destination, const void *source, size_t bytes);

/* Sends the OpenMP threads of the process to sleep, in some 20 us; the next region wakes them. libomp's look for work for
 * 200 ms by default, on cores that a peer's threads need (PEER_OTHER_THREADS, PEER_OTHER_PROCESS). */
void peer_quiet_host(void);

/* OpenMP's reduction clause on a device, as anybody would write it: the compiler chooses the
 * launch. */
int peer_plain_clause(const bench_call_t *call, bench_value_t *result_out);

/* A tree written by hand for one case, the sum of doubles on an NVIDIA GPU. peer_prototype_tune()
 * tries all forms and grids for the length and says which it chose, or returns NULL where the
 * prototype cannot run. */
const char *peer_prototype_tune(const bench_call_t *call);
int peer_prototype(const bench_call_t *call, bench_value_t *result_out);

#endif
