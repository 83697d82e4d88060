/* Reductions in parts: however the items are cut, the parts give what the whole gives.   partial [--place NAME] */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/partial.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "oracle/oracle.h"
#include "oracle/pattern.h"
#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 20011, MOST_BYTES = ITEMS * 16 };

static test_place_t place;
static char items[MOST_BYTES];
static number_t numbers[ITEMS];

/* Cut n items into pieces of random lengths, some of them empty; returns how many were given. */
static size_t add_pieces(usw_partial_t *partial, usw_type_t type, const char *x, size_t n, uint64_t seed) {
  size_t done = 0;
  while (done < n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const size_t most = seed >> 60 == 0 ? n : seed >> 60 < 8 ? 40 : 5000, wish = (size_t)(seed >> 20) % most;
    const size_t piece = wish < n - done ? wish : n - done;
    if (!CHECK_STATUS(USW_OK, usw_partial_add(partial, x + done * type_bytes(type), piece)))
      return done;
    done += piece;
  }
  return done;
}

static void in_pieces(const row_t *row, pattern_t pattern, usw_nan_t nan, size_t n, const place_memory_t *x) {
  usw_partial_t *partial = NULL;
  usw_options_t options = place_options(&place);
  options.nan = nan;
  const rounding_t rounding = {64 + (double)n, pattern_is_exact(pattern)};
  const oracle_t oracle = oracle_of(row, numbers, NULL, n, nan, rounding);
  CHECK_STATUS(USW_OK, usw_partial_create(&partial, row->operation, row->type, &options));
  options.nan = (usw_nan_t)77; /* options are copied: these count for nothing any more */
  for (uint64_t seed = 1; partial && seed < 3; seed++) {
    result_t result;
    char why[640] = "";
    memset(&result, 0xa5, sizeof result);
    if (seed == 2) { /* the same once more, in another object */
      usw_partial_destroy(partial);
      options.nan = nan;
      CHECK_STATUS(USW_OK, usw_partial_create(&partial, row->operation, row->type, &options));
    }
    CHECK_U64(n, add_pieces(partial, row->type, x->data, n, seed));
    CHECK_STATUS(USW_OK, usw_partial_result(partial, &result));
    const int agrees = oracle_agrees(&oracle, &result, why, sizeof why);
    check_count(agrees, __FILE__, __LINE__, "%s_%s n=%zu pattern=%s nan=%d in pieces, seed %d: %s", row->name,
                type_name(row->type), n, pattern_name(pattern), (int)nan, (int)seed, why);
    CHECK_U64(0xa5, result.bytes[row->result_bytes]);
  }
  usw_partial_destroy(partial);
}

/* What is likely to go wrong between pieces: indices, ties, NaNs, zeros, values that only one piece has. */
static void every_row(void) {
  static const pattern_t patterns[] = {PATTERN_ramp,      PATTERN_random,           PATTERN_near_one,
                                       PATTERN_ties,      PATTERN_least_last,       PATTERN_one_zero,
                                       PATTERN_one_clear, PATTERN_zeros_plus_first, PATTERN_nan_middle,
                                       PATTERN_nan_often, PATTERN_nan_all,          PATTERN_huge_and_tiny};
  static const size_t sizes[] = {0, 1, 300, ITEMS};
  for (usw_type_t type = (usw_type_t)1; type_facts(type); type = (usw_type_t)(type + 1))
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++)
      for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const size_t n = sizes[s];
        if (!pattern_fits(patterns[p], type) || (n == ITEMS && p > 3 && patterns[p] != PATTERN_nan_middle))
          continue;
        pattern_fill(patterns[p], type, items, n, 1);
        numbers_of(type, items, n, numbers);
        place_memory_t x = memory_get(&place, items, n * type_bytes(type), 0);
        for (int r = 0; r < ROW_COUNT; r++)
          for (int nan = 0; nan < (type_is_floating(type) ? 2 : 1); nan++)
            if (rows[r].type == type && rows[r].streams == 1 && place_takes_next(&place, 5))
              in_pieces(&rows[r], patterns[p], nan ? USW_NAN_IGNORE : USW_NAN_PROPAGATE, n, &x);
        memory_free(&x);
      }
}

static double sum_so_far(const usw_partial_t *partial) {
  double sum = -1;
  CHECK_STATUS(USW_OK, usw_partial_result(partial, &sum));
  return sum;
}

