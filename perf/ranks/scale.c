/* Messages of many ranks, simulated in one process: how long they are, how many a rank merges, how long that takes, and what the order of
 * the merges does to the bits.
 *
 *   scale [--most RANKS] [--json FILE]
 *
 * Each rank has 10 doubles of all magnitudes, whose sum is far less than their absolute values. An allreduce by recursive doubling merges
 * neighbours in log2(ranks) steps; MPI libraries choose between this and other trees by ranks, bytes and network. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "measure/context.h"
#include "measure/json.h"
#include "measure/statistics.h"

enum { ITEMS = 10, MOST_RANKS = 1 << 20, TREES = 4, BATCHES = 51, MERGES_IN_BATCH = 2000, ROOM_BYTES = 128 };

typedef struct {
  const char *name;
  usw_options_t options;
  const usw_kernel_t *kernel;
  size_t bytes;
} level_t;

static char *messages, *work; /* ROOM_BYTES for each rank */

/* Numbers that cancel: each rank's are half of them those of a partner with the other sign, and a little more. */
static void fill(double *x, uint64_t rank) {
  uint64_t state = (rank / 2 + 1) * 0x9e3779b97f4a7c15u;
  for (int i = 0; i < ITEMS; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double sign = rank % 2 ? -1 : 1;
    x[i] = sign * ldexp((double)(state >> 12), (int)(state % 40) - 60) + ldexp((double)rank, -30);
  }
}

static char *at(char *room, size_t rank) { return room + rank * ROOM_BYTES; }

static int make_messages(const level_t *level, size_t ranks) {
  double x[ITEMS];
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)x};
  usw_status_t status = USW_OK;
  for (size_t r = 0; r < ranks && status == USW_OK; r++) {
    fill(x, r);
    status = usw_message_reduce(level->kernel, ITEMS, arguments, NULL, &level->options, 0, (uint32_t)r, at(messages, r),
                                level->bytes);
  }
  return status == USW_OK ? 0 : -1;
}

/* ---- trees over neighbours, in the order of the ranks ---- */

/* Steps of 1, 2, 4 ...: recursive doubling, and a binomial tree. */
static void merge_by_doubling(const level_t *level, size_t ranks) {
  for (size_t step = 1; step < ranks; step *= 2)
    for (size_t r = 0; r + step < ranks; r += 2 * step)
      usw_message_merge(level->kernel, at(work, r), at(work, r + step), at(work, r));
}

/* One after the other: a chain, as of a ring. */
static void merge_in_a_chain(const level_t *level, size_t ranks) {
  for (size_t r = 1; r < ranks; r++)
    usw_message_merge(level->kernel, at(work, 0), at(work, r), at(work, 0));
}

/* Nodes of so many ranks first, then the nodes in a chain: as libraries do that know which ranks share memory. */
static void merge_by_nodes(const level_t *level, size_t ranks, size_t per_node) {
  for (size_t first = 0; first < ranks; first += per_node)
    for (size_t r = first + 1; r < ranks && r < first + per_node; r++)
      usw_message_merge(level->kernel, at(work, first), at(work, r), at(work, first));
  for (size_t first = per_node; first < ranks; first += per_node)
    usw_message_merge(level->kernel, at(work, 0), at(work, first), at(work, 0));
}

static double result_of_tree(const level_t *level, size_t ranks, int tree) {
  double sum = NAN;
  const usw_variable_t variable = {&sum, 1};
  memcpy(work, messages, ranks * ROOM_BYTES);
  if (tree == 0)
    merge_by_doubling(level, ranks);
  else if (tree == 1)
    merge_in_a_chain(level, ranks);
  else
    merge_by_nodes(level, ranks, tree == 2 ? 4 : 128);
  return usw_message_finish(level->kernel, work, &variable, &level->options) == USW_OK ? sum : NAN;
}

/* ---- measurements ---- */

static bench_statistics_t time_merges(const level_t *level) {
  double seconds[BATCHES];
  for (int b = 0; b < BATCHES; b++) {
    const double start = bench_now();
    for (int k = 0; k < MERGES_IN_BATCH; k++)
      usw_message_merge(level->kernel, at(messages, (size_t)k % 8), at(messages, 8 + (size_t)k % 8), work);
    seconds[b] = (bench_now() - start) / MERGES_IN_BATCH;
  }
  return bench_describe_times(seconds, BATCHES);
}

