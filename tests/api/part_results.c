/* Results of parts in memory of their places: of all parts, or of one, each what the caller gets.   part_results [--place NAME] */
#include <string.h>
#include <upsweep/upsweep.h>

/* Before the oracle, whose names it must not meet. */
#define USW_KERNEL binned
#define USW_PARTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) VALUE(uint64_t, bins)
#define USW_REDUCERS(R, S)                                                                                             \
  R(double, sum, USW_PLUS) S(uint64_t, counts, USW_DYNAMIC_EXTENT, USW_PLUS) R(uint64_t, last, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(sum, x);
  usw_inc_at(counts, i % bins);
  usw_combine(last, i);
}
#include <upsweep/kernel_end.h>

#include "oracle/memory.h"
#include "oracle/oracle.h"
#include "oracle/pattern.h"
#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 1003, PARTS = 5, EMPTY_PART = 3, MOST_PLACES = 6, BINS = 40, ROOM = 1024 };
static const unsigned char untouched = 0xa5;

static test_place_t places[MOST_PLACES];
static int place_count;
static char items[ITEMS * 16];

static void find_places(int argc, char **argv) {
  places[place_count++] = place_of_arguments(argc, argv);
  if (places->place == USW_HOST)
    return;
  places[place_count++] = (test_place_t){USW_HOST, -1, "host"};
  place_count += places_like(&places[0], &places[place_count], MOST_PLACES - place_count);
}

/* ---- parts with memory for results ---- */

typedef struct {
  usw_part_t part[PARTS];
  place_memory_t x[PARTS], result[PARTS];
} deal_t;

static void clear_results(deal_t *deal) {
  unsigned char fresh[ROOM];
  memset(fresh, untouched, sizeof fresh);
  for (int k = 0; k < PARTS; k++) {
    const place_memory_t *result = &deal->result[k];
    if (result->device < 0)
      memcpy(result->data, fresh, sizeof fresh);
    else
      memory_device_copy(result->data, result->device, fresh, -1, sizeof fresh);
  }
}

static void make_deal(deal_t *deal, usw_type_t type) {
  const size_t each = ITEMS / PARTS;
  for (size_t k = 0; k < PARTS; k++) {
    const test_place_t *place = &places[k % (size_t)place_count];
    const size_t n = k == EMPTY_PART ? 0 : each;
    deal->x[k] = memory_get(place, items + k * each * type_bytes(type), n * type_bytes(type), 0);
    deal->result[k] = memory_get(place, NULL, ROOM, 0);
    deal->part[k] = (usw_part_t){.size = USW_INIT(usw_part_t), .place = place->place, .device = place->device, .n = n};
    deal->part[k].x[0] = deal->part[k].x[1] = n > 0 ? deal->x[k].data : NULL;
    deal->part[k].result = deal->result[k].data;
  }
  clear_results(deal);
}

static void free_deal(deal_t *deal) {
  for (int k = 0; k < PARTS; k++) {
    memory_free(&deal->x[k]);
    memory_free(&deal->result[k]);
  }
}

/* Whether the memory of a part holds so many bytes of a result, and nothing else. */
static void check_memory(const deal_t *deal, int k, const void *result, size_t bytes, const char *what) {
  unsigned char expected[ROOM], got[ROOM];
  memset(expected, untouched, sizeof expected);
  if (bytes > 0)
    memcpy(expected, result, bytes);
  memory_read(&deal->result[k], got, sizeof got);
  check_count(memcmp(expected, got, sizeof got) == 0, __FILE__, __LINE__, "%s: the result of part %d", what, k + 1);
}

static void check_all(deal_t *deal, const void *result, size_t bytes, const char *what) {
  for (int k = 0; k < PARTS; k++)
    check_memory(deal, k, result, deal->part[k].result ? bytes : 0, what);
  clear_results(deal);
}

/* ---- reductions of the library ---- */

static void by_plan(const row_t *row, deal_t *deal, const usw_options_t *options) {
  usw_plan_t *plan = NULL;
  usw_request_t request;
  result_t got;
  CHECK_STATUS(USW_OK, usw_plan_create_parts(&plan, row->operation, row->type, deal->part, PARTS, options));
  check_all(deal, NULL, 0, "a plan that has not run");
  for (int run = 0; run < 2; run++) {
    CHECK_STATUS(USW_OK, usw_plan_run_parts(plan, &got));
    check_all(deal, &got, row->result_bytes, "a plan");
  }
  CHECK_STATUS(USW_OK, usw_plan_start_parts(plan, &got, &request));
  CHECK_STATUS(USW_OK, usw_request_wait(&request));
  check_all(deal, &got, row->result_bytes, "a request");
  usw_plan_destroy(plan);
}

static void one_row(const row_t *row, usw_accuracy_t accuracy) {
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .accuracy = accuracy};
  usw_part_t without[PARTS];
  result_t expected, got;
  deal_t deal;
  make_deal(&deal, row->type);
  memcpy(without, deal.part, sizeof without);
  for (int k = 0; k < PARTS; k++)
    without[k].result = NULL;
  const usw_status_t status = usw_reduce_parts(row->operation, row->type, without, PARTS, &expected, &options);
  memset(&got, untouched, sizeof got);
  CHECK_STATUS(status, usw_reduce_parts(row->operation, row->type, deal.part, PARTS, &got, &options));
  if (status == USW_OK) {
    CHECK_AT(results_equal(row, &expected, &got), row->name);
    CHECK_U64(untouched, got.bytes[row->result_bytes]);
    check_all(&deal, &got, row->result_bytes, row->name);
    by_plan(row, &deal, &options);
    deal.part[0].result = deal.part[EMPTY_PART].result = NULL; /* not of all */
    CHECK_STATUS(USW_OK, usw_reduce_parts(row->operation, row->type, deal.part, PARTS, &got, &options));
    check_all(&deal, &got, row->result_bytes, row->name);
  }
  free_deal(&deal);
}

