/* Spans in the memory of a place are the same as in the host's: by calls, parts, plans, messages and gatherings.   spans_there [--place NAME] */
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#define USW_KERNEL sums_there
#define USW_PARTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, key) VALUE(uint32_t, extent)
#define USW_REDUCERS(R, S) S(double, sums, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_at(sums, key % extent, 1.0 / (double)(i % 97 + 1)); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL ends_there
#define USW_PARTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, key) VALUE(uint32_t, extent)
#define USW_REDUCERS(R, S) S(uint32_t, ends, USW_DYNAMIC_EXTENT, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine_at(ends, key % extent, (uint32_t)i ^ key); }
#include <upsweep/kernel_end.h>

/* The variable is the host's, the short span may be either's. */
#define USW_KERNEL several_there
#define USW_PARTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, key) VALUE(uint32_t, extent)
#define USW_REDUCERS(R, S)                                                                                             \
  R(uint64_t, items, USW_PLUS) S(double, sums, USW_DYNAMIC_EXTENT, USW_PLUS) S(uint64_t, few, 4, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_inc(items);
  usw_add_at(sums, key % extent, 0.25 + (double)(i % 3));
  usw_inc_at(few, i % 4);
}
#include <upsweep/kernel_end.h>

#include "support/check.h"
#include "support/device_memory.h"
#include "support/place.h"

enum { ITEMS = (1 << 17) + 77, MOST_EXTENT = 33000, MOST_BYTES = MOST_EXTENT * 8 };

static test_place_t place;
static uint32_t keys[ITEMS];
static place_memory_t keys_there;
static char originals[MOST_BYTES], expected[MOST_BYTES], found[MOST_BYTES];

/* Everything but the place of the span is that of a call with a span of the host's. */
typedef struct {
  const usw_kernel_t *kernel;
  size_t element_bytes, n;
  uint32_t extent;
  usw_options_t options;
} case_t;

typedef usw_status_t (*way_t)(const case_t *test, void *span);

static usw_variable_t variable_of(const case_t *test, void *span) { return (usw_variable_t){span, test->extent}; }

static usw_status_t run_call(const case_t *test, void *span) {
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)keys_there.data, test->extent, 0 /* first index */};
  const usw_variable_t variable = variable_of(test, span);
  return usw_kernel_run(test->kernel, test->n, arguments, &variable, &test->options);
}

static usw_status_t run_plan(const case_t *test, void *span) {
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)keys_there.data, test->extent, 0 /* first index */};
  const usw_variable_t variable = variable_of(test, span);
  usw_request_t request;
  usw_plan_t *plan;
  usw_status_t status = usw_plan_create_kernel(&plan, test->kernel, &test->options);
  if (status != USW_OK)
    return status;
  status = usw_plan_start_kernel(plan, test->kernel, test->n, arguments, &variable, &request);
  if (status == USW_OK)
    status = usw_request_wait(&request);
  usw_plan_destroy(plan);
  return status;
}

/* A plan's run with a span of the host's, then a bound one. */
static usw_status_t run_bound(const case_t *test, void *span) {
  static char elsewhere[MOST_BYTES];
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)keys_there.data, test->extent, 0};
  const usw_variable_t variable = variable_of(test, span), other = variable_of(test, elsewhere);
  usw_plan_t *plan;
  usw_status_t status = usw_plan_create_kernel(&plan, test->kernel, &test->options);
  if (status != USW_OK)
    return status;
  memcpy(elsewhere, originals, sizeof elsewhere);
  status = usw_plan_bind_kernel(plan, test->kernel, test->n, arguments, &variable);
  if (status == USW_OK)
    status = usw_plan_run_kernel(plan, test->kernel, test->n, arguments, &other);
  if (status == USW_OK)
    status = usw_plan_run_bound(plan);
  usw_plan_destroy(plan);
  return status;
}

