/* usw_info() and usw_explain(): what the tool shows comes from these. */
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
  info.size = 8;
  CHECK_STATUS(USW_ERROR_VERSION, usw_info(&info));
  CHECK_STATUS(USW_ERROR_INVALID, usw_info(NULL));
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

static void refusals(void) {
  usw_explanation_t e = {.size = USW_INIT(usw_explanation_t)};
  usw_options_t options = {.size = USW_INIT(usw_options_t), .strategy = USW_STRATEGY_TREE, .place = USW_HOST};
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

/* On every device of the machine: what the explanation says is what the record says after a call. */
static void as_it_runs(void) {
  usw_device_info_t device = {.size = USW_INIT(usw_device_info_t)};
  static double x[5000];
  for (int k = 0; usw_device_info(k, &device) == USW_OK; k++) {
    if (strcmp(device.target, "x86_64") != 0)
      continue; /* its memory is not the host's */
    usw_record_t record = {.size = USW_INIT(usw_record_t)};
    const usw_options_t options = {
        .size = USW_INIT(usw_options_t), .place = USW_DEVICE, .device = device.number, .record = &record};
    double sum;
    CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x, 5000, &sum, &options));
    const usw_explanation_t e = explain(USW_PLUS, USW_F64, 5000, &options);
    CHECK_I64(record.strategy, e.strategy);
    CHECK_U64(record.teams, e.teams);
    CHECK_U64(record.team_size, e.team_size);
    CHECK_U64(record.bytes, e.bytes);
    CHECK_TEXT_HAS(e.target, record.target);
  }
}

int main(void) {
  info();
  devices();
  host();
  refusals();
  as_it_runs();
  return check_report();
}
