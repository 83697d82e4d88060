/* What tbb.cpp asks of tbb_loops.cpp, which is compiled once for each level of host_levels.h. */
#ifndef BENCH_PEERS_TBB_LOOPS_H
#define BENCH_PEERS_TBB_LOOPS_H

#include <cstddef>

namespace peer {

enum { ACCUMULATOR_BYTES = 16 };

/* A kernel for one type, for the body of tbb::parallel_reduce. Accumulators are ACCUMULATOR_BYTES, aligned to as many. */
struct loops {
  const char *kernel, *type;
  void (*start)(const void *x, void *accumulator_out);
  void (*range)(const void *x, const void *y, std::size_t begin, std::size_t end, void *accumulator);
  void (*join)(void *accumulator, const void *other);
  void (*finish)(const void *accumulator, void *result_out);
};

struct loop_list {
  const loops *first;
  std::size_t count;
};

} // namespace peer

#endif