/* Two parts, of which the second counts on. */
static usw_status_t run_parts(const case_t *test, void *span) {
  const size_t half = test->n / 2;
  const usw_variable_t variable = variable_of(test, span);
  usw_options_t options = test->options; /* each part has a place of its own */
  usw_kernel_part_t parts[2];
  options.place = USW_AUTO_PLACE;
  options.device = 0;
  for (int k = 0; k < 2; k++) {
    parts[k] = (usw_kernel_part_t){
        .size = USW_INIT(usw_kernel_part_t), .place = place.place, .device = place.device, .kernel = test->kernel};
    parts[k].n = k == 0 ? half : test->n - half;
    parts[k].arguments[0] = (uint64_t)(uintptr_t)((uint32_t *)keys_there.data + (k == 0 ? 0 : half));
    parts[k].arguments[1] = test->extent;
  }
  return usw_kernel_run_parts(test->kernel, parts, 2, &variable, &options);
}

static usw_status_t run_message(const case_t *test, void *span) {
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)keys_there.data, test->extent, 0 /* first index */};
  const usw_variable_t variable = variable_of(test, span);
  size_t bytes = 0;
  usw_status_t status = usw_message_bytes(test->kernel, &variable, &bytes);
  void *const message = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (status == USW_OK)
    status = usw_message_reduce(test->kernel, test->n, arguments, &variable, &test->options, 0, 0, message, bytes);
  if (status == USW_OK)
    status = usw_message_finish(test->kernel, message, &variable, &test->options);
  free(message);
  return status;
}

static void check_way(const case_t *test, way_t run, const char *name) {
  const size_t bytes = test->extent * test->element_bytes;
  memcpy(expected, originals, bytes);
  CHECK_STATUS(USW_OK, run(test, expected));
  place_memory_t span_there = device_memory_get(&place, originals, sizeof originals, 0);
  CHECK_STATUS(USW_OK, run(test, span_there.data));
  memory_read(&span_there, found, sizeof found);
  device_memory_free(&span_there);
  CHECK_AT(memcmp(found, expected, bytes) == 0, name);
  CHECK_AT(memcmp(found + bytes, originals + bytes, sizeof found - bytes) == 0, "what is behind the span");
}

enum { MOST_PARTS = 4, FEWEST_PARTS = 2 };

/* A part on each device there is, all of which get the result. */
static void check_results_of_parts(case_t *test, int is_planned) {
  const size_t bytes = test->extent * test->element_bytes;
  test_place_t places[MOST_PARTS] = {place, place};
  usw_kernel_part_t parts[MOST_PARTS];
  place_memory_t results[MOST_PARTS], x[MOST_PARTS];
  void *addresses[MOST_PARTS];
  const int others = places_like(&place, &places[1], MOST_PARTS - 1), count = others < 1 ? FEWEST_PARTS : 1 + others;
  const size_t each = test->n / (size_t)count;
  const usw_options_t options = {.size = USW_INIT(usw_options_t),
                                 .initialize_to_identity = test->options.initialize_to_identity};
  for (int k = 0; k < count; k++) {
    x[k] = device_memory_get(&places[k], keys + (size_t)k * each, each * sizeof *keys, 0);
    results[k] = device_memory_get(&places[k], NULL, bytes, 0);
    addresses[k] = results[k].data;
    parts[k] = (usw_kernel_part_t){.size = USW_INIT(usw_kernel_part_t),
                                   .place = places[k].place,
                                   .device = places[k].device,
                                   .kernel = test->kernel,
                                   .n = each,
                                   .arguments = {(uint64_t)(uintptr_t)x[k].data, test->extent}};
  }
  usw_variable_t variable = variable_of(test, expected);
  memcpy(expected, originals, bytes);
  CHECK_STATUS(USW_OK, usw_kernel_run_parts(test->kernel, parts, (size_t)count, &variable, &options));
  place_memory_t span_there = device_memory_get(&place, originals, bytes, 0);
  variable.address = span_there.data;
  for (int k = 0; k < count; k++)
    parts[k].results = &addresses[k];
  usw_plan_t *plan = NULL;
  if (is_planned) {
    CHECK_STATUS(USW_OK, usw_plan_create_kernel_parts(&plan, test->kernel, parts, (size_t)count, &options));
    CHECK_STATUS(USW_OK, usw_plan_run_kernel_parts(plan, test->kernel, &variable));
  } else {
    CHECK_STATUS(USW_OK, usw_kernel_run_parts(test->kernel, parts, (size_t)count, &variable, &options));
  }
  usw_plan_destroy(plan);
  memory_read(&span_there, found, bytes);
  CHECK_AT(memcmp(found, expected, bytes) == 0, "the span");
  for (int k = 0; k < count; k++) {
    memory_read(&results[k], found, bytes);
    CHECK_AT(memcmp(found, expected, bytes) == 0, "memory of a part");
    device_memory_free(&results[k]);
    device_memory_free(&x[k]);
  }
  device_memory_free(&span_there);
}

