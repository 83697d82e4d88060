/* A chunk goes from the caller's memory into a pinned buffer, by threads that copy a share of each; from there to the device,
 * by a copy that the calling thread puts into the stream of the buffer's scratch; and behind it in that stream is the launch, as
 * of any call. Each buffer has a stream, so that copies of one overlap with launches of another. The calling thread takes what
 * chunks leave in their order, whichever ends first, and a buffer is free when that is taken.
 *
 * Rings of several devices run in one team: its threads are dealt to them, and each has a thread that is near to the device in
 * place of the calling one, if there are enough. */

#include "exec/staging_ring.h"

#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "backend/driver.h"
#include "backend/gpu_driver.h"
#include "base/error.h"
#include "exec/staging_near.h"
#include "exec/threads.h"
#include "machine/arithmetic.h"
#include "machine/binding.h"
#include "machine/environment.h"
#include "machine/topology.h"
#include "policy/choose.h"
#include "policy/schedule.h"

enum { LOOKS = 2048 /* before others have a turn at the core */ };

static const double ns_per_byte = 0.125; /* of one thread that copies */

/* What the threads of a staged call share. */
typedef struct work {
  const uswi_ring_t *ring;
  uswi_staging_memory_t *memory;
  size_t sent, launched, collected;
  uint32_t helpers; /* threads that copy; 0: the one that launches does */
  usw_status_t status;
  char text[USWI_TEXT_BYTES];            /* of a failure: it may be another thread's than the caller's */
  _Alignas(64) atomic_size_t free_until; /* chunks before this one have had, or have, a buffer */
  atomic_int has_failed;                 /* else every chunk gets free, and threads are done after the last one */
} work_t;

/* All of them. */
typedef struct team {
  work_t *works;
  uint32_t count;
  uint16_t core_of_thread[USWI_STAGING_MOST_THREADS];
} team_t;

static uswi_staging_buffer_t *buffer_of(const work_t *work, size_t chunk) {
  return &work->memory->buffers[chunk % USWI_STAGING_BUFFERS];
}

/* One more look at what another thread, or the device, is to change. */
static void wait_a_little(uint32_t *looks) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
  if (++*looks % LOOKS == 0)
    sched_yield();
}

/* Steps of a copying thread: in each it drains the chunk that a buffer had before, and fills it with its next one. */
static size_t steps_of(const work_t *work) {
  return work->ring->chunks + (work->ring->drain ? USWI_STAGING_BUFFERS : 0);
}

static void take_step(const work_t *work, size_t step, uint32_t shares, uint32_t share) {
  const uswi_ring_t *ring = work->ring;
  char *const pinned = buffer_of(work, step)->pinned;
  if (ring->drain && step >= USWI_STAGING_BUFFERS && step - USWI_STAGING_BUFFERS < ring->chunks)
    ring->drain(ring->context, step - USWI_STAGING_BUFFERS, pinned, shares, share);
  if (step < ring->chunks)
    ring->fill(ring->context, step, pinned, shares, share);
}

/* ---- threads that copy ---- */

static void help(work_t *work, uint32_t share) {
  for (size_t step = 0; step < steps_of(work); step++) {
    uint32_t looks = 0;
    while (atomic_load_explicit(&work->free_until, memory_order_acquire) <= step) {
      if (atomic_load_explicit(&work->has_failed, memory_order_relaxed))
        return;
      wait_a_little(&looks);
    }
    take_step(work, step, work->helpers, share);
    if (step < work->ring->chunks)
      atomic_fetch_add_explicit(&buffer_of(work, step)->filled, 1, memory_order_release);
  }
}

/* ---- the calling thread ---- */

static usw_status_t copy(const uswi_call_t *call, uswi_staging_buffer_t *buffer, size_t bytes) {
  const char *why;
  const uswi_device_t *device = call->device;
  if (bytes == 0) /* outputs alone */
    return USW_OK;
  if (!uswi_function_of_driver(call, &why))
    return uswi_backend_copy_to_device(device, buffer->there, buffer->pinned, bytes)
               ? USW_OK
               : uswi_fail(USW_ERROR_DEVICE, "%s: %zu bytes cannot be copied to device %d", call->name, bytes,
                           device->number);
  void *stream;
  int error = uswi_stream_of_scratch(device, &buffer->scratch, &stream);
  if (error == 0)
    error = device->driver->copy_to_device(device->ordinal, stream, buffer->there, buffer->pinned, bytes);
  return uswi_driver_status(device, call->name, error);
}

