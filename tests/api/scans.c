/* Scans by chance: every operation of every type, inclusive and exclusive, with and without an initial value, in place, strided, from the end,
 * misaligned, of segments; selections. Of half of the cases elements are small integers, so that sums are exact in any order, and some results
 * are compared with usw_reduce() of the elements up to the item, on the host. Of the others elements are hard to add up, and results are
 * compared with the oracle. Cases are repeated on other grids and at other addresses: the same bits. Then errors of long sums, and misuse.
 *   scans [--place NAME] [--runs N] [--seed N] [--repeats N] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "by_chance.h"
#include "by_oracle.h"
#include "support/check.h"
#include "support/device_memory.h"
#include "support/place.h"

enum { MOST_ELEMENTS = 300000, FEW_ELEMENTS = 20000, LOOKS = 40, MOST_RESULT = 64, MOST_CHAIN = 160 };

static test_place_t place;
static int is_slow; /* an emulated GPU, or in the quick tier a sanitizer */

/* ---- cases ---- */

typedef struct {
  const operation_t *operation;
  const type_t *type;
  size_t n, before, result_bytes; /* `before` elements make the initial value */
  ptrdiff_t stride, out_stride;
  int is_exclusive, is_in_place, has_nans, is_hard;
  question_t question;
  usw_options_t options;
  /* of segments; 0: there are none */
  size_t segments, length;
  uint64_t *offsets; /* segments + 1 of them */
  usw_type_t offset_type;
} case_t;

/* Whether there is such a scan; the quick tier has them of some types. */
static int has_scan(const operation_t *operation, const type_t *type) {
  const usw_options_t host = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  char element[16] = {0}, result[MOST_RESULT];
  return usw_scan_inclusive(operation->operation, type->type, element, 1, result, &host) != USW_ERROR_UNSUPPORTED;
}

static int takes_initial(usw_operation_t operation) {
  return operation != USW_ARGMIN && operation != USW_ARGMAX && operation != USW_COUNT;
}

static size_t some_length(void) {
  static const size_t lengths[] = {0, 1, 2, 31, 32, 33, 511, 512, 513, 1023, 1024, 1025, 4095, 4096, 4097, 8192};
  const size_t most = is_slow ? FEW_ELEMENTS : MOST_ELEMENTS;
  switch (chance(4)) {
  case 0:
    return lengths[chance(sizeof lengths / sizeof *lengths)];
  case 1:
    return chance(chance(3) == 0 ? most : most / 20);
  default:
    return chance(5000);
  }
}

/* Segments of any lengths, empty ones among them, which need not begin with the first item nor end with the last one. */
static void choose_segments(case_t *c) {
  static const size_t means[] = {0, 1, 1, 2, 5, 30, 500, 20000};
  static const usw_type_t types[] = {USW_I32, USW_U32, USW_I64, USW_U64, USW_NO_TYPE};
  const size_t mean = means[chance(sizeof means / sizeof *means)];
  c->segments = chance(10) == 0 ? 1 : 1 + chance(is_slow ? 800 : 6000);
  c->offsets = (uint64_t *)calloc(c->segments + 1, sizeof *c->offsets);
  c->offset_type = types[chance(sizeof types / sizeof *types)];
  c->length = c->n / c->segments;
  uint64_t at = chance(3) == 0 ? chance(c->n + 1) : 0;
  for (size_t k = 0; k <= c->segments; k++) {
    c->offsets[k] = c->offset_type == USW_NO_TYPE ? k * c->length : at;
    const size_t length = chance(4) == 0 ? 0 : chance(2 * mean + 1), left = c->n - at;
    at += length < left ? length : left;
  }
}

