/* The two measurements: all ways of a cell, and then the fastest one beside the one in use. */
#include "measure/significance.h"
#include "tune/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEP_ROUNDS = 15, CONFIRM_ROUNDS = 41 };

static const double sweep_share = 0.7;    /* of the time */
static const double significant_p = 0.01; /* as of usw bench --compare */
static const double least_gain = 0.02;    /* of the time of the entry in use: less is not worth other bits */

/* ---- one measurement ---- */

/* Strategies with each of the numbers of teams; their times come in this order, strategy by strategy. */
typedef struct trial {
  usw_strategy_t strategies[TUNE_MAX_WAYS];
  uint32_t teams[TUNE_MAX_WAYS];
  int strategy_count, team_count, rounds;
} trial_t;

static void add_strategy(trial_t *trial, usw_strategy_t strategy) {
  for (int s = 0; s < trial->strategy_count; s++)
    if (trial->strategies[s] == strategy)
      return;
  trial->strategies[trial->strategy_count++] = strategy;
}

static void add_teams(trial_t *trial, uint32_t teams) {
  for (int t = 0; t < trial->team_count; t++)
    if (trial->teams[t] == teams)
      return;
  trial->teams[trial->team_count++] = teams;
}

static trial_t trial_of(const tune_way_t *ways, int count, int rounds) {
  trial_t trial = {.rounds = rounds};
  for (int w = 0; w < count; w++) {
    add_strategy(&trial, ways[w].strategy);
    add_teams(&trial, ways[w].teams);
  }
  return trial;
}

static int place_in(const trial_t *trial, const tune_way_t *way) {
  for (int s = 0; s < trial->strategy_count; s++)
    for (int t = 0; t < trial->team_count; t++)
      if (trial->strategies[s] == way->strategy && trial->teams[t] == way->teams)
        return s * trial->team_count + t;
  return -1;
}

/* The entries of the benchmarks' measuring loop, or NULL: not all of them could run, or a result was wrong. */
static cJSON *measure(tune_run_t *run, const tune_cell_t *cell, const tune_kernel_t *kernel, const trial_t *trial) {
  static bench_options_t row;
  row = (bench_options_t){.repetitions = trial->rounds, .keeps_rounds = 1, .sweep = 1};
  row.lengths[row.length_count++] = (size_t)(cell->bytes / cell->class->item_bytes);
  row.accuracies[row.accuracy_count++] = kernel->accuracy;
  memcpy(row.strategies, trial->strategies, sizeof trial->strategies);
  memcpy(row.teams, trial->teams, sizeof trial->teams);
  row.strategy_count = trial->strategy_count;
  row.team_count = trial->team_count;
  if (bench_parse_list(BENCH_LIST_KERNELS, kernel->function, &row) ||
      bench_parse_list(BENCH_LIST_TYPES, kernel->type, &row))
    return NULL;
  bench_session_t session = {.options = &row, .place = run->place, .results = cJSON_CreateArray()};
  const int failed = kernel->shape == TUNE_ONE_RESULT ? bench_run_functions(&session) : tune_run_many(&session, kernel);
  run->wrong += failed;
  if (!failed && cJSON_GetArraySize(session.results) == trial->strategy_count * trial->team_count)
    return session.results;
  cJSON_Delete(session.results);
  return NULL;
}

static double number_in(const cJSON *entry, const char *key) {
  return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(entry, key));
}

/* Copies a time out of its entry; the rounds are the caller's to free. */
static tune_time_t time_of(const cJSON *entry) {
  const cJSON *rounds = cJSON_GetObjectItemCaseSensitive(entry, "rounds_us"), *round;
  tune_time_t time = {.median_us = number_in(entry, "median_us"),
                      .spread_us = number_in(entry, "third_quartile_us") - number_in(entry, "first_quartile_us"),
                      .rounds_us = calloc((size_t)cJSON_GetArraySize(rounds) + 1, sizeof *time.rounds_us)};
  cJSON_ArrayForEach(round, rounds) {
    if (time.rounds_us)
      time.rounds_us[time.rounds++] = round->valuedouble;
  }
  return time;
}

/* How likely the two are the same: 1 where the first one is not faster at all. */
static double p_of_faster(const tune_time_t *fast, const tune_time_t *slow) {
  if (!(fast->median_us < slow->median_us) || fast->rounds == 0 || slow->rounds == 0)
    return 1;
  const double p = bench_mann_whitney(fast->rounds_us, fast->rounds, slow->rounds_us, slow->rounds);
  return p < 0 ? 1 : p;
}

static double elapsed(const tune_run_t *run) { return bench_now() - run->start; }

