/* Reductions of segments by chance: every operation of every type, segments by offsets, pairs and one length, empty ones, giants, staged or not, results in
 * host and device memory. Of half of the cases elements are small integers, so that sums are exact in any order, and each result is compared
 * with usw_reduce() of its items on the host. Of the others elements are hard to add up: what rounds nothing is compared so, and some results
 * with the oracle. Cases are repeated on other grids and at other addresses: the same bits.
 *   segments [--place NAME] [--runs N] [--seed N] [--repeats N] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "api/segments_described.h"
#include "api/segments_wrong.h"
#include "by_chance.h"
#include "by_oracle.h"
#include "support/check.h"
#include "support/device_memory.h"

enum { MOST_ELEMENTS = 1 << 16, FEW_ELEMENTS = 1 << 12, MOST_SEGMENTS = 1 << 13, FEW_SEGMENTS = 1200, LOOKS = 24 };

static test_place_t place;
static const test_place_t host = {USW_HOST, -1, "host"};
static int is_slow; /* an emulated GPU */

/* ---- cases ---- */

typedef enum { BY_OFFSETS, BY_PAIRS, BY_LENGTH, KINDS } kind_t;
static const char *const kind_names[] = {"offsets", "pairs", "length"};

typedef struct {
  const operation_t *operation;
  const type_t *type;
  kind_t kind;
  usw_type_t offset_type;
  size_t n, count, length, stride;
  uint64_t *begins, *ends; /* of each segment */
  usw_options_t options;
  int results_on_device, has_nans, is_hard, is_large, is_staged;
  question_t question;
  size_t result_bytes;
} case_t;

/* Where the case's elements are. */
static const test_place_t *home_of(const case_t *c) { return c->is_staged ? &host : &place; }

static void choose_options(case_t *c) {
  static const usw_accuracy_t levels[] = {USW_REPEATABLE, USW_REPEATABLE, USW_FAST, USW_COMPENSATED, USW_REPRODUCIBLE};
  c->options = place_options(&place);
  c->options.accuracy = levels[chance(sizeof levels / sizeof *levels)];
  shares_by_chance(&c->options, 100);
  c->options.stride[0] = c->options.stride[1] = (ptrdiff_t)c->stride;
  c->has_nans = chance(6) == 0;
  c->is_hard = (int)chance(2);
  c->options.nan = c->has_nans || (c->is_hard && chance(2)) ? USW_NAN_IGNORE : USW_NAN_PROPAGATE;
  c->results_on_device = place.place == USW_DEVICE && chance(2);
  c->is_staged = place.place == USW_DEVICE && c->kind != BY_PAIRS && chance(4) == 0;
  c->options.staging = c->is_staged ? USW_STAGING_ALWAYS : USW_STAGING_NEVER;
  c->question = question_of(c->operation, c->type, &c->options);
}

/* The length of segment k, of a family: all alike, few, mostly none, none of many in a row, some giants. */
static size_t some_length(uint64_t family, size_t mean, size_t k) {
  switch (family) {
  case 0:
    return mean;
  case 1:
    return chance(2 * mean + 1);
  case 2:
    return chance(3) == 0 ? chance(4 * mean + 1) : 0;
  case 3:
    return k / 256 % 3 == 0 ? chance(2 * mean + 1) : 0;
  default:
    return chance(200) == 0 ? 20000 : chance(mean + 1);
  }
}

static void choose_offsets(case_t *c) {
  static const size_t means[] = {0, 1, 1, 2, 3, 5, 16, 40, 100, 300, 1000, 5000, 30000};
  const size_t most = c->is_large ? MOST_ELEMENTS : FEW_ELEMENTS;
  const uint64_t family = chance(5);
  const size_t mean = means[chance(sizeof means / sizeof *means)];
  size_t at = chance(3) == 0 ? chance(100) : 0;
  c->count = chance(20) == 0 ? chance(3) : 1 + chance(c->is_large ? MOST_SEGMENTS : FEW_SEGMENTS);
  for (size_t k = 0; k < c->count; k++) {
    const size_t length = some_length(family, mean, k), left = most > at ? most - at : 0;
    c->begins[k] = at;
    at += length < left ? length : left;
    c->ends[k] = at;
  }
  c->n = at + (chance(3) == 0 ? chance(100) : 0);
  for (size_t k = 0; k < c->count && c->kind == BY_PAIRS; k++) { /* anywhere, overlapping */
    const size_t length = c->ends[k] - c->begins[k];
    c->begins[k] = chance(c->n - length + 1);
    c->ends[k] = c->begins[k] + length;
  }
}

