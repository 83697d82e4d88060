/* Chunks of a region: each is run once, and a thread that does not get on leaves its own to the others. */
#include "exec/work_stealing.h"

#include <pthread.h>

#include "support/check.h"

enum { CHUNKS = 256, THREADS = 8, ROUNDS = 200 };

static uswi_work_t work[USWI_MOST_CHUNKS];
static atomic_uint runs[CHUNKS];

static uint32_t run_all(uint32_t threads, uint32_t t) {
  uint32_t chunk, count = 0;
  for (; uswi_work_take(work, t, &chunk); count++)
    atomic_fetch_add(&runs[chunk], 1);
  for (; uswi_work_steal(work, threads, t, &chunk); count++)
    atomic_fetch_add(&runs[chunk], 1);
  return count;
}

static void check_runs(uint32_t chunks) {
  for (uint32_t c = 0; c < CHUNKS; c++)
    CHECK_U64(c < chunks, atomic_exchange(&runs[c], 0));
}

/* Own chunks come in order, others' from the end of their blocks. */
static void in_turn(void) {
  uint32_t chunk;
  uswi_work_deal(work, 7, 3); /* 0 to 2, 3 and 4, 5 and 6 */
  CHECK(uswi_work_take(work, 1, &chunk) && chunk == 3);
  CHECK(uswi_work_take(work, 1, &chunk) && chunk == 4);
  CHECK(!uswi_work_take(work, 1, &chunk));
  CHECK(uswi_work_steal(work, 3, 1, &chunk) && chunk == 6);
  CHECK(uswi_work_take(work, 2, &chunk) && chunk == 5);
  CHECK(!uswi_work_take(work, 2, &chunk));
  CHECK(uswi_work_steal(work, 3, 1, &chunk) && chunk == 2);
  CHECK(uswi_work_take(work, 0, &chunk) && chunk == 0);
  CHECK(uswi_work_steal(work, 3, 2, &chunk) && chunk == 1);
  CHECK(!uswi_work_take(work, 0, &chunk) && !uswi_work_steal(work, 3, 0, &chunk));
}

/* The runtime has started one thread of four. */
static void few_come(void) {
  uswi_work_deal(work, CHUNKS, 4);
  CHECK_U64(CHUNKS, run_all(4, 0));
  check_runs(CHUNKS);
  uswi_work_deal(work, 3, 3);
  CHECK_U64(3, run_all(3, 2));
  check_runs(3);
}

static pthread_barrier_t barrier;
static void *run_rounds(void *argument) {
  const uint32_t t = (uint32_t)(uintptr_t)argument;
  for (uint32_t round = 0; round < ROUNDS; round++) {
    const uint32_t chunks = 1 + round * 41 % CHUNKS;
    if (t == 0)
      uswi_work_deal(work, chunks, THREADS);
    pthread_barrier_wait(&barrier);
    run_all(THREADS, t);
    pthread_barrier_wait(&barrier);
    if (t == 0)
      check_runs(chunks);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

static void at_once(void) {
  pthread_t threads[THREADS];
  CHECK(pthread_barrier_init(&barrier, NULL, THREADS) == 0);
  for (uintptr_t t = 0; t < THREADS; t++)
    CHECK(pthread_create(&threads[t], NULL, run_rounds, (void *)t) == 0);
  for (uint32_t t = 0; t < THREADS; t++)
    CHECK(pthread_join(threads[t], NULL) == 0);
  pthread_barrier_destroy(&barrier);
}

int main(void) {
  in_turn();
  few_come();
  at_once();
  return check_report();
}
