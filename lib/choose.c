/* How a call runs where it runs: strategy and number of teams. */
#include <string.h>

#include "call.h"
#include "environment.h"
#include "error.h"
#include "host/chunks.h"
#include "tuning.def"

typedef struct row {
  usw_strategy_t asked;
  uint64_t most_bytes;
  usw_strategy_t strategy;
  uint32_t teams_per_multiprocessor;
  const char *text;
} row_t;

static const row_t rows[] = {
#define ROW(asked, bytes, strategy, per_multiprocessor)                                                                \
  {USW_##asked, bytes, USW_##strategy, per_multiprocessor,                                                             \
   #asked " up to " #bytes " bytes: " #strategy ", " #per_multiprocessor " teams a multiprocessor"},
    USWI_TUNING(ROW)
#undef ROW
};

enum {
  MOST_CLAUSE_TEAMS = 512, /* the images' -fopenmp-cuda-teams-reduction-recs-num */
  /* Of teams of 256 and of 128 threads, with up to 64 registers each; measured for 16 to 4096 elements on an H200. */
  SPAN_TEAMS_PER_MULTIPROCESSOR = 4,
  SMALL_TEAMS_PER_MULTIPROCESSOR = 6,
  SMALL_TEAM = 128,
  MANY_STREAMS = 6,
  MANY_STREAMS_TEAMS_PER_MULTIPROCESSOR = 3,
  SPAN_RECORDS_BYTES = 512 << 20,
  WORK_GROUP_LOAD = 256
};

static const row_t *find_row(const uswi_call_t *call) {
  const uint64_t bytes = (uint64_t)call->n * call->kernel->item_bytes;
  const row_t *row = rows;
  while (row->asked != call->strategy || bytes > row->most_bytes)
    row++;
  return row;
}

/* Teams that find a tile to work on. */
static uint64_t useful_teams(const uswi_call_t *call) {
  const uint64_t tile = (uint64_t)call->team_size * call->kernel->items_per_thread;
  return call->n / tile + (call->n % tile != 0);
}

/* Teams with cells of spans in their memory: as many as run at once at any length, since an item takes longer than its
 * elements to load and each team begins with clearing cells; no more than have room for what they leave behind. */
static uint64_t teams_with_cells(const uswi_call_t *call) {
  const int small = call->team_size <= SMALL_TEAM;
  const uint64_t resident = (uint64_t)(small ? SMALL_TEAMS_PER_MULTIPROCESSOR : SPAN_TEAMS_PER_MULTIPROCESSOR) *
                            call->device->multiprocessors;
  const uint64_t room = SPAN_RECORDS_BYTES / call->record_bytes;
  return resident < room || !call->cells ? resident : room;
}

/* Fewer teams where each reads many streams: they take lines from each other. Measured for the five sums of a 2-D mesh,
 * which reads six arrays, at 2^28 cells on an H200: 3 teams a multiprocessor 3049 us, 4 teams 3585, 2 teams 3204. */
static uint64_t teams_with_streams(const uswi_call_t *call, uint64_t teams) {
  const uint64_t most = (uint64_t)MANY_STREAMS_TEAMS_PER_MULTIPROCESSOR * call->device->multiprocessors;
  uint32_t streams = 0;
  for (uint32_t a = 0; a < call->kernel->argument_count; a++)
    streams += call->kernel->arguments[a].kind != USW_ARGUMENT_VALUE;
  return streams >= MANY_STREAMS && teams > most ? most : teams;
}

/* Strategy and teams of a GPU; the x86_64 device has one way and one worker per processor. */
static void choose_row(uswi_call_t *call) {
  const uint32_t asked = call->options->teams ? call->options->teams : uswi_environment()->teams;
  uint64_t teams = asked ? asked : call->device->multiprocessors;
  if (call->device->runs_bare) {
    const row_t *row = find_row(call);
    call->strategy = row->strategy;
    call->team_size =
        row->strategy == USW_STRATEGY_CLAUSE ? call->kernel->standard.team_size : call->kernel->bare.team_size;
    const uint64_t useful = useful_teams(call);
    call->tuning_row = asked ? NULL : row->text;
    if (!asked)
      teams = (uint64_t)row->teams_per_multiprocessor * call->device->multiprocessors;
    if (!asked && (call->kernel->facts & USW_FACT_SPANS))
      teams = teams_with_cells(call);
    if (!asked)
      teams = teams_with_streams(call, teams);
    if (!asked && teams > useful)
      teams = useful;
  } else {
    if (call->strategy == USW_AUTO_STRATEGY)
      call->strategy = USW_STRATEGY_TREE;
    call->team_size = 1;
  }
  if (call->strategy == USW_STRATEGY_CLAUSE && teams > MOST_CLAUSE_TEAMS)
    teams = MOST_CLAUSE_TEAMS;
  call->teams = teams ? (uint32_t)teams : 1;
}

uint32_t uswi_teams_of_pass(uint32_t partials, uint32_t work_group_load) {
  const uint32_t share = work_group_load > 2 ? work_group_load : 2;
  return partials <= work_group_load ? 0 : partials / share + (partials % share != 0);
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
  const char *name = call->kernel->name;
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
      return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: %s has no spans, and '%s' is one", call->kernel->name,
                       name_of_strategy(call), reducer->name);
    if (reducer->atomic_bytes == 0)
      return uswi_fail(USW_ERROR_UNSUPPORTED,
                       "%s: %s is not for '%s': atomics combine variables of at most 8 bytes, of at most 4 without an "
                       "identity, and sums of complex numbers",
                       call->kernel->name, name_of_strategy(call), reducer->name);
  }
  return USW_OK;
}

