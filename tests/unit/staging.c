/* How staged calls are cut into chunks, by lengths and streams alone, and which threads copy, on machines that are described:
 * one GPU and several, near to one node or to others. */
#include "policy/staging.h"

#include <string.h>

#include "support/check.h"

enum { DOUBLE = 8, MOST = USWI_STAGING_MOST_BYTES / DOUBLE, LEAST = USWI_STAGING_LEAST_BYTES / DOUBLE };

static const uswi_staged_stream_t doubles = {1, DOUBLE, 1};

/* Chunks follow each other, none is empty, only the last is shorter, and what is filled of a buffer fits. */
static void check_plan(const uswi_staging_plan_t *plan, size_t n) {
  CHECK(plan->chunk_items > 0 && plan->chunks > 0);
  CHECK_U64(n, (plan->chunks - 1) * plan->chunk_items + uswi_staging_items(plan, plan->chunks - 1));
  CHECK(uswi_staging_items(plan, plan->chunks - 1) > 0);
  CHECK_U64(plan->chunk_items < n ? plan->chunk_items : n, uswi_staging_items(plan, 0));
  CHECK(uswi_staging_bytes(plan, 0) <= plan->buffer_bytes);
  CHECK(uswi_staging_bytes(plan, plan->chunks - 1) <= plan->buffer_bytes);
}

static void check_doubles(size_t n, size_t chunk_items, size_t chunks) {
  const uswi_staging_plan_t plan = uswi_staging_cut(n, &doubles, 1);
  check_plan(&plan, n);
  CHECK_U64(chunk_items, plan.chunk_items);
  CHECK_U64(chunks, plan.chunks);
}

static void lengths(void) {
  check_doubles(1, 1, 1);
  check_doubles(LEAST - 1, LEAST - 1, 1);
  check_doubles(LEAST, LEAST, 1);
  check_doubles(LEAST + 1, LEAST, 2);
  check_doubles(2 * LEAST, LEAST, 2);
  check_doubles(2 * LEAST + 1, LEAST, 3);
  check_doubles(USWI_STAGING_FEW_CHUNKS * 2 * LEAST, 2 * LEAST, USWI_STAGING_FEW_CHUNKS);
  check_doubles(USWI_STAGING_FEW_CHUNKS * (size_t)MOST, MOST, USWI_STAGING_FEW_CHUNKS);
  check_doubles(100 * (size_t)MOST, MOST, 100);
  check_doubles(100 * (size_t)MOST - 1, MOST, 100);
  check_doubles(100 * (size_t)MOST + 1, MOST, 101);
  check_doubles(((size_t)1 << 31) + 5, MOST, (((size_t)1 << 31) + 4) / MOST + 1);
  check_doubles(((size_t)1 << 40) + 5, MOST, ((size_t)1 << 40) / MOST + 1);
  for (size_t n = 1; n < 3000000; n += n / 7 + 1) {
    const uswi_staging_plan_t plan = uswi_staging_cut(n, &doubles, 1);
    check_plan(&plan, n);
  }
}

/* Streams in one buffer: none overlaps another, each is aligned. */
static void streams(void) {
  const uint32_t bytes[USW_MAX_INPUTS] = {1, 2, 4, 8, 16, 3, 12, 40};
  uswi_staged_stream_t eight[USW_MAX_INPUTS];
  for (uint32_t s = 0; s < USW_MAX_INPUTS; s++)
    eight[s] = (uswi_staged_stream_t){1, bytes[s], s == 3 ? -5 : 1};
  for (size_t n = 1; n < 3000000; n = n * 3 + 1) {
    const uswi_staging_plan_t plan = uswi_staging_cut(n, eight, USW_MAX_INPUTS);
    check_plan(&plan, n);
    CHECK(plan.buffer_bytes <= USWI_STAGING_MOST_BYTES + USW_MAX_INPUTS * 256);
    for (uint32_t s = 0; s < USW_MAX_INPUTS; s++) {
      const size_t end = s + 1 < USW_MAX_INPUTS ? plan.offset[s + 1] : plan.buffer_bytes;
      CHECK(plan.offset[s] % 256 == 0);
      CHECK(plan.offset[s] + plan.chunk_items * bytes[s] <= end);
    }
  }
}

/* One that the device has takes no room; one element is one however many items read it; what is larger than a buffer comes item by
 * item. */