/* ---- the sweep ---- */

/* The fastest way that a call which asks for the strategy may take. */
static int fastest(const tune_cell_t *cell, usw_strategy_t asked) {
  int best = -1;
  for (int w = 0; w < cell->way_count; w++)
    if ((asked == USW_AUTO_STRATEGY || cell->ways[w].strategy == asked) &&
        (best < 0 || cell->times[w].median_us < cell->times[best].median_us))
      best = w;
  return best;
}

static int way_in_use(const tune_run_t *run, const tune_cell_t *cell, usw_strategy_t asked) {
  tune_use_t use;
  if (tune_explain(run, cell, &cell->class->kernels[0], asked, &use))
    return -1;
  for (int w = 0; w < cell->way_count; w++)
    if (cell->ways[w].strategy == use.strategy && cell->ways[w].teams == use.teams)
      return w;
  return -1;
}

static int is_gain(const tune_time_t *time, const tune_time_t *instead) {
  return time->median_us < (1 - least_gain) * instead->median_us && p_of_faster(time, instead) < significant_p;
}

/* An entry may come of it where another way than the one in use is the fastest by more than chance. */
static void propose(tune_run_t *run, const tune_cell_t *cell, usw_strategy_t asked) {
  const int best = fastest(cell, asked), used = way_in_use(run, cell, asked);
  if (best < 0 || used < 0 || best == used || run->entry_count == TUNE_MAX_ENTRIES ||
      !is_gain(&cell->times[best], &cell->times[used]))
    return;
  run->entries[run->entry_count++] = (tune_entry_t){.cell = cell,
                                                    .asked = asked,
                                                    .way = cell->ways[best],
                                                    .instead = cell->ways[used],
                                                    .us = cell->times[best].median_us,
                                                    .instead_us = cell->times[used].median_us,
                                                    .spread_us = cell->times[best].spread_us,
                                                    .p = 1};
}

/* Calls that name no strategy, and on devices those that name one of the cell's. With many results both are one. */
static void propose_all(tune_run_t *run, const tune_cell_t *cell) {
  if (run->place.device < 0 || !tune_has_many(cell->class))
    propose(run, cell, run->place.device < 0 ? USW_STRATEGY_HOST : USW_AUTO_STRATEGY);
  for (int w = 0; w < cell->way_count && run->place.device >= 0; w++)
    if (w == 0 || cell->ways[w].strategy != cell->ways[w - 1].strategy)
      propose(run, cell, cell->ways[w].strategy);
}

static int sweep_cell(tune_run_t *run, tune_cell_t *cell) {
  if (tune_find_ways(run, cell))
    return -1;
  const trial_t trial = trial_of(cell->ways, cell->way_count, SWEEP_ROUNDS);
  cJSON *entries = measure(run, cell, &cell->class->kernels[0], &trial), *entry;
  int w = 0;
  if (!entries)
    cell->way_count = 0;
  cJSON_ArrayForEach(entry, entries) { cell->times[w++] = time_of(entry); }
  cJSON_Delete(entries);
  return entries ? 0 : -1;
}

/* From short calls to long ones: what there is no time for comes last. A cell takes four times the one before of its class,
 * or less. */
void tune_sweep(tune_run_t *run) {
  double took[TUNE_MAX_CELLS] = {0};
  for (int c = 0; c < run->cell_count; c++) {
    tune_cell_t *cell = &run->cells[c];
    double expected = 0;
    for (int before = 0; before < c; before++)
      if (run->cells[before].class == cell->class)
        expected = 4 * took[before];
    const double start = elapsed(run);
    took[c] = expected / 4; /* of a cell that is passed over, too */
    if (start + expected > sweep_share * run->seconds || (run->measured_count && start > sweep_share * run->seconds))
      continue;
    if (sweep_cell(run, cell) == 0) {
      run->measured_count++;
      propose_all(run, cell);
    }
    took[c] = elapsed(run) - start;
    fprintf(stderr, "usw-tune: %d of %d cells, %.0f of %.0f s, %d ways look faster\n", c + 1, run->cell_count,
            elapsed(run), run->seconds, run->entry_count);
  }
}

/* ---- the second measurement ---- */

/* Two ways alone. 0 where there is no measurement; else the times are the caller's to free. */
static int measure_pair(tune_run_t *run, const tune_cell_t *cell, const tune_kernel_t *kernel, const tune_way_t pair[2],
                        tune_time_t times[2]) {
  const trial_t trial = trial_of(pair, 2, CONFIRM_ROUNDS);
  cJSON *entries = measure(run, cell, kernel, &trial);
  for (int k = 0; k < 2 && entries; k++)
    times[k] = time_of(cJSON_GetArrayItem(entries, place_in(&trial, &pair[k])));
  cJSON_Delete(entries);
  return entries != NULL;
}

