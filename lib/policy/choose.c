/* How a call runs where it runs: strategy and number of teams. */
#include "policy/choose.h"

#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "machine/environment.h"
#include "policy/cells.h"
#include "policy/chunks.h"
#include "policy/result_shares.h"
#include "policy/scan.h"
#include "policy/staging.h"

enum {
  MOST_CLAUSE_TEAMS = 512, /* the images' -fopenmp-cuda-teams-reduction-recs-num */
  WORK_GROUP_LOAD = 256
};

/* Kernels that take long for a byte: norm2, argmin, descriptions, compensated and reproducible sums. */
static int is_wide(const uswi_call_t *call) { return call->kernel->accumulator_bytes >= 2 * call->item_bytes; }

/* Reproducible sums of floats: of other accumulators that a team waits for the largest are smaller. */
static int is_middle(const usw_kernel_t *kernel) {
  return (kernel->facts & USW_FACT_AWAITS) && kernel->accumulator_bytes >= USWI_LEAST_MIDDLE_BYTES &&
         kernel->accumulator_bytes <= USWI_SMALL_ACCUMULATOR_BYTES;
}

static int has_results_of(const uswi_tuning_entry_t *entry, const uswi_call_t *call) {
  if (entry->class.results == USWI_MANY_RESULTS)
    return uswi_has_many_results(call->kernel);
  return entry->class.results == 0 || entry->class.results == uswi_results_class_of(call);
}

/* By itself, so that short calls do not save its registers. */
static __attribute__((noinline)) int is_for_class(const uswi_tuning_entry_t *entry, const uswi_call_t *call) {
  if (!has_results_of(entry, call))
    return 0;
  if (entry->class.accumulator == USWI_WIDE_ACCUMULATOR)
    return is_wide(call);
  if (entry->class.accumulator == USWI_MIDDLE_ACCUMULATOR)
    return is_middle(call->kernel);
  const uswi_class_t class = uswi_class_of(call);
  return (entry->class.item_bytes == 0 || entry->class.item_bytes == class.item_bytes) &&
         (entry->class.accumulator == 0 || entry->class.accumulator == class.accumulator);
}

/* Most entries are for all calls, whose class need not be found then. */
static int is_for(const uswi_tuning_entry_t *entry, const uswi_call_t *call) {
  return (entry->class.item_bytes | entry->class.accumulator | entry->class.results) == 0 || is_for_class(entry, call);
}

/* The first entry for the call; one of the built-in entries, which come last, is. */
static const uswi_tuning_entry_t *find_entry(const uswi_call_t *call) {
  const uint64_t bytes = (uint64_t)call->n * call->item_bytes;
  const uswi_tuning_entry_t *entry = uswi_tuning_of(call->device)->first[call->strategy];
  while (bytes > entry->most_bytes || bytes < entry->least_bytes || !is_for(entry, call))
    entry++;
  return entry;
}

/* Up to how many bytes the host's calls take the entry that those of so many take. */
static uint64_t last_of_entry(const uswi_tuning_entry_t *entry, const uswi_call_t *call, uint64_t bytes) {
  uint64_t last = entry->most_bytes;
  for (const uswi_tuning_entry_t *before = uswi_tuning_of(NULL)->first[USW_STRATEGY_HOST]; before != entry; before++)
    if (before->least_bytes > bytes && before->least_bytes <= last && is_for(before, call))
      last = before->least_bytes - 1;
  return last;
}

uint64_t uswi_items_of_one_chunk(const usw_kernel_t *kernel) {
  uswi_call_t call = {.kernel = kernel, .item_bytes = kernel->item_bytes, .strategy = USW_STRATEGY_HOST};
  uint64_t items = 0; /* so many have */
  for (;;) {
    call.n = items + 1;
    const uint64_t bytes = call.n * kernel->item_bytes;
    const uswi_tuning_entry_t *entry = find_entry(&call);
    const uint64_t last = last_of_entry(entry, &call, bytes);
    if (bytes >= entry->way.share)
      return items;
    if (last >= entry->way.share)
      return (entry->way.share - 1) / kernel->item_bytes;
    items = last / kernel->item_bytes;
  }
}