static void odd_streams(void) {
  const uswi_staged_stream_t second[2] = {{0, DOUBLE, 1}, doubles}, one[2] = {{1, DOUBLE, 0}, doubles};
  const uswi_staged_stream_t only_one = {1, DOUBLE, 0}, large = {1, 2 * USWI_STAGING_MOST_BYTES, 1};
  const size_t n = 10 * (size_t)MOST;
  uswi_staging_plan_t plan = uswi_staging_cut(n, second, 2);
  check_plan(&plan, n);
  CHECK_U64(MOST, plan.chunk_items);
  CHECK_U64(0, plan.offset[1]);
  CHECK_U64(USWI_STAGING_MOST_BYTES, plan.buffer_bytes);
  plan = uswi_staging_cut(n, one, 2);
  check_plan(&plan, n);
  CHECK_U64(MOST, plan.chunk_items);
  CHECK_U64(256, plan.offset[1]);
  plan = uswi_staging_cut(SIZE_MAX / 2, &only_one, 1);
  check_plan(&plan, SIZE_MAX / 2);
  CHECK_U64(1, plan.chunks);
  CHECK_U64(DOUBLE, uswi_staging_bytes(&plan, 0));
  plan = uswi_staging_cut(3, &large, 1);
  check_plan(&plan, 3);
  CHECK_U64(3, plan.chunks);
}

static void shares(void) {
  for (size_t items = 1; items < 100000; items = items * 5 + 3)
    for (uint32_t threads = 1; threads < 40; threads += 7) {
      CHECK_U64(0, uswi_staging_share(items, threads, 0));
      CHECK_U64(items, uswi_staging_share(items, threads, threads));
      for (uint32_t t = 0; t < threads; t++)
        CHECK(uswi_staging_share(items, threads, t) <= uswi_staging_share(items, threads, t + 1));
    }
}

/* ---- threads ---- */

enum { CORES = 32, MOST_GPUS = 8 };

/* Two nodes of 16 cores. */
static uswi_core_t cores[CORES];
static const uswi_topology_t machine = {.core_count = CORES, .node_count = 2, .cores = cores};

/* Every core of the GPU's, as bits. */
static uint32_t cores_of(const uint16_t *nodes, uint32_t gpus, uint32_t gpu) {
  uint32_t found = 0;
  for (uint32_t c = 0; c < CORES; c++)
    found |= (uint32_t)uswi_staging_is_near(&machine, nodes, gpus, gpu, c) << c;
  return found;
}

static void several_gpus(void) {
  const uint16_t one[] = {1}, two[] = {0, 1}, four[] = {0, 0, 1, 1}, uneven[] = {1, 1, 1}, anywhere[] = {USWI_NOWHERE};
  const uint16_t crowd[] = {USWI_NOWHERE, USWI_NOWHERE};
  uint32_t all = 0;
  CHECK_U64(0xffff0000u, cores_of(one, 1, 0));
  CHECK_U64(0xffffu, cores_of(two, 2, 0));
  CHECK_U64(0xffff0000u, cores_of(two, 2, 1));
  for (uint32_t g = 0; g < 4; g++)
    CHECK_U64(0xffu << 8 * g, cores_of(four, 4, g));
  for (uint32_t g = 0; g < 3; g++) {
    const uint32_t of_gpu = cores_of(uneven, 3, g);
    CHECK_U64(0, all & of_gpu);
    CHECK(__builtin_popcount(of_gpu) >= 5);
    all |= of_gpu;
  }
  CHECK_U64(0xffff0000u, all);
  CHECK_U64(UINT32_MAX, cores_of(anywhere, 1, 0));
  CHECK_U64(0xffffu, cores_of(crowd, 2, 0));
  CHECK_U64(0xffff0000u, cores_of(crowd, 2, 1));
}

/* More GPUs than cores: each has all of them. */
static void few_cores(void) {
  uswi_core_t two_cores[2] = {{.processor = 0, .threads = 1}, {.processor = 1, .threads = 1}};
  const uswi_topology_t small = {.core_count = 2, .node_count = 1, .cores = two_cores};
  const uint16_t nodes[4] = {0, 0, 0, 0};
  for (uint32_t g = 0; g < 4; g++)
    CHECK(uswi_staging_is_near(&small, nodes, 4, g, 0) && uswi_staging_is_near(&small, nodes, 4, g, 1));
}

static uswi_staging_deal_t deal;

/* Deal threads to calls, one for each of these GPUs; the number of threads that copy for the first. */
static uint32_t deal_to(const uint16_t *nodes, uint32_t gpus, const uint16_t *gpu_of_call, uint32_t calls,
                        const uint16_t *core_of_thread, uint32_t threads) {
  const uswi_staging_site_t site = {&machine, nodes, gpus, gpu_of_call};
  uswi_staging_deal(&site, calls, core_of_thread, threads, &deal);
  for (uint32_t k = 0; k < calls; k++) {
    uint64_t shares = 0; /* each once */
    for (uint32_t t = 0; t < threads; t++)
      if (deal.call_of_thread[t] == k && deal.share_of_thread[t] != USWI_NOWHERE)
        shares += UINT64_C(1) << deal.share_of_thread[t];
    CHECK_U64((UINT64_C(1) << deal.helpers[k]) - 1, shares);
    CHECK_U64(USWI_NOWHERE, deal.share_of_thread[deal.conductor[k]]);
  }
  return deal.helpers[0];
}