static void free_pair(tune_time_t times[2]) {
  free(times[0].rounds_us);
  free(times[1].rounds_us);
}

static int is_slower(tune_run_t *run, const tune_cell_t *cell, const tune_kernel_t *kernel, const tune_way_t pair[2]) {
  tune_time_t times[2] = {{.rounds = 0}, {.rounds = 0}};
  if (!measure_pair(run, cell, kernel, pair, times))
    return 1;
  const int slower = p_of_faster(&times[1], &times[0]) < significant_p;
  free_pair(times);
  return slower;
}

/* A kernel of so many bytes, as the entry would run it, beside the way in use there. */
static int is_slower_for(tune_run_t *run, const tune_entry_t *entry, const tune_kernel_t *kernel, uint64_t bytes) {
  static tune_cell_t there;
  tune_use_t use;
  there = (tune_cell_t){.class = entry->cell->class, .bytes = bytes};
  if (tune_explain(run, &there, kernel, entry->asked, &use))
    return 1;
  const tune_way_t pair[2] = {
      {entry->way.strategy, entry->way.share, tune_parts_of(run, &there, entry->way.share, use.most_teams)},
      {use.strategy, 0, use.teams}};
  if (pair[0].strategy == pair[1].strategy && pair[0].teams == pair[1].teams)
    return 0;
  return is_slower(run, &there, kernel, pair);
}

/* At one end of the entry's range. */
static int is_slower_at(tune_run_t *run, const tune_entry_t *entry, uint64_t bytes) {
  if (bytes < entry->cell->bytes / 4 ||
      bytes / 4 > entry->cell->bytes) /* the grid ends here: the entry goes on without */
    return 0;
  return is_slower_for(run, entry, &entry->cell->class->kernels[0], bytes);
}

static int is_slower_for_others(tune_run_t *run, const tune_entry_t *entry) {
  const tune_kernel_t *kernels = entry->cell->class->kernels;
  for (int k = 1; k < TUNE_KERNELS && kernels[k].function; k++)
    if (is_slower_for(run, entry, &kernels[k], entry->cell->bytes))
      return 1;
  return 0;
}

/* Of the two measurements the one that finds less of a gain is what the entry promises. */
static void take_times(tune_entry_t *entry, const tune_time_t times[2]) {
  if (times[0].median_us * entry->instead_us < entry->us * times[1].median_us)
    return;
  entry->us = times[0].median_us;
  entry->instead_us = times[1].median_us;
  entry->spread_us = times[0].spread_us;
}

static void confirm(tune_run_t *run, tune_entry_t *entry) {
  const tune_cell_t *cell = entry->cell;
  const tune_way_t pair[2] = {entry->way, entry->instead};
  tune_time_t times[2] = {{.rounds = 0}, {.rounds = 0}};
  if (!measure_pair(run, cell, &cell->class->kernels[0], pair, times))
    return;
  entry->is_confirmed = 1;
  entry->p = is_gain(&times[0], &times[1]) ? p_of_faster(&times[0], &times[1]) : 1;
  take_times(entry, times);
  free_pair(times);
  if (entry->p < 1 && (is_slower_for_others(run, entry) || is_slower_at(run, entry, cell->least_bytes) ||
                       is_slower_at(run, entry, cell->most_bytes)))
    entry->p = 1;
}

/* Of many tests some look significant by chance: Holm's correction over all of them decides. */
void tune_confirm(tune_run_t *run) {
  double p[TUNE_MAX_ENTRIES];
  int kept = 0;
  for (int r = 0; r < run->entry_count && (r == 0 || elapsed(run) < run->seconds); r++) {
    confirm(run, &run->entries[r]);
    fprintf(stderr, "usw-tune: %d of %d faster ways measured again, %.0f of %.0f s\n", r + 1, run->entry_count,
            elapsed(run), run->seconds);
  }
  for (int r = 0; r < run->entry_count; r++)
    p[r] = run->entries[r].is_confirmed ? run->entries[r].p : NAN;
  if (bench_holm(p, run->entry_count))
    return;
  for (int r = 0; r < run->entry_count; r++)
    if (p[r] < significant_p)
      run->entries[kept++] = run->entries[r];
  run->entry_count = kept;
}

void tune_free_times(tune_run_t *run) {
  for (int c = 0; c < run->cell_count; c++)
    for (int w = 0; w < run->cells[c].way_count; w++)
      free(run->cells[c].times[w].rounds_us);
}