static void choose(case_t *c) {
  static const usw_accuracy_t levels[] = {USW_REPEATABLE, USW_REPEATABLE, USW_FAST, USW_COMPENSATED};
  static const ptrdiff_t strides[] = {1, 1, 1, 1, 2, -1, -3};
  memset(c, 0, sizeof *c);
  do
    choose_operation(&place, &c->operation, &c->type);
  while (!has_scan(c->operation, c->type));
  c->result_bytes = usw_result_bytes(c->operation->operation, c->type->type);
  c->n = some_length();
  c->is_exclusive = (int)chance(2);
  c->is_hard = (int)chance(2);
  c->before =
      c->is_exclusive && !c->is_hard && takes_initial(c->operation->operation) && chance(2) ? 1 + chance(20) : 0;
  c->is_in_place = c->result_bytes == c->type->bytes && chance(3) == 0;
  c->stride = strides[chance(sizeof strides / sizeof *strides)];
  c->out_stride = c->is_in_place ? c->stride : strides[chance(sizeof strides / sizeof *strides)];
  c->options = place_options(&place);
  c->options.accuracy = levels[chance(sizeof levels / sizeof *levels)];
  c->options.teams = chance(4) == 0 ? 1 + (uint32_t)chance(20) : 0;
  c->options.stride[0] = c->stride;
  c->options.stride[1] = c->out_stride;
  c->has_nans = chance(6) == 0;
  c->options.nan = c->has_nans || (c->is_hard && chance(2)) ? USW_NAN_IGNORE : USW_NAN_PROPAGATE;
  c->question = question_of(c->operation, c->type, &c->options);
  if (chance(2))
    choose_segments(c);
}

/* ---- runs ---- */

static size_t room_of(size_t n, ptrdiff_t stride) { return (n + 1) * (size_t)(stride < 0 ? -stride : stride); }
static size_t first_of(size_t n, ptrdiff_t stride) { return stride < 0 && n > 0 ? (n - 1) * (size_t)-stride : 0; }

/* What elements that follow each other come to. */
static usw_status_t reduce(const case_t *c, const char *elements, size_t n, char *result) {
  const usw_options_t options = {
      .size = USW_INIT(usw_options_t), .place = USW_HOST, .accuracy = c->options.accuracy, .nan = c->options.nan};
  return usw_reduce(c->operation->operation, c->type->type, elements, n, result, &options);
}

/* The first item of item i's segment; n: it is in none. */
static size_t begin_of(const case_t *c, size_t i) {
  size_t low = 0, high = c->segments;
  if (c->segments == 0)
    return 0;
  if (i < c->offsets[0] || i >= c->offsets[c->segments])
    return c->n;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (c->offsets[middle] <= i)
      low = middle;
    else
      high = middle;
  }
  return (size_t)c->offsets[low];
}

/* What item i gets: of the elements that make the initial value, and those of its segment. */
static void expect(const case_t *c, const char *elements, size_t i, char *expected) {
  const size_t bytes = c->type->bytes, begin = begin_of(c, i), count = c->before + i - begin + !c->is_exclusive;
  if (begin == c->n) {
    memset(expected, 0x5a, c->result_bytes);
    return;
  }
  char *const behind = (char *)malloc(count * bytes + 1);
  memcpy(behind, elements, c->before * bytes);
  memcpy(behind + c->before * bytes, elements + (c->before + begin) * bytes, (count - c->before) * bytes);
  CHECK_STATUS(USW_OK, reduce(c, behind, count, expected));
  free(behind);
}

/* Where the result of item i is. */
static const char *result_of(const case_t *c, const char *out, size_t i) {
  return out + ((ptrdiff_t)first_of(c->n, c->out_stride) + (ptrdiff_t)i * c->out_stride) * (ptrdiff_t)c->result_bytes;
}

