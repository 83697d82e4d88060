/* The levels of the processor family that loops of host peers are compiled for, as the library's are:
 * PEER_LEVELS(LEVEL) is LEVEL(name, flags, whether this processor has it), the best one first. The build compiles for each
 * of them, with its flags. */
#ifndef BENCH_PEERS_HOST_LEVELS_H
#define BENCH_PEERS_HOST_LEVELS_H

#ifdef __x86_64__
#define PEER_HAS(feature) __builtin_cpu_supports(feature)
#define PEER_HAS_V3 (PEER_HAS("avx2") && PEER_HAS("bmi2") && PEER_HAS("fma"))
#define PEER_HAS_V4                                                                                                    \
  (PEER_HAS_V3 && PEER_HAS("avx512bw") && PEER_HAS("avx512cd") && PEER_HAS("avx512dq") && PEER_HAS("avx512vl"))
#define PEER_LEVELS(LEVEL)                                                                                             \
  LEVEL(v4, "-march=x86-64-v4", PEER_HAS_V4)                                                                           \
  LEVEL(v3, "-march=x86-64-v3", PEER_HAS_V3)                                                                           \
  LEVEL(base, "no -march", 1)
#else
#define PEER_LEVELS(LEVEL) LEVEL(base, "no -march", 1)
#endif

#endif