uint64_t uswi_useful_teams(const uswi_call_t *call) {
  if (uswi_has_many_results(call->kernel))
    return uswi_teams_of_results(call);
  const uint64_t tile = (uint64_t)call->team_size * call->kernel->items_per_thread;
  return uswi_quotient_up(call->n, tile);
}

/* Fewer teams where each reads many streams. */
static uint64_t teams_with_streams(const uswi_call_t *call, uint64_t teams) {
  const uswi_limits_t *limits = &uswi_tuning_of(call->device)->limits;
  const uint64_t most = (uint64_t)limits->many_streams_teams * call->device->multiprocessors;
  uint32_t streams = 0;
  for (uint32_t a = 0; a < call->kernel->argument_count; a++)
    streams += call->kernel->arguments[a].kind != USW_ARGUMENT_VALUE;
  return streams >= limits->many_streams && teams > most ? most : teams;
}

/* A share, but no more than run at once: the rest would begin when the first are done. At 66 registers three teams of 256
 * threads do. Of describe of f32 at 2^28 (72 registers, H200), 4 teams take 718 us, 3 583. */
static uint64_t share_at_once(const uswi_call_t *call, uint32_t share) {
  if (share == 1)
    return share;
  const uint32_t resident = call->entry->resident_teams;
  if (share == USWI_ALL_AT_ONCE)
    return uswi_teams_at_once(call);
  return resident != 0 && resident < share ? resident : share;
}

/* No more than threads that ask for what the others send, where one team waits for it: the rest would be a second round (sum of
 * f32, reproducible, 2^20 on an H200: 256 teams 8.4 us, 264 9.0: perf/baselines/h200-bench-teams.json). With more teams a
 * multiprocessor there is so much to load that it does not matter. */
static uint64_t teams_in_one_round(const uswi_call_t *call, uint32_t share, uint64_t teams) {
  const int is_short = share <= 2 && call->strategy == USW_STRATEGY_TREE && call->device->starts_in_order;
  return is_short && (call->kernel->facts & USW_FACT_AWAITS) && teams > call->team_size ? call->team_size : teams;
}

/* Teams of a share; the x86_64 device has one worker for each, which takes what there is. */
static uint64_t teams_of(const uswi_call_t *call, uint32_t share) {
  if (!call->device->runs_bare)
    return (uint64_t)share * call->device->multiprocessors;
  uint64_t teams = share_at_once(call, share) * call->device->multiprocessors;
  if (call->kernel->facts & USW_FACT_SPANS)
    teams = uswi_teams_with_cells(call);
  teams = teams_in_one_round(call, share, teams_with_streams(call, teams));
  const uint64_t useful = uswi_useful_teams(call);
  return teams < useful ? teams : useful;
}

static uint32_t team_size_of(const uswi_call_t *call) {
  if (!call->device->runs_bare)
    return 1;
  return call->strategy == USW_STRATEGY_CLAUSE ? call->kernel->standard.team_size : call->kernel->bare.team_size;
}

/* Of results, each of which is one chunk's; of scans, which take rounds of chunks (exec/scan.c), by their length alone. */
static __attribute__((noinline)) void choose_other_chunks(uswi_call_t *call, uint32_t share, uint32_t asked) {
  if (uswi_is_scan(call->kernel)) {
    const uint64_t rounds = call->n / uswi_scan_chunk_items(call->kernel);
    call->chunks = rounds < 2 ? 2 : rounds < UINT32_MAX ? (uint32_t)rounds : UINT32_MAX;
    return;
  }
  const uint64_t results = uswi_shares_of_results(call) / uswi_results_together(call);
  const uint64_t chunks = asked ? asked : uswi_chunks_of(call, share);
  call->chunks = uswi_chunks_at_most(call, chunks < results ? chunks : results);
}

