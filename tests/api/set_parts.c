/* Sets over parts in several places: however the items are dealt, all reducers give what a loop over all items gives.
 *   set_parts [--place NAME] */
#include <string.h>
#include <upsweep/set.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 6007, PARTS = 5, BINS = 23, MOST_PLACES = 6 };

static test_place_t places[MOST_PLACES];
static int place_count;
static double x[ITEMS]; /* whole numbers: sums do not round */
static int32_t y[ITEMS];
static uint32_t keys[ITEMS];

static void find_places(int argc, char **argv) {
  places[place_count++] = place_of_arguments(argc, argv);
  if (places->place == USW_HOST)
    return;
#ifndef USW_PORT_SIMT /* where the host has kernels of a GPU's */
  places[place_count++] = (test_place_t){USW_HOST, -1, "host"};
#endif
  place_count += places_like(&places[0], &places[place_count], MOST_PLACES - place_count);
}

static uint64_t next(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 33;
}

/* ---- results, and the reducers that have them ---- */

typedef struct {
  double sum, sums[BINS];
  int64_t total;
  int32_t most, least[BINS];
} results_t;

/* What variables hold before is part of the results, but for the total. */
static results_t before(void) {
  results_t r;
  memset(&r, 0, sizeof r);
  r.sum = 1000;
  r.total = 77;
  r.most = -5;
  for (int b = 0; b < BINS; b++) {
    r.sums[b] = b;
    r.least[b] = 2 - b;
  }
  return r;
}

static usw_set_t *make_set(const void *of_x, const void *of_y, const void *of_keys, results_t *r) {
  usw_set_t *set = NULL;
  CHECK_STATUS(USW_OK, usw_set_create(&set));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_PLUS, USW_F64, of_x, 1, &r->sum, 0));
  CHECK_STATUS(USW_OK, usw_set_add_span(set, USW_PLUS, USW_F64, of_x, 1, USW_U32, of_keys, r->sums, BINS, 0));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_PLUS, USW_I32, of_y, 1, &r->total, USW_SET_INITIALIZE_TO_IDENTITY));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_MAXIMUM, USW_I32, of_y, 1, &r->most, 0));
  CHECK_STATUS(USW_OK, usw_set_add_span(set, USW_MINIMUM, USW_I32, of_y, 1, USW_U32, of_keys, r->least, BINS, 0));
  return set;
}

static results_t whole(size_t n) {
  results_t r = before();
  for (size_t i = 0; i < n; i++) {
    r.total = i > 0 ? r.total + y[i] : y[i];
    r.sum += x[i];
    r.sums[keys[i]] += x[i];
    r.most = y[i] > r.most ? y[i] : r.most;
    r.least[keys[i]] = y[i] < r.least[keys[i]] ? y[i] : r.least[keys[i]];
  }
  r.total = n > 0 ? r.total : 0;
  return r;
}

/* ---- a deal of the items ---- */

typedef struct {
  usw_set_part_t part[PARTS];
  place_memory_t x[PARTS], y[PARTS], keys[PARTS];
  results_t results[PARTS];
} deal_t;

static void make_deal(deal_t *deal, size_t n, uint64_t seed) {
  size_t first = 0;
  for (int k = 0; k < PARTS; k++) {
    const test_place_t *place = &places[next(&seed) % (uint64_t)place_count];
    const size_t left = n - first, wish = next(&seed) % 4 == 0 ? 0 : next(&seed) % (1 + 2 * n / PARTS);
    const size_t length = k + 1 == PARTS || wish > left ? left : wish;
    deal->x[k] = memory_get(place, x + first, length * sizeof *x, 0);
    deal->y[k] = memory_get(place, y + first, length * sizeof *y, 0);
    deal->keys[k] = memory_get(place, keys + first, length * sizeof *keys, 0);
    deal->results[k] = before();
    deal->part[k] = (usw_set_part_t){USW_INIT(usw_set_part_t), place->place, place->device, length,
                                     make_set(deal->x[k].data, deal->y[k].data, deal->keys[k].data, &deal->results[k])};
    first += length;
  }
}

static void free_deal(deal_t *deal) {
  for (int k = 0; k < PARTS; k++) {
    usw_set_destroy(deal->part[k].set);
    memory_free(&deal->x[k]);
    memory_free(&deal->y[k]);
    memory_free(&deal->keys[k]);
  }
}

/* The first set has all results, and the others have what they had. */
static void check_results(const deal_t *deal, const results_t *expected, const char *what) {
  const results_t fresh = before();
  check_count(memcmp(expected, &deal->results[0], sizeof *expected) == 0, __FILE__, __LINE__, "%s: results", what);
  for (int k = 1; k < PARTS; k++)
    check_count(memcmp(&fresh, &deal->results[k], sizeof fresh) == 0, __FILE__, __LINE__, "%s: part %d", what, k + 1);
}

static void deal_and_run(size_t n, uint64_t seed) {
  static deal_t deal;
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  usw_options_t options = {.size = USW_INIT(usw_options_t), .report = &report};
  const results_t expected = whole(n);
  make_deal(&deal, n, seed);
  CHECK_STATUS(USW_OK, usw_set_run_parts(deal.part, PARTS, NULL));
  check_results(&deal, &expected, "parts");
  deal.results[0] = before();
  options.recheck = 1;
  CHECK_STATUS(USW_OK, usw_set_run_parts(deal.part, PARTS, &options));
  check_results(&deal, &expected, "rechecked parts");
  CHECK_U64(n * (2 * sizeof *x + 3 * sizeof *y + 2 * sizeof *keys), report.bytes);
  CHECK_U64(UINT64_MAX, report.kept);
  deal.results[0] = before();
  CHECK_STATUS(USW_OK, usw_set_run(deal.part[0].set, 0, NULL)); /* a set of a part is one of its own all the same */
  CHECK_F64(before().sum, deal.results[0].sum);
  free_deal(&deal);
}

