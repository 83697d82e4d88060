/* Reductions along axes by chance: every operation of every type, arrays of up to eight dimensions with any order of axes, gaps, negative and
 * zero strides, any set of axes, staged or not, results in host and device memory. Of half of the cases elements are small integers, so that sums are exact
 * in any order, and each result is compared with usw_reduce() of its items, gathered on the host. Of the others elements are hard to add up:
 * what rounds nothing is compared so, and some results with the oracle. Cases are repeated on other grids and at other addresses: the same
 * bits.
 *   axes [--place NAME] [--runs N] [--seed N] [--repeats N] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "by_chance.h"
#include "by_oracle.h"
#include "oracle/pattern.h"
#include "support/check.h"
#include "support/device_memory.h"
#include "support/place.h"

enum {
  MOST_ELEMENTS = 1 << 16,
  FEW_ELEMENTS = 1 << 12,
  MANY_ITEMS = 1 << 16,
  FEW_RESULTS = 6,
  MOST_GAP = 3,
  LOOKS = 24
};

static test_place_t place;
static const test_place_t host = {USW_HOST, -1, "host"};
static int is_slow; /* an emulated GPU */
/* ---- cases ---- */

typedef struct {
  const operation_t *operation;
  const type_t *type;
  usw_array_t array[2]; /* with data NULL: `first` says where element (0, 0, ...) is */
  ptrdiff_t first[2], elements[2];
  uint32_t axes;
  usw_options_t options;
  int results_on_device, has_nans, is_hard, is_staged;
  question_t question;
  size_t items, results, result_bytes;
} case_t;

/* Where the case's elements are. */
static const test_place_t *home_of(const case_t *c) { return c->is_staged ? &host : &place; }

static size_t some_extent(size_t most) {
  static const size_t usual[] = {1, 2, 3, 4, 7, 8, 16, 31, 64, 100, 128, 255, 256, 1000, 4096, 20000};
  const size_t extent = chance(2) ? usual[chance(sizeof usual / sizeof *usual)] : 1 + chance(40);
  return chance(100) == 0 ? 0 : extent < most ? extent : most;
}

/* Strides of an order of the dimensions by chance, with gaps, some negative or 0. */
static void choose_strides(case_t *c, uint32_t which) {
  usw_array_t *array = &c->array[which];
  uint32_t order[USW_MAX_RANK];
  ptrdiff_t pitch = 1 + (ptrdiff_t)(chance(6) == 0 ? chance(MOST_GAP) : 0);
  c->first[which] = 0;
  for (uint32_t d = 0; d < array->rank; d++)
    order[d] = d;
  for (uint32_t d = array->rank; chance(2) && d > 1; d--) {
    const uint32_t other = (uint32_t)chance(d), held = order[d - 1];
    order[d - 1] = order[other];
    order[other] = held;
  }
  for (uint32_t k = array->rank; k-- > 0;) {
    const uint32_t d = order[k];
    const ptrdiff_t extent = (ptrdiff_t)array->extent[d];
    const int is_again = chance(25) == 0, is_backward = chance(8) == 0;
    array->stride[d] = is_again ? 0 : is_backward ? -pitch : pitch;
    if (is_again)
      continue;
    if (is_backward && extent > 0)
      c->first[which] += (extent - 1) * pitch;
    pitch = pitch * (extent > 0 ? extent : 1) + (ptrdiff_t)(chance(8) == 0 ? chance(MOST_GAP) : 0);
  }
  c->elements[which] = pitch + 1;
}

static void choose_options(case_t *c) {
  static const usw_accuracy_t levels[] = {USW_REPEATABLE, USW_REPEATABLE, USW_FAST, USW_COMPENSATED, USW_REPRODUCIBLE};
  c->options = place_options(&place);
  c->options.accuracy = levels[chance(sizeof levels / sizeof *levels)];
  c->options.teams = chance(4) == 0 ? 1 + (uint32_t)chance(300) : 0;
  c->is_hard = (int)chance(2);
  c->has_nans = chance(6) == 0;
  c->options.nan = c->has_nans || (c->is_hard && chance(2)) ? USW_NAN_IGNORE : USW_NAN_PROPAGATE;
  c->results_on_device = place.place == USW_DEVICE && chance(2);
  c->is_staged = place.place == USW_DEVICE && chance(4) == 0;
  c->options.staging = c->is_staged ? USW_STAGING_ALWAYS : USW_STAGING_NEVER;
  c->question = question_of(c->operation, c->type, &c->options);
}

