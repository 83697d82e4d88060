/* Who takes part in a case of the library's functions, and how each of them is called. */
#include "bench.h"
#include "bound.h"
#include "peers/peers.h"
#include "peers/plugins.h"

#include <string.h>

usw_options_t bench_call_options(const bench_competitor_t *competitor, int device, usw_report_t *report) {
  return (usw_options_t){
      .size = USW_INIT(usw_options_t),
      .place = device < 0 ? USW_HOST : USW_DEVICE,
      .device = device,
      .strategy = competitor->strategy,
      .accuracy = competitor->accuracy,
      .nan = competitor->nan,
      .teams = competitor->teams,
      .report = report,
  };
}

static const bench_call_t *call_of(const bench_case_t *what) { return what->self; } /* its first member */

static usw_status_t run_own(const bench_competitor_t *competitor, const bench_case_t *what, usw_report_t *report,
                            bench_value_t *value_out) {
  const bench_call_t *call = call_of(what);
  const usw_options_t options = bench_call_options(competitor, call->device, report);
  if (call->kernel->inputs == 2)
    return usw_reduce_pair(call->kernel->operation, call->type->type, call->x, call->y, call->n, value_out, &options);
  return usw_reduce(call->kernel->operation, call->type->type, call->x, call->n, value_out, &options);
}

static usw_status_t run_peer(const bench_competitor_t *competitor, const bench_case_t *what, usw_report_t *report,
                             bench_value_t *value_out) {
  (void)report;
  return competitor->peer(call_of(what), value_out) == 0 ? USW_OK : USW_ERROR_UNSUPPORTED;
}

static usw_status_t run_plugin(const bench_competitor_t *competitor, const bench_case_t *what, usw_report_t *report,
                               bench_value_t *value_out) {
  const bench_call_t *call = call_of(what);
  (void)report;
  return competitor->plugin->run(competitor->plugin_case, competitor->plugin_form, call->x, call->y, call->n,
                                 value_out) == 0
             ? USW_OK
             : USW_ERROR_UNSUPPORTED;
}

static const usw_strategy_t device_strategies[] = {USW_STRATEGY_TREE, USW_STRATEGY_HOST_FINISH, USW_STRATEGY_CLAUSE};
static const usw_strategy_t host_strategies[] = {USW_STRATEGY_HOST};

/* One strategy with every accuracy and number of teams. */
static int enlist_strategy(const bench_options_t *options, usw_strategy_t strategy, usw_nan_t nan,
                           bench_competitor_t *competitors, int room) {
  int count = 0;
  for (int a = 0; a < (options->accuracy_count ? options->accuracy_count : 1); a++)
    for (int t = 0; t < options->team_count && count < room; t++)
      competitors[count++] = (bench_competitor_t){
          .name = nan == USW_NAN_IGNORE ? "numbers" : bench_strategy_name(strategy),
          .nan = nan,
          .run = run_own,
          .strategy = strategy,
          .accuracy = options->accuracy_count ? options->accuracies[a] : bench_accuracy(strategy),
          .teams = options->teams[t],
      };
  return count;
}

int bench_enlist(const bench_options_t *options, const bench_place_t *place, bench_competitor_t *competitors) {
  const usw_strategy_t *strategies = options->strategies;
  int strategy_count = options->strategy_count, count = 0;
  if (!strategy_count) {
    strategies = place->device < 0 ? host_strategies : device_strategies;
    strategy_count = place->device < 0 ? 1 : 3;
  }
  for (int s = 0; s < strategy_count; s++)
    if (strategies[s] == USW_AUTO_STRATEGY || (strategies[s] == USW_STRATEGY_HOST) == (place->device < 0))
      count += enlist_strategy(options, strategies[s], USW_NAN_PROPAGATE, competitors + count,
                               BENCH_MAX_COMPETITORS - BENCH_MAX_PEERS - count);
  if (bench_is_peer_wanted(options, "numbers"))
    count += enlist_strategy(options, USW_AUTO_STRATEGY, USW_NAN_IGNORE, competitors + count,
                             BENCH_MAX_COMPETITORS - BENCH_MAX_PEERS - count);
  return count;
}

/* ---- peers ---- */

/* Where a peer can run: on the host, on devices of any kind, on NVIDIA GPUs. */
typedef enum where { ON_HOST, ON_DEVICE, ON_GPU } where_t;

/* Those without a function are plugins; several rows of a name are forms of one peer. "read" and "copy" are of
 * references.c, "library" of applications; Upsweep's own are "bound" (bound.h) and "numbers", its calls with USW_NAN_IGNORE. */
