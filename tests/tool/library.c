/* usw_info() and usw_explain...(): what the tool shows comes from these. */
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <upsweep/explain.h>
#include <upsweep/info.h>
#include <upsweep/upsweep.h>

#include "support/check.h"

static void info(void) {
  usw_info_t info = {.size = USW_INIT(usw_info_t)};
  CHECK_STATUS(USW_OK, usw_info(&info));
  CHECK_I64(usw_version(), info.version);
  CHECK(*info.compiler && *info.openmp_runtime == '/');
  CHECK(info.host_threads >= 1 && info.host_processors >= 1);
  CHECK_TEXT_HAS("base v2 v3 v4", info.host_variant);
  CHECK_TEXT_HAS("spin yield block", info.wait);
  CHECK((*info.offload_runtime != 0) == (*info.images != 0));
  CHECK((*info.driver_file != 0) == (info.driver_version > 0));
  CHECK(info.host_cores >= 1 && info.host_cores <= info.host_processors && info.host_nodes >= 1);
  CHECK(*info.threads_reason && *info.topology);
  CHECK((*info.topology_lack != 0) == (strcmp(info.topology, "OpenMP, no hwloc") == 0));
  info.size = 8;
  CHECK_STATUS(USW_ERROR_VERSION, usw_info(&info));
  CHECK_STATUS(USW_ERROR_INVALID, usw_info(NULL));
}

/* Cores before second hardware threads: no two on the same one. */
static void threads(void) {
  usw_info_t info = {.size = USW_INIT(usw_info_t)};
  usw_host_thread_t thread = {.size = USW_INIT(usw_host_thread_t)}, before = thread;
  uint32_t count = 0;
  CHECK_STATUS(USW_OK, usw_info(&info));
  for (; usw_host_thread((int)count, &thread) == USW_OK; count++) {
    CHECK(count == 0 || count >= info.host_cores || thread.processor != before.processor);
    CHECK_U64(count % info.host_cores, thread.core);
    before = thread;
  }
  CHECK_U64(info.host_threads, count);
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_host_thread((int)count, &thread));
  CHECK_STATUS(USW_ERROR_INVALID, usw_host_thread(-1, &thread));
  CHECK_STATUS(USW_ERROR_INVALID, usw_host_thread(0, NULL));
  thread.size = 1;
  CHECK_STATUS(USW_ERROR_VERSION, usw_host_thread(0, &thread));
}

static void devices(void) {
  usw_info_t info = {.size = USW_INIT(usw_info_t)};
  usw_device_info_t device = {.size = USW_INIT(usw_device_info_t)};
  int count = 0, gpus = 0;
  CHECK_STATUS(USW_OK, usw_info(&info));
  while (usw_device_info(count, &device) == USW_OK) {
    CHECK(usw_device_target(device.number) && strcmp(usw_device_target(device.number), device.target) == 0);
    CHECK(device.multiprocessors > 0 && *device.image && device.has_image);
    count++;
  }
  CHECK_I64(info.device_count, count);
  while (usw_gpu_info(gpus, &device) == USW_OK) {
    CHECK(device.memory_bytes > 0 && *device.name);
    gpus++;
  }
  CHECK_I64(info.driver_gpu_count, gpus);
  CHECK_STATUS(USW_ERROR_DEVICE, usw_device_info(count, &device));
  CHECK_STATUS(USW_ERROR_DEVICE, usw_gpu_info(gpus, &device));
  CHECK_STATUS(USW_ERROR_INVALID, usw_device_info(-1, &device));
  CHECK_STATUS(USW_ERROR_INVALID, usw_device_info(0, NULL));
  device.size = 0;
  CHECK_STATUS(USW_ERROR_VERSION, usw_device_info(0, &device));
}

static usw_explanation_t explain(usw_operation_t operation, usw_type_t type, size_t n, const usw_options_t *options) {
  usw_explanation_t e = {.size = USW_INIT(usw_explanation_t)};
  CHECK_STATUS(USW_OK, usw_explain(operation, type, n, options, &e));
  return e;
}