/* Any extents and axes. */
static void choose_extents(case_t *c, uint32_t rank, size_t *extents) {
  size_t left = chance(6) > 0 || is_slow ? FEW_ELEMENTS : MOST_ELEMENTS;
  for (uint32_t d = 0; d < rank; d++) {
    extents[d] = some_extent(left);
    left /= extents[d] ? extents[d] : 1;
  }
  c->axes = chance(10) == 0 ? USW_ALL_AXES : (uint32_t)chance(1u << rank);
}

/* Few results of many items, which the host cuts into pieces: a long axis and, at times, short ones are reduced. */
static void choose_few_results(case_t *c, uint32_t rank, size_t *extents) {
  const uint32_t longest = (uint32_t)chance(rank);
  size_t left = FEW_RESULTS;
  for (uint32_t d = 0; d < rank; d++) {
    extents[d] = d == longest ? MANY_ITEMS / 2 + chance(MANY_ITEMS / 2) : 1 + chance(left);
    left /= d == longest ? 1 : extents[d];
  }
  c->axes = USW_AXIS(longest) | (chance(3) == 0 ? (uint32_t)chance(1u << rank) : 0);
}

static void choose(case_t *c) {
  size_t extents[USW_MAX_RANK];
  const uint32_t rank = (uint32_t)(chance(5) == 0 ? chance(USW_MAX_RANK + 1) : 1 + chance(3));
  memset(c, 0, sizeof *c);
  choose_operation(&place, &c->operation, &c->type);
  if (place.place == USW_HOST && rank > 0 && chance(25) == 0)
    choose_few_results(c, rank, extents);
  else
    choose_extents(c, rank, extents);
  c->items = c->results = 1;
  for (uint32_t d = 0; d < rank; d++)
    *(c->axes >> d & 1 ? &c->items : &c->results) *= extents[d];
  for (uint32_t a = 0; a < 2; a++) {
    c->array[a] = usw_array(c->type->type, NULL, rank, extents, NULL);
    choose_strides(c, a);
  }
  choose_options(c);
  c->result_bytes = usw_result_bytes(c->operation->operation, c->type->type);
}

/* ---- what is expected ---- */

/* The offset of item i of result r, or of result r: the digits of the axes that are reduced, or that stay, row-major. */
static ptrdiff_t offset_of(const case_t *c, uint32_t which, size_t x, int is_reduced) {
  const usw_array_t *array = &c->array[which];
  ptrdiff_t offset = 0;
  for (uint32_t d = array->rank; d-- > 0;)
    if ((int)(c->axes >> d & 1) == is_reduced) {
      offset += (ptrdiff_t)(x % array->extent[d]) * array->stride[d];
      x /= array->extent[d];
    }
  return offset;
}

/* The items of result r, one behind the other. */
static void gather(const case_t *c, char *const *elements, size_t r, char **items) {
  const size_t bytes = c->type->bytes;
  for (uint32_t a = 0; a < c->operation->streams; a++)
    for (size_t i = 0; i < c->items; i++)
      memcpy(items[a] + i * bytes,
             elements[a] + (size_t)(c->first[a] + offset_of(c, a, r, 0) + offset_of(c, a, i, 1)) * bytes, bytes);
}

static usw_status_t reduce_items(const case_t *c, char *const *items, void *result) {
  const usw_options_t options = {
      .size = USW_INIT(usw_options_t), .place = USW_HOST, .accuracy = c->options.accuracy, .nan = c->options.nan};
  return c->operation->streams == 1
             ? usw_reduce(c->operation->operation, c->type->type, items[0], c->items, result, &options)
             : usw_reduce_pair(c->operation->operation, c->type->type, items[0], items[1], c->items, result, &options);
}

/* Results that have one answer, or the status alone. */
static usw_status_t expect(const case_t *c, char *const *elements, char **items, char *expected) {
  const size_t count = !c->is_hard || has_one_answer(&c->question) ? c->results : c->results > 0;
  usw_status_t status = USW_OK;
  for (size_t r = 0; r < count && status == USW_OK; r++) {
    gather(c, elements, r, items);
    status = reduce_items(c, items, expected + r * c->result_bytes);
  }
  return status;
}

/* Some results, the first and the last among them, by the oracle. A thread of a GPU may take all items of a column. */
static void ask_oracle(const case_t *c, char *const *elements, char **items, const char *found, const char *note) {
  const size_t looks = c->results < LOOKS ? c->results : LOOKS;
  for (size_t look = 0; look < looks; look++) {
    const size_t r = look == 0 ? 0 : look == 1 ? c->results - 1 : c->results <= LOOKS ? look - 1 : chance(c->results);
    gather(c, elements, r, items);
    check_by_oracle(&c->question, items, c->items, (double)c->items, found + r * c->result_bytes, note);
  }
}

