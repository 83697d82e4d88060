/* Descriptors written by hand, on a device whose memory can be made to run out: what the library
 * refuses of a kernel, what it does without memory, and what finalize does while a call is under way.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <upsweep/descriptor.h>
#include <upsweep/upsweep.h>

#include "backend_simt.h"
#include "support/check.h"

/* Counts its items; its launch waits while `hold` is set. */
static atomic_int hold, is_inside;
static uint64_t empty_bits;

static void identity(void *record, const uint64_t *extents) {
  (void)extents;
  *(uint64_t *)record = 0;
}
static void merge(void *into, const void *from, const uint64_t *extents) {
  (void)extents;
  *(uint64_t *)into += *(const uint64_t *)from;
}
static uint64_t finish(const void *record, const usw_variable_t *variables, const uint64_t *extents) {
  (void)extents;
  if (!empty_bits)
    *(uint64_t *)variables[0].address = *(const uint64_t *)record;
  return empty_bits;
}
static void on_host(size_t first, size_t last, const uint64_t *arguments, const ptrdiff_t *strides,
                    const uint64_t *extents, void *record_out) {
  (void)arguments, (void)strides, (void)extents;
  is_inside = 1;
  while (hold)
    ;
  *(uint64_t *)record_out = last - first;
}
static void launch(const usw_launch_t *how, size_t n, const uint64_t *arguments, void *accumulator_out) {
  (void)arguments;
  is_inside = 1;
  while (hold)
    ;
  if (how->finish == USW_FINISH_HOST)
    memset(how->partials, 0, how->teams * sizeof(uint64_t));
  *(uint64_t *)(how->finish == USW_FINISH_HOST ? how->partials : accumulator_out) = n;
}

/* More of them than a call has room for; a good kernel has one. */
enum { TOO_MANY = 100 };
static const usw_reducer_t reducers[TOO_MANY] = {{"total", USW_NO_OPERATION, 8, 8, 1, 0, 1, 0, 0}};
static const usw_argument_t arguments[TOO_MANY] = {{"x", USW_ARGUMENT_IN, 1, 1}};

/* The library keeps what it has checked of a kernel in its cache: each kernel needs its own. */
static usw_kernel_t good_kernel(void) {
  static void *caches[64];
  static atomic_int used;
  const usw_kernel_t kernel = {.abi = USW_DESCRIPTOR_ABI,
                               .name = "hand_made",
                               .images = "",
                               .accumulator_bytes = 8,
                               .item_bytes = 1,
                               .items_per_thread = 1,
                               .argument_count = 1,
                               .stream_count = 1,
                               .reducer_count = 1,
                               .arguments = arguments,
                               .reducers = reducers,
                               .identity = identity,
                               .merge = merge,
                               .finish = finish,
                               .host = {on_host},
                               .bare = {"hand_made_bare", launch, 256},
                               .cache = &caches[used++]};
  return kernel;
}

static const char x[100];
static const uint64_t sentinel = 0xa5a5a5a5a5a5a5a5u;

static usw_status_t run(const usw_kernel_t *kernel, usw_place_t place, size_t n, uint64_t *total) {
  usw_options_t options = {.size = USW_INIT(usw_options_t), .place = place};
  const uint64_t words[] = {(uint64_t)(uintptr_t)x};
  const usw_variable_t variables[] = {{total, 1}};
  *total = sentinel;
  return usw_kernel_run(kernel, n, words, variables, &options);
}

static void works(const usw_kernel_t *kernel, usw_place_t place) {
  uint64_t total;
  CHECK_STATUS(USW_OK, run(kernel, place, sizeof x, &total));
  CHECK_U64(sizeof x, total);
}

static void refused(usw_status_t expected, const char *culprit, const usw_kernel_t *kernel, usw_place_t place) {
  const usw_kernel_t good = good_kernel();
  uint64_t total;
  CHECK_STATUS(expected, run(kernel, place, sizeof x, &total));
  CHECK_U64(sentinel, total);
  CHECK_TEXT_HAS(usw_error_text(), culprit);
  works(&good, place);
}