static void choose_length(case_t *c) {
  c->length = chance(4) == 0 ? chance(3000) : chance(40);
  c->count = chance(10) == 0 ? chance(3) : 1 + chance(1000);
  if (c->length > 0 && c->count > MOST_ELEMENTS / 4 / c->length)
    c->count = MOST_ELEMENTS / 4 / c->length;
  for (size_t k = 0; k < c->count; k++) {
    c->begins[k] = k * c->length;
    c->ends[k] = (k + 1) * c->length;
  }
  c->n = c->count * c->length + chance(3);
}

static void choose(case_t *c) {
  static const usw_type_t offset_types[] = {USW_I32, USW_U32, USW_I64, USW_U64};
  memset(c, 0, sizeof *c);
  choose_operation(&place, &c->operation, &c->type);
  c->is_large = chance(6) == 0 && !is_slow;
  c->kind = chance(3) > 0 ? BY_OFFSETS : (kind_t)chance(KINDS);
  c->offset_type = offset_types[chance(4)];
  c->stride = chance(8) == 0 ? 2 : 1;
  c->begins = (uint64_t *)calloc(2 * MOST_SEGMENTS + 2, sizeof *c->begins);
  c->ends = c->begins + MOST_SEGMENTS + 1;
  if (c->kind == BY_LENGTH)
    choose_length(c);
  else
    choose_offsets(c);
  choose_options(c);
  c->result_bytes = usw_result_bytes(c->operation->operation, c->type->type);
}

/* ---- runs ---- */

static usw_status_t reduce_items(const case_t *c, const char *x, const char *y, size_t n, void *result) {
  const usw_options_t options = {.size = USW_INIT(usw_options_t),
                                 .place = USW_HOST,
                                 .accuracy = c->options.accuracy,
                                 .nan = c->options.nan,
                                 .stride = {(ptrdiff_t)c->stride, (ptrdiff_t)c->stride}};
  return c->operation->streams == 1
             ? usw_reduce(c->operation->operation, c->type->type, x, n, result, &options)
             : usw_reduce_pair(c->operation->operation, c->type->type, x, y, n, result, &options);
}

/* Results that have one answer, or the status alone. */
static usw_status_t expect(const case_t *c, char *const *elements, char *expected) {
  const size_t count = !c->is_hard || has_one_answer(&c->question) ? c->count : c->count > 0;
  usw_status_t status = USW_OK;
  for (size_t k = 0; k < count && status == USW_OK; k++) {
    const size_t at = c->begins[k] * c->stride * c->type->bytes;
    status =
        reduce_items(c, elements[0] + at, elements[1] + at, c->ends[k] - c->begins[k], expected + k * c->result_bytes);
  }
  return status;
}

/* Some results, that of the longest segment among them, by the oracle. */
static void ask_oracle(const case_t *c, char *const *elements, const char *found, const char *note) {
  const size_t bytes = c->type->bytes;
  size_t longest = 0;
  for (size_t k = 0; k < c->count; k++)
    if (c->ends[k] - c->begins[k] > c->ends[longest] - c->begins[longest])
      longest = k;
  const size_t most = c->ends[longest] - c->begins[longest];
  char *const items[] = {(char *)malloc(most * bytes + 1), (char *)malloc(most * bytes + 1)};
  for (size_t look = 0; look < LOOKS; look++) {
    const size_t k = look == 0 ? longest : chance(c->count), n = c->ends[k] - c->begins[k];
    for (uint32_t a = 0; a < c->operation->streams; a++)
      for (size_t i = 0; i < n; i++)
        memcpy(items[a] + i * bytes, elements[a] + (c->begins[k] + i) * c->stride * bytes, bytes);
    check_by_oracle(&c->question, items, n, (double)n, found + k * c->result_bytes, note);
  }
  free(items[0]);
  free(items[1]);
}

