/* The way of a call up to its launch, told instead of gone: place, strategy, teams, and the longest chain of operations
 * that they make. */
#include <upsweep/explain.h>

#include "api/library.h"
#include "backend/backend.h"
#include "base/bytes.h"
#include "base/error.h"
#include "exec/exact.h"
#include "exec/pages.h"
#include "exec/recheck.h"
#include "exec/staging_near.h"
#include "exec/staging_ring.h"
#include "exec/threads.h"
#include "machine/isa.h"
#include "machine/topology.h"
#include "policy/bound.h"
#include "policy/call.h"
#include "policy/catalog.h"
#include "policy/choose.h"
#include "policy/chunks.h"
#include "policy/cost_model.h"
#include "policy/fold.h"
#include "policy/prepare.h"
#include "policy/schedule.h"
#include "policy/staging.h"
#include "policy/tuning.h"
#include "policy/tuning_fit.h"
#include "policy/variant.h"

static uint32_t log2_up(uint64_t x) { return x > 1 ? 64 - (uint32_t)__builtin_clzll(x - 1) : 0; }

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Items dealt to chains, which are folded as a tree. */
static uint64_t chain_of_groups(uint64_t groups, uint64_t chains) { return groups ? groups + log2_up(chains) : 0; }

/* One chunk on the host: items dealt to chains by blocks, the blocks one after the other; of the last one, what fills no group to few
 * chains, and what these leave to one. As many as that can be, so that more items have no shorter chain. */
static uint64_t chain_of_items(const usw_kernel_t *k, uint64_t items) {
  if (items == 0)
    return 0;
  const uint64_t block = k->host_block_items ? k->host_block_items : items;
  const uint64_t chains = k->host_chains ? k->host_chains : 1, few = k->host_few_chains;
  const uint64_t in_block = items < block ? items : block, blocks = uswi_quotient_up(items, block);
  if (few == 0)
    return chain_of_groups(uswi_quotient_up(in_block, chains), chains) + blocks;
  const uint64_t rest = items < chains ? items : chains - 1;
  const uint64_t in_rest = larger(chain_of_groups(rest / few, few), rest < few ? rest : few - 1);
  return larger(chain_of_groups(in_block / chains, chains), in_rest) + blocks + (rest >= few) + 1;
}

/* The chunk of one call: the last one is the longest. */
static uint64_t chain_of_longest_chunk(const uswi_call_t *call, uint32_t chunks) {
  return chain_of_items(call->kernel, call->n - uswi_chunk_start(call->n, chunks, chunks - 1));
}

static uint64_t chain_on_host(const uswi_call_t *call, uint32_t chunks) {
  return chain_of_longest_chunk(call, chunks) + (chunks > 1 ? chunks : 0);
}

/* What the launches of multipass add to the chain after the first one, and the host at last. */
static uint64_t chain_of_launches(const uswi_call_t *call, uint32_t tree, uint32_t *launches) {
  uint64_t chain = 0;
  uint32_t partials = call->teams;
  for (uint32_t teams; (teams = uswi_teams_of_next_launch(partials, call->work_group_load)) != 0; partials = teams) {
    chain += uswi_quotient_up(uswi_quotient_up(partials, teams), call->team_size) + tree;
    ++*launches;
  }
  return chain + partials;
}

/* A worker's items: as one of the host's chunks, or, on a GPU, one after the other (teams take whole tiles). */
static uint64_t chain_of_worker(const uswi_call_t *call) {
  if (!call->device->runs_bare)
    return chain_of_longest_chunk(call, call->teams * call->team_size);
  const uint64_t tile = (uint64_t)call->team_size * call->kernel->items_per_thread;
  const uint64_t whole =
      uswi_quotient_up(uswi_quotient_up(call->n, tile), call->teams) * call->kernel->items_per_thread;
  return whole < call->n ? whole : call->n;
}

/* A worker's items, the team's threads as a tree, then the partials: by the last team as one more team's work, or one after the
 * other. */
static uint64_t chain_on_device(const uswi_call_t *call, uint32_t elements_per_item, uint32_t *launches) {
  const uint64_t items = elements_per_item * chain_of_worker(call);
  const uint32_t tree = log2_up(call->team_size);
  *launches = 1;
  switch (call->strategy) {
  case USW_STRATEGY_ATOMIC:
    return items + (uint64_t)call->teams * call->team_size;
  case USW_STRATEGY_MULTIPASS:
    return items + tree + chain_of_launches(call, tree, launches);
  case USW_STRATEGY_TREE:
    if (call->device->runs_bare)
      return items + tree + uswi_quotient_up(call->teams, call->team_size) + tree;
    /* FALLTHROUGH */
  default:
    return items + tree + call->teams;
  }
}

