/* The loops of host_clause.c without OpenMP, which the build compiles for the levels of the processor family: what a program
 * that calls nothing would do. */
#include "host_levels.h"
#include "peers.h"

#define DECLARE(level, ...) int peer_serial_##level(const bench_call_t *call, bench_value_t *result_out);
PEER_LEVELS(DECLARE)

int peer_serial(const bench_call_t *call, bench_value_t *result_out) {
  static bench_peer_t loops;
#define CHOOSE(level, its_flags, is_there)                                                                             \
  if (!loops && (is_there))                                                                                            \
    loops = peer_serial_##level;
  PEER_LEVELS(CHOOSE)
  return loops(call, result_out);
}
