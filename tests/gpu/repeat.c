/* The same bits on every run, for sums of data where any other order shows: 200 runs, and eight
 * threads at once. Of the clause it only prints whether it happened to repeat.
 *   repeat --place NAME */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "oracle/pattern.h"
#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 3000017, RUNS_ON_GPU = 200, RUNS_ELSEWHERE = 10, THREADS = 8 };

static test_place_t place;
static place_memory_t x;
static int run_count = RUNS_ON_GPU;

typedef struct {
  usw_strategy_t strategy;
  uint32_t teams;
  size_t n;
  double first;
  int different;
} runs_t;

static int clause_repeats(void) { return strcmp(place.target, "nvptx") == 0; }

static double sum(const runs_t *runs) {
  double result = 0;
  usw_options_t options = place_options(&place);
  options.strategy = runs->strategy;
  options.accuracy = runs->strategy == USW_STRATEGY_CLAUSE && !clause_repeats() ? USW_FAST : USW_REPEATABLE;
  options.teams = runs->teams;
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x.data, runs->n, &result, &options));
  return result;
}

static void *repeat(void *argument) {
  runs_t *runs = argument;
  for (int run = 0; run < run_count; run++) {
    const double result = sum(runs);
    runs->different += memcmp(&result, &runs->first, sizeof result) != 0;
  }
  return NULL;
}

static void expect_same(usw_strategy_t strategy, uint32_t teams, size_t n) {
  runs_t runs = {strategy, teams, n, 0, 0}, by_thread[THREADS];
  pthread_t threads[THREADS];
  runs.first = sum(&runs);
  repeat(&runs);
  CHECK_I64(0, runs.different);
  for (int k = 0; k < THREADS; k++) {
    by_thread[k] = runs;
    pthread_create(&threads[k], NULL, repeat, &by_thread[k]);
  }
  for (int k = 0; k < THREADS; k++) {
    pthread_join(threads[k], NULL);
    CHECK_I64(0, by_thread[k].different);
  }
}

int main(int argc, char **argv) {
  static double items[ITEMS];
  static const size_t sizes[] = {1000, 100003, ITEMS};
  place = place_of_arguments(argc, argv);
  pattern_fill(PATTERN_wide, USW_F64, items, ITEMS, 5);
  if (strcmp(place.target, "x86_64") == 0)
    run_count = RUNS_ELSEWHERE;
  x = memory_get(&place, items, sizeof items, 0);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    expect_same(USW_STRATEGY_TREE, 0, sizes[k]);
    expect_same(USW_STRATEGY_TREE, 132, sizes[k]);
    expect_same(USW_STRATEGY_HOST_FINISH, 0, sizes[k]);
    expect_same(USW_STRATEGY_MULTIPASS, 1000, sizes[k]);
  }
  if (clause_repeats()) {
    expect_same(USW_STRATEGY_CLAUSE, 132, ITEMS);
    expect_same(USW_STRATEGY_CLAUSE, 512, ITEMS);
  }
  runs_t clause = {USW_STRATEGY_CLAUSE, 132, ITEMS, 0, 0};
  clause.first = sum(&clause);
  repeat(&clause);
  printf("clause repeatable: %s (%d of %d runs differ from the first)\n", clause.different ? "no" : "yes",
         clause.different, run_count);
  memory_free(&x);
  return check_report();
}
