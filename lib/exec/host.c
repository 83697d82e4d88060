/* A call on the host: chunks of items, threads over the chunks, the chunks' records merged in index order. So the
 * result has the same bits for any number of threads, wherever they sit. */
#include "exec/host.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/room.h"
#include "exec/pages.h"
#include "exec/region.h"
#include "exec/scan.h"
#include "exec/threads.h"
#include "exec/work_stealing.h"
#include "machine/topology.h"
#include "policy/chunks.h"
#include "policy/cost_model.h"
#include "policy/result_shares.h"
#include "policy/schedule.h"
#include "policy/variant.h"

/* Calls may come from threads with little stack (host.md): what is larger goes to the heap. */
enum { SMALL_PARTIALS_BYTES = 4 << 10 };

/* What the threads of a call share. */
typedef struct team {
  const uswi_call_t *call;
  usw_host_function_t host;
  char *partials;
  size_t partial_bytes;
  uint32_t threads;          /* that get chunks */
  int is_located;            /* node_of_chunk is known */
  uint64_t start_ns, own_ns; /* when the region began, and when the calling thread had done its part */
  uint16_t node_of_chunk[USWI_MOST_CHUNKS], node_of_thread[USWI_MOST_CHUNKS];
  uswi_work_t *work; /* where threads help each other, else NULL */
} team_t;

/* The first item of a chunk; of many results, its first share: a result, a block of segments, a piece. */
static size_t start_of(const uswi_call_t *call, uint32_t c) {
  return uswi_has_many_results(call->kernel)
             ? call->first_share + uswi_chunk_result(uswi_shares_of_results(call), call->chunks, c)
             : uswi_chunk_start(call->n, call->chunks, c);
}

/* Chunks c, ..., end - 1 as one. */
static void run_as_one(team_t *team, uint32_t c, uint32_t end) {
  const uswi_call_t *call = team->call;
  team->host(start_of(call, c), start_of(call, end), call->arguments, call->strides, call->extents,
             team->partials + c * team->partial_bytes);
}

static void run_chunk(team_t *team, uint32_t c) { run_as_one(team, c, c + 1); }

static void run_timed(team_t *team, uint32_t c) {
  const uswi_call_t *call = team->call;
  const uint64_t start = uswi_now_ns();
  run_chunk(team, c);
  uswi_cost_learn(call, uswi_chunk_start(call->n, call->chunks, c + 1) - uswi_chunk_start(call->n, call->chunks, c),
                  uswi_now_ns() - start);
}

/* Results do not depend on chunks, and side by side they are faster: the more of them, the longer the pieces of memory that are read. */
static void run_blocks(team_t *team, uint32_t threads, uint32_t t) {
  const uint32_t end = uswi_block_start(team->call->chunks, threads, t + 1);
  uint32_t c = uswi_block_start(team->call->chunks, threads, t);
  if (t == 0 && uswi_cost_is_wanted(team->call))
    run_timed(team, c++);
  if (uswi_has_many_results(team->call->kernel) && c < end)
    run_as_one(team, c, end);
  else
    for (; c < end; c++)
      run_chunk(team, c);
}

/* Threads have been dealt places in an order of the chunks; those of threads that the runtime has not started go to others. */
static void run_and_steal(team_t *team, uint32_t threads, uint32_t t, const uint16_t *chunk_at) {
  uint32_t at;
  if (t == 0 && uswi_cost_is_wanted(team->call) && uswi_work_take(team->work, t, &at))
    run_timed(team, chunk_at[at]);
  while (uswi_work_take(team->work, t, &at) || uswi_work_steal(team->work, threads, t, &at))
    run_chunk(team, chunk_at[at]);
}

/* Every thread deals for itself, once all have said where they sit: they find the same. */
static void order_near(team_t *team, uint32_t threads, uint32_t t, uint16_t *chunk_at) {
  const uswi_topology_t *topology = uswi_topology();
  const uint16_t core = uswi_topology_here(topology);
  if (t < threads && core != USWI_NOWHERE)
    team->node_of_thread[t] = topology->cores[core].node;
#pragma omp barrier
  uswi_order_by_node(team->call->chunks, team->node_of_chunk, threads, team->node_of_thread, chunk_at);
}