static void explain_host(const uswi_call_t *call, usw_explanation_t *e) {
  e->place = USW_HOST;
  e->device = -1;
  e->target = "host";
  e->host_variant = uswi_isa_name(uswi_isa());
  e->teams = call->chunks;
  e->team_size = 1;
  e->chain_length = call->n ? chain_on_host(call, e->teams) : 0;
  const uswi_crew_t crew = uswi_threads_expect(e->teams, uswi_cost_expect(call));
  e->threads = crew.threads;
  e->threads_reason = uswi_bound_text(crew.bound);
  e->nodes = 1;
  if (crew.threads == 1)
    return;
  const uswi_topology_t *topology = uswi_topology();
  e->topology = topology->source;
  e->nodes = uswi_schedule_nodes(topology, crew.threads);
  e->is_by_node = uswi_asks_for_nodes(call, topology);
}

/* Chunks of elements that are in host memory. */
static void explain_staging(const uswi_call_t *call, usw_explanation_t *e) {
  const uswi_staging_plan_t plan = uswi_staging_plan_of(call);
  uswi_call_t chunk = *call;
  chunk.n = plan.chunk_items;
  e->staging_chunks = plan.chunks;
  e->staging_chunk_bytes = plan.chunk_items * (uint64_t)call->item_bytes;
  e->staging_buffers = USWI_STAGING_BUFFERS;
  e->staging_threads = uswi_staging_threads(call);
  e->staging_node = uswi_staging_memory_near(call->device);
  e->chain_length = chain_on_device(&chunk, 1, &e->launches) + (plan.chunks > 1 ? plan.chunks : 0);
}

static void explain_device(const uswi_call_t *call, uint32_t elements_per_item, usw_explanation_t *e) {
  e->place = USW_DEVICE;
  e->device = call->device->number;
  e->target = call->device->target;
  e->image = call->device->image;
  e->teams = call->teams;
  e->team_size = call->team_size;
  e->chain_length = call->n ? chain_on_device(call, elements_per_item, &e->launches) : 0;
  if (call->staged)
    explain_staging(call, e);
  e->backend = uswi_function_of_driver(call, &e->backend_reason) ? "driver" : "openmp";
}

/* ---- the tuning table ---- */

static void explain_tuning_entry(const uswi_tuning_entry_t *entry, usw_explanation_t *e) {
  e->tuning_entry = uswi_tuning_text(entry);
  e->tuning_source = entry->source;
  e->measured_bytes = entry->measured_bytes;
  e->measured_us = (double)entry->ns * 1e-3;
  e->instead_us = (double)entry->instead_ns * 1e-3;
  e->spread_us = (double)entry->spread_ns * 1e-3;
}

/* Behind those that are faster; the slowest of too many is left out. */
static void add_rejected(usw_explanation_t *e, usw_alternative_t way) {
  for (uint32_t r = 0; r < e->rejected_count; r++)
    if (e->rejected[r].strategy == way.strategy && e->rejected[r].teams == way.teams)
      return;
  if (e->rejected_count < USW_MOST_ALTERNATIVES)
    e->rejected_count++;
  else if (way.us >= e->rejected[USW_MOST_ALTERNATIVES - 1].us)
    return;
  uint32_t at = e->rejected_count - 1;
  for (; at > 0 && e->rejected[at - 1].us > way.us; at--)
    e->rejected[at] = e->rejected[at - 1];
  e->rejected[at] = way;
}

/* Every way that the table has times of and the kernel has, as this call would go it. A class has kernels with a clause and
 * kernels without. */
static void explain_ways(const uswi_call_t *call, usw_explanation_t *e) {
  const uswi_tuning_t *tuning = uswi_tuning_of(call->device);
  const uswi_class_t class = uswi_class_of(call);
  for (uint32_t t = 0; t < tuning->time_count; t++) {
    const uint64_t ns = uswi_tuning_expect(tuning, class, tuning->times[t].way, e->bytes);
    uswi_call_t other = *call;
    if (ns == 0 || !uswi_has_strategy(call, tuning->times[t].way.strategy))
      continue;
    uswi_choose_way(&other, tuning->times[t].way, 0);
    const usw_alternative_t way = {other.strategy, call->device ? other.teams : other.chunks, (double)ns * 1e-3};
    if (way.strategy == e->strategy && way.teams == e->teams)
      e->expected_us = way.us;
    else
      add_rejected(e, way);
  }
}