/* The error of a sum is within the bound. */
static void bound_holds(size_t n) {
  static float x[1 << 20];
  const usw_explanation_t e = explain(USW_PLUS, USW_F32, n, NULL);
  double exact = 0, magnitude = 0;
  for (size_t i = 0; i < n; i++) {
    x[i] = (float)sin((double)i * 12.9898) * (i % 97 ? 1.0f : 1e4f);
    exact += (double)x[i];
    magnitude += fabs((double)x[i]);
  }
  float sum;
  CHECK_STATUS(USW_OK, usw_sum_f32(x, n, &sum));
  CHECK(fabs((double)sum - exact) <= e.error_bound * magnitude + 1e-9 * magnitude * 0x1p-24);
  CHECK(e.error_bound < 1e-3);
  CHECK_U64(n * 4, e.bytes);
}

static void host(void) {
  const usw_explanation_t one = explain(USW_PLUS, USW_F64, 1, NULL), none = explain(USW_PLUS, USW_F64, 0, NULL);
  CHECK(one.place == USW_HOST && one.device == -1 && one.strategy == USW_STRATEGY_HOST);
  CHECK_TEXT_HAS(one.kernel, "sum_f64");
  CHECK_TEXT_HAS(one.error_relative, "sum of |x[i]|");
  CHECK_U64(0, none.chain_length);
  CHECK(one.chain_length >= 1 && one.chain_length < 16);
  CHECK(explain(USW_PLUS, USW_F64, (size_t)1 << 30, NULL).chain_length > one.chain_length);
  CHECK(explain(USW_PLUS, USW_F64, 1 << 20, NULL).error_bound * 1e6 <
        explain(USW_PLUS, USW_F32, 1 << 20, NULL).error_bound);
  CHECK(explain(USW_PLUS, USW_I32, 1 << 20, NULL).error_bound == 0);
  /* A product has every one of its roundings, a sum those of a chain. */
  CHECK_F64(999 * 0x1p-53, explain(USW_MULTIPLIES, USW_F64, 1000, NULL).error_bound);
  CHECK_F64(0, explain(USW_MULTIPLIES, USW_F64, 0, NULL).error_bound);
  CHECK(explain(USW_MINIMUM, USW_F32, 1 << 20, NULL).error_bound == 0);
  CHECK(isnan(explain(USW_DESCRIBE, USW_F64, 1 << 20, NULL).error_bound));
  CHECK_TEXT_HAS(explain(USW_NORM2, USW_F64, 1 << 20, NULL).error_relative, "the result");
  CHECK_TEXT_HAS(explain(USW_DOT, USW_F64, 1 << 20, NULL).error_relative, "x[i]*y[i]");
  for (size_t n = 1; n <= 1 << 20; n *= 32)
    bound_holds(n);
}

static usw_explanation_t explain_at(usw_accuracy_t accuracy, usw_operation_t operation, usw_type_t type, size_t n) {
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .accuracy = accuracy, .place = USW_HOST};
  return explain(operation, type, n, &options);
}

