/* Threads that make calls of every kind at once, in orders of their own: every result has the bits of the serial call, and
 * memory stays what it is. At the end usw_finalize() comes while they go on: calls are right or refused.
 *   mixed [--place NAME] [--threads N] [--calls N of each thread | --seconds N] */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <upsweep/upsweep.h>

#include "mixed_calls.h"
#include "support/check.h"
#include "support/place.h"

enum { THREADS = 16, MOST_THREADS = 256, KINDS = 64, AFTER_END = 200, SECONDS_OF_GPU = 300 };
/* More than this between the first tenth of a run and its end is memory that is lost. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KEEPS_FREED_MEMORY 1
#endif
#endif
#ifdef KEEPS_FREED_MEMORY
static const long most_growth_kib = 512 << 10;
#else
static const long most_growth_kib = 32 << 10;
#endif

static uint64_t right[KINDS][MIXED_WORDS];
static atomic_ullong calls_made, calls_refused, calls_wrong;
static atomic_int has_ended, to_finalize;
static uint64_t calls_of_thread;
static time_t end_time;

static const uint64_t untouched = 0xa5a5a5a5a5a5a5a5u;

static void clear(mixed_t *thread) {
  for (int w = 0; w < MIXED_WORDS; w++)
    thread->results[w] = untouched;
}

static int is_right(const mixed_t *thread, int kind) {
  return memcmp(thread->results, right[kind], sizeof thread->results) == 0;
}

/* Once usw_finalize() may have come, a call may be refused. */
static void make_call(mixed_t *thread, int kind, int may_be_refused) {
  const mixed_call_t *call = &mixed_calls[kind];
  clear(thread);
  const usw_status_t status = call->run(thread);
  const int is_refused =
      (status == USW_ERROR_STATE && may_be_refused) || (status == USW_ERROR_BUSY && call->may_be_busy);
  atomic_fetch_add(&calls_made, 1);
  atomic_fetch_add(&calls_refused, (unsigned long long)is_refused);
  if (is_refused || (status == USW_OK && is_right(thread, kind)))
    return;
  if (atomic_fetch_add(&calls_wrong, 1) < 10)
    fprintf(stderr, "%s: %s: %s\n", call->name, usw_status_name(status),
            status == USW_OK ? "not the bits of the serial call" : usw_error_text());
}

static int goes_on(uint64_t call) { return end_time ? time(NULL) < end_time : call < calls_of_thread; }

static int any_call(mixed_t *thread, int has_plans) {
  int kind;
  do
    kind = (int)(mixed_random(thread) % (uint64_t)mixed_call_count);
  while (!mixed_is_possible(kind) || (mixed_calls[kind].needs_plan && !has_plans));
  return kind;
}

static void *call_often(void *number) {
  mixed_t thread;
  if (mixed_begin_thread(&thread, (uint64_t)(uintptr_t)number + 1) != USW_OK)
    atomic_fetch_add(&calls_wrong, 1);
  for (uint64_t call = 0; goes_on(call); call++)
    make_call(&thread, any_call(&thread, 1), 0);
  atomic_fetch_add(&has_ended, 1);
  while (!atomic_load(&to_finalize))
    sched_yield();
  mixed_end_thread(&thread); /* a plan's scratch would keep the library alive */
  thread.plan = thread.plan_of_bins = NULL;
  for (int call = 0; call < AFTER_END; call++)
    make_call(&thread, any_call(&thread, 0), 1);
  return NULL;
}

/* ---- memory ---- */

static void watch(const test_place_t *place, int threads) {
  const uint64_t all = calls_of_thread * (uint64_t)threads;
  const time_t tenth = end_time ? time(NULL) + (end_time - time(NULL)) / 10 : 0;
  const struct timespec moment = {0, 20000000};
  while (end_time ? time(NULL) < tenth : atomic_load(&calls_made) < all / 10)
    nanosleep(&moment, NULL);
  const long before = mixed_resident_kib(), free_before = mixed_free_kib_of_gpu(place);
  while (atomic_load(&has_ended) < threads)
    nanosleep(&moment, NULL);
  const long growth = mixed_resident_kib() - before, taken = free_before - mixed_free_kib_of_gpu(place);
  printf(
      "%llu calls, %llu refused, %llu in several threads or teams; memory of the process grew by %ld KiB, of the GPU "
      "by %ld KiB\n",
      (unsigned long long)atomic_load(&calls_made), (unsigned long long)atomic_load(&calls_refused),
      (unsigned long long)mixed_shared_calls(), growth, taken);
  CHECK(growth <= most_growth_kib);
  CHECK(taken <= most_growth_kib);
}

/* ---- the end ---- */

static void finalize_meanwhile(void) {
  usw_status_t status;
  mixed_end_plan();
  atomic_store(&to_finalize, 1);
  do
    status = usw_finalize();
  while (status == USW_ERROR_BUSY);
  CHECK_STATUS(USW_OK, status);
}

static uint64_t number_of(int argc, char **argv, const char *option, uint64_t standard) {
  for (int a = 1; a + 1 < argc; a++)
    if (strcmp(argv[a], option) == 0)
      return strtoull(argv[a + 1], NULL, 10);
  return standard;
}

/* Of each thread. An emulated GPU takes a thousand times as long. */
static uint64_t standard_calls(const test_place_t *place) {
  if (place->place == USW_HOST)
    return is_quick_tier() ? 2000 : 100000;
  return is_quick_tier() ? 300 : 6250;
}

static void find_right(void) {
  mixed_t thread;
  CHECK_STATUS(USW_OK, mixed_begin_thread(&thread, 0));
  for (int kind = 0; kind < mixed_call_count; kind++) {
    if (!mixed_is_possible(kind))
      continue;
    clear(&thread);
    CHECK_STATUS(USW_OK, mixed_calls[kind].run(&thread));
    memcpy(right[kind], thread.results, sizeof thread.results);
  }
  mixed_end_thread(&thread);
}

int main(int argc, char **argv) {
  pthread_t threads[MOST_THREADS];
  const test_place_t place = place_of_arguments(argc, argv);
  const int is_gpu = strcmp(place.target, "nvptx") == 0;
  const int count = (int)number_of(argc, argv, "--threads", THREADS);
  const uint64_t seconds = number_of(argc, argv, "--seconds", is_gpu ? SECONDS_OF_GPU : 0);
  if (count < 1 || count > MOST_THREADS)
    return 2;
  calls_of_thread = number_of(argc, argv, "--calls", standard_calls(&place));
  end_time = seconds ? time(NULL) + (time_t)seconds : 0;
  mixed_prepare(&place);
  find_right();
  for (int t = 0; t < count; t++)
    CHECK(pthread_create(&threads[t], NULL, call_often, (void *)(uintptr_t)t) == 0);
  watch(&place, count);
  finalize_meanwhile();
  for (int t = 0; t < count; t++)
    pthread_join(threads[t], NULL);
  CHECK_U64(0, atomic_load(&calls_wrong));
  mixed_end();
  return check_report();
}
