/* Short calls along axes on the host take a way of their own where they ask for nothing else (exec/short_results.c), and so do runs of plans: each
 * function and type has the same bits as with a report, which goes the usual way, whatever the extents and the steps; and what that way refuses
 * is refused. */
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/items.h"
#include "oracle/row.h"
#include "support/check.h"
#include "support/place.h"

static const test_place_t host = {USW_HOST, -1, "host"};

enum { MOST_ELEMENTS = 1 << 15, GUARD_BYTES = 64 };

/* Extents, and gaps behind each line; turned: the first dimension is the fastest; backward: the last one begins at its end. */
typedef struct {
  uint32_t rank;
  size_t extent[4];
  size_t gap;
  int is_turned, is_backward, is_again;
} shape_t;

static const shape_t shapes[] = {
    {2, {1, 1}, 0, 0, 0, 0},       {2, {1, 7}, 0, 0, 0, 0},      {2, {7, 1}, 0, 0, 0, 0},
    {2, {2, 2}, 0, 0, 0, 0},       {2, {10, 100}, 0, 0, 0, 0},   {2, {100, 10}, 0, 0, 0, 0},
    {2, {100, 7}, 3, 0, 0, 0},     {2, {33, 129}, 0, 1, 0, 0},   {2, {9, 300}, 5, 0, 1, 0},
    {2, {300, 9}, 0, 1, 1, 0},     {2, {40, 50}, 0, 0, 0, 1},    {1, {1000}, 0, 0, 0, 0},
    {1, {100}, 0, 0, 1, 0},        {3, {5, 6, 7}, 0, 0, 0, 0},   {3, {5, 20, 30}, 2, 1, 0, 0},
    {4, {3, 4, 5, 6}, 0, 0, 0, 0}, {3, {12, 1, 40}, 0, 0, 1, 0}, {2, {0, 5}, 0, 0, 0, 0},
    {2, {5, 0}, 0, 0, 0, 0},       {2, {128, 128}, 0, 0, 0, 0},  {2, {129, 128}, 0, 0, 0, 0},
    {0, {0}, 0, 0, 0, 0}};

/* The array over `elements`, which hold all of it. */
static usw_array_t array_of(const shape_t *shape, usw_type_t type, const char *elements, size_t element_bytes) {
  ptrdiff_t strides[4] = {0};
  size_t pitch = 1;
  for (uint32_t k = 0; k < shape->rank; k++) {
    const uint32_t d = shape->is_turned ? k : shape->rank - 1 - k;
    strides[d] = (ptrdiff_t)pitch;
    pitch = pitch * (shape->extent[d] ? shape->extent[d] : 1) + shape->gap;
  }
  const uint32_t last = shape->rank - 1;
  if (shape->is_backward && shape->rank > 0) {
    elements += (size_t)strides[last] * (shape->extent[last] - 1) * element_bytes;
    strides[last] = -strides[last];
  }
  if (shape->is_again)
    strides[0] = 0;
  return usw_array(type, elements, shape->rank, shape->extent, strides);
}

static size_t results_of(const shape_t *shape, uint32_t axes) {
  size_t results = 1;
  for (uint32_t d = 0; d < shape->rank; d++)
    results *= axes >> d & 1 ? 1 : shape->extent[d];
  return results;
}

static usw_status_t reduce(const row_t *row, const usw_array_t *x, uint32_t axes, void *results,
                           const usw_options_t *options) {
  return row->streams == 2 ? usw_reduce_axes_pair(row->operation, x, x, axes, results, options)
                           : usw_reduce_axes(row->operation, x, axes, results, options);
}

/* The same by a plan. */
static usw_status_t run_planned(const row_t *row, const usw_array_t *x, uint32_t axes, void *results,
                                const usw_options_t *options) {
  usw_plan_t *plan = NULL;
  size_t n = 1;
  for (uint32_t d = 0; d < x->rank; d++)
    n *= x->extent[d];
  usw_status_t status = usw_plan_create_axes(&plan, row->operation, x, row->streams == 2 ? x : NULL, axes, options);
  if (status == USW_OK)
    status = row->streams == 2 ? usw_plan_run_pair(plan, x->data, x->data, n, results)
                               : usw_plan_run(plan, x->data, n, results);
  usw_plan_destroy(plan);
  return status;
}

/* The ways that ask for nothing, and the one with a report: the same status, the same bytes, none behind them. */
static void same_all_ways(const row_t *row, const shape_t *shape, const usw_array_t *x, uint32_t axes, usw_nan_t nan) {
  const size_t bytes = results_of(shape, axes) * row->result_bytes + GUARD_BYTES;
  char *const usual = malloc(bytes), *const brief = malloc(bytes), *const planned = malloc(bytes);
  usw_report_t report = {.size = sizeof report};
  usw_options_t options = place_options(&host);
  options.nan = nan;
  memset(usual, 0x5a, bytes);
  memset(brief, 0x5a, bytes);
  memset(planned, 0x5a, bytes);
  const usw_status_t without = reduce(row, x, axes, brief, &options);
  const usw_status_t by_plan = run_planned(row, x, axes, planned, &options);
  options.report = &report;
  const usw_status_t with = reduce(row, x, axes, usual, &options);
  check_count(
      with == without && with == by_plan && memcmp(usual, brief, bytes) == 0 && memcmp(usual, planned, bytes) == 0,
      __FILE__, __LINE__, "%s_%s of shape %zu, axes 0x%x, nan %d: %s, %s by a plan, %s with a report; or other bytes",
      row->name, type_name(row->type), (size_t)(shape - shapes), axes, (int)nan, usw_status_name(without),
      usw_status_name(by_plan), usw_status_name(with));
  free(usual);
  free(brief);
  free(planned);
}

