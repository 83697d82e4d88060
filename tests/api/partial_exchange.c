/* What ranks exchange: parts that are exported, imported and merged in any order give what the whole gives; and blocks that
 * are no blocks are refused.   partial_exchange [--place NAME] */
#include <stdlib.h>
#include <string.h>
#include <upsweep/partial.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "oracle/oracle.h"
#include "oracle/pattern.h"
#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 2003, MOST_ITEM_BYTES = 16, MOST_PARTS_SPLIT = 64, MOST_BLOCK_BYTES = 256, LEVELS = 4 };

static test_place_t place;
static char items[ITEMS * MOST_ITEM_BYTES];
static number_t numbers[ITEMS];

static uint64_t random_bits(void) {
  static uint64_t state = 8;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 33;
}

typedef struct {
  const row_t *row;
  usw_options_t options;
  const place_memory_t *x;
} job_t;

/* One part, [first, last), as a block: what a rank sends. Placed ones say where they begin. */
static void send(const job_t *job, size_t first, size_t last, int is_placed, unsigned char block[MOST_BLOCK_BYTES]) {
  const size_t want = usw_partial_export_bytes(job->row->operation, job->row->type, &job->options);
  usw_partial_t *part = NULL;
  size_t bytes = 0;
  CHECK_STATUS(USW_OK, usw_partial_create(&part, job->row->operation, job->row->type, &job->options));
  if (is_placed)
    CHECK_STATUS(USW_OK, usw_partial_begin_at(part, first));
  const char *x = (const char *)job->x->data + first * type_bytes(job->row->type);
  const size_t half = (last - first) / 2;
  CHECK_STATUS(USW_OK, usw_partial_add(part, x, half));
  CHECK_STATUS(USW_OK, usw_partial_add(part, x + half * type_bytes(job->row->type), last - first - half));
  CHECK_STATUS(USW_OK, usw_partial_export(part, NULL, 0, &bytes));
  CHECK_U64(want, bytes);
  CHECK(want >= 61 && want <= MOST_BLOCK_BYTES);
  CHECK_STATUS(USW_OK, usw_partial_export(part, block, bytes, &bytes));
  usw_partial_destroy(part);
}

/* A block as an object: what a rank receives. */
static usw_partial_t *receive(const job_t *job, const unsigned char *block) {
  usw_options_t options = job->options;
  usw_partial_t *part = NULL;
  options.accuracy = USW_REPEATABLE; /* the block says it */
  options.nan = USW_NAN_PROPAGATE;
  const size_t bytes = usw_partial_export_bytes(job->row->operation, job->row->type, &job->options);
  CHECK_STATUS(USW_OK, usw_partial_import(&part, block, bytes, &options));
  return part;
}

/* n items in so many parts of random lengths, some empty, merged in random order if they are placed. Half of them are
 * merged in an object that is exported itself. */
static result_t exchange(const job_t *job, size_t n, int parts, int is_placed) {
  static unsigned char blocks[MOST_PARTS_SPLIT][MOST_BLOCK_BYTES], half[MOST_BLOCK_BYTES];
  size_t first = 0;
  int order[MOST_PARTS_SPLIT];
  result_t result;
  memset(&result, 0xa5, sizeof result);
  for (int p = 0; p < parts; p++) {
    const size_t most = 2 * n / (size_t)parts + 1, wish = first + random_bits() % most;
    const size_t last = p == parts - 1 || wish > n ? n : wish;
    send(job, first, last, is_placed, blocks[p]);
    first = last;
    order[p] = p;
  }
  for (int p = parts - 1; p > 0 && is_placed; p--) {
    const int other = (int)(random_bits() % (uint64_t)(p + 1)), moved = order[p];
    order[p] = order[other];
    order[other] = moved;
  }
  usw_partial_t *total = receive(job, blocks[order[0]]);
  for (int p = 1; p < parts; p++) {
    usw_partial_t *part = receive(job, blocks[order[p]]);
    CHECK_STATUS(USW_OK, usw_partial_merge(total, part));
    usw_partial_destroy(part);
    if (p == parts / 2) {
      CHECK_STATUS(USW_OK, usw_partial_export(total, half, sizeof half, NULL));
      usw_partial_destroy(total);
      total = receive(job, half);
    }
  }
  CHECK_STATUS(USW_OK, usw_partial_result(total, &result));
  CHECK_U64(0xa5, result.bytes[job->row->result_bytes]);
  usw_partial_destroy(total);
  return result;
}

