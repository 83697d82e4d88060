/* Calls from inside OpenMP regions of the caller's: every strategy of a place gives the right result in every one of them, and
 * returns. Compiled by gcc as well (regions_gcc.sh), whose regions are libgomp's.   regions [--place NAME] */
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 10007, LONG_ITEMS = 300007, ROUNDS = 3, TASKS = 7 }; /* the longer one in chunks on the host */

static test_place_t place;
static place_memory_t data; /* 1.0 */
static size_t items;
static usw_strategy_t strategy;

static void call(const char *region, int threads) {
  double sum = -1;
  usw_options_t options = place_options(&place);
  options.strategy = strategy;
  options.accuracy = USW_FAST;
  const usw_status_t status = usw_reduce(USW_PLUS, USW_F64, data.data, items, &sum, &options);
  check_count(status == USW_OK && sum == (double)items, __FILE__, __LINE__,
              "%s, %d threads, strategy %d: %s (%s), sum %g", region, threads, (int)strategy, usw_status_name(status),
              status ? usw_error_text() : "", sum);
}

static void in_parallel(int threads) {
#pragma omp parallel num_threads(threads)
  call("parallel", threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (int k = 0; k < TASKS; k++)
    call("parallel for", threads);
#pragma omp parallel sections num_threads(threads)
  {
#pragma omp section
    call("section", threads);
#pragma omp section
    call("section", threads);
  }
#pragma omp parallel num_threads(threads)
#pragma omp parallel num_threads(2)
  call("nested parallel", threads);
}

static void by_one_thread(int threads) {
#pragma omp parallel num_threads(threads)
#pragma omp single
  call("single", threads);
#pragma omp parallel num_threads(threads)
#pragma omp masked
  call("masked", threads);
#pragma omp parallel num_threads(threads)
#pragma omp critical
  call("critical", threads);
}

static void in_tasks(int threads) {
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int k = 0; k < TASKS; k++) {
#pragma omp task
    call("task", threads);
  }
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskloop grainsize(1)
  for (int k = 0; k < TASKS; k++)
    call("taskloop", threads);
}

/* In most of these omp_in_parallel() is 0. */
static void outside_of_parallel(void) {
#pragma omp task
  call("task outside of parallel", 1);
#pragma omp taskwait
#ifdef __clang__ /* libgomp 12 hangs in the next region by itself */
#pragma omp target nowait if (0)
  call("target nowait on the host", 1);
#pragma omp taskwait
#endif
#pragma omp teams num_teams(1)
  call("teams of one", 1);
#pragma omp teams num_teams(2)
  call("teams", 2);
#pragma omp teams num_teams(2)
#pragma omp parallel num_threads(2)
  call("parallel in teams", 2);
}

static void all_regions(void) {
  static const int threads[] = {1, 2, 4, 5, 8};
  for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
    for (int round = 0; round < ROUNDS; round++) {
      items = round == 0 ? LONG_ITEMS : ITEMS;
      in_parallel(threads[t]);
      by_one_thread(threads[t]);
      in_tasks(threads[t]);
    }
  outside_of_parallel();
  items = LONG_ITEMS;
  outside_of_parallel();
}

int main(int argc, char **argv) {
  static double ones[LONG_ITEMS];
  static const usw_strategy_t of_host[] = {USW_AUTO_STRATEGY, USW_STRATEGY_HOST},
                              of_device[] = {USW_AUTO_STRATEGY,     USW_STRATEGY_TREE,        USW_STRATEGY_HOST_FINISH,
                                             USW_STRATEGY_CLAUSE,   USW_STRATEGY_TREE_ATOMIC, USW_STRATEGY_ATOMIC,
                                             USW_STRATEGY_MULTIPASS};
  place = place_of_arguments(argc, argv);
  const int is_host = place.place == USW_HOST;
  const usw_strategy_t *strategies = is_host ? of_host : of_device;
  const size_t count = is_host ? sizeof of_host / sizeof *of_host : sizeof of_device / sizeof *of_device;
  for (int k = 0; k < LONG_ITEMS; k++)
    ones[k] = 1;
  data = memory_get(&place, ones, sizeof ones, 0);
  for (size_t s = 0; s < count; s++) {
    strategy = strategies[s];
    all_regions();
  }
  memory_free(&data);
  CHECK_STATUS(USW_OK, usw_finalize());
#pragma omp parallel num_threads(5)
  CHECK(usw_version() == USW_VERSION); /* the program's own regions go on */
  return check_report();
}