/* What three processes have who reduce the same items, number 1 among them, by messages. */
static void merge_messages(const case_t *test, void *span) {
  const usw_variable_t variable = variable_of(test, span);
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)keys_there.data, test->extent, 0};
  size_t bytes = 0;
  CHECK_STATUS(USW_OK, usw_message_bytes(test->kernel, &variable, &bytes));
  char *const one = aligned_alloc(64, 2 * ((bytes + 63) / 64 * 64)), *const all = one + (bytes + 63) / 64 * 64;
  CHECK_STATUS(USW_OK,
               usw_message_reduce(test->kernel, test->n, arguments, &variable, &test->options, 0, 1, one, bytes));
  memcpy(all, one, bytes);
  for (int k = 1; k < 3; k++)
    usw_message_merge(test->kernel, all, one, all);
  CHECK_STATUS(USW_OK, usw_message_finish(test->kernel, all, &variable, &test->options));
  free(one);
}

/* Cells that many teams of a GPU leave to a launch stay there; of fewer they may. */
static int has_to_stay(const case_t *test) {
  return test->n == ITEMS && test->extent == MOST_EXTENT && strcmp(place.target, "nvptx") == 0;
}

/* Left in place of ended, it is this process's message: of the same result. */
static void check_leaving(const case_t *test, usw_gathering_t *gathering, const usw_variable_t *variable) {
  static char of_call[MOST_BYTES], of_message[MOST_BYTES];
  const usw_variable_t here = variable_of(test, of_message);
  const size_t span_bytes = test->extent * test->element_bytes;
  size_t bytes = 0;
  CHECK_STATUS(USW_OK, usw_message_bytes(test->kernel, variable, &bytes));
  char *const left = malloc(bytes);
  CHECK_STATUS(USW_OK, usw_gathering_leave(gathering, 1, left, bytes));
  CHECK(gathering->records == NULL && gathering->state == NULL);
  memcpy(of_call, originals, span_bytes);
  memcpy(of_message, originals, span_bytes);
  CHECK_STATUS(USW_OK, run_call(test, of_call));
  CHECK_STATUS(USW_OK, usw_message_finish(test->kernel, left, &here, &test->options));
  CHECK(memcmp(of_call, of_message, span_bytes) == 0);
  free(left);
}

/* 1 if there was a result. */
static int check_gathering(const case_t *test, void *span, const char *name) {
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)keys_there.data, test->extent, 0};
  const usw_variable_t variable = variable_of(test, span);
  usw_gathering_t gathering = {NULL, 0, 0, NULL};
  int stays = 0;
  for (int is_left = 0; is_left < 2; is_left++) {
    CHECK_STATUS(USW_OK,
                 usw_gathering_begin(test->kernel, test->n, arguments, &variable, &test->options, 0, 3, 1, &gathering));
    stays = gathering.records != NULL;
    CHECK_AT(stays || !has_to_stay(test), name);
    if (!gathering.records) {
      CHECK_STATUS(USW_ERROR_INVALID, usw_gathering_end(&gathering));
      CHECK_STATUS(USW_OK, usw_gathering_leave(&gathering, 1, NULL, 0));
    } else if (is_left) {
      check_leaving(test, &gathering, &variable);
    } else {
      char *const records = gathering.records, *const own = records + gathering.record_bytes;
      for (int k = 0; k < 3; k += 2)
        memory_device_copy(records + (size_t)k * gathering.record_bytes, gathering.device, own, gathering.device,
                           gathering.record_bytes);
      CHECK_STATUS(USW_OK, usw_gathering_end(&gathering));
    }
  }
  return stays;
}