static void run_helping(team_t *team, uint32_t threads, uint32_t t) {
  uint16_t chunk_at[USWI_MOST_CHUNKS];
  for (uint32_t c = 0; c < team->call->chunks; c++)
    chunk_at[c] = (uint16_t)c;
  if (team->is_located)
    order_near(team, threads, t, chunk_at);
  if (t < threads)
    run_and_steal(team, threads, t, chunk_at);
}

/* Without memory for it threads do not help each other. */
static void deal(team_t *team, uint32_t threads) {
  team->work = aligned_alloc(USWI_LINE_BYTES, threads * sizeof *team->work);
  if (!team->work)
    return;
  uswi_work_deal(team->work, team->call->chunks, threads);
  for (uint32_t t = 0; t < threads; t++)
    team->node_of_thread[t] = USWI_NOWHERE;
}

/* What each thread of a region does; those that get no chunks come here, too. */
static void run_member(void *context, uint32_t t, uint32_t members) {
  team_t *const team = context;
  const uint32_t threads = members < team->threads ? members : team->threads;
  if (team->work)
    run_helping(team, team->threads, t);
  else if (t < threads)
    run_blocks(team, threads, t);
  if (t == 0)
    team->own_ns = uswi_now_ns() - team->start_ns;
}

static void run_team(team_t *team, const uswi_crew_t *crew) {
  team->work = NULL;
  team->threads = crew->threads;
  team->start_ns = uswi_now_ns();
  if (crew->helps || team->is_located)
    deal(team, crew->threads);
  uswi_run_region(crew, team->call, run_member, team);
  free(team->work);
  uswi_threads_tell(crew, team->own_ns, uswi_now_ns() - team->start_ns - team->own_ns);
}

/* One thread is the calling one, with no region around it. */
static void run_chunks(uswi_call_t *call, char *partials, size_t partial_bytes) {
  const uswi_crew_t crew = uswi_threads_take(call->chunks, uswi_cost_expect(call));
  team_t team;
  team.call = call;
  team.host = uswi_host_function(call->kernel);
  team.partials = partials;
  team.partial_bytes = partial_bytes;
  call->teams = crew.threads;
  if (crew.threads == 1) {
    run_blocks(&team, 1, 0);
  } else {
    team.is_located = uswi_nodes_of_chunks(call, uswi_topology(), team.node_of_chunk);
    run_team(&team, &crew);
  }
  uswi_threads_give_back(&crew);
}

/* By itself, so that short calls do not have its stack. */
__attribute__((noinline)) static usw_status_t run_in_chunks(uswi_call_t *call, void *record_out) {
  const usw_kernel_t *k = call->kernel;
  if (uswi_is_scan(k)) /* which has always several */
    return uswi_scan_on_host(call, record_out);
  /* Partials on lines of their own: threads write them at the same time. */
  const size_t partial_bytes = uswi_round_up(call->record_bytes, USWI_LINE_BYTES);
  _Alignas(USWI_LINE_BYTES) char small[SMALL_PARTIALS_BYTES];
  char *partials = small;
  if (call->chunks * partial_bytes > sizeof small)
    partials = uswi_room_take(call->chunks * partial_bytes);
  if (!partials)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %u partials of %zu bytes", call->name, call->chunks,
                     partial_bytes);
  run_chunks(call, partials, partial_bytes);
  k->identity(record_out, call->extents);
  for (uint32_t c = 0; c < call->chunks && !uswi_has_many_results(k); c++) /* which leave nothing in their records */
    k->merge(record_out, partials + c * partial_bytes, call->extents);
  if (partials != small)
    uswi_room_give_back(partials);
  return USW_OK;
}

usw_status_t uswi_run_on_host(uswi_call_t *call, void *record_out) {
  if (call->chunks > 1)
    return run_in_chunks(call, record_out);
  uswi_host_function(call->kernel)(call->first_share, start_of(call, 1), call->arguments, call->strides, call->extents,
                                   record_out);
  return USW_OK;
}