/* Offsets of the case's type: count + 1, or count begins and as many ends. */
static place_memory_t offsets_of(const case_t *c, const test_place_t *where) {
  const int is_short = c->offset_type == USW_I32 || c->offset_type == USW_U32;
  const size_t count = c->kind == BY_PAIRS ? 2 * c->count : c->count + 1, bytes = is_short ? 4 : 8;
  char *const offsets = (char *)calloc(count + 1, bytes);
  for (size_t k = 0; k < count; k++) {
    const uint64_t offset = k < c->count          ? c->begins[k]
                            : c->kind == BY_PAIRS ? c->ends[k - c->count]
                            : c->count > 0        ? c->ends[c->count - 1]
                                                  : 0;
    memcpy(offsets + k * bytes, &offset, bytes);
  }
  const place_memory_t memory = device_memory_get(where, offsets, (count + 1) * bytes, 0);
  free(offsets);
  return memory;
}

static usw_segments_t segments_of(const case_t *c, const place_memory_t *offsets) {
  const int is_short = c->offset_type == USW_I32 || c->offset_type == USW_U32;
  const char *const ends = (const char *)offsets->data + c->count * (is_short ? 4 : 8);
  return c->kind == BY_OFFSETS ? usw_segments_by_offsets(c->offset_type, offsets->data, c->count)
         : c->kind == BY_PAIRS ? usw_segments_by_pairs(c->offset_type, offsets->data, ends, c->count)
                               : usw_segments_of_length(c->length, c->count);
}

static void check_explanation(const case_t *c, const char *note, const usw_segments_t *segments,
                              const usw_report_t *report) {
  usw_shares_explanation_t e = {.size = USW_INIT(usw_shares_explanation_t)};
  const usw_status_t status =
      usw_explain_segments(c->operation->operation, c->type->type, c->n, segments, &c->options, &e);
  check_explained(note, status, &e, report);
  CHECK_AT(e.results == c->count, note);
}

static usw_status_t reduce(const case_t *c, const place_memory_t *memory, const place_memory_t *offsets,
                           void *results) {
  const usw_segments_t segments = segments_of(c, offsets);
  return c->operation->streams == 1 ? usw_reduce_segments(c->operation->operation, c->type->type, memory[0].data, c->n,
                                                          &segments, results, &c->options)
                                    : usw_reduce_segments_pair(c->operation->operation, c->type->type, memory[0].data,
                                                               memory[1].data, c->n, &segments, results, &c->options);
}

/* The same bits on other grids and at other addresses. */
static void repeat(case_t *c, char *const *elements, const place_memory_t *memory, const place_memory_t *offsets,
                   const char *first, const char *note) {
  const uint64_t repeats = c->options.accuracy == USW_FAST ? 0 : repeats_by_chance();
  const size_t bytes = c->count * c->result_bytes, misplaced = chance(2) ? c->type->bytes : 0;
  char *const found = (char *)malloc(bytes + 1);
  place_memory_t other[2];
  for (uint32_t a = 0; a < 2 && repeats > 0; a++)
    other[a] = device_memory_get(home_of(c), elements[a], (c->n * c->stride + 1) * c->type->bytes, misplaced);
  for (uint64_t k = 0; k < repeats; k++) {
    c->options.teams = grids[k % GRIDS];
    memset(found, 0x5a, bytes);
    CHECK_STATUS(USW_OK, reduce(c, k % 2 ? other : memory, offsets, found));
    check_same_results(&c->question, c->count, first, found, note, "another grid or address");
  }
  for (uint32_t a = 0; a < 2 && repeats > 0; a++)
    device_memory_free(&other[a]);
  free(found);
}

/* Check the results of a case. */
static void judge(case_t *c, char *const *elements, const place_memory_t *memory, const place_memory_t *offsets,
                  const char *expected, const char *found, const char *note) {
  if (!c->is_hard)
    check_many_results(c->operation, c->type, note, c->count, expected, found);
  else if (has_one_answer(&c->question))
    check_same_results(&c->question, c->count, expected, found, note, "the host");
  if (c->is_hard)
    ask_oracle(c, elements, found, note);
  repeat(c, elements, memory, offsets, found, note);
}

