#include "exec/scan.h"

#include <stdlib.h>
#include <string.h>

#include "backend/driver.h"
#include "backend/gpu_driver.h"
#include "base/clock.h"
#include "base/error.h"
#include "exec/device.h"
#include "exec/region.h"
#include "exec/threads.h"
#include "policy/chunks.h"
#include "policy/cost_model.h"
#include "policy/scan.h"
#include "policy/variant.h"

/* What comes before the first item. */
static void fill_start(const uswi_call_t *call, void *start) {
  const usw_kernel_t *k = call->kernel;
  if (call->before) {
    memcpy(start, call->before, call->record_bytes);
    return;
  }
  k->identity(start, call->extents);
  if (uswi_scan_has_start(call))
    k->absorb(start, call->variables, call->extents, uswi_fresh_reducers(call), 1);
}

/* What is left of a scan beside the record of all items. */
static void keep_restarts(uswi_call_t *call, const void *record) {
  if (call->kernel->facts & USW_FACT_RESTARTS)
    memcpy(&call->restarts, record, sizeof call->restarts);
}

/* ---- the host ---- */

/* What the threads of a call share. In each round every thread takes a chunk: what its items come to, and, when all have that, its outputs
 * from what is before it. Records of chunks are merged in their order, so that the number of threads does not show: one thread takes chunk
 * after chunk, and leaves out the former. */
typedef struct scan {
  const uswi_call_t *call;
  usw_host_function_t host;
  uint64_t written[USWI_MAX_ARGUMENTS]; /* the arguments of the second visit */
  size_t chunk_items, chunks;
  uint32_t threads;
  size_t record_bytes; /* of a record on lines of its own */
  char *totals;        /* of the chunks of this round and of the one before, by turns */
  char *threads_own;   /* two records of each */
  const void *start;
  void *record_out;
  uint64_t wait_ns, end_ns; /* of the calling thread: how long it waited for others, and when it was done */
} scan_t;

static size_t end_of_chunk(const scan_t *scan, size_t c) {
  return c + 1 == scan->chunks ? scan->call->n : (c + 1) * scan->chunk_items;
}

static void visit(const scan_t *scan, const uint64_t *arguments, size_t c, void *record) {
  scan->host(c * scan->chunk_items, end_of_chunk(scan, c), arguments, scan->call->strides, scan->call->extents, record);
}

/* The chunk of thread t in the round whose first is `first`, behind those of the threads before. */
static void write_chunk(const scan_t *scan, const char *totals, const char *before, size_t first, uint32_t t,
                        char *record) {
  const uswi_call_t *call = scan->call;
  memcpy(record, before, call->record_bytes);
  for (uint32_t k = 0; k < t; k++)
    call->kernel->merge(record, totals + k * scan->record_bytes, call->extents);
  visit(scan, scan->written, first + t, record);
  if (first + t == scan->chunks - 1)
    memcpy(scan->record_out, record, call->record_bytes);
}

static void wait_for_others(scan_t *scan, uint32_t t) {
  const uint64_t start = t == 0 ? uswi_now_ns() : 0;
#pragma omp barrier
  if (t == 0)
    scan->wait_ns += uswi_now_ns() - start;
}

/* Every thread of the region comes here, also those that get no chunk. */
static void run_rounds(void *context, uint32_t t, uint32_t members) {
  scan_t *const scan = context;
  const uswi_call_t *call = scan->call;
  const uint32_t threads = members < scan->threads ? members : scan->threads;
  char *const before = scan->threads_own + 2 * t * scan->record_bytes, *const record = before + scan->record_bytes;
  size_t round = 0;
  if (t < threads)
    memcpy(before, scan->start, call->record_bytes);
  for (size_t first = 0; first < scan->chunks; first += threads, round++) {
    char *const totals = scan->totals + round % 2 * scan->threads * scan->record_bytes;
    if (t < threads && first + t < scan->chunks - 1) /* nobody asks for that of the last */
      visit(scan, call->arguments, first + t, totals + t * scan->record_bytes);
    wait_for_others(scan, t);
    if (t < threads && first + t < scan->chunks)
      write_chunk(scan, totals, before, first, t, record);
    for (uint32_t k = 0; t < threads && k < threads && first + k < scan->chunks - 1; k++)
      call->kernel->merge(before, totals + k * scan->record_bytes, call->extents);
  }
  if (t == 0)
    scan->end_ns = uswi_now_ns();
}

