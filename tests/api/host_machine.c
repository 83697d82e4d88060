/* On any machine that is described to hwloc, in any part of this one, bound or not, a call on the host has the bits of one
 * thread, takes the threads that it should, and binds only what it was told to.
 *
 * usage: host_machine [--threads N] [--bound]     N: of a large call; --bound: its threads stay on cores of their own */
#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upsweep/upsweep.h>

#include "support/check.h"

/* More than 256 MiB, where calls on several NUMA nodes ask where the data lies. */
enum { LARGE_ITEMS = (1 << 25) + 12345, MIDDLE_ITEMS = 1 << 18, MOST_THREADS = 64 };

static uint32_t sum(const double *x, size_t n, double *sum_out) {
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .place = USW_HOST, .report = &report};
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x, n, sum_out, &options));
  return report.teams;
}

/* Other items first: a chunk that nobody runs must not find the last call's partial. */
static void compare(const double *x, size_t n, int threads, double expected) {
  double other, again;
  omp_set_num_threads(threads);
  sum(x + 1, n - 1, &other);
  sum(x, n, &again);
  CHECK(other != expected);
  CHECK(memcmp(&expected, &again, sizeof again) == 0);
}

static void same_bits(const double *x, size_t n) {
  double one;
  omp_set_num_threads(1);
  CHECK_U64(1, sum(x, n, &one));
  compare(x, n, 2, one);
  compare(x, n, 3, one);
  compare(x, n, 8, one);
  compare(x, n, omp_get_num_procs(), one);
}

/* Where each thread of the runtime's team may run, behind a call that took all of them. */
static void binding(const double *x, int is_bound) {
  cpu_set_t sets[MOST_THREADS], all;
  double unused;
  CPU_ZERO(&all);
  CHECK(sched_getaffinity(0, sizeof all, &all) == 0);
  const int threads = (int)sum(x, LARGE_ITEMS, &unused), most = threads < MOST_THREADS ? threads : MOST_THREADS;
#pragma omp parallel num_threads(most)
  sched_getaffinity(0, sizeof *sets, &sets[omp_get_thread_num()]);
  for (int t = 0; t < most; t++) {
    CHECK(is_bound ? CPU_COUNT(&sets[t]) == 1 : CPU_EQUAL(&sets[t], &all));
    for (int u = 0; is_bound && u < t; u++)
      CHECK(!CPU_EQUAL(&sets[t], &sets[u]));
  }
}

int main(int argc, char **argv) {
  uint32_t threads = 0;
  int is_bound = 0;
  for (int k = 1; k < argc; k++) {
    is_bound |= strcmp(argv[k], "--bound") == 0;
    if (strcmp(argv[k], "--threads") == 0 && k + 1 < argc)
      threads = (uint32_t)atoi(argv[++k]);
  }
  double *x = malloc(LARGE_ITEMS * sizeof *x), unused;
  CHECK(x != NULL);
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < LARGE_ITEMS; i++)
    x[i] = (double)(i * 2654435761u % 1000003) * 1e-3 + 1;
  if (threads) {
    CHECK_U64(threads, sum(x, LARGE_ITEMS, &unused));
    CHECK_U64(1, sum(x, 100, &unused));
  }
  binding(x, is_bound);
  same_bits(x, LARGE_ITEMS);
  same_bits(x, MIDDLE_ITEMS);
  free(x);
  return check_report();
}