/* ---- runs ---- */

static void describe(const case_t *c, uint64_t seed, char *text, size_t bytes) {
  int length = snprintf(
      text, bytes, "seed %llu: %s of %s, axes 0x%x, accuracy %d, nan %d, teams %u, results on device %d, staged %d,",
      (unsigned long long)seed, c->operation->name, c->type->name, c->axes, (int)c->options.accuracy,
      (int)c->options.nan, c->options.teams, c->results_on_device, c->is_staged);
  for (uint32_t d = 0; d < c->array[0].rank; d++)
    length += snprintf(text + length, bytes - (size_t)length, " %zu x %td (%td)", c->array[0].extent[d],
                       c->array[0].stride[d], c->array[1].stride[d]);
}

static usw_status_t reduce(const case_t *c, const place_memory_t *memory, void *results) {
  usw_array_t array[2];
  for (uint32_t a = 0; a < 2; a++) {
    array[a] = c->array[a];
    array[a].data = (char *)memory[a].data + c->first[a] * (ptrdiff_t)c->type->bytes;
  }
  return c->operation->streams == 1
             ? usw_reduce_axes(c->operation->operation, &array[0], c->axes, results, &c->options)
             : usw_reduce_axes_pair(c->operation->operation, &array[0], &array[1], c->axes, results, &c->options);
}

/* The same bits on other grids and at other addresses. */
static void repeat(case_t *c, char *const *elements, const place_memory_t *memory, const char *first,
                   const char *note) {
  const uint64_t repeats = c->options.accuracy == USW_FAST ? 0 : repeats_by_chance();
  const size_t bytes = c->results * c->result_bytes, misplaced = chance(2) ? c->type->bytes : 0;
  char *const found = (char *)malloc(bytes + 1);
  place_memory_t other[2];
  for (uint32_t a = 0; a < 2 && repeats > 0; a++)
    other[a] = device_memory_get(home_of(c), elements[a], (size_t)c->elements[a] * c->type->bytes, misplaced);
  for (uint64_t k = 0; k < repeats; k++) {
    c->options.teams = grids[k % GRIDS];
    memset(found, 0x5a, bytes);
    CHECK_STATUS(USW_OK, reduce(c, k % 2 ? other : memory, found));
    check_same_results(&c->question, c->results, first, found, note, "another grid or address");
  }
  for (uint32_t a = 0; a < 2 && repeats > 0; a++)
    device_memory_free(&other[a]);
  free(found);
}

/* Check the results of a case. */
static void judge(case_t *c, char *const *elements, char **items, const place_memory_t *memory, const char *expected,
                  const char *found, const char *note) {
  if (!c->is_hard)
    check_many_results(c->operation, c->type, note, c->results, expected, found);
  else if (has_one_answer(&c->question))
    check_same_results(&c->question, c->results, expected, found, note, "the host");
  if (c->is_hard)
    ask_oracle(c, elements, items, found, note);
  repeat(c, elements, memory, found, note);
}

/* Elements are on a boundary of 16 bytes. */
static void check_explanation(const case_t *c, const char *note, const usw_report_t *report) {
  usw_shares_explanation_t e = {.size = USW_INIT(usw_shares_explanation_t)};
  const usw_status_t status = usw_explain_axes(c->operation->operation, &c->array[0], c->axes, &c->options, &e);
  check_explained(note, status, &e, report);
  CHECK_AT(e.results == c->results && e.items == c->results * c->items, note);
}

