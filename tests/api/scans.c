/* Scans by chance: every operation of every type, inclusive and exclusive, with and without an initial value, in place, strided, from the end,
 * misaligned. Results are compared with usw_reduce() of the elements up to each item, on the host. Elements are small integers, so sums are
 * exact in any order. Then the same bits for every grid, errors of floating sums, and misuse.
 *   scans [--place NAME] [--runs N] [--seed N] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "by_chance.h"
#include "support/check.h"
#include "support/device_memory.h"
#include "support/place.h"

enum { MOST_ELEMENTS = 300000, FEW_ELEMENTS = 20000, LOOKS = 40, MOST_RESULT = 64 };

static test_place_t place;
static int is_slow; /* an emulated GPU */

/* ---- cases ---- */

typedef struct {
  const operation_t *operation;
  const type_t *type;
  size_t n, before, result_bytes; /* `before` elements make the initial value */
  ptrdiff_t stride, out_stride;
  int is_exclusive, is_in_place, has_nans;
  usw_options_t options;
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
    return chance(most);
  default:
    return chance(5000);
  }
}

static void choose(case_t *c) {
  static const usw_accuracy_t levels[] = {USW_REPEATABLE, USW_REPEATABLE, USW_FAST, USW_COMPENSATED};
  static const ptrdiff_t strides[] = {1, 1, 1, 1, 2, -1, -3};
  memset(c, 0, sizeof *c);
  do
    choose_operation(&c->operation, &c->type);
  while (!has_scan(c->operation, c->type));
  c->result_bytes = usw_result_bytes(c->operation->operation, c->type->type);
  c->n = some_length();
  c->is_exclusive = (int)chance(2);
  c->before = c->is_exclusive && takes_initial(c->operation->operation) && chance(2) ? 1 + chance(20) : 0;
  c->is_in_place = c->result_bytes == c->type->bytes && chance(3) == 0;
  c->stride = strides[chance(sizeof strides / sizeof *strides)];
  c->out_stride = c->is_in_place ? c->stride : strides[chance(sizeof strides / sizeof *strides)];
  c->options = place_options(&place);
  c->options.accuracy = levels[chance(sizeof levels / sizeof *levels)];
  c->options.teams = chance(4) == 0 ? 1 + (uint32_t)chance(20) : 0;
  c->options.stride[0] = c->stride;
  c->options.stride[1] = c->out_stride;
  c->has_nans = chance(6) == 0;
  c->options.nan = c->has_nans ? USW_NAN_IGNORE : USW_NAN_PROPAGATE;
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

/* Compare the results of some items: the first and last ones, those around powers of two, and others. */
static void compare(const case_t *c, const char *elements, const char *out, const char *note) {
  for (size_t look = 0; look < LOOKS + 24 && c->n > 0; look++) {
    const size_t near = (size_t)1 << (look % 20);
    const size_t i = look == 0 ? 0 : look == 1 ? c->n - 1 : look < 24 ? near - look % 3 : chance(c->n);
    char expected[MOST_RESULT], found[MOST_RESULT];
    if (i >= c->n)
      continue;
    CHECK_STATUS(USW_OK, reduce(c, elements, c->before + i + !c->is_exclusive, expected));
    memcpy(found,
           out + ((ptrdiff_t)first_of(c->n, c->out_stride) + (ptrdiff_t)i * c->out_stride) * (ptrdiff_t)c->result_bytes,
           c->result_bytes);
    if (results_are_alike(c->operation, c->type, expected, found))
      continue;
    fprintf(stderr, "%s: item %zu\n", note, i);
    check_many_results(c->operation, c->type, note, 1, expected, found);
    return;
  }
}

static usw_status_t scan(const case_t *c, const char *x, char *out, const void *initial) {
  return c->is_exclusive
             ? usw_scan_exclusive(c->operation->operation, c->type->type, x, c->n, out, initial, &c->options)
             : usw_scan_inclusive(c->operation->operation, c->type->type, x, c->n, out, &c->options);
}

static void run(uint64_t seed) {
  char note[300], initial[MOST_RESULT];
  case_t c;
  chance_begin(seed);
  choose(&c);
  snprintf(note, sizeof note,
           "seed %llu: %s of %s, %zu items, strides %td %td, exclusive %d behind %zu, in place %d, accuracy %d, nan "
           "%d, teams %u",
           (unsigned long long)seed, c.operation->name, c.type->name, c.n, c.stride, c.out_stride, c.is_exclusive,
           c.before, c.is_in_place, (int)c.options.accuracy, (int)c.options.nan, c.options.teams);
  char *const elements = elements_by_chance(c.operation, c.type, c.before + c.n + 1, c.has_nans);
  const size_t in_room = room_of(c.n, c.stride), out_bytes = room_of(c.n, c.out_stride) * c.result_bytes;
  char *const spread = (char *)calloc(in_room + 1, c.type->bytes), *const found = (char *)malloc(out_bytes + 1);
  for (size_t i = 0; i < c.n; i++)
    memcpy(spread + ((ptrdiff_t)first_of(c.n, c.stride) + (ptrdiff_t)i * c.stride) * (ptrdiff_t)c.type->bytes,
           elements + (c.before + i) * c.type->bytes, c.type->bytes);
  const size_t misplaced = chance(3) == 0 ? c.type->bytes : 0, out_misplaced = chance(3) == 0 ? c.result_bytes : 0;
  place_memory_t in = device_memory_get(&place, spread, in_room * c.type->bytes, misplaced);
  memset(found, 0x5a, out_bytes);
  place_memory_t out = device_memory_get(&place, found, out_bytes, out_misplaced);
  char *const from = (char *)in.data + first_of(c.n, c.stride) * c.type->bytes;
  char *const to = c.is_in_place ? from : (char *)out.data + first_of(c.n, c.out_stride) * c.result_bytes;
  const usw_status_t wanted = reduce(&c, elements, c.before, initial); /* some levels are not for every operation */
  const usw_status_t status = scan(&c, from, to, c.before > 0 ? initial : NULL);
  CHECK_AT(status == wanted, note);
  if (status != wanted)
    fprintf(stderr, "%s\n", usw_error_text());
  memory_read(c.is_in_place ? &in : &out, found, out_bytes);
  if (status == USW_OK)
    compare(&c, elements, found, note);
  device_memory_free(&in);
  device_memory_free(&out);
  free(elements);
  free(spread);
  free(found);
}

/* ---- floating sums: their errors, and the same bits for every grid ---- */

static void repeat(void) {
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

/* ---- misuse ---- */

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
  options.size = 8;
  CHECK_STATUS(USW_ERROR_VERSION, usw_scan_inclusive(USW_PLUS, USW_F64, x, 6, out, &options));
  for (int i = 0; i < 6; i++)
    CHECK_F64(-1, out[i]);
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  hide_host_memory();
  is_slow = strcmp(place.target, "simt") == 0;
  run_by_chance(argc, argv, &place, (case_counts_t){200, 600, 20000}, run);
  repeat();
  misuse();
  return check_report();
}