static void every_row(void) {
  static const usw_accuracy_t levels[] = {USW_REPEATABLE, USW_REPRODUCIBLE, USW_EXACT};
  for (int r = 0; r < ROW_COUNT; r++) {
    pattern_fill(PATTERN_random, rows[r].type, items, ITEMS, 1);
    for (size_t l = 0; l < sizeof levels / sizeof *levels; l++)
      if (place_takes_next(&places[0], 3))
        one_row(&rows[r], levels[l]);
  }
}

/* ---- kernels of users ---- */

/* What variables hold before is part of the results, once; each part takes those that it names. */
static void kernels(void) {
  enum { SUM_AT = 0, LAST_AT = 64, COUNTS_AT = 128 };
  deal_t deal;
  usw_kernel_part_t part[PARTS];
  void *results[PARTS][3];
  unsigned char expected[ROOM];
  pattern_fill(PATTERN_ramp, USW_F64, items, ITEMS, 1);
  make_deal(&deal, USW_F64);
  for (int k = 0; k < PARTS; k++) {
    char *const at = deal.result[k].data;
    part[k] = binned_part(deal.part[k].n, deal.part[k].x[0], BINS);
    part[k].place = deal.part[k].place;
    part[k].device = deal.part[k].device;
    part[k].results = k == 1 ? NULL : results[k];
    results[k][0] = at + SUM_AT;
    results[k][1] = k == 2 ? NULL : at + COUNTS_AT;
    results[k][2] = at + LAST_AT;
  }
  usw_plan_t *plan = NULL;
  CHECK_STATUS(USW_OK, binned_plan_create_parts(&plan, part, PARTS, NULL));
  for (int run = 0; run < 3; run++) {
    double sum = 0.5;
    uint64_t counts[BINS] = {7}, last = 3;
    CHECK_STATUS(USW_OK, run == 0 ? binned_parts(part, PARTS, &sum, counts, BINS, &last, NULL)
                                  : binned_plan_run_parts(&sum, counts, BINS, &last, plan));
    CHECK_U64(7 + (ITEMS / PARTS * (PARTS - 1) + BINS - 1) / BINS, counts[0]);
    CHECK_U64(ITEMS / PARTS * (PARTS - 1) - 1, last);
    for (int k = 0; k < PARTS; k++) {
      memset(expected, untouched, sizeof expected);
      memcpy(expected + SUM_AT, &sum, sizeof sum);
      memcpy(expected + LAST_AT, &last, sizeof last);
      if (k != 2)
        memcpy(expected + COUNTS_AT, counts, sizeof counts);
      check_memory(&deal, k, expected, k == 1 ? 0 : sizeof expected, "a kernel's part");
    }
    clear_results(&deal);
  }
  usw_plan_destroy(plan);
  free_deal(&deal);
}

/* ---- mistakes ---- */

static void refused(deal_t *deal, usw_status_t expected, const char *part, const char *text) {
  for (int exact = 0; exact < 2; exact++) {
    const usw_options_t options = {.size = USW_INIT(usw_options_t), .accuracy = exact ? USW_EXACT : USW_REPEATABLE};
    double sum = 77;
    usw_plan_t *plan = NULL;
    CHECK_STATUS(expected, usw_reduce_parts(USW_PLUS, USW_F64, deal->part, PARTS, &sum, &options));
    CHECK_TEXT_HAS(usw_error_text(), part);
    CHECK_TEXT_HAS(usw_error_text(), text);
    CHECK_F64(77, sum);
    if (!exact)
      CHECK_STATUS(expected, usw_plan_create_parts(&plan, USW_PLUS, USW_F64, deal->part, PARTS, &options));
    CHECK(plan == NULL);
    check_all(deal, NULL, 0, text);
  }
}

static void mistakes(void) {
  deal_t deal;
  double here = 77;
  memset(items, 0, sizeof items);
  make_deal(&deal, USW_F64);
  const usw_part_t first = deal.part[0], last = deal.part[PARTS - 1];
  deal.part[PARTS - 1].result = (char *)last.result + 4;
  refused(&deal, USW_ERROR_INVALID, "part 5 of 5: ", "not aligned to 8 bytes");
  deal.part[PARTS - 1].result = last.result;
  deal.part[PARTS - 1].place = USW_DEVICE;
  deal.part[PARTS - 1].device = 4711;
  refused(&deal, USW_ERROR_DEVICE, "part 5 of 5: ", "no device 4711");
  deal.part[PARTS - 1] = last;
  if (strcmp(places[0].target, "nvptx") == 0) { /* others have no memory that the host cannot reach */
    deal.part[0].result = &here;
    refused(&deal, USW_ERROR_PLACE, "part 1 of 5: ", "is neither memory of device");
    deal.part[0] = first;
    deal.part[1].result = first.result;
    refused(&deal, USW_ERROR_PLACE, "part 2 of 5: ", "which the host cannot read");
  }
  CHECK_F64(77, here);
  free_deal(&deal);
}

int main(int argc, char **argv) {
  find_places(argc, argv);
  kernels();
  mistakes();
  every_row();
  CHECK_STATUS(USW_OK, usw_finalize());
  return check_report();
}