static void check_gatherings(const case_t *test) {
  const size_t bytes = test->extent * test->element_bytes;
  memcpy(expected, originals, bytes);
  merge_messages(test, expected);
  memcpy(found, originals, bytes);
  const int stays = check_gathering(test, found, "a span of the host's");
  CHECK_AT(memcmp(found, stays ? expected : originals, bytes) == 0, "a span of the host's");
  place_memory_t span_there = device_memory_get(&place, originals, bytes, 0);
  CHECK(check_gathering(test, span_there.data, "a span there") == stays);
  memory_read(&span_there, found, bytes);
  CHECK_AT(memcmp(found, stays ? expected : originals, bytes) == 0, "a span there");
  device_memory_free(&span_there);
}

static void check_sizes(const usw_kernel_t *kernel, size_t element_bytes) {
  static const size_t sizes[] = {0, 1, 1000, ITEMS};
  static const uint32_t extents[] = {1, 100, 5000, MOST_EXTENT};
  case_t test = {.kernel = kernel, .element_bytes = element_bytes};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t e = 0; e < sizeof extents / sizeof *extents; e++)
      for (uint64_t fresh = 0; fresh < 2; fresh++) {
        if (sizes[s] == ITEMS && !simt_takes_next(&place, 3))
          continue;
        test.n = sizes[s];
        test.extent = extents[e];
        test.options = place_options(&place);
        test.options.initialize_to_identity = fresh;
        check_way(&test, run_call, "a call");
        check_way(&test, run_plan, "a plan");
        check_way(&test, run_bound, "a bound plan");
        check_way(&test, run_parts, "parts");
        check_way(&test, run_message, "a message");
        check_gatherings(&test);
        check_results_of_parts(&test, 0);
        check_results_of_parts(&test, 1);
        test.options.recheck = 1;
        check_way(&test, run_call, "a call that is rechecked");
        check_way(&test, run_plan, "a plan that is rechecked");
        check_way(&test, run_parts, "parts that are rechecked");
      }
}

static void check_wrong_gatherings(void) {
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)keys_there.data, 100, 0};
  double cells[100];
  const usw_variable_t variable = {cells, 100};
  const usw_options_t options = place_options(&place);
  usw_gathering_t gathering = {NULL, 0, 0, NULL};
  CHECK_STATUS(USW_ERROR_INVALID,
               usw_gathering_begin(&sums_there_kernel, 10, arguments, &variable, &options, 0, 2, 2, &gathering));
  CHECK(strstr(usw_error_text(), "number is 2, there are 2 processes") != NULL);
  CHECK_STATUS(USW_ERROR_INVALID,
               usw_gathering_begin(&sums_there_kernel, 10, arguments, &variable, &options, 0, 2, 0, NULL));
  CHECK_STATUS(USW_ERROR_INVALID,
               usw_gathering_begin(&sums_there_kernel, 10, arguments, NULL, &options, 0, 2, 0, &gathering));
  CHECK_STATUS(USW_ERROR_MEMORY, usw_gathering_begin(&sums_there_kernel, 10, arguments, &variable, &options, 0,
                                                     SIZE_MAX / 16, 0, &gathering));
  CHECK_STATUS(USW_ERROR_INVALID, usw_gathering_end(&gathering));
  CHECK_STATUS(USW_ERROR_INVALID, usw_gathering_end(NULL));
  CHECK(gathering.records == NULL);
}

/* By the kernel's own functions: one span there, a short one here or there, a variable here. */
static void check_several(void) {
  enum { CELLS = 9000 };
  const usw_options_t options = place_options(&place);
  const uint32_t *const key = keys_there.data;
  place_memory_t few_there = device_memory_get(&place, originals, 4 * sizeof(uint64_t), 0);
  place_memory_t span_there = device_memory_get(&place, originals, CELLS * sizeof(double), 0);
  uint64_t items = 5, items_there = 5, few[4], few_found[4];
  memcpy(expected, originals, CELLS * sizeof(double));
  memcpy(few, originals, sizeof few);
  CHECK_STATUS(USW_OK, several_there(ITEMS, key, CELLS, &items, (double *)(void *)expected, CELLS, few, &options));
  CHECK_STATUS(USW_OK,
               several_there(ITEMS, key, CELLS, &items_there, span_there.data, CELLS, few_there.data, &options));
  CHECK_U64(items, items_there);
  memory_read(&span_there, found, CELLS * sizeof(double));
  CHECK(memcmp(found, expected, CELLS * sizeof(double)) == 0);
  memory_read(&few_there, few_found, sizeof few_found);
  CHECK(memcmp(few, few_found, sizeof few) == 0);
  device_memory_free(&span_there);
  device_memory_free(&few_there);
}

