/* Short calls of segments on the host take a way of their own where they ask for nothing else (exec/short_results.c), and so do runs of plans:
 * each function and type has the same bits as with a report, which goes the usual way, whatever the lengths; and what that way refuses is
 * refused. */
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/items.h"
#include "oracle/row.h"
#include "support/check.h"
#include "support/place.h"

static const test_place_t host = {USW_HOST, -1, "host"};

enum { MOST_ITEMS = 20000, MOST_SEGMENTS = 9000, GUARD_BYTES = 64 };

/* Segments of `length` items each, but every third one is empty and every fifth has twice as many; has_gaps: by begins and ends that leave items
 * out, and overlap. */
typedef struct {
  size_t n, first, count, length;
  int has_gaps;
} lengths_t;

static const lengths_t lengths[] = {
    {1, 0, 1, 1, 0},      {0, 0, 1, 0, 0},       {0, 0, 7, 0, 0},        {10, 0, 1, 10, 0},     {10, 3, 2, 2, 0},
    {100, 0, 10, 9, 0},   {100, 20, 100, 1, 0},  {500, 0, 7, 60, 0},     {1000, 0, 990, 1, 0},  {1000, 0, 1, 1000, 0},
    {8000, 0, 90, 80, 0}, {8191, 0, 1, 8191, 0}, {8192, 0, 1, 8192, 0},  {8190, 0, 2, 4096, 0}, {9000, 5, 3, 2500, 0},
    {100, 0, 9000, 0, 0}, {9000, 0, 8000, 1, 0}, {20000, 0, 200, 90, 0}, {100, 0, 10, 9, 1},    {1000, 7, 30, 40, 1}};

/* The offsets of segments, the last one behind all; ends: of those with gaps, one item further, or the items' end. */
static void fill(const lengths_t *l, int64_t *begins, int64_t *ends) {
  int64_t at = (int64_t)l->first;
  for (size_t k = 0; k <= l->count; k++) {
    begins[k] = at;
    at += (int64_t)(k % 3 == 2 ? 0 : k % 5 == 4 ? 2 * l->length : l->length);
    at = at < (int64_t)l->n ? at : (int64_t)l->n;
    ends[k] = at + (at < (int64_t)l->n);
  }
}

static usw_segments_t segments_of(const lengths_t *l, usw_type_t type, int32_t *narrow, int64_t *wide) {
  int64_t *const begins = wide, *const ends = wide + MOST_SEGMENTS + 1;
  int32_t *const narrow_ends = narrow + MOST_SEGMENTS + 1;
  fill(l, begins, ends);
  for (size_t k = 0; k <= l->count; k++) {
    narrow[k] = (int32_t)begins[k];
    narrow_ends[k] = (int32_t)ends[k];
  }
  if (l->has_gaps)
    return type == USW_I32 ? usw_segments_by_pairs(type, narrow, narrow_ends, l->count)
                           : usw_segments_by_pairs(type, begins, ends, l->count);
  return usw_segments_by_offsets(type, type == USW_I32 ? (void *)narrow : (void *)wide, l->count);
}

static usw_status_t reduce(const row_t *row, const void *x, size_t n, const usw_segments_t *segments, void *results,
                           const usw_options_t *options) {
  return row->streams == 2 ? usw_reduce_segments_pair(row->operation, row->type, x, x, n, segments, results, options)
                           : usw_reduce_segments(row->operation, row->type, x, n, segments, results, options);
}

/* The same by a plan. */
static usw_status_t run_planned(const row_t *row, const void *x, size_t n, const usw_segments_t *segments,
                                void *results, const usw_options_t *options) {
  usw_plan_t *plan = NULL;
  usw_status_t status = usw_plan_create_segments(&plan, row->operation, row->type, segments, options);
  if (status == USW_OK)
    status = row->streams == 2 ? usw_plan_run_pair(plan, x, x, n, results) : usw_plan_run(plan, x, n, results);
  usw_plan_destroy(plan);
  return status;
}

