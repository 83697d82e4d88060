/* Threads that launch for the calling thread: when there is one, when it sleeps, and that what it is asked for is done once. */
#include "exec/starters.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/clock.h"
#include "exec/staging_near.h"
#include "machine/environment.h"
#include "support/check.h"

enum { ROUNDS = 20000, LONG_US = 20000 /* longer than threads stay awake */ };
#define PATIENCE_NS UINT64_C(5000000000)

/* ---- what the threads ask of the machine ---- */

static uswi_environment_t environment = {.wait = USWI_WAIT_SPIN};
static uswi_core_t cores[] = {
    {.processor = 0, .threads = 1}, {.processor = 1, .threads = 1}, {.processor = 0, .threads = 1}};
static uswi_topology_t topology = {.core_count = 2, .processor_count = 2, .cores = cores};

const uswi_environment_t *uswi_environment(void) { return &environment; }
const uswi_topology_t *uswi_topology(void) { return &topology; }
uint32_t uswi_topology_processor(const uswi_topology_t *t, uint32_t core, uint32_t sibling) {
  return t->cores[core].processor + sibling;
}
uswi_near_t uswi_staging_near(const uswi_topology_t *t) {
  (void)t;
  return (uswi_near_t){.gpus = 1, .nodes = {USWI_NOWHERE}};
}
uint16_t uswi_staging_gpu(const uswi_device_t *device) { return (uint16_t)device->number; }

/* ---- what they do ---- */

static const uswi_device_t device[] = {{.number = 0}, {.number = 1}};
typedef struct job {
  pthread_t thread; /* that did it */
  int times;
} job_t;

static void do_job(void *context) {
  job_t *const job = context;
  job->thread = pthread_self();
  job->times++;
}

/* Ask until the thread takes it. It wakes up for two calls in a row; the calling thread sleeps behind them for longer and longer, because
 * both may have one processor. 0: it never does. */
static int is_asked_within(int d, job_t *job, uint64_t ns) {
  unsigned calls = 0;
  for (const uint64_t end = uswi_now_ns() + ns; uswi_now_ns() < end; calls++) {
    if (uswi_starter_ask(&device[d], do_job, job))
      return 1;
    if (calls % 2)
      usleep(calls % 200); /* less than threads stay awake */
  }
  return 0;
}

/* Ask until the thread has done it. 0: it never does. */
static int is_done_within(int d, job_t *job, uint64_t ns) {
  for (const uint64_t end = uswi_now_ns() + ns; uswi_now_ns() < end;)
    if (is_asked_within(d, job, ns)) {
      usleep(100); /* for it to begin */
      if (uswi_starter_wait(&device[d]))
        return 1;
    }
  return 0;
}
static int is_done(int d, job_t *job) { return is_done_within(d, job, PATIENCE_NS); }
static int is_ever_taken(int d, job_t *job) { return is_done_within(d, job, 50000000); }

static void test_calls_apart_have_no_thread(void) {
  job_t job = {0};
  for (int k = 0; k < 5; k++, usleep(LONG_US))
    CHECK_I64(0, uswi_starter_ask(&device[0], do_job, &job));
  CHECK_I64(0, job.times);
}

static void test_no_thread_unless_waits_spin(void) {
  job_t job = {0};
  environment.wait = USWI_WAIT_BLOCK;
  CHECK_I64(0, is_ever_taken(0, &job));
  environment.wait = USWI_WAIT_SPIN;
}

static void test_another_thread_does_it_once(void) {
  job_t job = {0}, other = {0};
  CHECK_I64(1, is_done(0, &job));
  CHECK_I64(1, job.times);
  const int has_asked = is_asked_within(0, &job, PATIENCE_NS);
  CHECK_I64(1, has_asked);
  if (!has_asked)
    return;
  CHECK_I64(0, uswi_starter_ask(&device[0], do_job, &other)); /* it is taken until it was waited for */
  const int has_begun = uswi_starter_wait(&device[0]);
  CHECK_I64(1 + has_begun, job.times);
  CHECK_I64(0, other.times);
  CHECK_I64(0, pthread_equal(job.thread, pthread_self()));
}

static void test_it_sleeps_and_wakes_up(void) {
  job_t job = {0};
  usleep(LONG_US);
  CHECK_I64(0, uswi_starter_ask(&device[0], do_job, &job));
  usleep(LONG_US);
  CHECK_I64(0, uswi_starter_ask(&device[0], do_job, &job)); /* one call does not wake it */
  CHECK_I64(1, is_done(0, &job));
  CHECK_I64(1, job.times);
}

static void test_each_has_a_processor(void) {
  job_t job = {0};
  CHECK_I64(0, is_ever_taken(1, &job)); /* the calling thread and the first one have two */
  topology.core_count = topology.processor_count = 3;
  topology.quota = 2;
  CHECK_I64(0, is_ever_taken(1, &job));
  topology.quota = 0;
  CHECK_I64(1, is_done(1, &job));
}

/* A thread that has no processor is told that nobody waits for it: the calling thread goes on. */
static void test_what_has_not_begun_is_taken_back(void) {
  job_t job = {0};
  int taken_back = 0;
  int done = 0;
  for (const uint64_t end = uswi_now_ns() + PATIENCE_NS; !taken_back && uswi_now_ns() < end;)
    if (is_asked_within(0, &job, PATIENCE_NS)) {
      taken_back = !uswi_starter_wait(&device[0]); /* at once */
      done += !taken_back;
      CHECK_I64(done, job.times);
    }
  CHECK_I64(1, taken_back);
  const int is_asked = taken_back && uswi_starter_ask(&device[0], do_job, &job);
  CHECK_I64(0, is_asked); /* it has a rest */
  if (is_asked)
    uswi_starter_wait(&device[0]);
  usleep(LONG_US);
}

/* The calling thread counts what nobody was awake for. */
static void test_nothing_is_lost(void) {
  job_t job[2] = {{0}, {0}};
  int here[2] = {0, 0};
  for (int round = 0; round < ROUNDS; round++) {
    int is_asked[2];
    for (int d = 0; d < 2; d++)
      is_asked[d] = uswi_starter_ask(&device[d], do_job, &job[d]);
    for (int d = 0; d < 2; d++)
      if (!is_asked[d] || !uswi_starter_wait(&device[d]))
        here[d]++;
  }
  for (int d = 0; d < 2; d++)
    CHECK_I64(ROUNDS, job[d].times + here[d]);
}

static void test_the_end_and_a_new_beginning(void) {
  job_t job = {0};
  uswi_starters_release();
  CHECK_I64(0, uswi_starter_ask(&device[0], do_job, &job));
  CHECK_I64(1, is_done(0, &job));
  CHECK_I64(1, job.times);
  uswi_starters_release();
}

int main(void) {
  test_calls_apart_have_no_thread();
  test_no_thread_unless_waits_spin();
  test_another_thread_does_it_once();
  test_it_sleeps_and_wakes_up();
  test_each_has_a_processor();
  test_what_has_not_begun_is_taken_back();
  test_nothing_is_lost();
  test_the_end_and_a_new_beginning();
  return check_report();
}
