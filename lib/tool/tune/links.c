#include "tune/links.h"
#include "measure/significance.h"
#include "measure/statistics.h"

#include <stdlib.h>
#include <string.h>
#include <upsweep/explain.h>
#include <upsweep/parts.h>
#include <upsweep/upsweep.h>

enum { ALONE_ROUNDS = 15, RACE_ROUNDS = 21, MOST_ARRAYS = 4, PAGE_BYTES = 4096, LINE = 64 };

static const double equal_ratio = 1.05; /* as lib/policy/device_shares.c has it */
static const double least_gain = 0.02, significant_p = 0.01;

/* Ones in the host's memory, whose pages are where its threads put them, as a program's are. */
typedef struct field {
  double *items;
  size_t n;
} field_t;

static field_t make_field(size_t bytes) {
  const size_t n = bytes / PAGE_BYTES * (PAGE_BYTES / sizeof(double));
  field_t field = {aligned_alloc(PAGE_BYTES, n * sizeof(double)), n};
#pragma omp parallel for
  for (size_t i = 0; i < n; i++)
    if (field.items)
      field.items[i] = 1;
  return field;
}

/* Seconds of a sum of parts that follow each other; negative: it failed, or the sum is wrong. */
static double time_parts(const field_t *field, const tune_link_t *links, int count, const size_t *starts) {
  const usw_options_t options = {
      .size = USW_INIT(usw_options_t), .staging = USW_STAGING_ALWAYS, .recheck = USW_RECHECK_NEVER};
  usw_part_t parts[TUNE_MAX_LINKS];
  double sum = 0;
  for (int k = 0; k < count; k++)
    parts[k] = (usw_part_t){.size = USW_INIT(usw_part_t),
                            .place = USW_DEVICE,
                            .device = links[k].device,
                            .n = starts[k + 1] - starts[k],
                            .x = {field->items + starts[k]}};
  const double start = bench_now();
  const usw_status_t status = usw_reduce_parts(USW_PLUS, USW_F64, parts, (size_t)count, &sum, &options);
  const double seconds = bench_now() - start, expected = (double)(starts[count] - starts[0]);
  return status == USW_OK && sum >= expected && sum <= expected ? seconds : -1;
}

/* ---- which GPUs ---- */

static const char *header_of(int device) {
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .place = USW_DEVICE, .device = device};
  usw_explanation_t e = {.size = USW_INIT(usw_explanation_t)};
  return usw_explain(USW_PLUS, USW_F64, 1, &options, &e) == USW_OK ? e.tuning_header : "";
}

static void find_links(int device, tune_links_t *links) {
  usw_device_info_t info = {.size = USW_INIT(usw_device_info_t)};
  for (int k = 0; links->count < TUNE_MAX_LINKS && usw_device_info(k, &info) == USW_OK; k++) {
    if (!*info.pci_address || strcmp(header_of(info.number), header_of(device)) != 0)
      continue;
    tune_link_t *link = &links->links[links->count++];
    link->device = info.number;
    memcpy(link->pci_address, info.pci_address, sizeof link->pci_address);
  }
  if (links->count < 2)
    links->count = 0;
}

/* ---- the two measurements ---- */

/* Each in turn, the others at rest. */
static int measure_alone(const field_t *field, tune_links_t *links) {
  static double seconds[TUNE_MAX_LINKS][ALONE_ROUNDS];
  const size_t starts[] = {0, links->bytes / sizeof(double)};
  for (int round = -1; round < ALONE_ROUNDS; round++) /* the first one of each makes its buffers */
    for (int k = 0; k < links->count; k++) {
      const double took = time_parts(field, &links->links[k], 1, starts);
      if (took < 0)
        return -1;
      seconds[k][round < 0 ? 0 : round] = took;
    }
  for (int k = 0; k < links->count; k++) {
    const bench_statistics_t times = bench_describe_times(seconds[k], ALONE_ROUNDS);
    links->links[k].us = times.median * 1e6;
    links->links[k].spread_us = (times.third_quartile - times.first_quartile) * 1e6;
  }
  return 0;
}

static int are_equal(const tune_links_t *links) {
  double least = links->links[0].us, most = least;
  for (int k = 1; k < links->count; k++) {
    least = links->links[k].us < least ? links->links[k].us : least;
    most = links->links[k].us > most ? links->links[k].us : most;
  }
  return most <= least * equal_ratio;
}

static void find_starts(const tune_links_t *links, size_t n, int by_rates, size_t *starts) {
  double whole = 0, before = 0;
  for (int k = 0; k < links->count; k++)
    whole += by_rates ? 1 / links->links[k].us : 1;
  for (int k = 0; k < links->count; k++) {
    starts[k] = (size_t)((double)n / LINE * (before / whole)) * LINE;
    before += by_rates ? 1 / links->links[k].us : 1;
  }
  starts[links->count] = n;
}

/* Parts by rates and equal ones take turns: GPUs that stage at the same time share the host's memory and cores. */
static int race(const field_t *field, tune_links_t *links) {
  double seconds[2][RACE_ROUNDS];
  for (int round = -1; round < RACE_ROUNDS; round++)
    for (int by_rates = 0; by_rates < 2; by_rates++) {
      size_t starts[TUNE_MAX_LINKS + 1];
      find_starts(links, field->n, by_rates, starts);
      const double took = time_parts(field, links->links, links->count, starts);
      if (took < 0)
        return -1;
      seconds[by_rates][round < 0 ? 0 : round] = took;
    }
  const double p = bench_mann_whitney(seconds[1], RACE_ROUNDS, seconds[0], RACE_ROUNDS);
  links->instead_us = bench_describe_times(seconds[0], RACE_ROUNDS).median * 1e6;
  links->us = bench_describe_times(seconds[1], RACE_ROUNDS).median * 1e6;
  links->is_gain = p >= 0 && p < significant_p && links->us < (1 - least_gain) * links->instead_us;
  return 0;
}

int tune_measure_links(int device, size_t bytes, tune_links_t *links_out) {
  *links_out = (tune_links_t){.bytes = bytes};
  find_links(device, links_out);
  if (links_out->count == 0)
    return 0;
  const int arrays = links_out->count < MOST_ARRAYS ? links_out->count : MOST_ARRAYS;
  const field_t field = make_field(bytes * (size_t)arrays);
  if (!field.items) {
    links_out->count = 0;
    return 0;
  }
  int failed = measure_alone(&field, links_out);
  if (!failed && !are_equal(links_out))
    failed = race(&field, links_out);
  free(field.items);
  return failed;
}
