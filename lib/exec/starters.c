#include "exec/starters.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/pause.h"
#include "base/thread.h"
#include "exec/staging_near.h"
#include "machine/environment.h"
#include "machine/topology.h"

enum {
  AWAKE_NS = 200000,  /* looks for work for so long after the last */
  REST_NS = 10000000, /* is not asked for so long when it had no processor */
  LOOKS = 32,         /* between two looks at the clock: about a microsecond */
  LINES_BYTES = 128   /* of two lines: processors fetch the neighbour, too */
};

/* Who asks makes ABSENT and ASLEEP to WAKING, and AWAKE to TAKEN, then to ASKED; the thread WAKING to AWAKE, ASKED to AT_WORK, then to DONE,
 * and AWAKE to ASLEEP; who waits ASKED and DONE to AWAKE; who releases AWAKE and ASLEEP to ENDING. */
enum { ABSENT, ASLEEP, WAKING, AWAKE, TAKEN, ASKED, AT_WORK, DONE, ENDING };

typedef struct starter {
  _Alignas(LINES_BYTES) atomic_int state;
  void (*work)(void *context);
  void *context;
  _Atomic(uint64_t) last_ns;  /* somebody asked, and it was not awake */
  _Atomic(uint64_t) rests_ns; /* until then; 0: it does not */
  sem_t wake;
  pthread_t thread;
} starter_t;

static starter_t starters[USWI_MAX_DEVICES];
static atomic_uint count; /* of threads */

static starter_t *starter_of(const uswi_device_t *device) { return &starters[device->number % USWI_MAX_DEVICES]; }

static int change(starter_t *starter, int from, int to) {
  return atomic_load_explicit(&starter->state, memory_order_relaxed) == from &&
         atomic_compare_exchange_strong(&starter->state, &from, to);
}

/* ---- the thread ---- */

static void sleep_until_woken(starter_t *self) {
  while (sem_wait(&self->wake) != 0) /* a signal's handler ran */
    ;
  change(self, WAKING, AWAKE);
}

/* Work, for as long as there is some now and then. 0: the thread is to end. */
static int work_while_awake(starter_t *self) {
  uint64_t until_ns = uswi_now_ns() + AWAKE_NS;
  for (uint32_t looks = 1;; looks++) {
    const int state = atomic_load_explicit(&self->state, memory_order_acquire);
    if (state == ASKED && change(self, ASKED, AT_WORK)) {
      self->work(self->context);
      atomic_store_explicit(&self->state, DONE, memory_order_release);
      until_ns = uswi_now_ns() + AWAKE_NS;
    } else if (state == ENDING) {
      return 0;
    } else if (looks % LOOKS == 0 && uswi_now_ns() > until_ns && change(self, AWAKE, ASLEEP)) {
      return 1;
    }
    uswi_pause();
  }
}

static void *serve(void *argument) {
  starter_t *const self = argument;
  do
    sleep_until_woken(self);
  while (work_while_awake(self));
  return NULL;
}

/* ---- its start ---- */

/* The processors of cores that are near to the GPU, or of all: those of the calling thread may be one alone. */
static void find_processors(const uswi_device_t *device, cpu_set_t *processors) {
  const uswi_topology_t *topology = uswi_topology();
  const uswi_near_t near = uswi_staging_near(topology);
  const uint16_t gpu = uswi_staging_gpu(device), node = gpu < near.gpus ? near.nodes[gpu] : USWI_NOWHERE;
  CPU_ZERO(processors);
  for (uint32_t core = 0; core < topology->core_count; core++)
    for (uint32_t sibling = 0; sibling < topology->cores[core].threads; sibling++) {
      const uint32_t processor = uswi_topology_processor(topology, core, sibling);
      if ((node == USWI_NOWHERE || topology->cores[core].node == node) && processor < CPU_SETSIZE)
        CPU_SET(processor, processors);
    }
}

/* A processor for each, beside that of the calling thread. */
static int has_processor(void) {
  const uswi_topology_t *topology = uswi_topology();
  const uint32_t granted = topology->quota ? topology->quota : topology->processor_count;
  return atomic_load(&count) + 1 < (granted < topology->processor_count ? granted : topology->processor_count);
}

static int create(starter_t *self, const uswi_device_t *device) {
  cpu_set_t processors;
  find_processors(device, &processors);
  if (!uswi_thread_start(&self->thread, serve, self))
    return 0;
  pthread_setaffinity_np(self->thread, sizeof processors, &processors); /* else it shares the calling thread's */
  return 1;
}

static void start(starter_t *starter, const uswi_device_t *device) {
  if (atomic_load(&starter->state) != ABSENT || !has_processor() || !change(starter, ABSENT, WAKING))
    return;
  if (sem_init(&starter->wake, 0, 1) == 0) {
    if (create(starter, device)) {
      atomic_fetch_add(&count, 1);
      return;
    }
    sem_destroy(&starter->wake);
  }
  atomic_store(&starter->state, ABSENT);
}

/* Once somebody has asked twice in a while as long as the thread would have been awake. */
static void wake(starter_t *starter, const uswi_device_t *device) {
  const uint64_t now_ns = uswi_now_ns(),
                 last_ns = atomic_exchange_explicit(&starter->last_ns, now_ns, memory_order_relaxed);
  if (now_ns - last_ns > AWAKE_NS || uswi_environment()->wait != USWI_WAIT_SPIN)
    return;
  if (change(starter, ASLEEP, WAKING))
    sem_post(&starter->wake);
  else
    start(starter, device);
}

/* ---- for the calling thread ---- */

/* Whether it is of no use for now. */
static int rests(starter_t *starter) {
  const uint64_t until_ns = atomic_load_explicit(&starter->rests_ns, memory_order_relaxed);
  if (until_ns == 0)
    return 0;
  if (uswi_now_ns() < until_ns)
    return 1;
  atomic_store_explicit(&starter->rests_ns, 0, memory_order_relaxed);
  return 0;
}

int uswi_starter_ask(const uswi_device_t *device, void (*work)(void *context), void *context) {
  starter_t *const starter = starter_of(device);
  if (rests(starter))
    return 0;
  if (!change(starter, AWAKE, TAKEN)) {
    wake(starter, device);
    return 0;
  }
  starter->work = work;
  starter->context = context;
  atomic_store_explicit(&starter->state, ASKED, memory_order_release);
  return 1;
}

int uswi_starter_wait(const uswi_device_t *device) {
  starter_t *const starter = starter_of(device);
  if (change(starter, ASKED, AWAKE)) { /* it takes a tenth of a microsecond to see */
    atomic_store_explicit(&starter->rests_ns, uswi_now_ns() + REST_NS, memory_order_relaxed);
    return 0;
  }
  for (uint32_t looks = 1; atomic_load_explicit(&starter->state, memory_order_acquire) != DONE; looks++) {
    uswi_pause();
    if (looks % (64 * LOOKS) == 0) /* it may want this very processor */
      sched_yield();
  }
  atomic_store_explicit(&starter->state, AWAKE, memory_order_release);
  return 1;
}

void uswi_starters_release(void) {
  for (starter_t *starter = starters; starter < starters + USWI_MAX_DEVICES; starter++) {
    if (atomic_load(&starter->state) == ABSENT)
      continue;
    while (!change(starter, AWAKE, ENDING) && !change(starter, ASLEEP, ENDING))
      sched_yield(); /* it is waking up */
    sem_post(&starter->wake);
    pthread_join(starter->thread, NULL);
    sem_destroy(&starter->wake);
    atomic_store(&starter->state, ABSENT);
    atomic_fetch_sub(&count, 1);
  }
}