/* The ways that ask for nothing, and the one with a report: the same status, the same bytes, none behind them. */
static void same_all_ways(const row_t *row, const lengths_t *l, const void *x, const usw_segments_t *segments) {
  const size_t bytes = l->count * row->result_bytes + GUARD_BYTES;
  char *const usual = malloc(bytes), *const brief = malloc(bytes), *const planned = malloc(bytes);
  usw_report_t report = {.size = sizeof report};
  usw_options_t options = place_options(&host);
  options.nan = l->count % 2 ? USW_NAN_PROPAGATE : USW_NAN_IGNORE;
  memset(usual, 0x5a, bytes);
  memset(brief, 0x5a, bytes);
  memset(planned, 0x5a, bytes);
  const usw_status_t without = reduce(row, x, l->n, segments, brief, &options);
  const usw_status_t by_plan = run_planned(row, x, l->n, segments, planned, &options);
  options.report = &report;
  const usw_status_t with = reduce(row, x, l->n, segments, usual, &options);
  check_count(with == without && with == by_plan && memcmp(usual, brief, bytes) == 0 &&
                  memcmp(usual, planned, bytes) == 0,
              __FILE__, __LINE__, "%s_%s, lengths %zu: %s, %s by a plan, %s with a report; or other bytes", row->name,
              type_name(row->type), (size_t)(l - lengths), usw_status_name(without), usw_status_name(by_plan),
              usw_status_name(with));
  free(usual);
  free(brief);
  free(planned);
}

static int has_segments(const row_t *row, const void *x) {
  const int32_t offsets[] = {0, 1};
  const usw_segments_t one = usw_segments_by_offsets(USW_I32, offsets, 1);
  const usw_options_t options = place_options(&host);
  double result[32];
  return reduce(row, x, 1, &one, result, &options) != USW_ERROR_UNSUPPORTED;
}

static void all_rows(int32_t *narrow, int64_t *wide) {
  for (int r = 0; r < ROW_COUNT; r++) {
    items_t items = items_make(rows[r].type, PATTERN_random, MOST_ITEMS, 0);
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths && has_segments(&rows[r], items.x); k++) {
      const usw_segments_t segments = segments_of(&lengths[k], k % 2 ? USW_I32 : USW_I64, narrow, wide);
      if (takes_next(2))
        same_all_ways(&rows[r], &lengths[k], items.x, &segments);
    }
    items_free(&items);
  }
}