static int same_bits_promised(const row_t *row, usw_accuracy_t accuracy) {
  return accuracy == USW_REPRODUCIBLE || !row_is_rounded(row);
}

static void one_row(const job_t *job, pattern_t pattern, size_t n, const oracle_t *oracle, int parts) {
  static unsigned turn;
  usw_options_t host = {.size = USW_INIT(usw_options_t), .place = USW_HOST, .accuracy = job->options.accuracy};
  result_t whole;
  host.nan = job->options.nan;
  memset(&whole, 0, sizeof whole);
  usw_partial_t *partial = NULL;
  const usw_status_t status = usw_reduce(job->row->operation, job->row->type, items, n, &whole, &host);
  if (status == USW_ERROR_UNSUPPORTED) {
    CHECK_STATUS(status, usw_partial_create(&partial, job->row->operation, job->row->type, &job->options));
    CHECK_U64(0, usw_partial_export_bytes(job->row->operation, job->row->type, &job->options));
    return;
  }
  CHECK_STATUS(USW_OK, status);
  const int is_placed = turn++ / 5 % 2 == 0;
  const result_t result = exchange(job, n, parts, is_placed);
  char why[640] = "not the bits of the whole";
  const int agrees = same_bits_promised(job->row, job->options.accuracy)
                         ? results_equal(job->row, &whole, &result)
                         : oracle_agrees(oracle, &result, why, sizeof why);
  check_count(agrees, __FILE__, __LINE__, "%s_%s n=%zu pattern=%s nan=%d accuracy=%d in %d parts: %s", job->row->name,
              type_name(job->row->type), n, pattern_name(pattern), (int)job->options.nan, (int)job->options.accuracy,
              parts, why);
}

static void row_of_pattern(const row_t *row, pattern_t pattern, usw_accuracy_t accuracy, size_t n, int parts) {
  pattern_fill(pattern, row->type, items, n, 1);
  numbers_of(row->type, items, n, numbers);
  place_memory_t x = memory_get(&place, items, n * type_bytes(row->type), 0);
  job_t job = {row, place_options(&place), &x};
  job.options.accuracy = accuracy;
  job.options.nan = (int)pattern % 2 ? USW_NAN_IGNORE : USW_NAN_PROPAGATE;
  const rounding_t rounding = {64 + (double)n, pattern_is_exact(pattern)};
  const oracle_t oracle = oracle_of(row, numbers, NULL, n, job.options.nan, rounding);
  one_row(&job, pattern, n, &oracle, parts);
  memory_free(&x);
}

/* Every row at every level that differs. An emulated GPU takes its time: fewer parts and patterns there. */
static void every_row(void) {
  static const int splits[] = {1, 2, 17, 5, 64};
  const int on_host = place.place == USW_HOST;
  unsigned turn = 0;
  for (int r = 0; r < ROW_COUNT; r++)
    for (int pattern = 0; pattern < PATTERN_COUNT; pattern++)
      for (int accuracy = 0; accuracy < LEVELS; accuracy++) {
        const int is_chosen = on_host || pattern == PATTERN_random || pattern == PATTERN_nan_often ||
                              pattern == PATTERN_wide || pattern == PATTERN_least_last;
        if (rows[r].streams != 1 || !is_chosen || !pattern_fits((pattern_t)pattern, rows[r].type) ||
            (accuracy % 3 && !row_is_rounded(&rows[r])) || !place_takes_next(&place, 12))
          continue;
        row_of_pattern(&rows[r], (pattern_t)pattern, (usw_accuracy_t)accuracy, on_host ? ITEMS : 500,
                       splits[turn % (on_host ? 5 : 2)]);
        turn++;
      }
}

/* Sums of all magnitudes, in as many parts as there may be ranks. */
static void many_parts(void) {
  static const usw_operation_t operations[] = {USW_PLUS, USW_NORM2, USW_DESCRIBE};
  for (int parts = 1; parts <= MOST_PARTS_SPLIT; parts += strcmp(place.target, "simt") == 0 && is_quick_tier() ? 63 : 7)
    for (int k = 0; k < 3; k++) {
      row_of_pattern(row_find(operations[k], USW_F64), PATTERN_huge_and_tiny, USW_REPRODUCIBLE, ITEMS, parts);
      row_of_pattern(row_find(operations[k], USW_F32), PATTERN_wide, USW_REPRODUCIBLE, ITEMS, parts);
    }
}

