/* Two kernels with a span of SPAN_EXTENT elements, counts of keys and sums by key, and four applications of them: with keys
 * that come in no order, and all equal. Set SPAN_EXTENT before. */
#define SPAN_NAME(what) USW_CAT(what, SPAN_EXTENT)

#define USW_KERNEL SPAN_NAME(apps_count_into_)
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, key)
#define USW_REDUCERS(R, S) S(uint64_t, counts, SPAN_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_inc_at(counts, key); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL SPAN_NAME(apps_sum_into_)
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(uint32_t, key)
#define USW_REDUCERS(R, S) S(double, sums, SPAN_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_at(sums, key, x); }
#include <upsweep/kernel_end.h>

static usw_status_t SPAN_NAME(run_counts_)(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  static uint64_t counts[SPAN_EXTENT];
  double cells[SPAN_EXTENT];
  memset(counts, 0, sizeof counts);
  const usw_status_t status = SPAN_NAME(apps_count_into_)(call->n, call->streams[0], counts, options);
  for (int k = 0; k < SPAN_EXTENT; k++)
    cells[k] = (double)counts[k];
  digest(cells, SPAN_EXTENT, numbers_out);
  return status;
}

static usw_status_t SPAN_NAME(run_sums_)(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  double sums[SPAN_EXTENT] = {0};
  const usw_status_t status = SPAN_NAME(apps_sum_into_)(call->n, call->streams[0], call->streams[1], sums, options);
  digest(sums, SPAN_EXTENT, numbers_out);
  return status;
}

static void SPAN_NAME(fill_keys_)(size_t n, size_t first, size_t count, void *elements_out) {
  (void)n;
  for (size_t k = 0; k < count; k++)
    ((uint32_t *)elements_out)[k] = key_at(first + k, SPAN_EXTENT);
}

static apps_expected_t SPAN_NAME(expect_counts_)(size_t n) { return expect_counts(n, SPAN_EXTENT, 0); }
static apps_expected_t SPAN_NAME(expect_counts_of_one_)(size_t n) { return expect_counts(n, SPAN_EXTENT, 1); }
static apps_expected_t SPAN_NAME(expect_sums_)(size_t n) { return expect_sums(n, SPAN_EXTENT, 0); }
static apps_expected_t SPAN_NAME(expect_sums_of_one_)(size_t n) { return expect_sums(n, SPAN_EXTENT, 1); }

const apps_case_t SPAN_NAME(apps_counts_) = {.suite = "spans",
                                             .name = "counts_" USW_TEXT(SPAN_EXTENT),
                                             .streams = {{sizeof(uint32_t), SPAN_NAME(fill_keys_), NULL}},
                                             .without_clause = SPAN_EXTENT * 8 > 256,
                                             .run = SPAN_NAME(run_counts_),
                                             .expect = SPAN_NAME(expect_counts_)};
const apps_case_t SPAN_NAME(apps_equal_counts_) = {.suite = "spans",
                                                   .name = "counts_" USW_TEXT(SPAN_EXTENT) "_equal",
                                                   .streams = {{sizeof(uint32_t), fill_equal, NULL}},
                                                   .without_clause = SPAN_EXTENT * 8 > 256,
                                                   .run = SPAN_NAME(run_counts_),
                                                   .expect = SPAN_NAME(expect_counts_of_one_)};
const apps_case_t SPAN_NAME(apps_sums_) = {
    .suite = "spans",
    .name = "sums_" USW_TEXT(SPAN_EXTENT),
    .streams = {{sizeof(double), apps_fill_elements, NULL}, {sizeof(uint32_t), SPAN_NAME(fill_keys_), NULL}},
    .without_clause = SPAN_EXTENT * 8 > 256,
    .run = SPAN_NAME(run_sums_),
    .expect = SPAN_NAME(expect_sums_)};
const apps_case_t SPAN_NAME(apps_equal_sums_) = {
    .suite = "spans",
    .name = "sums_" USW_TEXT(SPAN_EXTENT) "_equal",
    .streams = {{sizeof(double), apps_fill_elements, NULL}, {sizeof(uint32_t), fill_equal, NULL}},
    .without_clause = SPAN_EXTENT * 8 > 256,
    .run = SPAN_NAME(run_sums_),
    .expect = SPAN_NAME(expect_sums_of_one_)};
#undef SPAN_NAME
#undef SPAN_EXTENT
