/* Array reductions: RAJAPerf's histogram and sums by bin, xteam-test's sum of sections of 32. */
#include "apps.h"

enum { BINS = 10, SECTION = 32 };

#define USW_KERNEL apps_histogram_of_bins
#define USW_ARGS(IN, ARRAY, VALUE) IN(int64_t, bin)
#define USW_REDUCERS(R, S) S(uint64_t, counts, BINS, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_inc_at(counts, bin); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL apps_sums_by_bin
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(int64_t, bin)
#define USW_REDUCERS(R, S) S(double, sums, BINS, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_at(sums, bin, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL apps_sums_of_columns
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) S(double, sums, SECTION, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_at(sums, i % SECTION, x); }
#include <upsweep/kernel_end.h>

/* A bin without a pattern that neighbours share. */
static int64_t bin_at(size_t i) { return (int64_t)((uint64_t)i * 0x9e3779b97f4a7c15u >> 33) % BINS; }

static void fill_bins(size_t n, size_t first, size_t count, void *elements_out) {
  int64_t *elements = elements_out;
  (void)n;
  for (size_t k = 0; k < count; k++)
    elements[k] = bin_at(first + k);
}

static usw_status_t run_histogram(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  uint64_t counts[BINS] = {0};
  const usw_status_t status = apps_histogram_of_bins(call->n, call->streams[0], counts, options);
  for (int k = 0; k < BINS; k++)
    numbers_out[k] = (double)counts[k];
  return status;
}

static void clause_histogram(const apps_call_t *call, double *numbers_out) {
  const int64_t *bin = call->streams[0];
  const size_t n = call->n;
  const int device = call->device;
  uint64_t counts[BINS] = {0};
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) is_device_ptr(bin)           \
    map(tofrom : counts) reduction(+ : counts[ : BINS])
  for (size_t i = 0; i < n; i++)
    counts[bin[i]]++;
  for (int k = 0; k < BINS; k++)
    numbers_out[k] = (double)counts[k];
}

static apps_expected_t expect_histogram(size_t n) {
  apps_expected_t expected = {0};
  uint64_t counts[BINS] = {0};
  for (size_t i = 0; i < n; i++)
    counts[bin_at(i)]++;
  for (int k = 0; k < BINS; k++)
    apps_expect(&expected, (double)counts[k], 0);
  return expected;
}

static usw_status_t run_sums(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  for (int k = 0; k < BINS; k++)
    numbers_out[k] = 0;
  return apps_sums_by_bin(call->n, call->streams[0], call->streams[1], numbers_out, options);
}

static void clause_sums(const apps_call_t *call, double *numbers_out) {
  const double *x = call->streams[0];
  const int64_t *bin = call->streams[1];
  const size_t n = call->n;
  const int device = call->device;
  double sums[BINS] = {0};
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) is_device_ptr(x, bin)        \
    map(tofrom : sums) reduction(+ : sums[ : BINS])
  for (size_t i = 0; i < n; i++)
    sums[bin[i]] += x[i];
  for (int k = 0; k < BINS; k++)
    numbers_out[k] = sums[k];
}

/* The elements are multiples of 1/128: exact in any order. */
static apps_expected_t expect_sums(size_t n) {
  apps_expected_t expected = {0};
  double sums[BINS] = {0};
  for (size_t i = 0; i < n; i++)
    sums[bin_at(i)] += apps_element(i);
  for (int k = 0; k < BINS; k++)
    apps_expect(&expected, sums[k], 0);
  return expected;
}

static size_t whole_sections(size_t wanted) { return wanted < SECTION ? SECTION : wanted / SECTION * SECTION; }

static usw_status_t run_columns(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  for (int k = 0; k < SECTION; k++)
    numbers_out[k] = 0;
  return apps_sums_of_columns(call->n, call->streams[0], numbers_out, options);
}

static void clause_columns(const apps_call_t *call, double *numbers_out) {
  const double *x = call->streams[0];
  const size_t rows = call->n / SECTION;
  const int device = call->device;
  double sums[SECTION] = {0};
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) is_device_ptr(x)             \
    map(tofrom : sums) reduction(+ : sums[ : SECTION])
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < SECTION; j++)
      sums[j] += x[i * SECTION + j];
  for (int k = 0; k < SECTION; k++)
    numbers_out[k] = sums[k];
}

static apps_expected_t expect_columns(size_t n) {
  apps_expected_t expected = {0};
  double sums[SECTION] = {0};
  for (size_t i = 0; i < n; i++)
    sums[i % SECTION] += apps_element(i);
  for (int k = 0; k < SECTION; k++)
    apps_expect(&expected, sums[k], 0);
  return expected;
}

const apps_case_t apps_histogram = {.suite = "RAJAPerf",
                                    .name = "HISTOGRAM",
                                    .streams = {{sizeof(int64_t), fill_bins, NULL}},
                                    .run = run_histogram,
                                    .clause = clause_histogram,
                                    .expect = expect_histogram};

const apps_case_t apps_multi_reduce = {
    .suite = "RAJAPerf",
    .name = "MULTI_REDUCE",
    .streams = {{sizeof(double), apps_fill_elements, NULL}, {sizeof(int64_t), fill_bins, NULL}},
    .run = run_sums,
    .clause = clause_sums,
    .expect = expect_sums};

const apps_case_t apps_red_sum_arr_32 = {.suite = "xteam-test",
                                         .name = "red_sum_arr_32",
                                         .streams = {{sizeof(double), apps_fill_elements, NULL}},
                                         .items = whole_sections,
                                         .run = run_columns,
                                         .clause = clause_columns,
                                         .expect = expect_columns};