/* Compare the results of some items: the first and last ones, those around powers of two, and others. */
static void compare(const case_t *c, char *elements, const char *out, const char *note) {
  for (size_t look = 0; look < LOOKS + 24 && c->n > 0; look++) {
    const size_t near = (size_t)1 << (look % 20);
    const size_t i = look == 0 ? 0 : look == 1 ? c->n - 1 : look < 24 ? near - look % 3 : chance(c->n);
    char expected[MOST_RESULT], found[MOST_RESULT];
    if (i >= c->n || (c->is_in_place && begin_of(c, i) == c->n))
      continue;
    memcpy(found, result_of(c, out, i), c->result_bytes);
    const size_t begin = begin_of(c, i), count = i - begin + !c->is_exclusive;
    if (c->is_hard && begin < c->n) {
      char *const items[] = {elements + begin * c->type->bytes, NULL};
      check_by_oracle(&c->question, items, count, count < MOST_CHAIN ? (double)count : MOST_CHAIN, found, note);
      continue;
    }
    expect(c, elements, i, expected);
    if (begin == c->n ? memcmp(expected, found, c->result_bytes) == 0
                      : results_are_alike(c->operation, c->type, expected, found))
      continue;
    fprintf(stderr, "%s: item %zu\n", note, i);
    check_many_results(c->operation, c->type, note, 1, expected, found);
    return;
  }
}

/* The segments of a case, with offsets of their type where the place has them. */
static usw_segments_t segments_of(const case_t *c, place_memory_t *memory_out) {
  const size_t bytes = c->offset_type == USW_I32 || c->offset_type == USW_U32 ? 4 : 8, count = c->segments + 1;
  char *const offsets = (char *)malloc(count * bytes);
  for (size_t k = 0; k < count; k++)
    memcpy(offsets + k * bytes, &c->offsets[k], bytes);
  *memory_out = device_memory_get(&place, offsets, count * bytes, 0);
  free(offsets);
  return c->offset_type == USW_NO_TYPE ? usw_segments_of_length(c->length, c->segments)
                                       : usw_segments_by_offsets(c->offset_type, memory_out->data, c->segments);
}

static usw_status_t scan_segments(const case_t *c, const char *x, char *out, const void *initial) {
  place_memory_t offsets;
  const usw_segments_t segments = segments_of(c, &offsets);
  const usw_status_t status =
      c->is_exclusive ? usw_scan_segments_exclusive(c->operation->operation, c->type->type, x, c->n, &segments, out,
                                                    initial, &c->options)
                      : usw_scan_segments(c->operation->operation, c->type->type, x, c->n, &segments, out, &c->options);
  device_memory_free(&offsets);
  return status;
}

static usw_status_t scan(const case_t *c, const char *x, char *out, const void *initial) {
  if (c->segments > 0)
    return scan_segments(c, x, out, initial);
  return c->is_exclusive
             ? usw_scan_exclusive(c->operation->operation, c->type->type, x, c->n, out, initial, &c->options)
             : usw_scan_inclusive(c->operation->operation, c->type->type, x, c->n, out, &c->options);
}

static void describe(const case_t *c, uint64_t seed, char *text, size_t bytes) {
  snprintf(text, bytes,
           "seed %llu: %s of %s, %zu items, strides %td %td, exclusive %d behind %zu, in place %d, accuracy %d, nan "
           "%d, teams %u, %zu segments by type %d",
           (unsigned long long)seed, c->operation->name, c->type->name, c->n, c->stride, c->out_stride, c->is_exclusive,
           c->before, c->is_in_place, (int)c->options.accuracy, (int)c->options.nan, c->options.teams, c->segments,
           (int)c->offset_type);
}