/* A result may be asked for at any time, and a refused call changes nothing. */
static void keeps_its_state(void) {
  static double ones[ITEMS];
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  usw_options_t options = place_options(&place);
  usw_partial_t *partial = NULL;
  options.report = &report;
  for (int i = 0; i < ITEMS; i++)
    ones[i] = 1;
  place_memory_t x = memory_get(&place, ones, sizeof ones, 0);
  CHECK_STATUS(USW_OK, usw_partial_create(&partial, USW_PLUS, USW_F64, &options));
  CHECK_F64(0, sum_so_far(partial));
  CHECK_STATUS(USW_OK, usw_partial_add(partial, x.data, 1000));
  CHECK_U64(8000, report.bytes);
  CHECK_I64(place.place, report.place);
  CHECK_F64(1000, sum_so_far(partial));
  CHECK_F64(1000, sum_so_far(partial));
  CHECK_STATUS(USW_OK, usw_partial_add(partial, NULL, 0));
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_add(partial, NULL, 5));
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_add(partial, (const char *)x.data + 4, 5));
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_add(partial, x.data, SIZE_MAX));
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_result(partial, NULL));
  CHECK_F64(1000, sum_so_far(partial));
  CHECK_STATUS(USW_OK, usw_partial_add(partial, x.data, ITEMS));
  CHECK_F64(1000 + ITEMS, sum_so_far(partial));
  usw_partial_destroy(partial);
  memory_free(&x);
}

/* The parts are merged pairwise: thousands of them round no more than a dozen additions. */
static void many_parts(void) {
  float tenth = 0.1f, sum = 0;
  usw_options_t options = place_options(&place);
  usw_partial_t *partial = NULL;
  place_memory_t x = memory_get(&place, &tenth, sizeof tenth, 0);
  CHECK_STATUS(USW_OK, usw_partial_create(&partial, USW_PLUS, USW_F32, &options));
  const int parts = strcmp(place.target, "simt") == 0 && is_quick_tier() ? ITEMS / 10 : ITEMS;
  for (int i = 0; i < parts; i++)
    CHECK_STATUS(USW_OK, usw_partial_add(partial, x.data, 1));
  CHECK_STATUS(USW_OK, usw_partial_result(partial, &sum));
  const double error = fabs(sum - parts * (double)tenth) / (parts * (double)tenth);
  check_count(error < 15 * 0x1p-24, __FILE__, __LINE__, "relative error %g after %d parts", error, parts);
  usw_partial_destroy(partial);
  memory_free(&x);
}

/* What nobody adds to is nothing more than its one part, through a block, too: a product with 1 + 0i would turn infinities of
 * complex numbers into NaN, and zeros into others. */
static void one_part_as_it_is(void) {
  static const double x[] = {INFINITY, 2, -0.0, -3};
  unsigned char block[256];
  size_t bytes;
  usw_options_t options = place_options(&place);
  for (int k = 0; k < 2; k++) {
    usw_partial_t *partial = NULL, *received = NULL;
    double whole[2], sent[2];
    place_memory_t memory = memory_get(&place, &x[2 * k], 2 * sizeof *x, 0);
    CHECK_STATUS(USW_OK, usw_reduce(USW_MULTIPLIES, USW_CF64, memory.data, 1, whole, &options));
    CHECK_STATUS(USW_OK, usw_partial_create(&partial, USW_MULTIPLIES, USW_CF64, &options));
    CHECK_STATUS(USW_OK, usw_partial_add(partial, memory.data, 1));
    CHECK_STATUS(USW_OK, usw_partial_export(partial, block, sizeof block, &bytes));
    CHECK_STATUS(USW_OK, usw_partial_import(&received, block, bytes, NULL));
    CHECK_STATUS(USW_OK, usw_partial_result(received, sent));
    CHECK_F64(whole[0], sent[0]);
    CHECK_F64(whole[1], sent[1]);
    usw_partial_destroy(received);
    usw_partial_destroy(partial);
    memory_free(&memory);
  }
}

/* A refused creation leaves the pointer as it was. */
static void refused(usw_status_t expected, usw_operation_t operation, int type, const usw_options_t *options) {
  int marker;
  usw_partial_t *const before = (usw_partial_t *)(void *)&marker, *partial = before;
  CHECK_STATUS(expected, usw_partial_create(&partial, operation, (usw_type_t)type, options));
  CHECK(partial == before);
  CHECK(usw_error_text()[0] != 0);
}

static void refusals(void) {
  usw_options_t options = place_options(&place);
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_create(NULL, USW_PLUS, USW_F64, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_add(NULL, items, 1));
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_result(NULL, items));
  usw_partial_destroy(NULL);
  for (int operation = -1; operation < 80; operation++)
    for (int type = -1; type < 40; type++) {
      const row_t *row = row_find((usw_operation_t)operation, (usw_type_t)type);
      if (!row || row->streams == 2)
        refused(USW_ERROR_UNSUPPORTED, (usw_operation_t)operation, type, NULL);
    }
  options.size--;
  refused(USW_ERROR_VERSION, USW_PLUS, USW_F64, &options);
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  refusals();
  keeps_its_state();
  many_parts();
  one_part_as_it_is();
  every_row();
  usw_partial_t *partial = NULL, *before = NULL;
  const double one = 1;
  CHECK_STATUS(USW_OK, usw_partial_create(&before, USW_PLUS, USW_F64, NULL));
  CHECK_STATUS(USW_OK, usw_finalize());
  CHECK_STATUS(USW_ERROR_STATE, usw_partial_add(before, &one, 1));
  usw_partial_destroy(before);
  CHECK_STATUS(USW_ERROR_STATE, usw_partial_create(&partial, USW_PLUS, USW_F64, NULL));
  CHECK(partial == NULL);
  return check_report();
}
