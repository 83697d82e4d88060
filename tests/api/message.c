/* Messages between processes: items in parts of random lengths, whose messages are merged in a random tree, give what the whole gives; a
 * failure of one is the outcome.   message [--place NAME] */
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "message.h"
#include "oracle/memory.h"
#include "oracle/oracle.h"
#include "oracle/pattern.h"
#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 2003, MOST_ITEM_BYTES = 16, LEVELS = 4 };

static test_place_t place;
static char items[ITEMS * MOST_ITEM_BYTES], others[ITEMS * MOST_ITEM_BYTES];
static number_t numbers[ITEMS], other_numbers[ITEMS];

uint64_t random_below(uint64_t most) {
  static uint64_t state = 39;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % most;
}

/* ---- what is reduced ---- */

uint64_t stream_at(const job_t *job, int argument, size_t first) {
  return (uint64_t)(uintptr_t)(argument == 0 ? job->x : job->y) + first * job->item_bytes;
}

/* Some of the items as up to three parts, each on the host or where the others are, the last one without items. */
static usw_status_t send_parts(const job_t *job, size_t first, size_t n, uint64_t index, uint32_t source,
                               void *message) {
  enum { PARTS = 3 };
  const size_t ends[PARTS] = {(size_t)random_below(n + 1), n, n}, count = n == 0 ? random_below(2) : PARTS;
  usw_part_t parts[PARTS] = {{0}};
  usw_kernel_part_t kernel_parts[PARTS] = {{0}};
  usw_options_t options = job->options;
  options.place = USW_AUTO_PLACE;
  for (size_t k = 0, begin = 0; k < PARTS; begin = ends[k++]) {
    const uint64_t x = job->at(job, 0, first + begin), y = job->at(job, 1, first + begin);
    parts[k] = (usw_part_t){.size = sizeof *parts,
                            .place = job->options.place,
                            .device = job->options.device,
                            .n = ends[k] - begin,
                            .x = {(const void *)(uintptr_t)x, (const void *)(uintptr_t)y}};
    kernel_parts[k] = (usw_kernel_part_t){.size = sizeof *kernel_parts,
                                          .place = job->options.place,
                                          .device = job->options.device,
                                          .n = ends[k] - begin,
                                          .kernel = job->kernel,
                                          .arguments = {x, y}};
  }
  return job->kernel->member_count > 0 && random_below(2)
             ? usw_message_reduce_parts(job->kernel, parts, count, job->variables, &options, source, message,
                                        job->bytes)
             : usw_message_reduce_kernel_parts(job->kernel, kernel_parts, count, job->variables, &options, index,
                                               source, message, job->bytes);
}

/* The index of a kernel's body counts over all items, those of the library are moved by merges. */
static void send(const job_t *job, size_t first, size_t n, uint32_t source, void *message) {
  const uint64_t arguments[2] = {job->at(job, 0, first), job->at(job, 1, first)};
  const uint64_t index = job->kernel->facts & USW_FACT_COUNTS_ON ? first : 0;
  CHECK_STATUS(USW_OK, random_below(2) ? send_parts(job, first, n, index, source, message)
                                       : usw_message_reduce(job->kernel, n, arguments, job->variables, &job->options,
                                                            index, source, message, job->bytes));
  CHECK_STATUS(USW_OK, usw_message_status(message, NULL));
}

/* Neighbours merge until one message is left; the outcome takes the place of either, or a third one's. */
static void *merge_by_chance(const job_t *job, char *const messages[], int count) {
  static _Alignas(64) char third[MOST_BYTES], misaligned[MOST_BYTES + 8];
  char *left[MOST_PROCESSES];
  memcpy(left, messages, (size_t)count * sizeof *left);
  for (; count > 1; count--) {
    const int k = (int)random_below((uint64_t)count - 1), how = (int)random_below(4);
    char *const first = left[k], *const second = left[k + 1], *out = how == 0 ? first : second;
    if (how > 1) {
      usw_message_merge(job->kernel, first, second, how == 2 ? third : misaligned + 8);
      memcpy(out, how == 2 ? third : misaligned + 8, job->bytes);
    } else {
      usw_message_merge(job->kernel, first, second, out);
    }
    left[k] = out;
    memmove(left + k + 1, left + k + 2, (size_t)(count - k - 2) * sizeof *left);
  }
  return left[0];
}

static _Alignas(64) char room[MOST_PROCESSES][MOST_BYTES];