/* The same bits on other grids, behind another boundary. */
static void repeat(case_t *c, const char *spread, const void *initial, const char *first, const char *note) {
  const uint64_t repeats = repeats_by_chance();
  const size_t out_bytes = room_of(c->n, c->out_stride) * c->result_bytes;
  char *const found = (char *)malloc(out_bytes + 1);
  for (uint64_t k = 0; k < repeats && !c->is_in_place; k++) {
    place_memory_t in =
        device_memory_get(&place, spread, room_of(c->n, c->stride) * c->type->bytes, k % 2 * c->type->bytes);
    memset(found, 0x5a, out_bytes);
    place_memory_t out = device_memory_get(&place, found, out_bytes, k / 2 % 2 * c->result_bytes);
    c->options.teams = grids[k % GRIDS];
    CHECK_STATUS(USW_OK, scan(c, (char *)in.data + first_of(c->n, c->stride) * c->type->bytes,
                              (char *)out.data + first_of(c->n, c->out_stride) * c->result_bytes, initial));
    memory_read(&out, found, out_bytes);
    for (size_t i = 0; i < c->n && memcmp(found, first, out_bytes) != 0; i++) /* NaNs may differ */
      check_same_results(&c->question, 1, result_of(c, first, i), result_of(c, found, i), note, "another grid");
    device_memory_free(&in);
    device_memory_free(&out);
  }
  free(found);
}

/* The elements behind those of the initial value, as they lie in memory. */
static char *spread_out(const case_t *c, const char *elements) {
  const size_t bytes = c->type->bytes;
  char *const spread = (char *)calloc(room_of(c->n, c->stride) + 1, bytes);
  for (size_t i = 0; i < c->n; i++)
    memcpy(spread + ((ptrdiff_t)first_of(c->n, c->stride) + (ptrdiff_t)i * c->stride) * (ptrdiff_t)bytes,
           elements + (c->before + i) * bytes, bytes);
  return spread;
}

/* Of an initial value: NaNs are passed over among elements only. */
static void leave_numbers(const case_t *c, char *elements) {
  char *const numbers = elements_by_chance(c->operation, c->type, c->before, 0);
  memcpy(elements, numbers, c->before * c->type->bytes);
  free(numbers);
}

static void check_explanation(const case_t *c, const char *note, const usw_report_t *report) {
  usw_shares_explanation_t e = {.size = USW_INIT(usw_shares_explanation_t)};
  check_explained(note, usw_explain_scan(c->operation->operation, c->type->type, c->n, &c->options, &e), &e, report);
  CHECK_AT(e.results == c->n && e.items == c->n, note);
}

static void run(uint64_t seed) {
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  char note[300], initial[MOST_RESULT];
  case_t c;
  chance_begin(seed);
  choose(&c);
  describe(&c, seed, note, sizeof note);
  const size_t count = c.before + c.n + 1;
  char *const elements =
      c.is_hard ? elements_of_patterns(&c.question, count) : elements_by_chance(c.operation, c.type, count, c.has_nans);
  leave_numbers(&c, elements);
  const size_t in_room = room_of(c.n, c.stride), out_bytes = room_of(c.n, c.out_stride) * c.result_bytes;
  char *const spread = spread_out(&c, elements), *const found = (char *)malloc(out_bytes + 1);
  const size_t misplaced = chance(3) == 0 ? c.type->bytes : 0, out_misplaced = chance(3) == 0 ? c.result_bytes : 0;
  place_memory_t in = device_memory_get(&place, spread, in_room * c.type->bytes, misplaced);
  memset(found, 0x5a, out_bytes);
  place_memory_t out = device_memory_get(&place, found, out_bytes, out_misplaced);
  char *const from = (char *)in.data + first_of(c.n, c.stride) * c.type->bytes;
  char *const to = c.is_in_place ? from : (char *)out.data + first_of(c.n, c.out_stride) * c.result_bytes;
  const usw_status_t wanted = reduce(&c, elements, c.before, initial); /* some levels are not for every operation */
  c.options.report = &report;
  const usw_status_t status = scan(&c, from, to, c.before > 0 ? initial : NULL);
  if (status == USW_OK && c.segments == 0)
    check_explanation(&c, note, &report);
  const int has_items = c.segments == 0 || c.offsets[0] < c.offsets[c.segments];
  if (has_items && !CHECK_AT(status == wanted, note))
    fprintf(stderr, "%s\n", usw_error_text());
  memory_read(c.is_in_place ? &in : &out, found, out_bytes);
  if (status == USW_OK) {
    compare(&c, elements, found, note);
    repeat(&c, spread, c.before > 0 ? initial : NULL, found, note);
  }
  device_memory_free(&in);
  device_memory_free(&out);
  free(elements);
  free(spread);
  free(found);
  free(c.offsets);
}

