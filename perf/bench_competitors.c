/* Who takes part, and how each of them is called. */
#include "bench.h"
#include "peers/peers.h"
#include "peers/plugins.h"

#include <string.h>

const char *bench_strategy_name(usw_strategy_t strategy) {
  switch (strategy) {
  case USW_AUTO_STRATEGY:
    return "auto";
  case USW_STRATEGY_HOST:
    return "host";
  case USW_STRATEGY_TREE:
    return "tree";
  case USW_STRATEGY_HOST_FINISH:
    return "host_finish";
  case USW_STRATEGY_CLAUSE:
    return "clause";
  case USW_STRATEGY_TREE_ATOMIC:
    return "tree_atomic";
  case USW_STRATEGY_ATOMIC:
    return "atomic";
  case USW_STRATEGY_MULTIPASS:
    return "multipass";
  default:
    return "";
  }
}

static const usw_strategy_t device_strategies[] = {USW_STRATEGY_TREE, USW_STRATEGY_HOST_FINISH, USW_STRATEGY_CLAUSE};
static const usw_strategy_t host_strategies[] = {USW_STRATEGY_HOST};

int bench_enlist(const bench_options_t *options, const bench_place_t *place, bench_competitor_t *competitors) {
  const usw_strategy_t *strategies = options->strategies;
  int strategy_count = options->strategy_count, count = 0;
  if (!strategy_count) {
    strategies = place->device < 0 ? host_strategies : device_strategies;
    strategy_count = place->device < 0 ? 1 : 3;
  }
  for (int s = 0; s < strategy_count; s++) {
    if (strategies[s] != USW_AUTO_STRATEGY && (strategies[s] == USW_STRATEGY_HOST) != (place->device < 0))
      continue; /* not of this place */
    for (int t = 0; t < options->team_count && count < BENCH_MAX_COMPETITORS - BENCH_MAX_PEERS; t++)
      competitors[count++] = (bench_competitor_t){
          .name = bench_strategy_name(strategies[s]), .strategy = strategies[s], .teams = options->teams[t]};
  }
  return count;
}

/* Plugins come last. */
enum {
  PEER_LIBOMP,
  PEER_PLAIN_CLAUSE,
  PEER_PROTOTYPE,
  PEER_CUB,
  PEER_CUBLAS,
  PEER_OPENBLAS,
  PEER_TBB,
  PEER_LIBGOMP,
  PEER_COUNT
};
const char *const bench_peer_names[] = {"libomp",   "plain_clause", "prototype", "cub", "cublas",
                                        "openblas", "tbb",          "libgomp",   NULL};

/* Whether a plugin is for the place. */
static int is_plugin_of(int peer, const bench_place_t *place) {
  return peer >= PEER_OPENBLAS ? place->device < 0 : peer >= PEER_CUB && strcmp(place->name, "gpu") == 0;
}

/* The forms of a plugin's case. */
static int enlist_plugin(const char *name, const bench_call_t *call, bench_competitor_t *competitors) {
  const peer_plugin_t *plugin = peer_plugin_find(name);
  const peer_case_t *found = plugin ? plugin->find(call->kernel->name, call->type->name) : NULL;
  int count = 0;
  if (!found || plugin->prepare(found, call->x, call->kernel->inputs == 2 ? call->y : NULL, call->n))
    return 0;
  for (; plugin->forms[count].competitor; count++)
    competitors[count] = (bench_competitor_t){.name = plugin->forms[count].competitor,
                                              .form = plugin->forms[count].name,
                                              .plugin = plugin,
                                              .plugin_case = found,
                                              .plugin_form = count};
  return count;
}

int bench_enlist_peers(const bench_options_t *options, const bench_place_t *place, const bench_call_t *call,
                       bench_competitor_t *competitors) {
  bench_value_t value;
  int count = 0;
  if (place->device < 0) {
    if (options->peers >> PEER_LIBOMP & 1 && peer_host_clause(call, &value) == 0)
      competitors[count++] = (bench_competitor_t){.name = "libomp", .peer = peer_host_clause};
    for (int peer = PEER_CUB; peer < PEER_COUNT; peer++)
      if (is_plugin_of(peer, place) && options->peers >> peer & 1)
        count += enlist_plugin(bench_peer_names[peer], call, competitors + count);
    return count;
  }
  if (options->peers >> PEER_PLAIN_CLAUSE & 1 && peer_plain_clause(call, &value) == 0)
    competitors[count++] = (bench_competitor_t){.name = "plain_clause", .peer = peer_plain_clause};
  const char *form = options->peers >> PEER_PROTOTYPE & 1 ? peer_prototype_tune(call) : NULL;
  if (form)
    competitors[count++] = (bench_competitor_t){.name = "prototype", .peer = peer_prototype, .form = form};
  for (int peer = PEER_CUB; peer < PEER_COUNT; peer++)
    if (is_plugin_of(peer, place) && options->peers >> peer & 1)
      count += enlist_plugin(bench_peer_names[peer], call, competitors + count);
  return count;
}

void bench_add_peers(const bench_options_t *options, const bench_place_t *place, cJSON *context) {
  cJSON *versions = cJSON_AddArrayToObject(context, "peers");
  for (int peer = PEER_CUB; peer < PEER_COUNT; peer++) {
    const peer_plugin_t *plugin =
        is_plugin_of(peer, place) && options->peers >> peer & 1 ? peer_plugin_find(bench_peer_names[peer]) : NULL;
    if (plugin)
      cJSON_AddItemToArray(versions, cJSON_CreateString(plugin->version()));
  }
}

usw_status_t bench_run(const bench_competitor_t *competitor, const bench_call_t *call, usw_record_t *record,
                       bench_value_t *value_out) {
  if (competitor->peer)
    return competitor->peer(call, value_out) == 0 ? USW_OK : USW_ERROR_UNSUPPORTED;
  if (competitor->plugin)
    return competitor->plugin->run(competitor->plugin_case, competitor->plugin_form, call->x, call->y, call->n,
                                   value_out) == 0
               ? USW_OK
               : USW_ERROR_UNSUPPORTED;
  const usw_options_t options = {
      .size = USW_INIT(usw_options_t),
      .place = call->device < 0 ? USW_HOST : USW_DEVICE,
      .device = call->device,
      .strategy = competitor->strategy,
      .accuracy = bench_accuracy(competitor->strategy),
      .teams = competitor->teams,
      .record = record,
  };
  if (call->kernel->inputs == 2)
    return usw_reduce_pair(call->kernel->operation, call->type->type, call->x, call->y, call->n, value_out, &options);
  return usw_reduce(call->kernel->operation, call->type->type, call->x, call->n, value_out, &options);
}

void bench_settle(const bench_competitor_t *competitor) {
  if (competitor->plugin)
    competitor->plugin->settle();
}