/* The index and the count of a total of [5, 1, 4], [1, 7] and [0], merged as told. */
static void located(int is_placed, const int order[3], int64_t least_index, int64_t greatest_index) {
  static const int32_t data[] = {5, 1, 4, 1, 7, 0};
  static const size_t first[] = {0, 3, 5, 6};
  usw_partial_t *total = NULL, *part = NULL;
  usw_describe_i32_t result;
  usw_options_t options = place_options(&place);
  place_memory_t x = memory_get(&place, data, sizeof data, 0);
  CHECK_STATUS(USW_OK, usw_partial_create(&total, USW_DESCRIBE, USW_I32, &options));
  if (is_placed)
    CHECK_STATUS(USW_OK, usw_partial_begin_at(total, 100));
  for (int k = 0; k < 3; k++) {
    const size_t from = first[order[k]], to = first[order[k] + 1];
    CHECK_STATUS(USW_OK, usw_partial_create(&part, USW_DESCRIBE, USW_I32, &options));
    if (is_placed)
      CHECK_STATUS(USW_OK, usw_partial_begin_at(part, 100 + from));
    CHECK_STATUS(USW_OK, usw_partial_add(part, (const int32_t *)x.data + from, to - from));
    CHECK_STATUS(USW_OK, usw_partial_merge(total, part));
    CHECK_STATUS(USW_OK, usw_partial_result(part, &result)); /* which is as it was */
    CHECK_U64(to - from, result.count);
    usw_partial_destroy(part);
  }
  CHECK_STATUS(USW_OK, usw_partial_add(total, x.data, 1)); /* it goes on */
  CHECK_STATUS(USW_OK, usw_partial_result(total, &result));
  CHECK_U64(7, result.count);
  CHECK_I64(least_index, result.minimum_index);
  CHECK_I64(greatest_index, result.maximum_index);
  usw_partial_destroy(total);
  memory_free(&x);
}

/* Without places the order of the merges is that of the elements; with them it does not matter. */
static void indices(void) {
  static const int orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}};
  located(0, orders[0], 5, 4);
  located(0, orders[1], 0, 2);
  located(0, orders[2], 2, 1);
  for (int k = 0; k < 3; k++)
    located(1, orders[k], 105, 104);
}

/* The same tree of merges gives the same bits, exported on the way or not. */
static void same_tree(void) {
  static double data[ITEMS];
  double sums[3];
  pattern_fill(PATTERN_random, USW_F64, data, ITEMS, 3);
  place_memory_t x = memory_get(&place, data, sizeof data, 0);
  job_t job = {row_find(USW_PLUS, USW_F64), place_options(&place), &x};
  for (int run = 0; run < 3; run++) {
    usw_partial_t *total = NULL;
    unsigned char block[MOST_BLOCK_BYTES];
    CHECK_STATUS(USW_OK, usw_partial_create(&total, USW_PLUS, USW_F64, &job.options));
    for (size_t first = 0; first + 100 <= ITEMS; first += 100) {
      usw_partial_t *part = NULL;
      if (run == 0) {
        CHECK_STATUS(USW_OK, usw_partial_create(&part, USW_PLUS, USW_F64, &job.options));
        CHECK_STATUS(USW_OK, usw_partial_add(part, (const double *)x.data + first, 50));
        CHECK_STATUS(USW_OK, usw_partial_add(part, (const double *)x.data + first + 50, 50));
      } else {
        send(&job, first, first + 100, 1, block);
        part = receive(&job, block);
      }
      CHECK_STATUS(USW_OK, usw_partial_merge(total, part));
      usw_partial_destroy(part);
    }
    CHECK_STATUS(USW_OK, usw_partial_result(total, &sums[run]));
    usw_partial_destroy(total);
  }
  CHECK_F64(sums[0], sums[1]);
  CHECK_F64(sums[0], sums[2]);
  memory_free(&x);
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  indices();
  same_tree();
  many_parts();
  every_row();
  return check_report();
}
