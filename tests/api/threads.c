/* Eight threads call the library at once, each with kernels, sizes and strategies in an order of its
 * own: every result has the bits of the serial call.   threads [--place NAME] */
#include <pthread.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "oracle/oracle.h"
#include "oracle/pattern.h"
#include "support/check.h"
#include "support/place.h"

enum { THREADS = 8, CALLS = 300, MOST_ITEMS = 300007 };

typedef struct {
  usw_operation_t operation;
  usw_type_t type;
  size_t n;
  usw_strategy_t strategy; /* on devices */
  result_t serial;
} job_t;

static job_t jobs[] = {
    {.operation = USW_PLUS, .type = USW_F64, .n = MOST_ITEMS, .strategy = USW_STRATEGY_TREE},
    {.operation = USW_PLUS, .type = USW_F64, .n = 10, .strategy = USW_STRATEGY_TREE},
    {.operation = USW_PLUS, .type = USW_F32, .n = 50000, .strategy = USW_STRATEGY_HOST_FINISH},
    {.operation = USW_MINIMUM, .type = USW_F64, .n = 4097, .strategy = USW_STRATEGY_TREE},
    {.operation = USW_MAXIMUM, .type = USW_I32, .n = 9999, .strategy = USW_STRATEGY_CLAUSE},
    {.operation = USW_COUNT, .type = USW_U8, .n = MOST_ITEMS, .strategy = USW_STRATEGY_TREE},
    {.operation = USW_DOT, .type = USW_F64, .n = 100000, .strategy = USW_STRATEGY_TREE},
    {.operation = USW_ARGMIN, .type = USW_F64, .n = 77777, .strategy = USW_STRATEGY_HOST_FINISH},
    {.operation = USW_DESCRIBE, .type = USW_F64, .n = 20000, .strategy = USW_STRATEGY_TREE},
    {.operation = USW_NORM2, .type = USW_CF64, .n = 20000, .strategy = USW_STRATEGY_TREE},
    {.operation = USW_MINMAX, .type = USW_F16, .n = 33333, .strategy = USW_STRATEGY_HOST_FINISH},
    {.operation = USW_PLUS, .type = USW_I64, .n = 0, .strategy = USW_STRATEGY_TREE},
    {.operation = USW_PLUS, .type = USW_I32, .n = 55555, .strategy = USW_STRATEGY_TREE_ATOMIC},
    {.operation = USW_MINIMUM, .type = USW_F32, .n = 12345, .strategy = USW_STRATEGY_ATOMIC},
    {.operation = USW_PLUS, .type = USW_F64, .n = 100001, .strategy = USW_STRATEGY_MULTIPASS},
};
enum { JOBS = sizeof jobs / sizeof *jobs };

static test_place_t place;
static place_memory_t data;

static void run(const job_t *job, result_t *result) {
  usw_options_t options = place_options(&place);
  const int is_simt = strcmp(place.target, "simt") == 0;
  options.work_group_load = 2;
  if (place.place == USW_DEVICE)
    options.strategy = is_simt && job->strategy == USW_STRATEGY_CLAUSE ? USW_STRATEGY_TREE : job->strategy;
  memset(result, 0, sizeof *result);
  const usw_status_t status = job->operation == USW_DOT
                                  ? usw_reduce_pair(job->operation, job->type, data.data, (const double *)data.data + 1,
                                                    job->n, result, &options)
                                  : usw_reduce(job->operation, job->type, data.data, job->n, result, &options);
  CHECK_STATUS(USW_OK, status);
}

static void *call_often(void *number) {
  const size_t thread = (size_t)number;
  const int calls = strcmp(place.target, "simt") == 0 ? CALLS / 10 : CALLS;
  for (int call = 0; call < calls; call++) {
    const job_t *job = &jobs[((size_t)call * (2 * thread + 1) + thread) % JOBS];
    result_t result;
    run(job, &result);
    check_count(results_equal(row_find(job->operation, job->type), &job->serial, &result), __FILE__, __LINE__,
                "thread %zu, call %d, operation %d, n=%zu: not the bits of the serial call", thread, call,
                (int)job->operation, job->n);
  }
  return NULL;
}

int main(int argc, char **argv) {
  static double items[MOST_ITEMS + 1];
  pthread_t threads[THREADS];
  place = place_of_arguments(argc, argv);
  pattern_fill(PATTERN_wide, USW_F64, items, MOST_ITEMS + 1, 3);
  data = memory_get(&place, items, sizeof items, 0);
  for (size_t k = 0; k < JOBS; k++)
    run(&jobs[k], &jobs[k].serial);
  for (size_t k = 0; k < THREADS; k++)
    pthread_create(&threads[k], NULL, call_often, (void *)k);
  for (size_t k = 0; k < THREADS; k++)
    pthread_join(threads[k], NULL);
  memory_free(&data);
  CHECK_STATUS(USW_OK, usw_finalize());
  return check_report();
}