/* How items are written. Past the caches several threads load the items of their next chunk while they write this one, so that memory is
 * never idle: 2^24 doubles take 0.9 times as long (two cores of an EPYC). One thread's items come from memory in their order, which processors
 * foresee: loads ahead cost it 5 %. */
static uint64_t written(const uswi_call_t *call, const scan_t *scan, uint32_t threads) {
  if (!uswi_scan_goes_past_caches(call))
    return 1;
  return USW_PAST_CACHES + (threads == 1 ? 0 : threads * (uint64_t)scan->chunk_items);
}

static void run_alone(const scan_t *scan, void *record_out) {
  const uint64_t start = uswi_cost_is_wanted(scan->call) ? uswi_now_ns() : 0;
  fill_start(scan->call, record_out);
  for (size_t c = 0; c < scan->chunks; c++)
    visit(scan, scan->written, c, record_out);
  if (start)
    uswi_cost_learn(scan->call, scan->call->n, uswi_now_ns() - start);
}

static usw_status_t run_together(uswi_call_t *call, scan_t *scan, const uswi_crew_t *crew, void *record_out) {
  scan->threads = crew->threads;
  scan->record_bytes = uswi_round_up(call->record_bytes, USWI_LINE_BYTES);
  scan->record_out = record_out;
  scan->totals = aligned_alloc(USWI_LINE_BYTES, (4 * (size_t)crew->threads + 1) * scan->record_bytes);
  if (!scan->totals)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %u partials of %zu bytes", call->name, 4 * crew->threads,
                     scan->record_bytes);
  char *const start = scan->totals + 2 * (size_t)crew->threads * scan->record_bytes;
  scan->threads_own = start + scan->record_bytes;
  scan->start = start;
  fill_start(call, start);
  const uint64_t start_ns = uswi_now_ns();
  uswi_run_region(crew, call, run_rounds, scan);
  const uint64_t all_ns = uswi_now_ns() - start_ns, wait_ns = scan->wait_ns + uswi_now_ns() - scan->end_ns;
  uswi_threads_tell(crew, all_ns > wait_ns ? all_ns - wait_ns : 0, wait_ns);
  free(scan->totals);
  return USW_OK;
}

usw_status_t uswi_scan_on_host(uswi_call_t *call, void *record_out) {
  scan_t scan = {
      .call = call, .host = uswi_host_function(call->kernel), .chunk_items = uswi_scan_chunk_items(call->kernel)};
  memcpy(scan.written, call->arguments, sizeof scan.written);
  scan.chunks = uswi_scan_chunks(call);
  const uswi_crew_t crew = uswi_threads_take(uswi_scan_most_threads(call), uswi_cost_expect(call));
  usw_status_t status = USW_OK;
  call->teams = crew.threads;
  uswi_scan_words(call->kernel, scan.written)->usw_is_written = written(call, &scan, crew.threads);
  if (crew.threads == 1)
    run_alone(&scan, record_out);
  else
    status = run_together(call, &scan, &crew, record_out);
  uswi_threads_give_back(&crew);
  if (status == USW_OK)
    keep_restarts(call, record_out);
  return status;
}

/* ---- devices ---- */

/* Memory for what tiles tell, and the number of the launch. A launch that failed may have taken any tickets: with those numbers nothing is
 * begun again. */