/* Threads on all cores in order: those near to the GPU copy, the first never does. */
static void crews(void) {
  uint16_t core_of_thread[CORES];
  const uint16_t second[] = {1}, first[] = {0}, four[] = {0, 0, 0, 0}, gpu_0 = 0, gpu_1 = 1;
  const uint16_t *share = deal.share_of_thread;
  for (uint16_t t = 0; t < CORES; t++)
    core_of_thread[t] = t;
  CHECK_U64(16, deal_to(second, 1, &gpu_0, 1, core_of_thread, CORES));
  CHECK_U64(USWI_NOWHERE, share[1]);
  CHECK_U64(0, share[16]);
  CHECK_U64(15, share[31]);
  CHECK_U64(15, deal_to(first, 1, &gpu_0, 1, core_of_thread, CORES));
  CHECK_U64(USWI_NOWHERE, share[0]);
  CHECK_U64(0, share[1]);
  /* Of 4 cores near by 4 are enough for half of a link: others come in until there are enough. */
  CHECK_U64(USWI_STAGING_ENOUGH, deal_to(four, 4, &gpu_1, 1, core_of_thread, CORES));
  for (uint32_t t = 4; t < 8; t++)
    CHECK_U64(t - 4, share[t]);
  /* Nobody knows where threads sit, or there are few: all copy. */
  for (uint32_t t = 0; t < CORES; t++)
    core_of_thread[t] = USWI_NOWHERE;
  CHECK_U64(3, deal_to(first, 1, &gpu_0, 1, core_of_thread, 4));
  CHECK_U64(0, deal_to(first, 1, &gpu_0, 1, core_of_thread, 1));
}

/* Several calls at the same time: each has a thread near to its GPU that launches, and those near to it copy. */
static void calls_together(void) {
  uint16_t core_of_thread[CORES];
  const uint16_t four[] = {0, 0, 1, 1}, all[] = {0, 1, 2, 3}, some[] = {3, 1}, twice[] = {0, 1}, one_node[] = {1, 1};
  for (uint16_t t = 0; t < CORES; t++)
    core_of_thread[t] = CORES - 1 - t;
  CHECK_U64(7, deal_to(four, 4, all, 4, core_of_thread, CORES));
  for (uint32_t k = 0; k < 4; k++) {
    CHECK_U64(7, deal.helpers[k]);
    for (uint32_t t = 0; t < CORES; t++)
      if (core_of_thread[t] / 8 == k)
        CHECK_U64(k, deal.call_of_thread[t]);
    CHECK_U64(8 * k + 7, core_of_thread[deal.conductor[k]]);
  }
  /* Cores near to neither GPU come in until both have enough. */
  CHECK_U64(USWI_STAGING_ENOUGH, deal_to(four, 4, some, 2, core_of_thread, CORES));
  CHECK_U64(USWI_STAGING_ENOUGH, deal.helpers[1]);
  CHECK_U64(31, core_of_thread[deal.conductor[0]]);
  CHECK_U64(15, core_of_thread[deal.conductor[1]]);
  /* All threads are far from both, all near to one, or nowhere: they are shared evenly. */
  for (uint32_t t = 0; t < CORES; t++)
    core_of_thread[t] = (uint16_t)(t % 8);
  CHECK_U64(3, deal_to(one_node, 2, twice, 2, core_of_thread, 8));
  CHECK_U64(3, deal.helpers[1]);
  CHECK_U64(4, deal_to(four, 4, some, 2, core_of_thread, 10));
  CHECK_U64(4, deal.helpers[1]);
  CHECK_U64(4, deal_to(four, 4, twice, 2, core_of_thread, 10));
  CHECK_U64(4, deal.helpers[1]);
  /* Fewer than two for each: the first launches all, the others copy while there are some. */
  CHECK_U64(1, deal_to(four, 4, all, 4, core_of_thread, 3));
  CHECK_U64(2, deal.helpers[0] + deal.helpers[1] + deal.helpers[2] + deal.helpers[3]);
  for (uint32_t k = 0; k < 4; k++)
    CHECK_U64(0, deal.conductor[k]);
  CHECK_U64(0, deal_to(four, 4, all, 4, core_of_thread, 1));
}

int main(void) {
  for (uint16_t c = 0; c < CORES; c++)
    cores[c] = (uswi_core_t){.processor = c, .threads = 1, .node = c / 16};
  lengths();
  streams();
  odd_streams();
  shares();
  several_gpus();
  few_cores();
  crews();
  calls_together();
  return check_report();
}