static void run(uint64_t seed) {
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  char note[400], *elements[2], *items[2];
  place_memory_t memory[2];
  case_t c;
  chance_begin(seed);
  choose(&c);
  describe(&c, seed, note, sizeof note);
  c.options.report = &report;
  const size_t bytes = c.results * c.result_bytes;
  char *const expected = (char *)calloc(1, bytes + 1), *const found = (char *)calloc(1, bytes + 1);
  for (uint32_t a = 0; a < 2; a++) {
    const size_t offset = chance(3) == 0 ? c.type->bytes : 0;
    elements[a] = c.is_hard ? elements_of_patterns(&c.question, (size_t)c.elements[a])
                            : elements_by_chance(c.operation, c.type, (size_t)c.elements[a], c.has_nans);
    items[a] = (char *)malloc(c.items * c.type->bytes + 1);
    memory[a] = device_memory_get(home_of(&c), elements[a], (size_t)c.elements[a] * c.type->bytes, offset);
  }
  const int is_on_device = c.results_on_device && c.items > 0 && c.results > 0;
  place_memory_t results = device_memory_get(is_on_device ? &place : &host, found, bytes, 0);
  const usw_status_t wanted = expect(&c, elements, items, expected), got = reduce(&c, memory, results.data);
  memory_read(&results, found, bytes);
  if (c.results > 0)
    CHECK_AT(wanted == got, note);
  const uintptr_t start = (uintptr_t)memory[0].data + (uintptr_t)(c.first[0] * (ptrdiff_t)c.type->bytes);
  if (got == USW_OK && c.operation->streams == 1 && !c.is_staged && start % 16 == 0)
    check_explanation(&c, note, &report);
  if (wanted == USW_OK && got == USW_OK && c.results > 0)
    judge(&c, elements, items, memory, expected, found, note);
  for (uint32_t a = 0; a < 2; a++) {
    device_memory_free(&memory[a]);
    free(elements[a]);
    free(items[a]);
  }
  device_memory_free(&results);
  free(expected);
  free(found);
}

/* ---- the same bits wherever the array begins ---- */

/* Sums along columns of an array of so many rows and columns: wide ones, narrow ones, few of many rows, which teams share. */
static void move_array(const type_t *type, size_t height, size_t width) {
  const usw_options_t options = place_options(&place);
  const size_t bytes = height * width * type->bytes;
  double first[4096], found[4096];
  char note[80], *const elements = (char *)malloc(bytes);
  pattern_fill(PATTERN_random, type->type, elements, height * width, 1);
  snprintf(note, sizeof note, "%s, %zu x %zu", type->name, height, width);
  for (size_t offset = 0; offset < 16; offset += type->bytes) {
    place_memory_t memory = device_memory_get(&place, elements, bytes, offset);
    const usw_array_t array = usw_array_2d(type->type, memory.data, height, width);
    CHECK_STATUS(USW_OK, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(0), offset == 0 ? first : found, &options));
    const size_t result_bytes = width * usw_result_bytes(USW_PLUS, type->type);
    if (offset > 0)
      CHECK_AT(memcmp(first, found, result_bytes) == 0, note);
    device_memory_free(&memory);
  }
  free(elements);
}

static void move_arrays(void) {
  static const type_t types[] = {{USW_F64, 8, "f64"}, {USW_F32, 4, "f32"}, {USW_F16, 2, "f16"}};
  static const size_t columns[] = {2, 8, 24, 64, 200, 1000, 4096};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    for (size_t k = 0; k < sizeof columns / sizeof *columns && place_has_families(&place, types[t].type); k++) {
      move_array(&types[t], 37, columns[k]);
      move_array(&types[t], (is_slow ? 1 << 14 : 1 << 18) / columns[k], columns[k]);
    }
}

/* ---- misuse ---- */

static void misuse(void) {
  const usw_options_t options = place_options(&place);
  double x[6] = {1, 2, 3, 4, 5, 6}, result[6] = {-1, -1, -1, -1, -1, -1};
  usw_array_t array = usw_array_2d(USW_F64, x, 2, 3), other = usw_array_2d(USW_F64, x, 3, 2);
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(2), result, &options));
  CHECK_TEXT_HAS(usw_error_text(), "there is no axis 2");
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_axes(USW_PLUS, NULL, USW_AXIS(0), result, &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(0), NULL, &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_axes_pair(USW_DOT, &array, &other, USW_AXIS(0), result, &options));
  CHECK_TEXT_HAS(usw_error_text(), "extent");
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_reduce_axes(USW_DOT, &array, USW_AXIS(0), result, &options));
  array.data = NULL;
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(0), result, &options));
  array = usw_array_2d(USW_F64, x, (size_t)1 << 60, 16);
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(0), result, &options));
  array.size = 8;
  CHECK_STATUS(USW_ERROR_VERSION, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(0), result, &options));
  array = usw_array(USW_F64, x, 9, NULL, NULL);
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(0), result, &options));
  CHECK_TEXT_HAS(usw_error_text(), "at most 8");
  for (int k = 0; k < 6; k++)
    CHECK_F64(-1, result[k]);
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  hide_host_memory();
  is_slow = strcmp(place.target, "simt") == 0;
  run_by_chance(argc, argv, &place, (case_counts_t){500, 2000, 20000}, run);
  move_arrays();
  misuse();
  return check_report();
}