static int steps_of(size_t ranks) {
  int steps = 0;
  while ((size_t)1 << steps < ranks)
    steps++;
  return steps;
}

static int tell(cJSON *entries, const level_t *level, size_t ranks) {
  if (make_messages(level, ranks) != 0)
    return -1;
  double sums[TREES];
  int patterns = 0;
  for (int tree = 0; tree < TREES; tree++) {
    int is_new = 1;
    sums[tree] = result_of_tree(level, ranks, tree);
    for (int before = 0; before < tree; before++)
      is_new &= memcmp(&sums[before], &sums[tree], sizeof *sums) != 0;
    patterns += is_new;
  }
  const bench_statistics_t times = time_merges(level);
  const double ns = 1e9;
  const int steps = steps_of(ranks);
  printf("%8zu ranks, %-12s: %3zu bytes, %2d merges a rank of %.1f ns (%.1f to %.1f): %.2f us; %d patterns of bits by "
         "%d trees: %a\n",
         ranks, level->name, level->bytes, steps, times.median * ns, times.first_quartile * ns,
         times.third_quartile * ns, steps * times.median * 1e6, patterns, TREES, sums[0]);
  cJSON *entry = cJSON_CreateObject();
  cJSON_AddNumberToObject(entry, "ranks", (double)ranks);
  cJSON_AddStringToObject(entry, "accuracy", level->name);
  cJSON_AddNumberToObject(entry, "bytes", (double)level->bytes);
  cJSON_AddNumberToObject(entry, "merges_per_rank", steps);
  cJSON_AddNumberToObject(entry, "merge_median_ns", times.median * ns);
  cJSON_AddNumberToObject(entry, "merge_first_quartile_ns", times.first_quartile * ns);
  cJSON_AddNumberToObject(entry, "merge_third_quartile_ns", times.third_quartile * ns);
  cJSON_AddNumberToObject(entry, "patterns_of_bits", patterns);
  cJSON_AddItemToArray(entries, entry);
  return 0;
}

static int find_kernel(level_t *level) {
  return usw_kernel_of(USW_PLUS, USW_F64, 1, &level->options, &level->kernel) == USW_OK &&
                 usw_message_bytes(level->kernel, NULL, &level->bytes) == USW_OK && level->bytes <= ROOM_BYTES
             ? 0
             : -1;
}

int main(int argc, char **argv) {
  const char *file = NULL;
  size_t most = 100000;
  level_t levels[] = {{.name = "repeatable", .options = {.size = USW_INIT(usw_options_t), .place = USW_HOST}},
                      {.name = "reproducible",
                       .options = {.size = USW_INIT(usw_options_t), .place = USW_HOST, .accuracy = USW_REPRODUCIBLE}}};
  for (int k = 1; k + 1 < argc; k++) {
    most = strcmp(argv[k], "--most") == 0 ? strtoull(argv[k + 1], NULL, 10) : most;
    file = strcmp(argv[k], "--json") == 0 ? argv[k + 1] : file;
  }
  if (most < 16 || most > MOST_RANKS)
    return fprintf(stderr, "scale: --most is from 16 to %d\n", MOST_RANKS), 2;
  messages = aligned_alloc(64, most * ROOM_BYTES);
  work = aligned_alloc(64, most * ROOM_BYTES);
  if (!messages || !work || find_kernel(&levels[0]) != 0 || find_kernel(&levels[1]) != 0)
    return fprintf(stderr, "scale: %s\n", messages && work ? usw_error_text() : "no memory"), 1;
  cJSON *root = cJSON_CreateObject(), *entries;
  cJSON_AddItemToObject(root, "context", bench_context(-1, argc, argv));
  entries = cJSON_AddArrayToObject(root, "entries");
  for (size_t ranks = most, k = 0; k < 4 && ranks >= 16; ranks /= 10, k++)
    for (int l = 0; l < 2; l++)
      if (tell(entries, &levels[l], ranks) != 0)
        return fprintf(stderr, "scale: %s\n", usw_error_text()), 1;
  free(messages);
  free(work);
  if (file)
    return bench_write_json(root, file) == 0 ? 0 : 1;
  cJSON_Delete(root);
  return 0;
}