void *exchange(const job_t *job, int parts) {
  char *messages[MOST_PROCESSES];
  size_t first = 0;
  for (int p = 0; p < parts; p++) {
    const size_t wish = (size_t)random_below(2 * job->n / (size_t)parts + 1), left = job->n - first;
    const size_t n = p + 1 == parts || wish > left ? left : wish;
    messages[p] = room[p] + (random_below(2) ? 32 : 8); /* records on a boundary of lines, and not */
    send(job, first, n, (uint32_t)p, messages[p]);
    first += n;
  }
  return merge_by_chance(job, messages, parts);
}

/* ---- the library's kernels ---- */

static void one_row(const row_t *row, usw_accuracy_t accuracy, usw_nan_t nan, size_t n, pattern_t pattern, int parts) {
  result_t whole, result;
  const usw_variable_t variable = {&result, 1};
  place_memory_t x = memory_get(&place, items, n * type_bytes(row->type), 0);
  place_memory_t y = memory_get(&place, others, n * type_bytes(row->type), 0);
  job_t job = {
      .options = place_options(&place), .variables = &variable, .n = n, .at = stream_at, .x = x.data, .y = y.data};
  usw_options_t host = {.size = USW_INIT(usw_options_t), .place = USW_HOST, .accuracy = accuracy, .nan = nan};
  job.options.accuracy = accuracy;
  job.options.nan = nan;
  job.item_bytes = type_bytes(row->type);
  memset(&whole, 0, sizeof whole);
  memset(&result, 0xa5, sizeof result);
  const usw_status_t status = row->streams == 1
                                  ? usw_reduce(row->operation, row->type, items, n, &whole, &host)
                                  : usw_reduce_pair(row->operation, row->type, items, others, n, &whole, &host);
  CHECK_STATUS(status, usw_kernel_of(row->operation, row->type, (uint32_t)row->streams, &job.options, &job.kernel));
  if (status == USW_OK) {
    const rounding_t rounding = {64 + (double)n, pattern_is_exact(pattern)};
    const oracle_t oracle = oracle_of(row, numbers, row->streams == 1 ? NULL : other_numbers, n, nan, rounding);
    char why[640] = "not the bits of the whole";
    CHECK_STATUS(USW_OK, usw_message_bytes(job.kernel, NULL, &job.bytes));
    CHECK(job.bytes >= 40 && job.bytes <= 256 && job.bytes % 8 == 0);
    CHECK_STATUS(USW_OK, usw_message_finish(job.kernel, exchange(&job, parts), &variable, &job.options));
    CHECK_U64(0xa5, result.bytes[row->result_bytes]);
    const int agrees = accuracy == USW_REPRODUCIBLE || !row_is_rounded(row)
                           ? results_equal(row, &whole, &result)
                           : oracle_agrees(&oracle, &result, why, sizeof why);
    check_count(agrees, __FILE__, __LINE__, "%s_%s n=%zu pattern=%s accuracy=%d in %d parts: %s", row->name,
                type_name(row->type), n, pattern_name(pattern), (int)accuracy, parts, why);
  }
  memory_free(&x);
  memory_free(&y);
}

static void every_row(void) {
  static const pattern_t patterns[] = {PATTERN_random, PATTERN_nan_often, PATTERN_wide, PATTERN_least_last};
  const int on_host = place.place == USW_HOST;
  for (int r = 0; r < ROW_COUNT; r++)
    for (int k = 0; k < 4; k++)
      for (int accuracy = 0; accuracy < LEVELS; accuracy++) {
        const size_t n = on_host ? ITEMS : FEW_ITEMS;
        if (!pattern_fits(patterns[k], rows[r].type) || (accuracy % 3 && !row_is_rounded(&rows[r])) ||
            !place_takes_next(&place, 12))
          continue;
        pattern_fill(patterns[k], rows[r].type, items, n, 1);
        pattern_fill(patterns[k], rows[r].type, others, n, 2);
        numbers_of(rows[r].type, items, n, numbers);
        numbers_of(rows[r].type, others, n, other_numbers);
        one_row(&rows[r], (usw_accuracy_t)accuracy, k % 2 ? USW_NAN_IGNORE : USW_NAN_PROPAGATE, n, patterns[k],
                1 + (int)random_below(on_host ? MOST_PROCESSES : 4));
      }
}

/* ---- failures ---- */

enum { SUM_BYTES = 40 };

static const usw_kernel_t *sum_of_doubles(void) {
  const usw_kernel_t *kernel = NULL;
  size_t bytes = 0;
  CHECK_STATUS(USW_OK, usw_kernel_of(USW_PLUS, USW_F64, 1, NULL, &kernel));
  CHECK_STATUS(USW_OK, usw_message_bytes(kernel, NULL, &bytes));
  CHECK_U64(SUM_BYTES, bytes);
  return kernel;
}