static const struct {
  const char *name;
  where_t where;
  bench_peer_t run;
  const char *form;
} peers[] = {
    {"serial", ON_HOST, peer_serial, NULL},
    {"libomp", ON_HOST, peer_host_clause, NULL},
    {"libgomp", ON_HOST, NULL, NULL},
    {"openblas", ON_HOST, NULL, NULL},
    {"tbb", ON_HOST, NULL, NULL},
    {"plain_clause", ON_DEVICE, peer_plain_clause, NULL},
    {"shaped_clause", ON_DEVICE, peer_shaped_clause, "items"},
    {"shaped_clause", ON_DEVICE, peer_shaped_clause_wide, "16 bytes"},
    {"prototype", ON_GPU, peer_prototype, NULL},
    {"cub", ON_GPU, NULL, NULL},
    {"cub_deterministic", ON_GPU, NULL, NULL},
    {"cublas", ON_GPU, NULL, NULL},
    {"babelstream", ON_GPU, NULL, NULL},
    {"cuda_read", ON_GPU, NULL, NULL},
};
enum { PEERS = sizeof peers / sizeof *peers };
const char *const bench_peer_names[] = {
    "read",     "copy",        "library",      "bound",         "serial",    "libomp", "libgomp",
    "openblas", "tbb",         "plain_clause", "shaped_clause", "prototype", "cub",    "cub_deterministic",
    "cublas",   "babelstream", "cuda_read",    "numbers",       NULL};

int bench_is_peer_wanted(const bench_options_t *options, const char *name) {
  for (int k = 0; bench_peer_names[k]; k++)
    if (strcmp(bench_peer_names[k], name) == 0)
      return options->peers >> k & 1;
  return 0;
}

static int is_there(where_t where, const bench_place_t *place) {
  if (where == ON_HOST)
    return place->device < 0;
  return where == ON_GPU ? strcmp(place->name, "gpu") == 0 : place->device >= 0;
}

/* The forms of a plugin's case. */
static int enlist_plugin(const char *name, const bench_call_t *call, bench_competitor_t *competitors) {
  const peer_plugin_t *plugin = peer_plugin_find(name);
  const peer_case_t *found = plugin ? plugin->find(call->kernel->name, call->type->name) : NULL;
  int count = 0;
  if (!found || plugin->prepare(found, call->x, call->y, call->n))
    return 0;
  for (; plugin->forms[count].competitor; count++)
    competitors[count] = (bench_competitor_t){.name = plugin->forms[count].competitor,
                                              .form = plugin->forms[count].name,
                                              .run = run_plugin,
                                              .is_peer = 1,
                                              .is_reference = plugin->forms[count].special & PEER_NO_RESULT,
                                              .special = plugin->forms[count].special,
                                              .plugin = plugin,
                                              .plugin_case = found,
                                              .plugin_form = count};
  return count;
}

static int enlist_bound(const bench_call_t *call, bench_competitor_t *competitors) {
  const bench_competitor_t bound = {.name = "bound", .run = bench_run_bound, .is_peer = 1};
  const usw_options_t options = bench_call_options(&bound, call->device, NULL);
  if (bench_bind(call, &options) != 0)
    return 0;
  competitors[0] = bound;
  return 1;
}

int bench_enlist_peers(const bench_session_t *session, const bench_case_t *what, bench_competitor_t *competitors) {
  const bench_call_t *call = call_of(what);
  bench_value_t value;
  int count = 0;
  if (bench_is_peer_wanted(session->options, "bound"))
    count += enlist_bound(call, competitors);
  for (int k = 0; k < PEERS; k++) {
    if (!bench_is_peer_wanted(session->options, peers[k].name) || !is_there(peers[k].where, &session->place))
      continue;
    if (!peers[k].run) {
      count += enlist_plugin(peers[k].name, call, competitors + count);
      continue;
    }
    const char *form = peers[k].run == peer_prototype ? peer_prototype_tune(call) : peers[k].form;
    if (peers[k].run == peer_prototype ? form != NULL : peers[k].run(call, &value) == 0)
      competitors[count++] = (bench_competitor_t){
          .name = peers[k].name, .form = form, .run = run_peer, .is_peer = 1, .peer = peers[k].run};
  }
  return count;
}

void bench_add_peers(cJSON *context) {
  cJSON *versions = cJSON_AddArrayToObject(context, "peers");
  for (int k = 0; k < PEERS; k++) {
    const peer_plugin_t *plugin = peers[k].run ? NULL : peer_plugin_opened(peers[k].name);
    if (plugin)
      cJSON_AddItemToArray(versions, cJSON_CreateString(plugin->version()));
  }
}