/* The bounds of the upper levels are those of the documentation (scripts/docs/pages/reference/accuracy_bounds.md). */
static void documented_bounds(void) {
  static const struct {
    usw_operation_t operation;
    usw_type_t type;
    double lost, rounded; /* of 1000 items */
  } rows[] = {
      {USW_PLUS, USW_F64, 1000 * 0x1p-80, 0x1p-53},
      {USW_PLUS, USW_F32, 1000 * 0x1p-40, 0x1p-24},
      {USW_PLUS, USW_BF16, 1000 * 0x1p-40, 0x1p-24},
      {USW_PLUS, USW_CF64, 1000 * 0x1p-80, 0x1p-53},
      {USW_NORM1, USW_F32, 1000 * 0x1p-40, 0x1p-24},
      {USW_NORM1, USW_CF64, 1000 * 0x1p-80, 5 * 0x1p-53},
      {USW_DOT, USW_F64, 2000 * 0x1p-80, 0x1p-53},
      {USW_DOT, USW_F32, 1000 * 0x1p-40, 0x1p-24},
      {USW_DOTC, USW_CF64, 4000 * 0x1p-80, 0x1p-53},
      {USW_DOTC, USW_CF32, 2000 * 0x1p-40, 0x1p-24},
      {USW_NORM2, USW_F64, 1000 * 0x1p-80, 0x1.8p-53},
      {USW_NORM2, USW_CF64, 2000 * 0x1p-80, 0x1.8p-53},
      {USW_NORM2, USW_F32, 500 * 0x1p-80, 1.001 * 0x1p-24},
      {USW_DESCRIBE, USW_F32, 0x1p-80, 0x1p-53},
      {USW_DESCRIBE, USW_U64, 0, 0x1p-53},
      {USW_DESCRIBE, USW_I32, 0, 0x1p-53},
      {USW_PLUS, USW_I32, 0, 0},
      {USW_MINIMUM, USW_F64, 0, 0},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    const usw_explanation_t e = explain_at(USW_REPRODUCIBLE, rows[k].operation, rows[k].type, 1000);
    CHECK_F64(rows[k].lost, e.error_bound);
    CHECK_F64(rows[k].rounded, e.result_bound);
    CHECK_TEXT_HAS(rows[k].lost > 0 ? e.error_relative : "the largest ", "the largest ");
  }
  const usw_explanation_t wide = explain_at(USW_COMPENSATED, USW_PLUS, USW_F64, 1 << 20),
                          narrow = explain_at(USW_COMPENSATED, USW_DOTC, USW_CF32, 1 << 20);
  const double chain = (double)wide.chain_length;
  CHECK_F64(2 * chain * chain * 0x1p-106, wide.error_bound);
  CHECK_F64(2 * (double)narrow.chain_length * 0x1p-53, narrow.error_bound);
  CHECK_TEXT_HAS(wide.kernel, "sum_compensated_f64");
  CHECK_TEXT_HAS(wide.error_relative, "the sum of |x[i]|");
  CHECK_TEXT_HAS(narrow.error_relative, "the sum of |x[i]*y[i]|");
  CHECK_TEXT_HAS(explain_at(USW_COMPENSATED, USW_NORM2, USW_F64, 1000).kernel, "norm2_reproducible_f64");
  CHECK_F64(0, explain_at(USW_FAST, USW_PLUS, USW_F64, 1000).result_bound);
}

/* More bins, and all that there are. */
static void bounds_of_passes(void) {
  usw_options_t options = {.size = USW_INIT(usw_options_t), .accuracy = USW_REPRODUCIBLE, .place = USW_HOST, .fold = 4};
  CHECK_F64(1000 * 0x1p-160, explain(USW_PLUS, USW_F64, 1000, &options).error_bound);
  CHECK_F64(2000 * 0x1p-160, explain(USW_DOT, USW_F64, 1000, &options).error_bound);
  CHECK_U64(2, explain(USW_PLUS, USW_F64, 1000, &options).most_sweeps);
  options.fold = 3;
  CHECK_F64(1000 * 0x1p-80, explain(USW_PLUS, USW_F32, 1000, &options).error_bound);
  CHECK_F64(1000 * 0x1p-80, explain(USW_PLUS, USW_F64, 1000, &options).error_bound);
  CHECK_TEXT_HAS(explain(USW_PLUS, USW_F64, 1000, &options).kernel, "sum_reproducible_f64");
  options.fold = 60;
  CHECK_F64(0x1p-1074, explain(USW_PLUS, USW_F64, 1, &options).error_bound);
  CHECK_U64(20, explain(USW_PLUS, USW_F64, 1, &options).most_sweeps);
  const usw_explanation_t exact = explain_at(USW_EXACT, USW_NORM1, USW_BF16, 1000);
  CHECK_F64(0, exact.error_bound);
  CHECK_F64(0x1p-24, exact.result_bound);
  CHECK_TEXT_HAS(exact.kernel, "norm1_exact_bf16");
}

/* More items have no smaller bound, but where the host divides them into more chunks; a compensated one is far below a plain
 * one. */
static void growing_bounds(void) {
  static const usw_accuracy_t accuracies[] = {USW_FAST, USW_REPEATABLE, USW_COMPENSATED, USW_REPRODUCIBLE};
  static const usw_operation_t operations[] = {USW_PLUS, USW_DOT, USW_NORM1, USW_NORM2};
  static const usw_type_t types[] = {USW_F16, USW_F32, USW_F64, USW_CF32, USW_CF64};
  for (size_t o = 0; o < 4; o++)
    for (size_t t = 0; t < 5; t++)
      for (size_t a = 0; a < 4; a++) {
        double before = 0;
        uint32_t chunks_before = 0;
        for (size_t n = 1; n <= (size_t)1 << 30; n *= 8) {
          const usw_explanation_t e = explain_at(accuracies[a], operations[o], types[t], n);
          CHECK(e.error_bound > 0 && (e.error_bound >= before || e.teams > chunks_before));
          before = e.error_bound;
          chunks_before = e.teams;
        }
        if (accuracies[a] == USW_COMPENSATED && operations[o] != USW_NORM2)
          CHECK(before < 1e-6 * explain_at(USW_FAST, operations[o], types[t], (size_t)1 << 30).error_bound);
      }
}