/* Copy the next chunk's buffer to the device. */
static usw_status_t send(work_t *work) {
  const uswi_ring_t *ring = work->ring;
  uswi_staging_buffer_t *buffer = buffer_of(work, work->sent);
  size_t bytes;
  usw_status_t status = ring->aim(ring->context, work->sent, buffer, &bytes);
  if (status == USW_OK)
    status = copy(&buffer->call, buffer, bytes);
  work->sent += status == USW_OK;
  return status;
}

/* Whether a chunk that is sent may be launched. */
static int is_ready(const work_t *work) {
  return work->launched < work->sent && (!work->ring->is_in_order || work->launched == work->collected);
}

static usw_status_t launch(work_t *work) {
  const uswi_ring_t *ring = work->ring;
  const usw_status_t status = ring->start(ring->context, work->launched, buffer_of(work, work->launched));
  work->launched += status == USW_OK;
  return status;
}

/* Whether the next chunk is in its buffer. */
static int is_filled(work_t *work) {
  uswi_staging_buffer_t *buffer = buffer_of(work, work->sent);
  if (work->sent == work->ring->chunks || work->sent - work->collected == USWI_STAGING_BUFFERS)
    return 0;
  if (work->helpers == 0)
    take_step(work, work->sent, 1, 0);
  return atomic_load_explicit(&buffer->filled, memory_order_acquire) == work->helpers;
}

/* Take what the oldest launch, which has ended, has left, and give its buffer to the chunk after next. */
static usw_status_t collect(work_t *work) {
  const uswi_ring_t *ring = work->ring;
  uswi_staging_buffer_t *buffer = buffer_of(work, work->collected);
  const usw_status_t status = ring->collect(ring->context, work->collected, buffer);
  if (status != USW_OK)
    return status;
  work->collected++;
  atomic_store_explicit(&buffer->filled, 0, memory_order_relaxed);
  atomic_store_explicit(&work->free_until, work->collected + USWI_STAGING_BUFFERS, memory_order_release);
  return USW_OK;
}

/* Nothing may still run in the buffers when they are given back: launches, or a copy whose launch failed. */
static void drain(work_t *work) {
  for (; work->collected < work->launched; work->collected++)
    (void)uswi_wait_on_device(&buffer_of(work, work->collected)->launched);
  for (uint32_t b = 0; b < USWI_STAGING_BUFFERS; b++)
    if (work->memory->buffers[b].scratch.stream)
      (void)work->ring->call->device->driver->wait(work->memory->buffers[b].scratch.stream);
}

static void end(work_t *work, usw_status_t status) {
  work->status = status;
  uswi_keep_error_text(work->text);
  atomic_store(&work->has_failed, 1);
  drain(work);
}

static int is_going(const work_t *work) { return work->status == USW_OK && work->collected < work->ring->chunks; }

/* Whatever can be done next, without waiting for it. */
static void proceed(work_t *work, uint32_t *looks) {
  usw_status_t status = USW_OK;
  if (is_ready(work))
    status = launch(work);
  else if (is_filled(work))
    status = send(work);
  else if (work->collected == work->launched ||
           !uswi_is_done_on_device(&buffer_of(work, work->collected)->launched, &status))
    wait_a_little(looks);
  else if (status == USW_OK)
    status = collect(work);
  if (status != USW_OK)
    end(work, status);
  const int is_last = status == USW_OK && !is_going(work) && work->helpers == 0;
  for (size_t step = work->ring->chunks; is_last && step < steps_of(work); step++)
    take_step(work, step, 1, 0);
}

/* A thread's calls, in turns. */
static void conduct(const team_t *team, const uint16_t *conductor, uint16_t thread) {
  uint32_t looks = 0;
  for (int going = 1; going;) {
    going = 0;
    for (uint32_t k = 0; k < team->count; k++)
      if (conductor[k] == thread && is_going(&team->works[k])) {
        proceed(&team->works[k], &looks);
        going = 1;
      }
  }
}

/* ---- all of them ---- */

static uswi_crew_t take_threads(uint64_t bytes, uswi_crew_t (*take)(uint32_t, uint64_t)) {
  uswi_crew_t crew = take(UINT32_MAX, (uint64_t)((double)bytes * ns_per_byte));
  if (crew.threads > USWI_STAGING_MOST_THREADS)
    crew.threads = USWI_STAGING_MOST_THREADS;
  return crew;
}