static const double elements[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
enum { ITEMS = sizeof elements / sizeof *elements };

static void refused(usw_status_t expected, const char *culprit, const double *x, usw_segments_t segments, void *to,
                    usw_options_t options, int line) {
  double sums[5] = {-1, -1, -1, -1, -1};
  char *const results = to == elements ? (char *)sums + 4 : to ? (char *)sums : NULL;
  const usw_status_t status = usw_reduce_segments(USW_PLUS, USW_F64, x, ITEMS, &segments, results, &options);
  check_count(status == expected && sums[0] == -1 && sums[1] == -1 && strstr(usw_error_text(), culprit), __FILE__, line,
              "%s (%s), sum %g in place of %s about '%s'", usw_status_name(status), usw_error_text(), sums[0],
              usw_status_name(expected), culprit);
}

/* Whatever a short call could overlook. */
static void every_mistake(void) {
  static const int32_t right[] = {0, 4, 8, 12}, falls[] = {0, 5, 4, 12}, ends_behind[] = {0, 4, 8, 13},
                       begins_behind[] = {13, 13, 13, 13}, negative[] = {-1, 4, 8, 12};
  static const int64_t far[] = {0, 4, 8, (int64_t)1 << 32}, less_than_none[] = {0, 4, 8, -4};
  usw_options_t o = place_options(&host);
  double here;
  void *const to = &here;
#define BY(type, offsets) usw_segments_by_offsets(type, offsets, 3)
#define REFUSED(expected, culprit, segments) refused(expected, culprit, elements, segments, to, o, __LINE__)
  REFUSED(USW_ERROR_INVALID, "segment 1", BY(USW_I32, falls));
  REFUSED(USW_ERROR_INVALID, "segment 2", BY(USW_I32, ends_behind));
  REFUSED(USW_ERROR_INVALID, "segment 0", BY(USW_I32, begins_behind));
  REFUSED(USW_ERROR_INVALID, "segment 0", BY(USW_I32, negative));
  REFUSED(USW_ERROR_INVALID, "segment 2", BY(USW_I64, far));
  REFUSED(USW_ERROR_INVALID, "segment 2", BY(USW_I64, less_than_none));
  static const int32_t wraps[] = {-2, -1};
  const usw_segments_t below = usw_segments_by_offsets(USW_I32, wraps, 1);
  CHECK_STATUS(USW_ERROR_INVALID,
               usw_reduce_segments(USW_PLUS, USW_F64, elements, (size_t)1 << 33, &below, to, &o)); /* nothing is read */
  CHECK_TEXT_HAS(usw_error_text(), "no item is before 0");
  REFUSED(USW_ERROR_INVALID, "NULL", BY(USW_I32, NULL));
  REFUSED(USW_ERROR_INVALID, "boundary", BY(USW_I32, (const char *)right + 2));
  REFUSED(USW_ERROR_INVALID, "type", BY(USW_F32, right));
  REFUSED(USW_ERROR_INVALID, "segment 2", usw_segments_by_pairs(USW_I32, right, falls, 3));
  REFUSED(USW_ERROR_INVALID, "ends", usw_segments_by_pairs(USW_I32, right, NULL, 3));
  refused(USW_ERROR_INVALID, "NULL", NULL, BY(USW_I32, right), to, o, __LINE__);
  refused(USW_ERROR_INVALID, "NULL", elements, BY(USW_I32, right), NULL, o, __LINE__);
  refused(USW_ERROR_INVALID, "aligned", elements, BY(USW_I32, right), (void *)(uintptr_t)elements, o, __LINE__);
  refused(USW_ERROR_INVALID, "aligned", (const double *)(const void *)((const char *)elements + 4), BY(USW_I32, right),
          to, o, __LINE__);
  o.strategy = USW_STRATEGY_TREE;
  REFUSED(USW_ERROR_UNSUPPORTED, "USW_STRATEGY_TREE", BY(USW_I32, right));
  o = place_options(&host);
  o.accuracy = USW_EXACT;
  REFUSED(USW_ERROR_UNSUPPORTED, "USW_EXACT", BY(USW_I32, right));
}

/* Options that a short call hands on, or leaves to the usual way. */
static void what_is_heeded(void) {
  static const int32_t offsets[] = {0, 2, 6};
  const usw_segments_t segments = usw_segments_by_offsets(USW_I32, offsets, 2);
  usw_options_t o = place_options(&host);
  double sums[2] = {100, 100};
  o.stride[0] = 2;
  CHECK_STATUS(USW_OK, usw_reduce_segments(USW_PLUS, USW_F64, elements, 6, &segments, sums, &o));
  CHECK_F64(1 + 3, sums[0]);
  CHECK_F64(5 + 7 + 9 + 11, sums[1]);
  usw_report_t report = {.size = sizeof report};
  o.report = &report;
  CHECK_STATUS(USW_OK, usw_reduce_segments(USW_PLUS, USW_F64, elements, 6, &segments, sums, &o));
  CHECK_U64(6, report.kept);
  o.nan = USW_NAN_IGNORE;
  CHECK_STATUS(USW_OK, usw_reduce_segments(USW_PLUS, USW_F64, elements, 6, &segments, sums, &o));
  CHECK_U64(UINT64_MAX, report.kept); /* nobody counts those of many results */
}

int main(void) {
  int32_t *const narrow = malloc(2 * (MOST_SEGMENTS + 1) * sizeof *narrow);
  int64_t *const wide = malloc(2 * (MOST_SEGMENTS + 1) * sizeof *wide);
  if (narrow && wide)
    all_rows(narrow, wide);
  every_mistake();
  what_is_heeded();
  free(narrow);
  free(wide);
  return check_report();
}