/* ---- floating sums: their errors, and the same bits for every grid ---- */

static void repeat_long(void) {
  static const uint32_t teams[] = {0, 1, 3, 50};
  const size_t n = is_slow ? 100003 : 5000011; /* on a device more than a row of tiles has */
  const int runs = is_slow ? 2 : 5;
  usw_options_t options = place_options(&place);
  double *const x = (double *)malloc(n * sizeof *x), *const found = (double *)malloc(n * sizeof *x);
  double *const first = (double *)malloc(n * sizeof *x), magnitude = 0;
  long double sum = 0;
  chance_begin(7);
  for (size_t i = 0; i < n; i++)
    x[i] = (double)chance(1000000) / 999 - 500;
  place_memory_t in = device_memory_get(&place, x, n * sizeof *x, 0);
  place_memory_t out = device_memory_get(&place, found, n * sizeof *x, 0);
  for (uint32_t t = 0; t < sizeof teams / sizeof *teams; t++)
    for (int r = 0; r < runs; r++) {
      options.teams = teams[t];
      CHECK_STATUS(USW_OK, usw_scan_inclusive(USW_PLUS, USW_F64, in.data, n, out.data, &options));
      memory_read(&out, found, n * sizeof *x);
      if (t == 0 && r == 0)
        memcpy(first, found, n * sizeof *x);
      CHECK(memcmp(first, found, n * sizeof *x) == 0);
    }
  for (size_t i = 0; i < n; i++) {
    sum += x[i];
    magnitude += fabs(x[i]);
    if (!(fabsl((long double)first[i] - sum) <= 80 * 0x1p-53L * magnitude)) {
      CHECK_AT(0, "the error is larger than that of a tree");
      break;
    }
  }
  device_memory_free(&in);
  device_memory_free(&out);
  free(x);
  free(found);
  free(first);
}

/* ---- selections ---- */

static void select_by_chance(uint64_t seed) {
  static const struct {
    usw_type_t type;
    size_t bytes;
  } types[] = {{USW_I8, 1},  {USW_BOOL, 1}, {USW_BF16, 2}, {USW_U16, 2},  {USW_F32, 4},
               {USW_I32, 4}, {USW_F64, 8},  {USW_U64, 8},  {USW_CF32, 8}, {USW_CF64, 16}};
  static const uint64_t shares[] = {0, 1, 50, 99, 100};
  chance_begin(seed);
  const size_t t = chance(sizeof types / sizeof *types), bytes = types[t].bytes, n = some_length();
  const uint64_t share = shares[chance(sizeof shares / sizeof *shares)];
  usw_options_t options = place_options(&place);
  options.stride[0] = chance(4) == 0 ? 3 : 1;
  options.stride[1] = chance(4) == 0 ? 2 : 1;
  options.stride[2] = chance(4) == 0 ? 2 : 1;
  const size_t step = (size_t)options.stride[2];
  char *const x = (char *)calloc((n + 1) * 3, bytes), *const wanted = (char *)malloc((n + 1) * step * bytes);
  char *const found = (char *)malloc((n + 1) * step * bytes);
  uint8_t *const flags = (uint8_t *)calloc((n + 1) * 2, 1);
  size_t kept = SIZE_MAX, count = 0;
  memset(wanted, 0x5a, (n + 1) * step * bytes);
  memset(found, 0x5a, (n + 1) * step * bytes);
  for (size_t i = 0; i < n; i++) {
    char *const element = x + i * (size_t)options.stride[0] * bytes;
    for (size_t b = 0; b < bytes; b++)
      element[b] = (char)chance(2); /* of a Boolean, too */
    if (chance(100) >= share)
      continue;
    flags[i * (size_t)options.stride[1]] = (uint8_t)(1 + chance(255));
    memcpy(wanted + count++ * step * bytes, element, bytes);
  }
  place_memory_t in = device_memory_get(&place, x, (n + 1) * 3 * bytes, 0);
  place_memory_t of_flags = device_memory_get(&place, flags, (n + 1) * 2, chance(3));
  place_memory_t out = device_memory_get(&place, found, (n + 1) * step * bytes, chance(2) * bytes);
  const usw_status_t status =
      usw_select(types[t].type, in.data, (const uint8_t *)of_flags.data, n, out.data, &kept, &options);
  CHECK_STATUS(USW_OK, status);
  memory_read(&out, found, (n + 1) * step * bytes);
  CHECK(kept == count && memcmp(wanted, found, (n + 1) * step * bytes) == 0);
  device_memory_free(&in);
  device_memory_free(&of_flags);
  device_memory_free(&out);
  free(x);
  free(wanted);
  free(found);
  free(flags);
}