static void every_shape(const row_t *row, const items_t *items) {
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    const usw_array_t x = array_of(&shapes[s], row->type, items->x, type_bytes(row->type));
    for (uint32_t axes = 0; axes < 1u << shapes[s].rank; axes++)
      if (takes_next(2))
        same_all_ways(row, &shapes[s], &x, axes, axes % 2 ? USW_NAN_PROPAGATE : USW_NAN_IGNORE);
  }
}

static int is_along_axes(const row_t *row, const items_t *items) {
  const usw_array_t x = array_of(&shapes[0], row->type, items->x, type_bytes(row->type));
  const usw_options_t options = place_options(&host);
  double result[32];
  return reduce(row, &x, USW_AXIS(0), result, &options) != USW_ERROR_UNSUPPORTED;
}

static void all_rows(void) {
  for (int r = 0; r < ROW_COUNT; r++) {
    items_t items = items_make(rows[r].type, PATTERN_random, MOST_ELEMENTS, 0);
    if (is_along_axes(&rows[r], &items))
      every_shape(&rows[r], &items);
    items_free(&items);
  }
}

static const double elements[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

static void refused(usw_status_t expected, const char *culprit, usw_array_t x, uint32_t axes, size_t shift,
                    usw_options_t options, int line) {
  double sums[5] = {-1, -1, -1, -1, -1};
  void *const to = shift == SIZE_MAX ? NULL : (char *)sums + shift;
  const usw_status_t status = usw_reduce_axes(USW_PLUS, &x, axes, to, &options);
  check_count(status == expected && sums[0] == -1 && sums[1] == -1 && strstr(usw_error_text(), culprit), __FILE__, line,
              "%s (%s), sum %g in place of %s about '%s'", usw_status_name(status), usw_error_text(), sums[0],
              usw_status_name(expected), culprit);
}

/* Whatever a short call could overlook. */
static void every_mistake(void) {
  const usw_array_t plain = usw_array_2d(USW_F64, elements, 3, 4);
  const usw_options_t options = place_options(&host);
  usw_array_t x;
  usw_options_t o;
  refused(USW_ERROR_INVALID, "NULL", plain, USW_AXIS(0), SIZE_MAX, options, __LINE__);
  refused(USW_ERROR_INVALID, "aligned", plain, USW_AXIS(0), 4, options, __LINE__);
  refused(USW_ERROR_INVALID, "axis 2", plain, USW_AXIS(2), 0, options, __LINE__);
#define REFUSED_ARRAY(expected, culprit, member, value)                                                                \
  x = plain;                                                                                                           \
  x.member = value;                                                                                                    \
  refused(expected, culprit, x, USW_AXIS(1), 0, options, __LINE__)
  REFUSED_ARRAY(USW_ERROR_INVALID, "NULL", data, NULL);
  REFUSED_ARRAY(USW_ERROR_INVALID, "aligned", data, (const char *)elements + 4);
  REFUSED_ARRAY(USW_ERROR_VERSION, "size", size, sizeof x - 1);
  REFUSED_ARRAY(USW_ERROR_INVALID, "dimensions", rank, USW_MAX_RANK + 1);
  REFUSED_ARRAY(USW_ERROR_INVALID, "address space", stride[0], PTRDIFF_MAX);
  REFUSED_ARRAY(USW_ERROR_INVALID, "2^63", extent[0], SIZE_MAX / 2);
  x = plain;
  x.extent[0] = x.extent[1] = (size_t)1 << 32; /* whose product is 0 */
  refused(USW_ERROR_INVALID, "2^63", x, USW_AXIS(1), 0, options, __LINE__);
#define REFUSED(expected, culprit, member, value)                                                                      \
  o = options;                                                                                                         \
  o.member = value;                                                                                                    \
  refused(expected, culprit, plain, USW_AXIS(1), 0, o, __LINE__)
  REFUSED(USW_ERROR_VERSION, "size", size, sizeof o - 1);
  REFUSED(USW_ERROR_INVALID, "place", place, (usw_place_t)9);
  REFUSED(USW_ERROR_UNSUPPORTED, "USW_STRATEGY_TREE", strategy, USW_STRATEGY_TREE);
  REFUSED(USW_ERROR_UNSUPPORTED, "USW_EXACT", accuracy, USW_EXACT);
  REFUSED(USW_ERROR_INVALID, "accuracy", accuracy, (usw_accuracy_t)9);
  REFUSED(USW_ERROR_INVALID, "nan", nan, (usw_nan_t)9);
  REFUSED(USW_ERROR_INVALID, "staging", staging, (usw_staging_t)9);
  REFUSED(USW_ERROR_INVALID, "teams", teams, 65536);
  REFUSED(USW_ERROR_UNSUPPORTED, "stream", stream, &o);
}

static double sum_of_row(usw_options_t options) {
  const usw_array_t x = usw_array_2d(USW_F64, elements, 3, 4);
  double sums[3];
  CHECK_STATUS(USW_OK, usw_reduce_axes(USW_PLUS, &x, USW_AXIS(1), sums, &options));
  return sums[1];
}

static void what_is_heeded(void) {
  usw_options_t o = place_options(&host);
  uint64_t before, after;
  CHECK_F64(26, sum_of_row(o));
  usw_recheck_counts(&before, NULL);
  o.recheck = 1;
  CHECK_F64(26, sum_of_row(o));
  usw_recheck_counts(&after, NULL);
  CHECK_U64(before + 1, after);
}

int main(void) {
  all_rows();
  every_mistake();
  what_is_heeded();
  return check_report();
}