/* One message that has failed, at each place of three: the outcome is its status, and of two that of the lower source. */
static void failed_messages(void) {
  static const double one = 1;
  const usw_kernel_t *kernel = sum_of_doubles();
  const uint64_t good[] = {(uint64_t)(uintptr_t)&one}, bad[] = {0};
  double sum = 7;
  const usw_variable_t variable = {&sum, 1};
  for (int failing = 1; failing < 8; failing++) {
    _Alignas(64) char messages[3][SUM_BYTES];
    char *const all[] = {messages[0], messages[1], messages[2]};
    const job_t job = {.kernel = kernel, .bytes = SUM_BYTES};
    uint32_t source = 99;
    for (int p = 0; p < 3; p++)
      CHECK_STATUS(failing >> p & 1 ? USW_ERROR_INVALID : USW_OK,
                   usw_message_reduce(kernel, 1, failing >> p & 1 ? bad : good, &variable, NULL, 0, (uint32_t)p,
                                      messages[p], SUM_BYTES));
    void *const outcome = merge_by_chance(&job, all, 3);
    CHECK_STATUS(USW_ERROR_INVALID, usw_message_status(outcome, &source));
    CHECK_U64((uint64_t)__builtin_ctz((unsigned)failing), source);
    CHECK_STATUS(USW_ERROR_INVALID, usw_message_finish(kernel, outcome, &variable, NULL));
    CHECK_TEXT_HAS(usw_error_text(), "sum_f64: process");
    CHECK_F64(7, sum);
  }
}

static void other_kernels(void) {
  static const double one = 1;
  const usw_kernel_t *const kernel = sum_of_doubles(), *product = NULL;
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)&one};
  double sum = 7;
  uint32_t source = 99;
  const usw_variable_t variable = {&sum, 1};
  _Alignas(64) char mine[SUM_BYTES], other[SUM_BYTES];
  CHECK_STATUS(USW_OK, usw_kernel_of(USW_MULTIPLIES, USW_F64, 1, NULL, &product));
  CHECK_STATUS(USW_OK, usw_message_reduce(kernel, 1, arguments, NULL, NULL, 0, 0, mine, SUM_BYTES));
  CHECK_STATUS(USW_OK, usw_message_reduce(product, 1, arguments, NULL, NULL, 0, 1, other, SUM_BYTES));
  CHECK_STATUS(USW_ERROR_EXCHANGE, usw_message_finish(kernel, other, &variable, NULL));
  usw_message_merge(kernel, mine, other, mine);
  CHECK_STATUS(USW_ERROR_EXCHANGE, usw_message_status(mine, &source));
  CHECK_U64(99, source);
  CHECK_STATUS(USW_ERROR_EXCHANGE, usw_message_finish(kernel, mine, &variable, NULL));
  CHECK_TEXT_HAS(usw_error_text(), "messages of different kernels or extents");
  CHECK_F64(7, sum);
}

static void refused_calls(void) {
  static const double one = 1;
  const usw_kernel_t *const kernel = sum_of_doubles(), *found = NULL;
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)&one};
  const usw_variable_t nowhere = {NULL, 1};
  const usw_options_t exact = {.size = USW_INIT(usw_options_t), .accuracy = USW_EXACT},
                      folded = {.size = USW_INIT(usw_options_t), .accuracy = USW_REPRODUCIBLE, .fold = 6};
  _Alignas(64) char message[SUM_BYTES + 8];
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_kernel_of(USW_PLUS, USW_F64, 1, &exact, &found));
  CHECK_TEXT_HAS(usw_error_text(), "several sweeps");
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_kernel_of(USW_PLUS, USW_F64, 1, &folded, &found));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_kernel_of(USW_PLUS, USW_F64, 2, NULL, &found));
  CHECK_STATUS(USW_ERROR_INVALID, usw_kernel_of(USW_PLUS, USW_F64, 1, NULL, NULL));
  CHECK(found == NULL);
  CHECK_STATUS(USW_ERROR_INVALID, usw_message_bytes(kernel, NULL, NULL));
  CHECK(refuses_spans_without_variables());
  CHECK_STATUS(USW_ERROR_INVALID, usw_message_reduce(kernel, 1, arguments, NULL, NULL, 0, 0, NULL, SUM_BYTES));
  CHECK_STATUS(USW_ERROR_INVALID, usw_message_reduce(kernel, 1, arguments, NULL, NULL, 0, 0, message + 4, SUM_BYTES));
  CHECK_STATUS(USW_ERROR_INVALID, usw_message_reduce(kernel, 1, arguments, NULL, NULL, 0, 0, message, SUM_BYTES + 8));
  CHECK_STATUS(USW_ERROR_INVALID, usw_message_reduce(kernel, 1, arguments, &nowhere, NULL, 0, 3, message, SUM_BYTES));
  CHECK_STATUS(USW_ERROR_INVALID, usw_message_status(message, NULL)); /* it is written */
  CHECK_STATUS(USW_OK, usw_message_reduce(kernel, 1, arguments, NULL, NULL, 0, 0, message, SUM_BYTES));
  CHECK_STATUS(USW_ERROR_INVALID, usw_message_finish(kernel, message, NULL, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_message_finish(kernel, message, &nowhere, NULL));
}

