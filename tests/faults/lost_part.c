/* A GPU that is lost takes its part down: the call fails and names the part, all others have ended, results are as they were, and the
 * other GPUs go on, by calls and by plans that were made before. */
#include "lost_part.h"

#ifdef USW_PORT_SIMT
#include <stdio.h>
#include <string.h>
#include <upsweep/plan.h>
#include <upsweep/upsweep.h>

#include "faults.h"
#include "support/check.h"
#include "support/device_memory.h"

enum { ITEMS = 5001, BINS = 300 };

/* Of kernels.h, which scenarios.c has. */
usw_kernel_part_t dealt_part(size_t n, const double *x);
usw_status_t dealt_parts_fresh(const usw_kernel_part_t *parts, size_t count, uint64_t *last, uint64_t *counts,
                               size_t counts_extent, const usw_options_t *options);

static usw_part_t part[LOST_PART_GPUS];
static double there[LOST_PART_GPUS]; /* results of the parts */
static usw_plan_t *plan;
static usw_options_t options = {.size = USW_INIT(usw_options_t)};

/* ---- ways to run some of the parts: the sum of all is written ---- */

static usw_status_t by_call(const usw_part_t *parts, size_t count, double *sum) {
  return usw_reduce_parts(USW_PLUS, USW_F64, parts, count, sum, &options);
}

/* The plan is of all parts; others get one of their own. */
static usw_status_t make_plan(const usw_part_t *parts, size_t count, usw_plan_t **plan_out) {
  *plan_out = count == LOST_PART_GPUS ? plan : NULL;
  return *plan_out ? USW_OK : usw_plan_create_parts(plan_out, USW_PLUS, USW_F64, parts, count, &options);
}

static void keep_plan(usw_plan_t *own, size_t count) {
  if (count == LOST_PART_GPUS)
    plan = own;
  else
    usw_plan_destroy(own);
}

static usw_status_t by_plan(const usw_part_t *parts, size_t count, double *sum) {
  usw_plan_t *own;
  usw_status_t status = make_plan(parts, count, &own);
  if (status == USW_OK)
    status = usw_plan_run_parts(own, sum);
  keep_plan(own, count);
  return status;
}

/* A second request is under way at the same time. */
static usw_status_t by_requests(const usw_part_t *parts, size_t count, double *sum) {
  usw_plan_t *own;
  usw_request_t first = {NULL, 0}, second = {NULL, 0};
  double other = 77;
  usw_status_t of_second = USW_ERROR_DEVICE, status = make_plan(parts, count, &own);
  if (status == USW_OK)
    status = usw_plan_start_parts(own, sum, &first);
  if (status == USW_OK) {
    of_second = usw_plan_start_parts(own, &other, &second);
    status = usw_request_wait(&first);
  }
  if (second.plan)
    of_second = usw_request_wait(&second);
  CHECK_STATUS(status, of_second);
  CHECK_F64(status == USW_OK ? *sum : 77, other);
  keep_plan(own, count);
  return status;
}

static usw_status_t by_sweeps(const usw_part_t *parts, size_t count, double *sum) {
  usw_options_t exact = options;
  exact.accuracy = USW_EXACT;
  return usw_reduce_parts(USW_PLUS, USW_F64, parts, count, sum, &exact);
}

/* A kernel whose launches are waited for by their streams: it counts. */
static usw_status_t by_kernel(const usw_part_t *parts, size_t count, double *sum) {
  static uint64_t counts[BINS], last;
  usw_kernel_part_t of_kernel[LOST_PART_GPUS];
  memset(counts, 0, sizeof counts);
  for (size_t k = 0; k < count; k++) {
    of_kernel[k] = dealt_part(parts[k].n, parts[k].x[0]);
    of_kernel[k].place = parts[k].place;
    of_kernel[k].device = parts[k].device;
  }
  const usw_status_t status = dealt_parts_fresh(of_kernel, count, &last, counts, BINS, &options);
  CHECK_U64(status == USW_OK ? count * ITEMS : 0, counts[1]);
  if (status == USW_OK)
    *sum = (double)(counts[1] * (counts[1] / ITEMS + 1)) / 2; /* as if part k had sums of k */
  return status;
}

