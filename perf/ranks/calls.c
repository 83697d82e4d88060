/* What a call over ranks costs beside what it is made of: usw_sum() and MPI_Allreduce() of a double.
 *
 *   mpiexec -n RANKS calls [--rounds N] [--json FILE] [--place gpu]
 *
 * Rounds in which each competitor has its turn of many calls, each over the rank's own 1000 doubles: on the host, which takes one thread for so
 * few, or in the memory of the rank's GPU. Times are rank 0's. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/mpi.h>

#include "measure/context.h"
#include "measure/json.h"
#include "measure/rounds.h"
#include "measure/statistics.h"

enum { ITEMS = 1000, CALLS = 500, MOST_ROUNDS = 1001 };

static double items[ITEMS], *x = items, result, expected;
static usw_mpi_request_t request;
static const usw_options_t repeatable = {.size = USW_INIT(usw_options_t)};
static const usw_options_t reproducible = {.size = USW_INIT(usw_options_t), .accuracy = USW_REPRODUCIBLE};

/* ---- competitors ---- */

static int by_hand(const usw_options_t *options) {
  double own;
  return usw_reduce(USW_PLUS, USW_F64, x, ITEMS, &own, options) != USW_OK ||
         MPI_Allreduce(&own, &result, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS;
}

static int call(const usw_options_t *options) {
  return usw_mpi_allreduce(USW_PLUS, USW_F64, x, ITEMS, &result, MPI_COMM_WORLD, options) != USW_OK;
}

static int sum_only(const usw_options_t *options) {
  return usw_reduce(USW_PLUS, USW_F64, x, ITEMS, &result, options) != USW_OK;
}

static int message_only(const usw_options_t *options) {
  (void)options;
  return MPI_Allreduce(items, &result, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS;
}

static int again(const usw_options_t *options) {
  (void)options;
  return usw_mpi_start(&request) != USW_OK || usw_mpi_wait(&request) != USW_OK;
}

static const struct {
  const char *name, *accuracy;
  int (*run)(const usw_options_t *options);
  const usw_options_t *options;
  int is_whole; /* computes the sum of all ranks */
} competitors[] = {
    {"usw_reduce, MPI_Allreduce", "repeatable", by_hand, &repeatable, 1},
    {"usw_mpi_allreduce", "repeatable", call, &repeatable, 1},
    {"usw_reduce, MPI_Allreduce", "reproducible", by_hand, &reproducible, 1},
    {"usw_mpi_allreduce", "reproducible", call, &reproducible, 1},
    {"usw_mpi_start, usw_mpi_wait", "reproducible", again, &reproducible, 1},
    {"usw_reduce", "repeatable", sum_only, &repeatable, 0},
    {"usw_reduce", "reproducible", sum_only, &reproducible, 0},
    {"MPI_Allreduce", "", message_only, NULL, 0},
};
enum { COMPETITORS = sizeof competitors / sizeof *competitors };

/* ---- rounds ---- */

static double seconds[COMPETITORS][MOST_ROUNDS];
static int failures, device = -1; /* the GPU that has the items */

static void turn(void *self, int who, int round) {
  (void)self;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = bench_now();
  for (int k = 0; k < CALLS; k++)
    failures += competitors[who].run(competitors[who].options);
  seconds[who][round] = (bench_now() - start) / CALLS;
  failures += competitors[who].is_whole && result != expected;
}

/* ---- what it came to ---- */

static void add_times(cJSON *entry, const bench_statistics_t *times, double scale) {
  cJSON_AddNumberToObject(entry, "least_us", times->least * scale);
  cJSON_AddNumberToObject(entry, "first_quartile_us", times->first_quartile * scale);
  cJSON_AddNumberToObject(entry, "median_us", times->median * scale);
  cJSON_AddNumberToObject(entry, "third_quartile_us", times->third_quartile * scale);
}

/* A competitor's times, and how much longer it took in each round than the other. */
static void tell(cJSON *entries, int who, int other, int rounds) {
  static double more[MOST_ROUNDS];
  const double us = 1e6;
  const bench_statistics_t times = bench_describe_times(seconds[who], (size_t)rounds);
  cJSON *entry = cJSON_CreateObject();
  cJSON_AddStringToObject(entry, "competitor", competitors[who].name);
  cJSON_AddStringToObject(entry, "accuracy", competitors[who].accuracy);
  add_times(entry, &times, us);
  printf("%-28s %-13s %7.3f us (%.3f to %.3f)", competitors[who].name, competitors[who].accuracy, times.median * us,
         times.first_quartile * us, times.third_quartile * us);
  if (other >= 0) {
    for (int r = 0; r < rounds; r++)
      more[r] = seconds[who][r] - seconds[other][r];
    const bench_statistics_t difference = bench_describe_times(more, (size_t)rounds);
    add_times(cJSON_AddObjectToObject(entry, "more_than_by_hand"), &difference, us);
    printf(", %+.3f (%+.3f to %+.3f)", difference.median * us, difference.first_quartile * us,
           difference.third_quartile * us);
  }
  puts("");
  cJSON_AddItemToArray(entries, entry);
}

static int tell_all(int argc, char **argv, int ranks, int rounds, const char *file) {
  static const int others[COMPETITORS] = {-1, 0, -1, 2, 2, -1, -1, -1};
  char library[MPI_MAX_LIBRARY_VERSION_STRING];
  int bytes;
  cJSON *root = cJSON_CreateObject();
  cJSON_AddItemToObject(root, "context", bench_context(device, argc, argv));
  MPI_Get_library_version(library, &bytes);
  library[strcspn(library, "\n,")] = 0;
  cJSON_AddStringToObject(root, "mpi", library);
  cJSON_AddNumberToObject(root, "ranks", ranks);
  cJSON_AddNumberToObject(root, "rounds", rounds);
  cJSON_AddNumberToObject(root, "items_per_rank", ITEMS);
  cJSON *entries = cJSON_AddArrayToObject(root, "entries");
  printf("%s, %d ranks, %d rounds of %d calls\n", library, ranks, rounds, CALLS);
  for (int who = 0; who < COMPETITORS; who++)
    tell(entries, who, others[who], rounds);
  if (!file) {
    cJSON_Delete(root);
    return 0;
  }
  return bench_write_json(root, file);
}

/* Copy the items to the rank's GPU. */
static int move_to_gpu(void) {
  const int host = omp_get_initial_device();
  if (usw_mpi_device(MPI_COMM_WORLD, &device) != USW_OK || device < 0)
    return fprintf(stderr, "calls: there is no GPU\n"), -1;
  x = omp_target_alloc(sizeof items, device);
  return x ? omp_target_memcpy(x, items, sizeof items, 0, 0, device, host) : -1;
}

int main(int argc, char **argv) {
  int on_gpu = 0;
  const char *file = NULL;
  int rounds = 201, rank, ranks;
  for (int k = 1; k + 1 < argc; k++) {
    rounds = strcmp(argv[k], "--rounds") == 0 ? (int)strtol(argv[k + 1], NULL, 10) : rounds;
    file = strcmp(argv[k], "--json") == 0 ? argv[k + 1] : file;
    on_gpu |= strcmp(argv[k], "--place") == 0 && strcmp(argv[k + 1], "gpu") == 0;
  }
  if (rounds < 1 || rounds > MOST_ROUNDS)
    return fprintf(stderr, "calls: --rounds is from 1 to %d\n", MOST_ROUNDS), 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < ITEMS; i++) /* exact sums: all competitors have the same */
    items[i] = i;
  expected = (double)ranks * ITEMS * (ITEMS - 1) / 2;
  failures += on_gpu && move_to_gpu() != 0;
  failures +=
      usw_mpi_allreduce_init(USW_PLUS, USW_F64, x, ITEMS, &result, MPI_COMM_WORLD, &reproducible, &request) != USW_OK;
  failures += bench_run_rounds(COMPETITORS, rounds, turn, NULL) != 0;
  usw_mpi_request_free(&request);
  if (rank == 0)
    failures += tell_all(argc, argv, ranks, rounds, file) != 0;
  if (failures)
    fprintf(stderr, "calls: rank %d: %d failures, the last one: %s\n", rank, failures, usw_error_text());
  MPI_Finalize();
  return failures != 0;
}