static void choose_chunks(uswi_call_t *call, uint32_t share, uint32_t asked) {
  if (call->kernel->facts & (USW_FACT_MANY_RESULTS | USW_FACT_SCAN)) {
    choose_other_chunks(call, share, asked);
    return;
  }
  const uint64_t lines = call->n / USWI_LINE_BYTES; /* chunks begin at whole ones */
  call->chunks = asked ? uswi_chunks_at_most(call, asked < lines ? asked : lines) : uswi_chunks_of(call, share);
}

static void choose_teams(uswi_call_t *call, uint32_t share, uint32_t asked) {
  call->team_size = team_size_of(call);
  uint64_t teams = asked ? asked : teams_of(call, share);
  if (call->strategy == USW_STRATEGY_CLAUSE && teams > MOST_CLAUSE_TEAMS)
    teams = MOST_CLAUSE_TEAMS;
  call->teams = teams ? (uint32_t)teams : 1;
  if (call->cells > 0)
    uswi_choose_cells(call);
}

void uswi_choose_way(uswi_call_t *call, uswi_way_t way, uint32_t asked) {
  call->strategy = way.strategy;
  if (call->device)
    choose_teams(call, way.share, asked);
  else
    choose_chunks(call, way.share, asked);
}

/* A team for each tile: who is done makes room for the next. Elsewhere than on a GPU one worker takes all. */
static __attribute__((noinline)) void choose_teams_of_scan(uswi_call_t *call, uint32_t asked) {
  call->team_size = team_size_of(call);
  const uint64_t tiles = call->device->runs_bare ? uswi_scan_tiles(call) : 1;
  call->teams = asked && asked < tiles ? asked : (uint32_t)tiles;
  call->tuning_entry = NULL;
}

static inline uswi_way_t take_entry(uswi_call_t *call, uint32_t asked) {
  const uswi_tuning_entry_t *entry = find_entry(call);
  call->tuning_entry = asked ? NULL : entry;
  return entry->way;
}

uint32_t uswi_teams_of_next_launch(uint32_t partials, uint32_t work_group_load) {
  const uint32_t share = work_group_load > 2 ? work_group_load : 2;
  return partials <= work_group_load ? 0 : uswi_quotient_up(partials, share);
}

/* The strategy that the options name. */
static const char *name_of_option(usw_strategy_t strategy) {
  static const char *const names[] = {
      [USW_STRATEGY_HOST] = "USW_STRATEGY_HOST",          [USW_STRATEGY_TREE] = "USW_STRATEGY_TREE",
      [USW_STRATEGY_CLAUSE] = "USW_STRATEGY_CLAUSE",      [USW_STRATEGY_HOST_FINISH] = "USW_STRATEGY_HOST_FINISH",
      [USW_STRATEGY_ATOMIC] = "USW_STRATEGY_ATOMIC",      [USW_STRATEGY_TREE_ATOMIC] = "USW_STRATEGY_TREE_ATOMIC",
      [USW_STRATEGY_MULTIPASS] = "USW_STRATEGY_MULTIPASS"};
  return names[strategy];
}

/* A strategy as whoever named it did; only those that may be refused. */
static const char *name_of_strategy(const uswi_call_t *call) {
  const int by_environment = call->options->strategy == USW_AUTO_STRATEGY;
  switch (call->strategy) {
  case USW_STRATEGY_CLAUSE:
    return by_environment ? "USW_STRATEGY=clause of the environment" : "USW_STRATEGY_CLAUSE";
  case USW_STRATEGY_TREE_ATOMIC:
    return by_environment ? "USW_STRATEGY=tree_atomic of the environment" : "USW_STRATEGY_TREE_ATOMIC";
  default:
    return by_environment ? "USW_STRATEGY=atomic of the environment" : "USW_STRATEGY_ATOMIC";
  }
}