static uint64_t bytes_of(const uswi_call_t *call) { return (uint64_t)call->n * call->item_bytes; }

uint32_t uswi_staging_threads(const uswi_call_t *call) {
  return take_threads(bytes_of(call), uswi_threads_expect).threads;
}

static void take_part(team_t *team, const uswi_staging_deal_t *deal, uint16_t t) {
  const uint16_t call = deal->call_of_thread[t];
  const uswi_ring_t *ring = team->works->ring; /* all are of one kernel */
  if (call == USWI_NOWHERE)
    return;
  if (deal->share_of_thread[t] != USWI_NOWHERE) {
    help(&team->works[call], deal->share_of_thread[t]);
    return;
  }
  uswi_arithmetic_t before;
  uswi_arithmetic_begin(&before, ring->call->kernel, ring->call->options);
  conduct(team, deal->conductor, t);
  uswi_arithmetic_end(&before);
}

/* Every thread finds for itself who does what, once all have said where they sit: they find the same. */
static void run_team(team_t *team, uint32_t threads) {
  const uswi_topology_t *topology = uswi_topology();
  const uswi_near_t near = uswi_staging_near(topology);
  const int bind = uswi_environment()->bind;
  uint16_t gpus[USWI_MAX_DEVICES];
  const uswi_staging_site_t site = {topology, near.nodes, near.gpus, gpus};
  for (uint32_t k = 0; k < team->count; k++)
    gpus[k] = uswi_staging_gpu(team->works[k].ring->call->device);
#pragma omp parallel num_threads(threads)
  {
    const uint32_t t = (uint32_t)omp_get_thread_num(), members = (uint32_t)omp_get_num_threads();
    uswi_staging_deal_t deal;
    if (bind)
      uswi_bind_thread(topology, t);
    team->core_of_thread[t] = uswi_topology_here(topology);
#pragma omp barrier
    uswi_staging_deal(&site, team->count, team->core_of_thread, members, &deal);
    if (t == 0)
      for (uint32_t k = 0; k < team->count; k++)
        team->works[k].helpers = deal.helpers[k];
#pragma omp barrier
    take_part(team, &deal, (uint16_t)t);
  }
}

static void run(team_t *team) {
  static const uint16_t caller[USWI_MAX_DEVICES]; /* conducts all */
  uint64_t bytes = 0;
  for (uint32_t k = 0; k < team->count; k++)
    bytes += bytes_of(team->works[k].ring->call);
  const uswi_crew_t crew = take_threads(bytes, uswi_threads_take);
  if (crew.threads > 1)
    run_team(team, crew.threads);
  else
    conduct(team, caller, 0);
  uswi_threads_give_back(&crew);
}

static work_t work_of(const uswi_ring_t *ring, uswi_staging_memory_t *memory) {
  for (uint32_t b = 0; b < USWI_STAGING_BUFFERS; b++)
    atomic_store(&memory->buffers[b].filled, 0);
  return (work_t){.ring = ring, .memory = memory, .free_until = USWI_STAGING_BUFFERS};
}

/* The calling thread has conducted a single ring, and has its text. */
static usw_status_t status_of(const team_t *team, uint32_t *failed_out) {
  for (uint32_t k = 0; k < team->count; k++)
    if (team->works[k].status != USW_OK) {
      *failed_out = k;
      return team->count == 1 ? team->works[k].status : uswi_fail(team->works[k].status, "%s", team->works[k].text);
    }
  return USW_OK;
}

usw_status_t uswi_ring_run(const uswi_ring_t *ring, uswi_staging_memory_t *memory) {
  work_t work = work_of(ring, memory);
  team_t team = {.works = &work, .count = 1};
  uint32_t failed;
  run(&team);
  return status_of(&team, &failed);
}

usw_status_t uswi_rings_run(const uswi_ring_t *rings, uswi_staging_memory_t *const *memories, uint32_t count,
                            uint32_t *failed_out) {
  team_t team = {.works = aligned_alloc(_Alignof(work_t), count * sizeof(work_t)), .count = count};
  *failed_out = 0;
  if (!team.works)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %u staged parts", rings->call->name, count);
  for (uint32_t k = 0; k < count; k++)
    team.works[k] = work_of(&rings[k], memories[k]);
  run(&team);
  const usw_status_t status = status_of(&team, failed_out);
  free(team.works);
  return status;
}