/* A sum of 1e8, 1 and -1e8 and so on, of which bounds are a small share: what the levels allow, and what they do. */
static void upper_bounds_hold(void) {
  enum { N = 100002 };
  static float x[N];
  for (size_t i = 0; i < N; i += 3) {
    x[i] = 1e8f;
    x[i + 1] = 1;
    x[i + 2] = -1e8f;
  }
  for (usw_accuracy_t accuracy = USW_COMPENSATED; accuracy <= USW_REPRODUCIBLE; accuracy++) {
    const usw_options_t options = {.size = USW_INIT(usw_options_t), .accuracy = accuracy};
    const usw_explanation_t e = explain(USW_PLUS, USW_F32, N, &options);
    const double share_of = accuracy == USW_COMPENSATED ? N / 3 * (2e8 + 1) : 1e8;
    float sum;
    CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F32, x, N, &sum, &options));
    CHECK(fabs((double)sum - N / 3) <= e.error_bound * share_of + e.result_bound * (N / 3));
    CHECK(e.error_bound * share_of < N / 3); /* which says something */
  }
}

/* Numbers just below half of the lowest unit of the bins are lost, all of each: the bound is no smaller than it must be. */
static void lost_numbers(void) {
  enum { N = 10000 };
  static double x[N];
  static float y[N];
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .accuracy = USW_REPRODUCIBLE};
  double sum_of_x;
  float sum_of_y;
  for (size_t i = 0; i < N; i++) {
    x[i] = i == 0 ? 0.5 : i == 1 ? -0.5 : 0x1p-81 - 0x1p-110;
    y[i] = i == 0 ? 0.5f : i == 1 ? -0.5f : 0x1p-41f - 0x1p-60f;
  }
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x, N, &sum_of_x, &options));
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F32, y, N, &sum_of_y, &options));
  const double lost_of_x = (N - 2) * x[2] - sum_of_x, lost_of_y = (N - 2) * (double)y[2] - (double)sum_of_y;
  const double bound_of_x = explain(USW_PLUS, USW_F64, N, &options).error_bound * 0.5,
               bound_of_y = explain(USW_PLUS, USW_F32, N, &options).error_bound * 0.5;
  CHECK(lost_of_x > 0.99 * bound_of_x && lost_of_x <= bound_of_x);
  CHECK(lost_of_y > 0.99 * bound_of_y && lost_of_y <= bound_of_y);
}

static void refusals(void) {
  usw_explanation_t e = {.size = USW_INIT(usw_explanation_t)};
  usw_options_t options = {.size = USW_INIT(usw_options_t), .strategy = USW_STRATEGY_TREE, .place = USW_HOST};
  const usw_options_t reproducible = {.size = USW_INIT(usw_options_t), .accuracy = USW_REPRODUCIBLE};
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_explain(USW_MULTIPLIES, USW_F64, 1, &reproducible, &e));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_explain(USW_PLUS, USW_F64, 1, &options, &e));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_explain(USW_PLUS, USW_BOOL, 1, NULL, &e));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_explain((usw_operation_t)63, USW_F64, 1, NULL, &e));
  CHECK_STATUS(USW_ERROR_INVALID, usw_explain(USW_PLUS, USW_F64, 1, NULL, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_explain(USW_PLUS, USW_F64, SIZE_MAX / 8, NULL, &e));
  options = (usw_options_t){.size = USW_INIT(usw_options_t), .place = USW_DEVICE, .device = 9999};
  CHECK_STATUS(USW_ERROR_DEVICE, usw_explain(USW_PLUS, USW_F64, 1, &options, &e));
  e.size--;
  CHECK_STATUS(USW_ERROR_VERSION, usw_explain(USW_PLUS, USW_F64, 1, NULL, &e));
}