static void misuse_select(const usw_options_t *options) {
  double x[2] = {1, 2}, out[2];
  const uint8_t flags[2] = {1, 0};
  size_t kept = 7;
  CHECK_STATUS(USW_ERROR_INVALID, usw_select(USW_F64, x, NULL, 2, out, &kept, options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_select(USW_F64, x, flags, 2, out, NULL, options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_select(USW_F64, x, flags, 2, x + 1, &kept, options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_select(USW_F64, x, flags, 2, x, &kept, options));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_select((usw_type_t)99, x, flags, 2, out, &kept, options));
  CHECK(kept == 7);
}

/* ---- misuse ---- */

static void misuse_segments(const usw_options_t *usual) {
  usw_options_t options = *usual;
  double x[6] = {1, 2, 3, 4, 5, 6}, out[6] = {-1, -1, -1, -1, -1, -1};
  int32_t offsets[4] = {0, 4, 2, 6};
  usw_segments_t segments = usw_segments_by_offsets(USW_I32, offsets, 3);
  place_memory_t of_x = device_memory_get(&place, x, sizeof x, 0),
                 of_out = device_memory_get(&place, out, sizeof out, 0);
  place_memory_t of_offsets = device_memory_get(&place, offsets, sizeof offsets, 0);
  segments = usw_segments_by_offsets(USW_I32, of_offsets.data, 3);
  CHECK_STATUS(USW_ERROR_INVALID, usw_scan_segments(USW_PLUS, USW_F64, of_x.data, 6, &segments, of_out.data, &options));
  CHECK_TEXT_HAS(usw_error_text(), "segment 1 begins at item 4 and ends at 2");
  CHECK_STATUS(USW_ERROR_INVALID, usw_scan_segments(USW_PLUS, USW_F64, of_x.data, 3, &segments, of_out.data, &options));
  CHECK_TEXT_HAS(usw_error_text(), "segment 0 ends at item 4, but there are 3 items");
  segments = usw_segments_of_length(2, 3);
  CHECK_STATUS(USW_ERROR_INVALID, usw_scan_segments(USW_PLUS, USW_F64, of_x.data, 5, &segments, of_out.data, &options));
  memory_read(&of_out, out, sizeof out);
  for (int i = 0; i < 6; i++)
    CHECK_F64(-1, out[i]);
  CHECK_STATUS(USW_OK, usw_scan_segments(USW_PLUS, USW_F64, of_x.data, 6, &segments, of_out.data, &options));
  memory_read(&of_out, out, sizeof out);
  for (int i = 0; i < 6; i++) /* of marks of the calls before nothing is left */
    CHECK_F64(x[i] + (i % 2) * x[i - i % 2], out[i]);
  segments = usw_segments_by_pairs(USW_I32, offsets, offsets, 3);
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_scan_segments(USW_PLUS, USW_F64, x, 6, &segments, out, &options));
  CHECK_TEXT_HAS(usw_error_text(), "follow each other");
  CHECK_STATUS(USW_ERROR_INVALID, usw_scan_segments(USW_PLUS, USW_F64, x, 6, NULL, out, &options));
  segments = usw_segments_of_length(2, 3);
  CHECK_STATUS(USW_ERROR_INVALID, usw_scan_segments(USW_PLUS, USW_F64, NULL, 6, &segments, out, &options));
  options.recheck = 1;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_scan_segments(USW_PLUS, USW_F64, x, 6, &segments, out, &options));
  device_memory_free(&of_x);
  device_memory_free(&of_out);
  device_memory_free(&of_offsets);
}