static void describe(const case_t *c, uint64_t seed, char *text, size_t bytes) {
  snprintf(text, bytes,
           "seed %llu: %s of %s, %zu segments by %s of %zu items, accuracy %d, nan %d, teams %u, results on device %d, "
           "staged %d",
           (unsigned long long)seed, c->operation->name, c->type->name, c->count, kind_names[c->kind], c->n,
           (int)c->options.accuracy, (int)c->options.nan, c->options.teams, c->results_on_device, c->is_staged);
}

static void run(uint64_t seed) {
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  char note[300], *elements[2];
  place_memory_t memory[2];
  case_t c;
  chance_begin(seed);
  choose(&c);
  describe(&c, seed, note, sizeof note);
  const size_t bytes = c.count * c.result_bytes;
  char *const expected = (char *)calloc(1, bytes + 1), *const found = (char *)calloc(1, bytes + 1);
  for (uint32_t a = 0; a < 2; a++) {
    const size_t misplaced = chance(3) == 0 ? c.type->bytes : 0, count = c.n * c.stride + 1;
    elements[a] = c.is_hard ? elements_of_patterns(&c.question, count)
                            : elements_by_chance(c.operation, c.type, count, c.has_nans);
    memory[a] = device_memory_get(home_of(&c), elements[a], count * c.type->bytes, misplaced);
  }
  place_memory_t offsets = offsets_of(&c, home_of(&c));
  const usw_segments_t segments = segments_of(&c, &offsets);
  c.options.report = &report;
  const int is_on_device = c.results_on_device && c.n > 0 && c.count > 0;
  place_memory_t results = device_memory_get(is_on_device ? &place : &host, found, bytes, 0);
  const usw_status_t wanted = expect(&c, elements, expected), got = reduce(&c, memory, &offsets, results.data);
  memory_read(&results, found, bytes);
  /* A GPU, or an emulated one, takes segments of one item by vectors or not, as addresses say: explanations take them for boundaries. */
  const int is_on_boundary = ((uintptr_t)memory[0].data | (uintptr_t)memory[1].data) % 16 == 0;
  if (got == USW_OK && !c.is_staged && (segments.length != 1 || is_on_boundary))
    check_explanation(&c, note, &segments, &report);
  if (c.count > 0 && !CHECK_AT(wanted == got, note))
    fprintf(stderr, "%s\n", usw_error_text());
  else if (got == USW_OK && c.count > 0)
    judge(&c, elements, memory, &offsets, expected, found, note);
  for (uint32_t a = 0; a < 2; a++) {
    device_memory_free(&memory[a]);
    free(elements[a]);
  }
  device_memory_free(&offsets);
  device_memory_free(&results);
  free(c.begins);
  free(expected);
  free(found);
}

/* ---- the same bits for every grid ---- */

static void repeat_one(void) {
  static const uint32_t teams[] = {0, 1, 3, 50};
  enum { N = 40000, SEGMENTS = 900 };
  const int runs = !is_slow ? 20 : is_quick_tier() ? 2 : 5;
  double *const x = (double *)malloc(N * sizeof *x), found[SEGMENTS], first[SEGMENTS];
  int32_t offsets[SEGMENTS + 1] = {0};
  usw_options_t options = place_options(&place);
  chance_begin(7);
  for (int i = 0; i < N; i++)
    x[i] = (double)chance(1000000) / 999 - 500;
  for (int k = 1; k <= SEGMENTS; k++) /* one of a third of all items */
    offsets[k] = k == 400 ? offsets[k - 1] + N / 3 : offsets[k - 1] + (int32_t)chance(50);
  CHECK(offsets[SEGMENTS] <= N);
  place_memory_t items = device_memory_get(&place, x, N * sizeof *x, 0);
  place_memory_t ends = device_memory_get(&place, offsets, sizeof offsets, 0);
  const usw_segments_t segments = usw_segments_by_offsets(USW_I32, ends.data, SEGMENTS);
  for (uint32_t t = 0; t < sizeof teams / sizeof *teams; t++)
    for (int r = 0; r < runs; r++) {
      options.teams = teams[t];
      CHECK_STATUS(USW_OK, usw_reduce_segments(USW_PLUS, USW_F64, items.data, N, &segments, found, &options));
      if (t == 0 && r == 0)
        memcpy(first, found, sizeof first);
      CHECK(memcmp(first, found, sizeof first) == 0);
    }
  device_memory_free(&items);
  device_memory_free(&ends);
  free(x);
}

