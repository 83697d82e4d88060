/* oneTBB as a peer: tbb::parallel_reduce over a blocked_range, as its documentation has it. */
#include "host_levels.h"
#include "host_threads.h"
#include "plugin.h"
#include "tbb_loops.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/version.h>

/* What the build made of tbb_loops.cpp. */
#define DECLARE(level, ...) peer::loop_list tbb_loops_##level();
PEER_LEVELS(DECLARE)

#ifdef __clang__
#define PEER_COMPILER "clang " __clang_version__
#else
#define PEER_COMPILER "gcc " __VERSION__
#endif

namespace {

using range = tbb::blocked_range<size_t>;

/* The loops of this processor, and the flags that they were compiled with. */
struct {
  peer::loop_list loops;
  const char *flags;
} level;

struct body {
  const peer::loops &loops;
  const void *x, *y;
  alignas(peer::ACCUMULATOR_BYTES) unsigned char found[peer::ACCUMULATOR_BYTES];

  body(const peer::loops &of, const void *first, const void *second) : loops(of), x(first), y(second) {
    loops.start(x, found);
  }
  body(body &other, tbb::split) : body(other.loops, other.x, other.y) {}
  void operator()(const range &part) { loops.range(x, y, part.begin(), part.end(), found); }
  void join(const body &other) { loops.join(found, other.found); }
};

enum form { AUTO, STATIC };
constexpr unsigned special = PEER_OTHER_THREADS | PEER_PLAIN_LOOP;
const peer_form_t forms[] = {
    {"tbb", "auto_partitioner", special}, {"tbb", "static_partitioner", special}, {nullptr, nullptr, 0}};

/* As many threads as Upsweep's, all of them started now: a range each, which waits until the others have come. */
void take_threads() {
  static tbb::global_control *limit;
  if (limit)
    return;
  const int threads = peer_host_threads();
  cpu_set_t bound;
  peer_host_unbind(&bound);
  limit = new tbb::global_control(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(threads));
  std::atomic<int> there{0};
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
  tbb::parallel_for(
      range(0, static_cast<size_t>(threads), 1),
      [&](const range &) {
        there++;
        while (there < threads && std::chrono::steady_clock::now() < end)
          sched_yield();
      },
      tbb::static_partitioner());
  peer_host_bind(&bound);
}

void choose_level() {
#define CHOOSE(name, its_flags, is_there)                                                                              \
  if (!level.flags && (is_there))                                                                                      \
    level = {tbb_loops_##name(), its_flags};
  PEER_LEVELS(CHOOSE)
}

const char *version() {
  static char text[128];
  choose_level();
  take_threads();
  snprintf(text, sizeof text, "oneTBB %s, %s, -O3 %s, %d threads", TBB_runtime_version(), PEER_COMPILER, level.flags,
           peer_host_threads());
  return text;
}

const peer::loops &opened(const peer_case_t *found) { return *reinterpret_cast<const peer::loops *>(found); }

const peer_case_t *find(const char *kernel, const char *type) {
  choose_level();
  for (size_t k = 0; k < level.loops.count; k++)
    if (strcmp(level.loops.first[k].kernel, kernel) == 0 && strcmp(level.loops.first[k].type, type) == 0)
      return reinterpret_cast<const peer_case_t *>(&level.loops.first[k]);
  return nullptr;
}

int prepare(const peer_case_t *, const void *, const void *, size_t) {
  take_threads();
  return 0;
}

int run(const peer_case_t *found, int form, const void *x, const void *y, size_t n, void *result_out) {
  body whole(opened(found), x, y);
  if (form == STATIC)
    tbb::parallel_reduce(range(0, n), whole, tbb::static_partitioner());
  else
    tbb::parallel_reduce(range(0, n), whole, tbb::auto_partitioner());
  whole.loops.finish(whole.found, result_out);
  return 0;
}

int settle() { return 0; }

} // namespace

const peer_plugin_t peer_plugin = {version, forms, find, prepare, run, settle, nullptr, 0.001};