/* Of atomics nobody knows the order. The clause: on NVIDIA's GPUs LLVM folds the teams' records in the order of the teams
 * (tests/gpu/repeat.c watches it); elsewhere threads meet in any order. */
int uswi_is_repeatable(const uswi_call_t *call) {
  if (call->kernel->facts & USW_FACT_EXACT)
    return 1;
  if (call->strategy == USW_STRATEGY_CLAUSE)
    return strcmp(call->device->target, "nvptx") == 0;
  return call->strategy != USW_STRATEGY_TREE_ATOMIC && call->strategy != USW_STRATEGY_ATOMIC;
}

/* Whether the call itself asks for rechecks. */
static int must_recheck(const usw_options_t *options) {
  return options->recheck != 0 && options->recheck != USW_RECHECK_NEVER;
}

/* What a strategy cannot do on a device. Those that are not asked about here can do everything. */
static usw_status_t check_strategy(const uswi_call_t *call) {
  const int clause = call->strategy == USW_STRATEGY_CLAUSE;
  if (!clause && call->strategy != USW_STRATEGY_TREE_ATOMIC && call->strategy != USW_STRATEGY_ATOMIC)
    return USW_OK;
  if (call->kernel->facts & USW_FACT_ORDERED)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: %s does not keep the order of the items", call->kernel->name,
                     name_of_strategy(call));
  const usw_status_t status = clause ? check_clause(call) : check_atomics(call);
  if (status == USW_OK && must_recheck(call->options) && !uswi_is_repeatable(call))
    return uswi_fail(
        USW_ERROR_UNSUPPORTED,
        "%s: options.recheck is %u, but %s on %s does not promise the same bits twice: there is nothing to "
        "compare",
        call->kernel->name, call->options->recheck, name_of_strategy(call), call->device->target);
  if (status == USW_OK && call->options->accuracy != USW_FAST && !uswi_is_repeatable(call))
    return uswi_fail(USW_ERROR_UNSUPPORTED,
                     "%s: %s on %s does not promise the same bits on every run: ask for USW_FAST", call->kernel->name,
                     name_of_strategy(call), call->device->target);
  return status;
}

/* How many partials multipass leaves for the host. */
static uint32_t choose_work_group_load(const uswi_call_t *call) {
  const uint32_t asked =
      call->options->work_group_load ? call->options->work_group_load : uswi_environment()->work_group_load;
  return asked ? asked : WORK_GROUP_LOAD;
}

usw_status_t uswi_choose(uswi_call_t *call) {
  const usw_options_t *o = call->options;
  const char *name = call->kernel->name;
  call->strategy = o->strategy;
  if (!call->device) {
    if (o->strategy != USW_AUTO_STRATEGY && o->strategy != USW_STRATEGY_HOST)
      return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: the host has only USW_STRATEGY_HOST, not strategy %d", name,
                       (int)o->strategy);
    call->strategy = USW_STRATEGY_HOST;
    call->chunks = uswi_chunks_of(call);
    return USW_OK;
  }
  if (o->strategy == USW_STRATEGY_HOST)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: USW_STRATEGY_HOST runs on the host only, not on device %d", name,
                     call->device->number);
  if (o->strategy == USW_AUTO_STRATEGY)
    call->strategy = uswi_environment()->strategy;
  if (call->strategy == USW_AUTO_STRATEGY && call->cells) /* the host would have to copy every team's block */
    call->strategy = USW_STRATEGY_TREE;
  const usw_status_t status = check_strategy(call);
  if (status != USW_OK)
    return status;
  call->work_group_load = choose_work_group_load(call);
  choose_row(call);
  return USW_OK;
}