static usw_status_t check_clause(const uswi_call_t *call) {
  const char *name = call->name;
  if (!call->kernel->standard.stub)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s has no standard region: no clause", name);
  if (call->kernel->facts & USW_FACT_NO_CLAUSE)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: an accurate sum has no clause", name);
  if (call->cells)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: %s has spans of at most 256 bytes, whose extent is a constant", name,
                     name_of_strategy(call));
  return USW_OK;
}

/* Whether every reducer has room in what atomics combine into. */
static usw_status_t check_atomics(const uswi_call_t *call) {
  for (uint32_t r = 0; r < call->kernel->reducer_count; r++) {
    const usw_reducer_t *reducer = &call->kernel->reducers[r];
    if (reducer->dimensions == 1)
      return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: %s has no spans, and '%s' is one", call->name,
                       name_of_strategy(call), reducer->name);
    if (reducer->atomic_bytes == 0)
      return uswi_fail(USW_ERROR_UNSUPPORTED,
                       "%s: %s is not for '%s': atomics combine variables of at most 8 bytes, of at most 4 without an "
                       "identity, and sums of complex numbers",
                       call->name, name_of_strategy(call), reducer->name);
  }
  return USW_OK;
}

int uswi_has_strategy(const uswi_call_t *call, usw_strategy_t strategy) {
  const usw_kernel_t *kernel = call->kernel;
  int has_atomics = !(kernel->facts & USW_FACT_ORDERED);
  if (uswi_has_many_results(kernel) || uswi_is_scan(kernel))
    return strategy == USW_STRATEGY_TREE || !call->device;
  for (uint32_t r = 0; r < kernel->reducer_count; r++)
    has_atomics &= kernel->reducers[r].dimensions != 1 && kernel->reducers[r].atomic_bytes != 0;
  switch (strategy) {
  case USW_STRATEGY_CLAUSE:
    return kernel->standard.stub && !(kernel->facts & (USW_FACT_NO_CLAUSE | USW_FACT_ORDERED)) && !call->cells;
  case USW_STRATEGY_TREE_ATOMIC:
  case USW_STRATEGY_ATOMIC:
    return has_atomics;
  default:
    return 1;
  }
}

/* Of atomics nobody knows the order. The clause: on NVIDIA's GPUs LLVM folds the teams' records in the order of the teams
 * (tests/gpu/repeat.c watches it); elsewhere threads meet in any order. */
int uswi_is_repeatable(const uswi_call_t *call) {
  if (call->kernel->facts & USW_FACT_EXACT)
    return 1;
  if (call->strategy == USW_STRATEGY_CLAUSE)
    return strcmp(call->device->target, "nvptx") == 0;
  if (call->common_blocks > 0 && !(call->kernel->facts & USW_FACT_EXACT_CELLS))
    return 0;
  return call->strategy != USW_STRATEGY_TREE_ATOMIC && call->strategy != USW_STRATEGY_ATOMIC;
}

/* What a strategy cannot do on a device. Those that are not asked about here can do everything. */
static usw_status_t check_strategy(const uswi_call_t *call) {
  const int clause = call->strategy == USW_STRATEGY_CLAUSE;
  if (!clause && call->strategy != USW_STRATEGY_TREE_ATOMIC && call->strategy != USW_STRATEGY_ATOMIC)
    return USW_OK;
  if (call->kernel->facts & USW_FACT_ORDERED)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: %s does not keep the order of the items", call->name,
                     name_of_strategy(call));
  const usw_status_t status = clause ? check_clause(call) : check_atomics(call);
  if (status == USW_OK && uswi_asks_for_rechecks(call->options) && !uswi_is_repeatable(call))
    return uswi_fail(
        USW_ERROR_UNSUPPORTED,
        "%s: options.recheck is %u, but %s on %s does not promise the same bits twice: there is nothing to "
        "compare",
        call->name, call->options->recheck, name_of_strategy(call), call->device->target);
  if (status == USW_OK && call->options->accuracy != USW_FAST && !uswi_is_repeatable(call))
    return uswi_fail(USW_ERROR_UNSUPPORTED,
                     "%s: %s on %s does not promise the same bits on every run: ask for USW_FAST", call->name,
                     name_of_strategy(call), call->device->target);
  return status;
}