/* Arrays with lengths of their own, the first of which is several tasks of a batch. */
enum { ARRAYS = 20, LENGTH = 100 };
static size_t length_of(size_t array) { return array == 0 ? ITEMS : LENGTH - array; }

/* What a batch has kept to run again as it was, parts overwrite. */
static void batches(void) {
  const usw_options_t options = place_options(&places[0]);
  place_memory_t there = memory_get(&places[0], x, sizeof x, 0);
  double sums[ARRAYS], others[ARRAYS], expected[ARRAYS] = {0};
  usw_set_part_t part[2] = {{USW_INIT(usw_set_part_t), places[0].place, places[0].device, 0, NULL}};
  part[1] = part[0];
  for (int k = 0; k < 2; k++) {
    CHECK_STATUS(USW_OK, usw_set_create(&part[k].set));
    for (size_t a = 0; a < ARRAYS; a++)
      CHECK_STATUS(USW_OK,
                   usw_set_add_array(part[k].set, USW_PLUS, USW_F64, (const double *)there.data + a * LENGTH,
                                     length_of(a), 1, k ? &others[a] : &sums[a], USW_SET_INITIALIZE_TO_IDENTITY));
  }
  for (size_t a = 0; a < ARRAYS; a++)
    for (size_t i = 0; i < length_of(a); i++)
      expected[a] += x[a * LENGTH + i];
  for (int run = 0; run < 6; run++) {
    const int is_of_parts = run == 3;
    memset(sums, 0xa5, sizeof sums);
    CHECK_STATUS(USW_OK, is_of_parts ? usw_set_run_parts(part, 2, NULL) : usw_set_run(part[0].set, 0, &options));
    for (int a = 0; a < ARRAYS; a++)
      CHECK_F64(expected[a] * (1 + is_of_parts), sums[a]);
  }
  for (int k = 0; k < 2; k++)
    usw_set_destroy(part[k].set);
  memory_free(&there);
}

/* ---- mistakes ---- */

static void refused(deal_t *deal, usw_status_t status, const char *text, const usw_options_t *options) {
  const results_t fresh = before();
  CHECK_STATUS(status, usw_set_run_parts(deal->part, PARTS, options));
  CHECK_TEXT_HAS(usw_error_text(), text);
  check_results(deal, &fresh, text);
}

static void wrong_parts(deal_t *deal) {
  usw_set_part_t *const part = &deal->part[2];
  const usw_set_part_t right = *part;
  double none = 0;
  part->size--;
  refused(deal, USW_ERROR_VERSION, "part 3 of 5: ", NULL);
  *part = right;
  part->set = NULL;
  refused(deal, USW_ERROR_INVALID, "part 3 of 5: usw_set_run_parts: the set is NULL", NULL);
  part->set = deal->part[1].set;
  refused(deal, USW_ERROR_INVALID, "the set is that of part 2", NULL);
  part->set = NULL;
  CHECK_STATUS(USW_OK, usw_set_create(&part->set));
  refused(deal, USW_ERROR_INVALID, "other reducers", NULL);
  usw_set_destroy(part->set);
  part->set = make_set(deal->x[2].data, NULL, deal->keys[2].data, &deal->results[2]);
  refused(deal, USW_ERROR_INVALID, "part 3 of 5: reducer 2 (sum_i32): 'x' is NULL", NULL);
  CHECK_STATUS(USW_OK, usw_set_add(part->set, USW_PLUS, USW_F64, x, 1, &none, 0));
  refused(deal, USW_ERROR_INVALID, "other reducers", NULL);
  usw_set_destroy(part->set);
  *part = right;
  part->place = USW_DEVICE;
  part->device = 4711;
  refused(deal, USW_ERROR_DEVICE, "part 3 of 5: ", NULL);
  *part = right;
}

static void mistakes(void) {
  static deal_t deal;
  usw_options_t options = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  uint64_t seed = 1;
  do /* until each part has items */
    make_deal(&deal, ITEMS, seed++);
  while ((deal.part[2].n == 0 || deal.part[4].n == 0) && (free_deal(&deal), 1));
  wrong_parts(&deal);
  refused(&deal, USW_ERROR_INVALID, "usw_set_run_parts: options.place", &options);
  CHECK_STATUS(USW_ERROR_INVALID, usw_set_run_parts(NULL, PARTS, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_set_run_parts(deal.part, 0, NULL));
  free_deal(&deal);
  keys[ITEMS - 1] = BINS;
  make_deal(&deal, ITEMS, seed - 1);
  refused(&deal, USW_ERROR_INVALID, "reducer 1 (sum_f64): a key is outside its span", NULL);
  free_deal(&deal);
  keys[ITEMS - 1] = 0;
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 300, ITEMS};
  uint64_t seed = 7;
  find_places(argc, argv);
  for (size_t i = 0; i < ITEMS; i++) {
    x[i] = (double)(next(&seed) % 1000);
    y[i] = (int32_t)(next(&seed) % 100000) - 50000;
    keys[i] = (uint32_t)(next(&seed) % (BINS - 1)); /* one element is named by none */
  }
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int k = 0; k < 6; k++)
      if (place_takes_next(&places[0], 2))
        deal_and_run(sizes[s], next(&seed));
  batches();
  mistakes();
  CHECK_STATUS(USW_OK, usw_finalize());
  CHECK_STATUS(USW_ERROR_STATE, usw_set_run_parts(NULL, 0, NULL));
  return check_report();
}