/* The host's variables stay as they are if a span cannot be copied. */
static void check_failing_copy(void) {
#ifdef USW_PORT_SIMT
  const usw_options_t options = place_options(&place);
  place_memory_t span_there = device_memory_get(&place, originals, 100 * sizeof(double), 0);
  uint64_t items = 5, few[4] = {1, 2, 3, 4};
  simt_fail_copies_after(0);
  CHECK_STATUS(USW_ERROR_DEVICE, several_there(1000, (const uint32_t *)keys_there.data, 100, &items,
                                               (double *)span_there.data, 100, few, &options));
  simt_fail_copies_after(-1);
  CHECK_U64(5, items);
  CHECK_U64(1, few[0]);
  device_memory_free(&span_there);
#endif
}

/* A run with a callback ends in a thread of the driver's, where there is one, which cannot copy: what the GPU does not write itself is refused. */
static void note_end(void *context, usw_status_t status) { *(_Atomic usw_status_t *)context = status; }

static void check_callback(size_t n, uint32_t extent) {
  place_memory_t span_there = device_memory_get(&place, originals, extent * sizeof(double), 0);
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)keys_there.data, extent, 0};
  const usw_variable_t variable = {span_there.data, extent};
  const usw_options_t options = place_options(&place);
  const int is_refused = strcmp(place.target, "nvptx") == 0 && extent < MOST_EXTENT;
  _Atomic usw_status_t told = USW_ERROR_BUSY;
  usw_request_t request;
  usw_plan_t *plan;
  memcpy(expected, originals, extent * sizeof(double));
  CHECK_STATUS(USW_OK,
               sums_there(n, (const uint32_t *)keys_there.data, extent, (double *)(void *)expected, extent, &options));
  CHECK_STATUS(USW_OK, usw_plan_create_kernel(&plan, &sums_there_kernel, &options));
  CHECK_STATUS(USW_OK, usw_plan_on_completion(plan, note_end, &told));
  CHECK_STATUS(is_refused ? USW_ERROR_UNSUPPORTED : USW_OK,
               usw_plan_start_kernel(plan, &sums_there_kernel, n, arguments, &variable, &request));
  if (is_refused) {
    CHECK(strstr(usw_error_text(), "callback") != NULL);
  } else {
    CHECK_STATUS(USW_OK, usw_request_wait(&request));
    while (told == USW_ERROR_BUSY) /* the wait may end before the function does */
      sched_yield();
    CHECK_STATUS(USW_OK, told);
    memory_read(&span_there, found, extent * sizeof(double));
    CHECK(memcmp(found, expected, extent * sizeof(double)) == 0);
  }
  usw_plan_destroy(plan);
  device_memory_free(&span_there);
}

int main(int argc, char **argv) {
  hide_host_memory();
  place = place_of_arguments(argc, argv);
  for (size_t i = 0; i < ITEMS; i++)
    keys[i] = (uint32_t)(i * 0x9e3779b97f4a7c15u >> 33);
  for (size_t k = 0; k < MOST_EXTENT; k++) {
    const double value = (double)(k % 1000) - 300;
    memcpy(originals + k * sizeof value, &value, sizeof value);
  }
  keys_there = device_memory_get(&place, keys, sizeof keys, 0);
  check_sizes(&sums_there_kernel, sizeof(double));
  check_sizes(&ends_there_kernel, sizeof(uint32_t));
  check_several();
  if (place.place == USW_DEVICE)
    check_failing_copy();
  check_callback(1000, 100);
  check_callback(ITEMS, MOST_EXTENT);
  check_wrong_gatherings();
  device_memory_free(&keys_there);
  return check_report();
}