/* What many results are finished by, in the team that has visited a result's items; and the only way of scans. */
static usw_status_t take_tree(uswi_call_t *call) {
  if (call->options->strategy != USW_AUTO_STRATEGY && call->options->strategy != USW_STRATEGY_TREE)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: many results and scans have only USW_STRATEGY_TREE on devices, not %s",
                     call->name, name_of_option(call->options->strategy));
  call->strategy = USW_STRATEGY_TREE;
  if (uswi_has_many_results(call->kernel))
    uswi_share_results(call);
  return USW_OK;
}

/* How many partials multipass leaves for the host. */
static uint32_t choose_work_group_load(const uswi_call_t *call) {
  const uint32_t asked =
      call->options->work_group_load ? call->options->work_group_load : uswi_environment()->work_group_load;
  return asked ? asked : WORK_GROUP_LOAD;
}

static usw_status_t choose_on_host(uswi_call_t *call) {
  const usw_strategy_t asked = call->options->strategy;
  if (asked != USW_AUTO_STRATEGY && asked != USW_STRATEGY_HOST)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: the host has only USW_STRATEGY_HOST, not %s", call->name,
                     name_of_option(asked));
  call->strategy = USW_STRATEGY_HOST;
  if (uswi_has_many_results(call->kernel))
    uswi_share_results(call);
  choose_chunks(call, take_entry(call, call->options->teams).share, call->options->teams);
  return USW_OK;
}

static usw_status_t choose_for_items(uswi_call_t *call) {
  const usw_options_t *o = call->options;
  call->strategy = o->strategy;
  if (o->strategy == USW_STRATEGY_HOST)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: USW_STRATEGY_HOST runs on the host only, not on device %d", call->name,
                     call->device->number);
  if (o->strategy == USW_AUTO_STRATEGY)
    call->strategy = uswi_environment()->strategy;
  if (call->strategy == USW_AUTO_STRATEGY && call->cells) /* the host would have to copy every team's block */
    call->strategy = USW_STRATEGY_TREE;
  const int has_only_tree = (call->kernel->facts & (USW_FACT_MANY_RESULTS | USW_FACT_SCAN)) != 0;
  const usw_status_t status = has_only_tree ? take_tree(call) : check_strategy(call);
  if (status != USW_OK)
    return status;
  call->work_group_load = choose_work_group_load(call);
  const uint32_t asked = o->teams ? o->teams : uswi_environment()->teams;
  if (has_only_tree && uswi_is_scan(call->kernel)) {
    choose_teams_of_scan(call, asked);
    return USW_OK;
  }
  uswi_choose_way(call, take_entry(call, asked), asked);
  return USW_OK;
}

/* Launches of a staged call are over a chunk each. By itself, so that short calls on the host do not save its registers. */
__attribute__((noinline)) static usw_status_t choose_on_device(uswi_call_t *call) {
  const size_t n = call->n;
  if (call->staged)
    call->n = uswi_staging_plan_of(call).chunk_items;
  const usw_status_t status = choose_for_items(call);
  call->n = n;
  return status;
}

usw_status_t uswi_choose(uswi_call_t *call) { return call->device ? choose_on_device(call) : choose_on_host(call); }

void *uswi_function_of_driver(const uswi_call_t *call, const char **why_out) {
  *why_out = call->entry->why;
  if (!call->device->driver)
    return NULL;
  if (call->strategy == USW_STRATEGY_CLAUSE)
    *why_out = "the clause is OpenMP's own";
  else if (uswi_environment()->backend == USWI_BACKEND_OPENMP)
    *why_out = "USW_BACKEND is openmp";
  else
    return call->entry->function;
  return NULL;
}