static usw_status_t begin_launch(uswi_call_t *call, uswi_scratch_t *scratch) {
  const usw_status_t status = uswi_scratch_tell(call->device, scratch, uswi_scan_memory_bytes(call));
  usw_scan_words_t *const words = uswi_scan_words(call->kernel, call->arguments);
  scratch->scans += scratch->scans == UINT32_MAX ? 2 : 1; /* 0 is no number */
  words->usw_launch = scratch->scans;
  words->usw_first_ticket = scratch->tickets;
  if (status == USW_OK)
    scratch->tickets += uswi_scan_tickets(call);
  return status;
}

/* In pinned memory: the total, what is before the first item, and whether a team has waited in vain. */
static size_t bank_bytes(const uswi_call_t *call) { return 3 * call->record_bytes; }

static volatile uint32_t *late_of(const uswi_call_t *call, const uswi_scratch_t *scratch) {
  return (volatile uint32_t *)(void *)((char *)uswi_scratch_bank(scratch) + 2 * call->record_bytes);
}

static void fill_bank(const uswi_call_t *call, const uswi_scratch_t *scratch) {
  fill_start(call, (char *)uswi_scratch_bank(scratch) + call->record_bytes);
  *late_of(call, scratch) = 0;
}

usw_status_t uswi_scan_collect(uswi_call_t *call, const uswi_scratch_t *scratch, void *record_out) {
  volatile uint32_t *const late = late_of(call, scratch);
  if (*late) {
    *late = 0; /* for the next run of a graph */
    return uswi_fail(USW_ERROR_DEVICE,
                     "%s: on device %d a team has waited for another one in vain; its outputs are not right",
                     call->name, call->device->number);
  }
  memcpy(record_out, uswi_scratch_bank(scratch), call->record_bytes);
  keep_restarts(call, record_out);
  return USW_OK;
}

usw_status_t uswi_scan_start(uswi_call_t *call, uswi_scratch_t *scratch, uswi_launched_t *launched_out) {
  const usw_status_t status = call->device->runs_bare ? begin_launch(call, scratch) : USW_OK;
  fill_bank(call, scratch);
  return status == USW_OK ? uswi_start_on_device(call, scratch, call->options->stream, 0, launched_out) : status;
}

usw_status_t uswi_scan_on_device(uswi_call_t *call, void *record_out) {
  uswi_scratch_t *scratch;
  uswi_launched_t launched;
  usw_status_t status = uswi_scratch_take(call->device, 0, bank_bytes(call), 1, &scratch);
  if (status != USW_OK)
    return status;
  status = uswi_scan_start(call, scratch, &launched);
  if (status == USW_OK)
    status = uswi_wait_on_device(&launched);
  if (status == USW_OK)
    status = uswi_scan_collect(call, scratch, record_out);
  if (status != USW_OK)
    uswi_scratch_forget(call->device, scratch);
  uswi_scratch_give_back(scratch);
  return status;
}

usw_status_t uswi_scan_get_memory(const uswi_call_t *call, uswi_scratch_t *scratch) {
  const usw_status_t status = uswi_scratch_grow(call->device, scratch, 0, bank_bytes(call));
  return status == USW_OK ? uswi_scratch_tell(call->device, scratch, uswi_scan_memory_bytes(call)) : status;
}

usw_status_t uswi_scan_enqueue(uswi_call_t *call, uswi_scratch_t *scratch, void *stream, uswi_launched_t *launched) {
  usw_scan_words_t *const words = uswi_scan_words(call->kernel, call->arguments);
  words->usw_launch = 1;
  words->usw_first_ticket = 0;
  fill_bank(call, scratch);
  const usw_status_t status = uswi_driver_status(
      call->device, call->name,
      call->device->driver->clear(call->device->ordinal, stream, scratch->told.memory, uswi_scan_memory_bytes(call)));
  return status == USW_OK ? uswi_start_on_device(call, scratch, stream, 1, launched) : status;
}