/* Options of another size, of a call that is short otherwise and of one that is not. */
static void refused_options(void) {
  static const double one = 1;
  const usw_kernel_t *const kernel = sum_of_doubles();
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)&one};
  double sum = 7;
  const usw_variable_t variable = {&sum, 1};
  _Alignas(64) char message[SUM_BYTES];
  for (uint64_t fresh = 0; fresh < 2; fresh++) {
    const usw_options_t other = {.size = 3, .initialize_to_identity = fresh};
    CHECK_STATUS(USW_ERROR_VERSION, usw_message_reduce(kernel, 1, arguments, NULL, &other, 0, 0, message, SUM_BYTES));
    CHECK_STATUS(USW_OK, usw_message_reduce(kernel, 1, arguments, NULL, NULL, 0, 0, message, SUM_BYTES));
    CHECK_STATUS(USW_ERROR_VERSION, usw_message_finish(kernel, message, &variable, &other));
    CHECK_TEXT_HAS(usw_error_text(), "sum_f64: options.size is 3, this library knows ");
    CHECK_F64(7, sum);
  }
}

/* A message tells of parts that cannot be reduced. */
static void refused_parts(void) {
  static const double x[] = {1, 2};
  const usw_kernel_t *const kernel = sum_of_doubles();
  const usw_options_t placed = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  usw_part_t parts[] = {{.size = sizeof *parts, .n = 1, .x = {x}}, {.size = sizeof *parts, .n = 1, .x = {x + 1}}};
  _Alignas(64) char message[SUM_BYTES];
  double sum = 7;
  const usw_variable_t variable = {&sum, 1};
  CHECK_STATUS(USW_ERROR_INVALID, usw_message_reduce_parts(kernel, parts, 2, NULL, NULL, 0, message, SUM_BYTES + 8));
  CHECK_STATUS(USW_OK, usw_message_reduce_parts(kernel, parts, 2, NULL, NULL, 0, message, SUM_BYTES));
  CHECK_STATUS(USW_OK, usw_message_finish(kernel, message, &variable, NULL));
  CHECK_F64(3, sum);
  CHECK_STATUS(USW_ERROR_INVALID, usw_message_reduce_parts(kernel, NULL, 2, NULL, NULL, 0, message, SUM_BYTES));
  CHECK_STATUS(USW_ERROR_INVALID, usw_message_status(message, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_message_reduce_parts(kernel, parts, 2, NULL, &placed, 0, message, SUM_BYTES));
  CHECK_TEXT_HAS(usw_error_text(), "options.place");
  parts[1].result = &sum;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_message_reduce_parts(kernel, parts, 2, NULL, NULL, 0, message, SUM_BYTES));
  CHECK_TEXT_HAS(usw_error_text(), "part 2 of 2: usw_message_reduce_parts: a message is no result yet");
  parts[1].result = NULL;
  parts[1].x[0] = NULL;
  uint32_t source = 0;
  CHECK_STATUS(USW_ERROR_INVALID, usw_message_reduce_parts(kernel, parts, 2, NULL, NULL, 5, message, SUM_BYTES));
  CHECK_TEXT_HAS(usw_error_text(), "part 2 of 2: sum_f64: 'x' is NULL");
  CHECK_STATUS(USW_ERROR_INVALID, usw_message_status(message, &source));
  CHECK_U64(5, source);
  parts[0].size--;
  CHECK_STATUS(USW_ERROR_VERSION, usw_message_reduce_parts(kernel, parts, 2, NULL, NULL, 0, message, SUM_BYTES));
  CHECK(refuses_parts_of_library());
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  user_kernels(&place);
  failed_messages();
  other_kernels();
  other_extents();
  refused_calls();
  refused_options();
  refused_parts();
  every_row();
  return check_report();
}