/* On every device of the machine: what the explanation says is what the report says after a call. */
static void as_it_runs(void) {
  usw_device_info_t device = {.size = USW_INIT(usw_device_info_t)};
  static double x[5000];
  for (int k = 0; usw_device_info(k, &device) == USW_OK; k++) {
    if (strcmp(device.target, "x86_64") != 0)
      continue; /* its memory is not the host's */
    usw_report_t report = {.size = USW_INIT(usw_report_t)};
    const usw_options_t options = {
        .size = USW_INIT(usw_options_t), .place = USW_DEVICE, .device = device.number, .report = &report};
    double sum;
    CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x, 5000, &sum, &options));
    const usw_explanation_t e = explain(USW_PLUS, USW_F64, 5000, &options);
    CHECK_I64(report.strategy, e.strategy);
    CHECK_U64(report.teams, e.teams);
    CHECK_U64(report.team_size, e.team_size);
    CHECK_U64(report.bytes, e.bytes);
    CHECK_TEXT_HAS(e.target, report.target);
  }
}

static const char *kind_of_axes(uint32_t rank, uint32_t axes, const ptrdiff_t *strides) {
  const size_t extents[] = {6, 5, 4, 3};
  const usw_array_t array = usw_array(USW_F64, NULL, rank, extents, strides);
  usw_shares_explanation_t e = {.size = USW_INIT(usw_shares_explanation_t)};
  CHECK_STATUS(USW_OK, usw_explain_axes(USW_PLUS, &array, axes, NULL, &e));
  return e.axes;
}

/* Which axes are reduced, once neighbours are one. */
static void axes_kinds(void) {
  static const ptrdiff_t turned[] = {1, 6};
  static const struct {
    uint32_t rank, axes;
    const ptrdiff_t *strides;
    const char *kind;
  } cases[] = {{2, USW_AXIS(1), NULL, "inner"},
               {2, USW_AXIS(0), NULL, "outer"},
               {2, USW_AXIS(1), turned, "outer"},
               {2, USW_AXIS(0), turned, "inner"},
               {2, USW_ALL_AXES, NULL, "all"},
               {2, 0, NULL, "none"},
               {3, USW_AXIS(1), NULL, "middle"},
               {3, USW_AXIS(1) | USW_AXIS(2), NULL, "inner"},
               {3, USW_AXIS(0) | USW_AXIS(1), NULL, "outer"},
               {3, USW_AXIS(0) | USW_AXIS(2), NULL, "several"},
               {4, USW_AXIS(1) | USW_AXIS(2), NULL, "middle"},
               {4, USW_AXIS(0) | USW_AXIS(2), NULL, "several"}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    CHECK_TEXT_HAS(kind_of_axes(cases[c].rank, cases[c].axes, cases[c].strides), cases[c].kind);
}

static void shares_on_host(void) {
  static const int32_t offsets[] = {0, 1};
  const usw_options_t host_options = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  const usw_array_t rows = usw_array_2d(USW_F64, NULL, 1000, 300);
  const usw_segments_t path = usw_segments_by_offsets(USW_I32, offsets, 100);
  const usw_segments_t alone = usw_segments_by_pairs(USW_I32, offsets, offsets, 100);
  usw_shares_explanation_t e = {.size = USW_INIT(usw_shares_explanation_t)};
  CHECK_STATUS(USW_OK, usw_explain_axes(USW_PLUS, &rows, USW_AXIS(1), &host_options, &e));
  CHECK_TEXT_HAS(e.share, "a result");
  CHECK(e.shares == 1000 && e.share_items == 300 && e.lanes == 1 && e.bytes == 300000 * 8);
  CHECK_STATUS(USW_OK, usw_explain_segments(USW_PLUS, USW_F64, 1 << 20, &path, &host_options, &e));
  CHECK_TEXT_HAS(e.share, "a block of the path");
  CHECK(e.shares == 128 && e.share_items == 8192 && e.results == 100 && *e.axes == 0);
  CHECK_STATUS(USW_OK, usw_explain_segments(USW_PLUS, USW_F64, 1 << 20, &alone, &host_options, &e));
  CHECK_TEXT_HAS(e.share, "a segment");
  CHECK(e.shares == 100 && e.share_items == 0 && e.balance == 0);
  CHECK_STATUS(USW_OK, usw_explain_scan(USW_PLUS, USW_F64, 1 << 20, &host_options, &e));
  CHECK_TEXT_HAS(e.share, "a chunk");
  CHECK(e.shares == 32 && e.share_items == 32768 && e.bytes == 1 << 24 && e.results == 1 << 20);
  CHECK_STATUS(USW_OK, usw_explain_scan(USW_PLUS, USW_F64, 0, &host_options, &e));
  CHECK(e.shares == 0 && *e.share == 0);
}

static void keys_and_selections(void) {
  const usw_options_t host_options = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  usw_shares_explanation_t e = {.size = USW_INIT(usw_shares_explanation_t)};
  CHECK_STATUS(USW_OK, usw_explain_by_key(USW_PLUS, USW_F64, USW_I32, 1 << 20, 100, &host_options, &e));
  CHECK_TEXT_HAS(e.share, "a block of the path");
  CHECK_TEXT_HAS(e.kernel, "sum_f64");
  CHECK(e.shares == 128 && e.results == 100 && e.bytes == 12u << 20 && e.items == 1 << 20);
  CHECK_STATUS(USW_OK, usw_explain_by_key(USW_PLUS, USW_F64, USW_I8, 0, 0, &host_options, &e));
  CHECK(e.shares == 0 && e.results == 0 && e.bytes == 0 && *e.share == 0);
  CHECK_STATUS(USW_OK, usw_explain_select(USW_F32, 1 << 20, &host_options, &e));
  CHECK_TEXT_HAS(e.share, "a chunk");
  CHECK_TEXT_HAS(e.kernel, "select");
  CHECK(e.shares > 1 && e.shares * e.share_items >= 1 << 20 && e.results == 1 << 20 && e.bytes == 9u << 20);
  CHECK_STATUS(USW_OK, usw_explain_select(USW_BOOL, 0, &host_options, &e));
  CHECK(e.shares == 0 && e.bytes == 0);
}

static void wrong_keys_and_selections(void) {
  usw_shares_explanation_t e = {.size = USW_INIT(usw_shares_explanation_t)}, other = {.size = 1};
  CHECK_STATUS(USW_ERROR_INVALID, usw_explain_by_key(USW_PLUS, USW_F64, USW_I32, 3, 4, NULL, &e));
  CHECK_TEXT_HAS(usw_error_text(), "3 elements are not in 4 runs");
  CHECK_STATUS(USW_ERROR_INVALID, usw_explain_by_key(USW_PLUS, USW_F64, USW_I32, 3, 0, NULL, &e));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_explain_by_key(USW_PLUS, USW_F64, USW_F32, 3, 1, NULL, &e));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_explain_by_key(USW_NO_OPERATION, USW_F64, USW_I32, 3, 1, NULL, &e));
  CHECK_STATUS(USW_ERROR_VERSION, usw_explain_by_key(USW_PLUS, USW_F64, USW_I32, 3, 1, NULL, &other));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_explain_select(USW_NO_TYPE, 1, NULL, &e));
  CHECK_STATUS(USW_ERROR_INVALID, usw_explain_select(USW_F64, 1, NULL, NULL));
  CHECK(e.kernel == NULL && other.kernel == NULL);
}