static usw_status_t with_results(const usw_part_t *parts, size_t count, double *sum) {
  usw_part_t with[LOST_PART_GPUS];
  for (size_t k = 0; k < count; k++) {
    with[k] = parts[k];
    with[k].result = &there[parts[k].device];
    there[parts[k].device] = 77;
  }
  const usw_status_t status = usw_reduce_parts(USW_PLUS, USW_F64, with, count, sum, &options);
  for (size_t k = 0; k < count; k++)
    CHECK_F64(status == USW_OK ? *sum : 77, there[parts[k].device]);
  return status;
}

static usw_status_t (*const ways[LOST_PART_WAYS])(const usw_part_t *parts, size_t count, double *sum) = {
    by_call, by_plan, by_requests, by_sweeps, by_kernel, with_results};

/* ---- what is lost, and what goes on ---- */

/* The sum of part k is (k + 1) * ITEMS. */
static void prepare(void) {
  static double x[LOST_PART_GPUS][ITEMS];
  simt_set_devices(LOST_PART_GPUS);
  simt_launch_by_driver();
  for (int k = 0; k < LOST_PART_GPUS; k++) {
    const test_place_t place = {USW_DEVICE, k, "simt"};
    for (size_t i = 0; i < ITEMS; i++)
      x[k][i] = k + 1;
    part[k] = (usw_part_t){.size = USW_INIT(usw_part_t), .place = USW_DEVICE, .device = k, .n = ITEMS};
    part[k].x[0] = device_memory_get(&place, x[k], sizeof x[k], 0).data;
    simt_is_on_device(k, &there[k], sizeof there[k]);
  }
}

static void is_lost(int way, int gpu) {
  char text[64];
  double sum = 77;
  snprintf(text, sizeof text, "part %d of %d: ", gpu + 1, LOST_PART_GPUS);
  CHECK_STATUS(USW_ERROR_DEVICE, ways[way](part, LOST_PART_GPUS, &sum));
  CHECK_TEXT_HAS(usw_error_text(), text);
  snprintf(text, sizeof text, "device %d", gpu);
  CHECK_TEXT_HAS(usw_error_text(), text);
  CHECK_F64(77, sum);
}

int lose_part(int way, int gpu) {
  const double of_all = ITEMS * LOST_PART_GPUS * (LOST_PART_GPUS + 1) / 2;
  usw_part_t left[LOST_PART_GPUS - 1];
  double sum = 0, of_left = of_all;
  prepare();
  CHECK_STATUS(USW_OK, usw_plan_create_parts(&plan, USW_PLUS, USW_F64, part, LOST_PART_GPUS, &options));
  for (int warm = 0; warm < 3; warm++) {
    CHECK_STATUS(USW_OK, ways[way](part, LOST_PART_GPUS, &sum));
    CHECK_F64(of_all, sum);
  }
  faults_lose_gpu_at_next_launch(gpu);
  is_lost(way, gpu);
  CHECK(faults_is_lost());
  for (int other = 0; other < LOST_PART_WAYS; other++)
    is_lost(other, gpu);
  for (int k = 0, rest = 0; k < LOST_PART_GPUS; k++)
    if (k != gpu)
      left[rest++] = part[k];
  of_left -= ITEMS * (gpu + 1.0);
  for (int other = 0; other < LOST_PART_WAYS; other++) {
    CHECK_STATUS(USW_OK, ways[other](left, LOST_PART_GPUS - 1, &sum));
    CHECK_F64(ways[other] == by_kernel ? ITEMS * 3.0 : of_left, sum);
  }
  usw_plan_destroy(plan);
  CHECK_STATUS(USW_OK, usw_finalize());
  return check_report();
}
#endif
