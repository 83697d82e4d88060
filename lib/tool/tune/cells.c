/* What is measured: classes of kernels, lengths, ways. */
#include "measure/device.h"
#include "tune/tune.h"

#include <string.h>

#define SUM(type, shape, length) {"sum", type, USW_REPEATABLE, shape, length}
#define AXES(type)                                                                                                     \
  SUM(type, TUNE_ROWS, 1024), SUM(type, TUNE_COLUMNS, 1024), SUM(type, TUNE_ROWS, 32), SUM(type, TUNE_COLUMNS, 32)
#define SEGMENTS(type) SUM(type, TUNE_SEGMENTS, 64), SUM(type, TUNE_SEGMENTS, 4), SUM(type, TUNE_SEGMENTS, 1024)

/* The library's classes, by functions that most programs call. */
static const tune_class_t classes[] = {
    {8, "small", "one", {{"sum", "f64", USW_REPEATABLE}, {"sum", "f64", USW_REPRODUCIBLE}}},
    {4, "small", "one", {{"sum", "f32", USW_REPEATABLE}, {"sum", "f32", USW_REPRODUCIBLE}}},
    {1, "small", "one", {{"sum", "u8", USW_REPEATABLE}, {"max", "u8", USW_REPEATABLE}}},
    {2, "small", "one", {{"sum", "f16", USW_REPEATABLE}, {"sum", "i16", USW_REPEATABLE}}},
    {16, "small", "one", {{"dot", "f64", USW_REPEATABLE}, {"sum", "cf64", USW_REPEATABLE}}},
    {32, "small", "one", {{"dot", "cf64", USW_REPEATABLE}}},
    {8, "large", "one", {{"describe", "f64", USW_REPEATABLE}}},
    {4, "large", "one", {{"describe", "f32", USW_REPEATABLE}, {"describe", "i32", USW_REPEATABLE}}},
    {8, "small", "axes", {AXES("f64")}},
    {4, "small", "axes", {AXES("f32")}},
    {8, "small", "segments", {SEGMENTS("f64")}},
    {4, "small", "segments", {SEGMENTS("f32")}},
};
#undef SUM
#undef AXES
#undef SEGMENTS
enum { CLASSES = sizeof classes / sizeof *classes };

/* Lengths are powers of 4 bytes; shares end with 0, and come in the order of the teams that they make. Those of calls with
 * many results go as far as the built-in entries do. */
typedef struct grid {
  const char *place;
  uint32_t least_log2, most_log2;
  usw_strategy_t
      strategies[4]; /* those that every kernel has, the only one of many results first; end with USW_AUTO_STRATEGY */
  uint32_t shares[10], shares_of_many[11];
} grid_t;

static const grid_t grids[] = {
    {"gpu",
     14,
     30,
     {USW_STRATEGY_TREE, USW_STRATEGY_HOST_FINISH, USW_STRATEGY_MULTIPASS},
     {1, 2, 3, 4, 6, 8},
     {1, 2, 3, 4, 6, 8, 16, 32}},
    {"x86_64", 14, 24, {USW_STRATEGY_TREE, USW_STRATEGY_HOST_FINISH, USW_STRATEGY_MULTIPASS}, {1, 2, 4}, {1, 2, 4}},
    {"simt", 14, 18, {USW_STRATEGY_TREE, USW_STRATEGY_HOST_FINISH, USW_STRATEGY_MULTIPASS}, {1, 2}, {1, 2, 32}},
    {"host",
     14,
     28,
     {USW_STRATEGY_HOST},
     {16 << 20, 4 << 20, 1 << 20, 512 << 10, 256 << 10, 128 << 10, 64 << 10, 32 << 10, 16 << 10},
     {16 << 20, 4 << 20, 1 << 20, 512 << 10, 256 << 10, 128 << 10, 64 << 10, 32 << 10, 16 << 10, 8 << 10}},
};

static const grid_t *grid_of(const bench_place_t *place) {
  const grid_t *grid = grids;
  while (strcmp(grid->place, place->name) != 0)
    grid++;
  return grid;
}

void tune_make_cells(tune_run_t *run) {
  const grid_t *grid = grid_of(&run->place);
  run->multiprocessors = run->place.device < 0 ? 1 : bench_device_multiprocessors(run->place.device);
  for (uint32_t log2 = grid->least_log2; log2 <= grid->most_log2; log2 += 2)
    for (int c = 0; c < CLASSES; c++)
      run->cells[run->cell_count++] =
          (tune_cell_t){.class = &classes[c],
                        .bytes = UINT64_C(1) << log2,
                        .least_bytes = log2 == grid->least_log2 ? 1 : (UINT64_C(1) << (log2 - 1)) + 1,
                        .most_bytes = log2 == grid->most_log2 ? UINT64_MAX : UINT64_C(1) << (log2 + 1)};
}

int tune_explain(const tune_run_t *run, const tune_cell_t *cell, const tune_kernel_t *kernel, usw_strategy_t asked,
                 tune_use_t *use_out) {
  bench_options_t names = {.kernel_count = 0};
  if (bench_parse_list(BENCH_LIST_KERNELS, kernel->function, &names) ||
      bench_parse_list(BENCH_LIST_TYPES, kernel->type, &names))
    return -1;
  const bench_competitor_t caller = {.strategy = asked, .accuracy = kernel->accuracy};
  const usw_options_t options = bench_call_options(&caller, run->place.device, NULL);
  const size_t n = (size_t)(cell->bytes / cell->class->item_bytes);
  if (kernel->shape != TUNE_ONE_RESULT)
    return tune_explain_many(kernel, &names, n, &options, use_out);
  usw_explanation_t e = {.size = USW_INIT(usw_explanation_t)};
  if (usw_explain(names.kernels[0]->operation, names.types[0]->type, n, &options, &e) != USW_OK)
    return -1;
  *use_out = (tune_use_t){e.strategy, e.teams, e.most_teams};
  return 0;
}

uint32_t tune_parts_of(const tune_run_t *run, const tune_cell_t *cell, uint32_t share, uint32_t most) {
  const uint64_t parts = run->place.device < 0 ? cell->bytes / share : (uint64_t)share * run->multiprocessors;
  if (most && parts > most)
    return most;
  return parts ? (uint32_t)parts : 1;
}

static int has_way(const tune_cell_t *cell, usw_strategy_t strategy, uint32_t teams) {
  for (int w = 0; w < cell->way_count; w++)
    if (cell->ways[w].strategy == strategy && cell->ways[w].teams == teams)
      return 1;
  return 0;
}

/* Each number of teams once, by the first share that makes it. */
int tune_find_ways(const tune_run_t *run, tune_cell_t *cell) {
  const grid_t *grid = grid_of(&run->place);
  const int has_many = tune_has_many(cell->class);
  tune_use_t use;
  if (tune_explain(run, cell, &cell->class->kernels[0], grid->strategies[0], &use))
    return -1;
  cell->way_count = 0;
  for (const usw_strategy_t *strategy = grid->strategies;
       *strategy != USW_AUTO_STRATEGY && !(has_many && cell->way_count > 0); strategy++)
    for (const uint32_t *share = has_many ? grid->shares_of_many : grid->shares; *share; share++) {
      const uint32_t teams = tune_parts_of(run, cell, *share, use.most_teams);
      if (!has_way(cell, *strategy, teams))
        cell->ways[cell->way_count++] = (tune_way_t){*strategy, *share, teams};
    }
  return 0;
}