static void wrong_shares(void) {
  const usw_array_t rows = usw_array_2d(USW_F64, NULL, 2, 3);
  usw_shares_explanation_t e = {.size = USW_INIT(usw_shares_explanation_t)}, other = {.size = 1};
  CHECK_STATUS(USW_ERROR_INVALID, usw_explain_axes(USW_PLUS, NULL, 1, NULL, &e));
  CHECK_STATUS(USW_ERROR_INVALID, usw_explain_axes(USW_PLUS, &rows, 1, NULL, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_explain_axes(USW_PLUS, &rows, USW_AXIS(2), NULL, &e));
  CHECK_STATUS(USW_ERROR_INVALID, usw_explain_segments(USW_PLUS, USW_F64, 1, NULL, NULL, &e));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_explain_scan(USW_NORM2, USW_F64, 1, NULL, &e));
  CHECK_STATUS(USW_ERROR_VERSION, usw_explain_scan(USW_PLUS, USW_F64, 1, NULL, &other));
  CHECK(e.kernel == NULL && other.kernel == NULL);
}

int main(void) {
  info();
  threads();
  devices();
  host();
  documented_bounds();
  bounds_of_passes();
  growing_bounds();
  upper_bounds_hold();
  lost_numbers();
  refusals();
  as_it_runs();
  axes_kinds();
  shares_on_host();
  wrong_shares();
  keys_and_selections();
  wrong_keys_and_selections();
  return check_report();
}