static void explain_tuning(const uswi_call_t *call, usw_explanation_t *e) {
  e->tuning_header = uswi_tuning_header(call->device);
  if (!call->device)
    e->most_teams = uswi_chunks_at_most(call, UINT64_MAX);
  else if (call->device->runs_bare)
    e->most_teams = (uint32_t)(uswi_useful_teams(call) < UINT32_MAX ? uswi_useful_teams(call) : UINT32_MAX);
  if (call->tuning_entry)
    explain_tuning_entry(call->tuning_entry, e);
  explain_ways(call, e);
}

static void explain_recheck(const uswi_call_t *call, usw_explanation_t *e) {
  uswi_call_t second;
  const uint32_t rate = uswi_recheck_rate(call);
  if (rate == 0 || call->n == 0 || !uswi_second_way(call, &second))
    return;
  e->recheck = rate;
  e->recheck_strategy = second.strategy;
  e->recheck_teams = call->device ? second.teams : second.chunks;
}

/* Those that can be staged, as bits. */
static uint64_t streams_of(const usw_kernel_t *kernel) {
  uint64_t streams = 0;
  for (uint32_t a = 0; a < kernel->argument_count; a++)
    streams |= (uint64_t)uswi_is_stream(&kernel->arguments[a]) << a;
  return streams;
}

/* Check, place and choose as for a call of nothing: then no address is looked at; afterwards choose again for its items. */
static usw_status_t prepare(uswi_call_t *call) {
  uint64_t arguments[USWI_MAX_ARGUMENTS] = {0};
  const size_t n = call->n;
  call->n = 0;
  usw_status_t status = uswi_prepare(call, arguments);
  call->n = n;
  if (status == USW_OK && n > 0 && call->device && !call->device->shares_host_memory &&
      call->options->staging == USW_STAGING_ALWAYS) {
    call->staged = streams_of(call->kernel);
    if (!call->staged)
      status = uswi_fail(USW_ERROR_UNSUPPORTED, "%s: it takes several sweeps, and is not staged", call->name);
  }
  return status == USW_OK ? uswi_choose(call) : status;
}

static usw_status_t check_length(const usw_kernel_t *kernel, const char *name, size_t n) {
  if (n <= (size_t)PTRDIFF_MAX / (kernel->item_bytes ? kernel->item_bytes : 1))
    return USW_OK;
  return uswi_fail(USW_ERROR_INVALID, "%s: n = %zu is larger than the address space", name, n);
}

usw_status_t usw_explain(usw_operation_t operation, usw_type_t type, size_t n, const usw_options_t *options,
                         usw_explanation_t *explanation_out) {
  const usw_status_t state = uswi_enter();
  if (state != USW_OK)
    return state;
  if (!explanation_out)
    return uswi_fail(USW_ERROR_INVALID, "usw_explain: explanation_out is NULL");
  if (explanation_out->size != sizeof *explanation_out)
    return uswi_fail(USW_ERROR_VERSION, "usw_explain: size is %zu, this library knows %zu", explanation_out->size,
                     sizeof *explanation_out);
  const usw_kernel_t *kernel = uswi_kernel(operation, type, options);
  if (!kernel)
    return USW_ERROR_UNSUPPORTED;
  usw_status_t status = USW_OK;
  uswi_call_t call;
  uswi_exact_t exact;
  uint32_t sweeps = 0;
  if (uswi_takes_sweeps(operation, type, options)) {
    sweeps = options->accuracy == USW_EXACT ? USWI_ALL_SWEEPS : uswi_sweeps_of(options->fold);
    status = uswi_exact_begin(&exact, kernel, 0, NULL, options);
    uswi_exact_call_init(&exact, n, &call);
  } else {
    uswi_call_init(&call, kernel, n, options);
  }
  if (status == USW_OK)
    status = prepare(&call);
  if (status == USW_OK)
    status = check_length(kernel, call.name, n);
  if (status != USW_OK)
    return status;
  usw_explanation_t e = {.size = sizeof e,
                         .kernel = call.name,
                         .image = "",
                         .host_variant = "",
                         .backend = "",
                         .backend_reason = "",
                         .threads_reason = "",
                         .topology = "",
                         .tuning_entry = "",
                         .tuning_source = "",
                         .strategy = call.strategy,
                         .bytes = (uint64_t)n * kernel->item_bytes,
                         .most_sweeps = sweeps ? exact.most_sweeps : 1};
  if (call.device)
    explain_device(&call, sweeps ? exact.elements_per_item : 1, &e);
  else
    explain_host(&call, &e);
  explain_tuning(&call, &e);
  explain_recheck(&call, &e);
  uswi_bound_error(&e, kernel, n, sweeps);
  *explanation_out = e;
  return USW_OK;
}