/* ---- ends that begin a block ---- */

/* A long segment, whose end is some steps from where blocks of a GPU are cut, and short ones, whose last items are their least: in one of the
 * shifts a block begins with that end, and the next segment begins there, too. */
static void indices_behind_ends(void) {
  enum { LONG = 2000, SHIFTS = 300, SHORT = 5, SEGMENTS_OF_ALL = 60, N = LONG + SHIFTS + SHORT * SEGMENTS_OF_ALL };
  const usw_options_t options = place_options(&place);
  double *const x = (double *)malloc(N * sizeof *x);
  usw_located_f64_t found[SEGMENTS_OF_ALL];
  uint32_t offsets[SEGMENTS_OF_ALL + 1] = {0};
  for (int i = 0; i < N; i++)
    x[i] = -i;
  place_memory_t items = device_memory_get(&place, x, N * sizeof *x, 0);
  for (uint32_t shift = 0; shift < SHIFTS; shift++) {
    size_t wrong = 0;
    for (uint32_t k = 0; k < SEGMENTS_OF_ALL; k++)
      offsets[k + 1] = LONG + shift + k * SHORT;
    place_memory_t ends = device_memory_get(&place, offsets, sizeof offsets, 0);
    const usw_segments_t segments = usw_segments_by_offsets(USW_U32, ends.data, SEGMENTS_OF_ALL);
    CHECK_STATUS(USW_OK, usw_reduce_segments(USW_ARGMIN, USW_F64, items.data, N, &segments, found, &options));
    for (uint32_t k = 0; k < SEGMENTS_OF_ALL; k++)
      wrong += found[k].index != (int64_t)(offsets[k + 1] - offsets[k]) - 1;
    CHECK(wrong == 0);
    device_memory_free(&ends);
  }
  device_memory_free(&items);
  free(x);
}

/* ---- blocks of some windows ---- */

enum { ITEMS_OF_ALL = 1 << 20, FEW_OF_ALL = 1 << 18, STEPS_OF_BLOCK = 1 << 11 };

/* Ends of segments of some lengths, one after the other; of up to 40 by chance; and of those of which a third are empty. Returns how many. */
static size_t choose_ends(uint32_t *offsets, uint32_t items) {
  enum { ANY = 0, ANY_OR_NONE = 1 };
  static const uint32_t lengths[] = {3, 8, 16, 61, 3000, ANY, ANY_OR_NONE};
  size_t count = 0;
  for (offsets[0] = 0; offsets[count] < items; count++) {
    const uint32_t length = lengths[offsets[count] / (items / 7 + 1)], left = items - offsets[count];
    const uint32_t wanted = length > 1 ? length : length == ANY || chance(3) > 0 ? 1 + (uint32_t)chance(40) : 0;
    offsets[count + 1] = offsets[count] + (wanted < left ? wanted : left);
  }
  return count;
}