static void bad_kernels(void) {
  usw_kernel_t kernel = good_kernel();
  works(&kernel, USW_HOST);
  works(&kernel, USW_DEVICE);
  refused(USW_ERROR_INVALID, "NULL", NULL, USW_HOST);
  char newer[16];
  snprintf(newer, sizeof newer, "ABI %u", USW_DESCRIPTOR_ABI + 1);
  kernel.abi = USW_DESCRIPTOR_ABI + 1;
  refused(USW_ERROR_VERSION, newer, &kernel, USW_HOST);
  kernel.abi = 0;
  refused(USW_ERROR_VERSION, "ABI 0", &kernel, USW_DEVICE);
  kernel = good_kernel();
  kernel.llvm_major = 3;
  refused(USW_ERROR_VERSION, "clang 3", &kernel, USW_HOST);
  kernel = good_kernel();
  kernel.images = "sm_90 x86_64";
  refused(USW_ERROR_DEVICE, "no image", &kernel, USW_DEVICE);
  works(&kernel, USW_HOST);
  kernel = good_kernel();
  kernel.bare.stub = NULL;
  refused(USW_ERROR_DEVICE, "without offload", &kernel, USW_DEVICE);
  works(&kernel, USW_HOST);
  kernel = good_kernel();
  kernel.reducer_count = TOO_MANY;
  refused(USW_ERROR_UNSUPPORTED, "at most", &kernel, USW_HOST);
  kernel = good_kernel();
  kernel.argument_count = TOO_MANY;
  refused(USW_ERROR_UNSUPPORTED, "at most", &kernel, USW_HOST);
  kernel = good_kernel();
  empty_bits = 1;
  uint64_t total;
  CHECK_STATUS(USW_ERROR_EMPTY, run(&kernel, USW_HOST, 0, &total));
  CHECK_U64(sentinel, total);
  CHECK_TEXT_HAS(usw_error_text(), "'total'");
  empty_bits = 0;
}

/* Each of a call's allocations fails in turn. */
static void without_memory(void) {
  double data[4] = {1, 2, 3, 4}, sum = 42;
  usw_options_t options = {.size = USW_INIT(usw_options_t), .place = USW_DEVICE};
  options.teams = 8200; /* more scratch than any call before had: partials begin with 64 KiB */
  for (int64_t good = 0; good < 3; good++) {
    const simt_counts_t before = simt_counts();
    simt_fail_allocations_after(good);
    CHECK_STATUS(USW_ERROR_MEMORY, usw_reduce(USW_PLUS, USW_F64, data, 4, &sum, &options));
    CHECK_F64(42, sum);
    CHECK_TEXT_HAS(usw_error_text(), "scratch");
    simt_fail_allocations_after(-1);
    CHECK(simt_counts().launches == before.launches);
  }
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, data, 4, &sum, &options));
  CHECK_F64(10, sum);
}

static void *call(void *place) {
  const usw_kernel_t kernel = good_kernel();
  works(&kernel, *(usw_place_t *)place);
  return NULL;
}

static void finalize_while(usw_place_t place) {
  pthread_t thread;
  const usw_kernel_t kernel = good_kernel();
  is_inside = 0;
  hold = 1;
  pthread_create(&thread, NULL, call, &place);
  while (!is_inside)
    ;
  CHECK_STATUS(USW_ERROR_BUSY, usw_finalize());
  hold = 0;
  pthread_join(thread, NULL);
  works(&kernel, place);
}

int main(void) {
  bad_kernels();
  without_memory();
  finalize_while(USW_DEVICE);
  CHECK_STATUS(USW_OK, usw_finalize());
  CHECK_U64(simt_counts().allocations, simt_counts().frees);
  return check_report();
}
