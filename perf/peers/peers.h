/* What Upsweep is measured against. Each function runs a call and returns 0, or -1 where it has no
 * such case. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "bench/bench.h"

/* OpenMP's reduction clause on the host's threads. */
int peer_host_clause(const bench_call_t *call, bench_value_t *result_out);

/* The same loops by the calling thread alone, without OpenMP. */
int peer_serial(const bench_call_t *call, bench_value_t *result_out);

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

/* The same clause as somebody would write it who knows how clang compiles it: see shaped_clause.c. The
 * second form loads 16 bytes at a time, from streams at multiples of that. */
int peer_shaped_clause(const bench_call_t *call, bench_value_t *result_out);
int peer_shaped_clause_wide(const bench_call_t *call, bench_value_t *result_out);

/* References on a device, for what its memory gives at most. Neither allocates, and all streams are in the memory of
 * `device`, streams[s] with bytes[s] bytes. Both return 0, or -1 where they cannot run.
 *
 * peer_read_device() reads up to PEER_MAX_STREAMS streams, each at a multiple of 16 bytes, one after the other, and
 * returns when it has. By the environment: USW_BENCH_READ_TEAMS, how many teams at most (otherwise as many as the device
 * holds at once), and USW_BENCH_READ_TEAM_SIZE, 32 to 1024, a power of two (512). peer_copy_device() copies every stream
 * to `scratch`, which is of the same device and as large as the longest. */
enum { PEER_MAX_STREAMS = 6 };
int peer_read_device(int device, const void *const *streams, const size_t *bytes, int count);
int peer_copy_device(int device, void *scratch, const void *const *streams, const size_t *bytes, int count);

/* A tree written by hand for one case, the sum of doubles on an NVIDIA GPU. peer_prototype_tune()
 * tries all forms and grids for the length and says which it chose, or returns NULL where the
 * prototype cannot run. */
const char *peer_prototype_tune(const bench_call_t *call);
int peer_prototype(const bench_call_t *call, bench_value_t *result_out);

#endif