static void begin_with_nan(void) {
  usw_options_t options = place_options(&place);
  const double x[3] = {1, 2, 3}, initial = NAN;
  double out[3] = {0};
  place_memory_t in = device_memory_get(&place, x, sizeof x, 0), to = device_memory_get(&place, out, sizeof out, 0);
  options.nan = USW_NAN_IGNORE;
  CHECK_STATUS(USW_OK, usw_scan_exclusive(USW_MAXIMUM, USW_F64, in.data, 3, to.data, &initial, &options));
  memory_read(&to, out, sizeof out);
  for (int i = 0; i < 3; i++)
    CHECK_F64(NAN, out[i]);
  device_memory_free(&in);
  device_memory_free(&to);
}

static void misuse(void) {
  usw_options_t options = place_options(&place);
  double x[6] = {1, 2, 3, 4, 5, 6}, out[6] = {-1, -1, -1, -1, -1, -1}, initial = 1;
  CHECK_STATUS(USW_ERROR_INVALID, usw_scan_inclusive(USW_PLUS, USW_F64, NULL, 6, out, &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_scan_inclusive(USW_PLUS, USW_F64, x, 6, NULL, &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_scan_inclusive(USW_PLUS, USW_F64, x, 5, x + 1, &options));
  CHECK_TEXT_HAS(usw_error_text(), "shares elements");
  CHECK_STATUS(USW_ERROR_INVALID, usw_scan_inclusive(USW_PLUS, USW_F64, x, 5, (char *)out + 1, &options));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_scan_inclusive(USW_NORM2, USW_F64, x, 6, out, &options));
  CHECK_TEXT_HAS(usw_error_text(), "no scan by norm2");
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_scan_exclusive(USW_COUNT, USW_F64, x, 6, out, &initial, &options));
  CHECK_TEXT_HAS(usw_error_text(), "takes no initial value");
  options.accuracy = USW_REPRODUCIBLE;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_scan_inclusive(USW_PLUS, USW_F64, x, 6, out, &options));
  CHECK_TEXT_HAS(usw_error_text(), "USW_REPRODUCIBLE");
  options.accuracy = USW_EXACT;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_scan_inclusive(USW_PLUS, USW_F64, x, 6, out, &options));
  options.accuracy = USW_REPEATABLE;
  misuse_segments(&options);
  misuse_select(&options);
  options.size = 8;
  CHECK_STATUS(USW_ERROR_VERSION, usw_scan_inclusive(USW_PLUS, USW_F64, x, 6, out, &options));
  for (int i = 0; i < 6; i++)
    CHECK_F64(-1, out[i]);
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  hide_host_memory();
  is_slow = strcmp(place.target, "simt") == 0;
  is_slow |= is_sanitized() && is_quick_tier();
  run_by_chance(argc, argv, &place, (case_counts_t){200, 600, 20000}, run);
  for (uint64_t seed = 1; seed <= (is_slow ? 20 : 60); seed++)
    select_by_chance(seed);
  repeat_long();
  begin_with_nan();
  misuse();
  return check_report();
}
