/* How many threads calls take by time: the cost of a kernel, as chunks have told it, and regions that are late. */
#include <omp.h>
#include <stdlib.h>

#include "exec/threads.h"
#include "machine/environment.h"
#include "policy/cost_model.h"
#include "support/check.h"

static uswi_environment_t environment;
const uswi_environment_t *uswi_environment(void) { return &environment; }

enum { CHUNKS = 256, WORTH_NS = 20000, LONG_NS = 100000000, LATE_NS = 1000000 };

static void nothing(size_t first, size_t last, const uint64_t *arguments, const ptrdiff_t *strides,
                    const uint64_t *extents, void *record_out) {
  (void)first, (void)last, (void)arguments, (void)strides, (void)extents, (void)record_out;
}

static void paces(void) {
  static const usw_kernel_t kernel = {.item_bytes = 8, .host = {nothing}};
  const uswi_call_t call = {.kernel = &kernel, .item_bytes = kernel.item_bytes, .n = 1000000};
  const uint64_t unknown = uswi_cost_expect(&call);
  CHECK(unknown > 50000 && unknown < 200000); /* as fast as it can be */
  CHECK(uswi_cost_is_wanted(&call));
  uswi_cost_learn(&call, 1000, 5000);
  CHECK_U64(5001, uswi_cost_expect(&call) / 1000);
  uswi_cost_learn(&call, 1000, 9000); /* it waited for something */
  uswi_cost_learn(&call, 1000, 4000);
  CHECK_U64(4001, uswi_cost_expect(&call) / 1000);
  for (int k = 3; k < 8; k++) {
    CHECK(uswi_cost_is_wanted(&call));
    uswi_cost_learn(&call, 1000, 6000);
  }
  CHECK(!uswi_cost_is_wanted(&call));
}

static uint32_t threads_of(uint64_t serial_ns) {
  const uswi_crew_t crew = uswi_threads_take(CHUNKS, serial_ns);
  uswi_threads_give_back(&crew);
  return crew.threads;
}

static void tell(int times, uint64_t wait_ns) {
  const uswi_crew_t crew = {.team = 2, .threads = 2};
  for (int k = 0; k < times; k++)
    uswi_threads_tell(&crew, 1000, wait_ns);
}

/* It is tried again when calls on one thread have taken so many times as long as regions were late. */
static void check_retry(int times) {
  uint64_t serial_ns = 0;
  for (; serial_ns < LONG_NS && threads_of(WORTH_NS) == 1; serial_ns += WORTH_NS)
    continue;
  CHECK(serial_ns > (uint64_t)times * LATE_NS * 3 / 4 && serial_ns < (uint64_t)times * LATE_NS * 5 / 4);
}

static void late_regions(void) {
  CHECK_U64(2, threads_of(WORTH_NS));
  CHECK_U64(1, threads_of(uswi_region_ns(2)));
  tell(2, LATE_NS); /* that can happen */
  CHECK_U64(2, threads_of(WORTH_NS));
  tell(1, LATE_NS);
  CHECK_U64(1, threads_of(WORTH_NS));
  CHECK_U64(2, threads_of(LONG_NS)); /* as much as that is not lost */
  tell(2, 100);
  CHECK_U64(2, threads_of(WORTH_NS));
  for (int k = 1; k <= 32; k = k < 16 ? 2 * k : k + 16) { /* then it is tried again, and if it is late after longer */
    tell(4, LATE_NS);
    check_retry(k < 16 ? k : 16);
  }
  tell(4, LATE_NS);
  tell(1, 100); /* one that is not is enough */
  check_retry(1);
  const uswi_crew_t crew = {.team = 2, .threads = 2};
  for (int k = 0; k < 4; k++)
    uswi_threads_tell(&crew, LATE_NS, LATE_NS); /* uneven work is not lateness */
  CHECK_U64(2, threads_of(WORTH_NS));
}

/* Calls under way have a share each; those too short for two threads are not among them. */
static void sharing(void) {
  const uswi_crew_t first = uswi_threads_take(CHUNKS, LONG_NS), tiny = uswi_threads_take(CHUNKS, 100);
  const uswi_crew_t second = uswi_threads_take(CHUNKS, LONG_NS);
  CHECK_U64(2, first.threads);
  CHECK_U64(1, tiny.threads);
  CHECK_U64(1, second.threads);
  uswi_threads_give_back(&first);
  uswi_threads_give_back(&tiny);
  uswi_threads_give_back(&second);
  CHECK_U64(2, threads_of(LONG_NS));
}

int main(void) {
  omp_set_num_threads(2);
  environment.threads = 2;
  paces();
  late_regions();
  sharing();
  return check_report();
}