/* More items than a GPU's blocks have in a window: lanes' lines have no ends, one each, also behind their last items, or many. */
static void windows_of_blocks(void) {
  usw_options_t options = place_options(&place);
  const uint32_t n = is_slow && is_quick_tier() ? FEW_OF_ALL : ITEMS_OF_ALL;
  double *const x = (double *)malloc(n * sizeof *x), *const sums = (double *)malloc(n * sizeof *x);
  float *const y = (float *)malloc(n * sizeof *y), *const most = (float *)malloc(n * sizeof *y);
  uint32_t *const offsets = (uint32_t *)malloc((n + 1) * sizeof *offsets);
  chance_begin(11);
  options.work_group_load = STEPS_OF_BLOCK;
  for (size_t i = 0; i < n; i++)
    x[i] = y[i] = (float)chance(1000) - 500;
  size_t wrong = 0, count = choose_ends(offsets, n);
  place_memory_t items = device_memory_get(&place, x, n * sizeof *x, 0);
  place_memory_t floats = device_memory_get(&place, y, n * sizeof *y, 0);
  place_memory_t ends = device_memory_get(&place, offsets, (count + 1) * sizeof *offsets, 0);
  const usw_segments_t segments = usw_segments_by_offsets(USW_U32, ends.data, count);
  CHECK_STATUS(USW_OK, usw_reduce_segments(USW_PLUS, USW_F64, items.data, n, &segments, sums, &options));
  const int has_floats = place_has_families(&place, USW_F32);
  if (has_floats)
    CHECK_STATUS(USW_OK, usw_reduce_segments(USW_MAXIMUM, USW_F32, floats.data, n, &segments, most, &options));
  for (size_t k = 0; k < count; k++) {
    double sum = 0;
    float greatest = -HUGE_VALF;
    for (uint32_t i = offsets[k]; i < offsets[k + 1]; i++) {
      sum += x[i];
      greatest = y[i] > greatest ? y[i] : greatest;
    }
    wrong += sums[k] != sum || (has_floats && most[k] != greatest);
  }
  CHECK(wrong == 0);
  device_memory_free(&items);
  device_memory_free(&floats);
  device_memory_free(&ends);
  free(x);
  free(sums);
  free(y);
  free(most);
  free(offsets);
}

/* ---- misuse ---- */

static void misuse(void) {
  const usw_options_t options = place_options(&place);
  double x[6] = {1, 2, 3, 4, 5, 6}, result[3] = {-1, -1, -1};
  uint64_t begins[] = {0, 2, 4}, ends[] = {2, 1, 6};
  const int32_t offsets[] = {0, 2, 7};
  usw_segments_t segments = usw_segments_by_offsets(USW_I32, offsets, 2);
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_segments(USW_PLUS, USW_F64, x, 6, NULL, result, &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_segments(USW_PLUS, USW_F64, NULL, 6, &segments, result, &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_segments(USW_PLUS, USW_F64, x, 7, &segments, NULL, &options));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_reduce_segments(USW_DOT, USW_F64, x, 6, &segments, result, &options));
  segments.size = 8;
  CHECK_STATUS(USW_ERROR_VERSION, usw_reduce_segments(USW_PLUS, USW_F64, x, 6, &segments, result, &options));
  segments = usw_segments_by_offsets(USW_F32, offsets, 2);
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_segments(USW_PLUS, USW_F64, x, 6, &segments, result, &options));
  CHECK_TEXT_HAS(usw_error_text(), "USW_I32");
  segments = usw_segments_by_offsets(USW_I32, NULL, 2);
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_segments(USW_PLUS, USW_F64, x, 6, &segments, result, &options));
  CHECK_TEXT_HAS(usw_error_text(), "begins of the segments are NULL");
  static const int32_t negative[] = {-1, 4};
  segments = usw_segments_by_offsets(USW_I32, negative, 1);
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_segments(USW_PLUS, USW_F64, x, 6, &segments, result, &options));
  CHECK_TEXT_HAS(usw_error_text(), "begins at item -1 and ends at 4: no item is before 0");
  segments = usw_segments_of_length(3, 3);
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_segments(USW_PLUS, USW_F64, x, 6, &segments, result, &options));
  CHECK_TEXT_HAS(usw_error_text(), "3 segments of 3 items");
  place_memory_t items = device_memory_get(&place, x, sizeof x, 0),
                 from = device_memory_get(&place, begins, sizeof begins, 0);
  place_memory_t to = device_memory_get(&place, ends, sizeof ends, 0);
  segments = usw_segments_by_pairs(USW_U64, from.data, to.data, 3);
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_segments(USW_PLUS, USW_F64, items.data, 6, &segments, result, &options));
  CHECK_TEXT_HAS(usw_error_text(), "segment 1 ");
  device_memory_free(&items);
  device_memory_free(&from);
  device_memory_free(&to);
  for (int k = 0; k < 3; k++)
    CHECK_F64(-1, result[k]);
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  hide_host_memory();
  is_slow = strcmp(place.target, "simt") == 0;
  run_by_chance(argc, argv, &place, (case_counts_t){300, 1000, 20000}, run);
  repeat_one();
  indices_behind_ends();
  windows_of_blocks();
  segments_described(&place);
  segments_wrong(&place, is_slow ? 577 : 131);
  misuse();
  return check_report();
}
