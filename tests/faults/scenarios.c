#include "scenarios.h"

#include <string.h>
#include <upsweep/partial.h>
#include <upsweep/plan.h>
#include <upsweep/set.h>
#include <upsweep/upsweep.h>

#include "kernels.h" /* before the oracle, whose names it must not meet */

#include "oracle/memory.h"
#include "support/device_memory.h"

enum { BINS = 300, TILE = 1000, SPAN = 40, BLOCK_BYTES = 4096 };

uint64_t scenario_results[SCENARIO_STEPS][SCENARIO_WORDS];
int scenario_steps;
void *scenario_stream;

static test_place_t place;
static place_kind_t place_kind;
static double x[SCENARIO_ITEMS], wide[SCENARIO_ITEMS];
static int64_t whole[SCENARIO_ITEMS];
static uint32_t keys[SCENARIO_ITEMS];
static place_memory_t x_there, wide_there, whole_there, keys_there, half_there, results_there[2], counts_there[2];

/* ---- steps ---- */

static void *result(void) { return scenario_results[scenario_steps]; }

static usw_options_t options_of(void) { return place_options(&place); }

static usw_status_t reduce(usw_operation_t operation, usw_type_t type, const void *data, const usw_options_t *o) {
  return step(usw_reduce(operation, type, data, SCENARIO_ITEMS, result(), o));
}

/* ---- one call ---- */

/* The report says that it ran where it was asked to. */
static usw_status_t sums(void) {
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  usw_options_t options = options_of();
  options.report = &report;
  uint64_t *const place_words = (uint64_t *)result() + 4;
  const usw_status_t status = usw_reduce(USW_PLUS, USW_F64, x_there.data, SCENARIO_ITEMS, result(), &options);
  if (status == USW_OK) {
    place_words[0] = report.place;
    place_words[1] = (uint64_t)report.device;
  }
  return step(status);
}

static usw_status_t long_integers(void) {
  const usw_options_t options = options_of();
  return reduce(USW_PLUS, USW_I64, whole_there.data, &options);
}

static usw_status_t exact(void) {
  usw_options_t options = options_of();
  options.accuracy = USW_EXACT;
  return reduce(USW_PLUS, USW_F64, wide_there.data, &options);
}

static usw_status_t reproducible(void) {
  usw_options_t options = options_of();
  options.accuracy = USW_REPRODUCIBLE;
  return reduce(USW_PLUS, USW_F64, wide_there.data, &options);
}

static usw_status_t described(void) {
  const usw_options_t options = options_of();
  return reduce(USW_DESCRIBE, USW_F64, x_there.data, &options);
}

/* Two parts there and one on the host, at three levels. */
static usw_status_t at_places(void) {
  usw_part_t some[3];
  usw_options_t options = {.size = USW_INIT(usw_options_t)};
  for (int k = 0; k < 3; k++)
    some[k] = (usw_part_t){USW_INIT(usw_part_t),
                           k == 1 ? USW_HOST : place.place,
                           place.device,
                           SCENARIO_ITEMS,
                           {k == 1 ? x : x_there.data},
                           {0},
                           NULL};
  usw_status_t status = step(usw_reduce_parts(USW_PLUS, USW_F64, some, 3, result(), &options));
  for (int level = USW_REPRODUCIBLE; level <= USW_EXACT && status == USW_OK; level++) {
    options.accuracy = (usw_accuracy_t)level;
    status = step(usw_reduce_parts(USW_PLUS, USW_F64, some, 3, result(), &options));
  }
  return status;
}

/* The same of a user kernel, with a record for which room is allocated; what runs must be given back behind a wait that failed, too, or
 * the library does not end. */
static void deal(usw_kernel_part_t some[3]) {
  for (int k = 0; k < 3; k++) {
    some[k] = dealt_part(DEALT_ITEMS, k == 1 ? x : x_there.data);
    some[k].place = k == 1 ? USW_HOST : place.place;
    some[k].device = place.device;
  }
}

static usw_status_t kernel_at_places(void) {
  usw_kernel_part_t some[3];
  uint64_t *const counts = result();
  deal(some);
  return step(dealt_parts_fresh(some, 3, counts + BINS, counts, BINS, NULL));
}

/* Blocks of cells that one device takes from another, and folds; from the first one's results come the other's. */
static usw_status_t gathered(void) {
  static uint64_t counts[SCENARIO_CELLS], counts_of_other[SCENARIO_CELLS];
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .teams = 2};
  usw_kernel_part_t some[3];
  uint64_t *const seen = result();
  deal(some);
  some[0].results = (void *[]){NULL, counts_there[0].data};
  some[2].results = (void *[]){NULL, counts_there[1].data};
  const usw_status_t status = step(dealt_parts_fresh(some, 3, seen, counts, SCENARIO_CELLS, &options));
  if (status != USW_OK)
    return status;
  memory_read(&counts_there[1], counts_of_other, sizeof counts);
  seen[1] = memcmp(counts, counts_of_other, sizeof counts) == 0;
  memcpy(seen + 2, counts, BINS * sizeof *counts);
  return scenario_plan_of_spans(some, 3, counts, counts_of_other, SCENARIO_CELLS);
}

static usw_status_t span_there(void) { return scenario_span_there(x_there.data, &counts_there[0], result()); }
static usw_status_t parts_there(void) {
  return scenario_parts_there(x_there.data, &counts_there[0], &counts_there[1], &place, result());
}
static usw_status_t gathering(void) { return scenario_gathering(x_there.data, result()); }

static usw_status_t plan_at_places(void) {
  const usw_options_t fresh = {.size = USW_INIT(usw_options_t), .initialize_to_identity = UINT64_MAX};
  usw_kernel_part_t some[3];
  usw_plan_t *plan = NULL;
  usw_request_t request = {NULL, 0};
  deal(some);
  usw_status_t status = dealt_plan_create_parts(&plan, some, 3, &fresh);
  for (int run = 0; run < 2 && status == USW_OK; run++) {
    uint64_t *const counts = result();
    status = step(dealt_plan_run_parts(counts + BINS, counts, BINS, plan));
  }
  if (status == USW_OK) {
    uint64_t *const counts = result();
    status = dealt_plan_start_parts(counts + BINS, counts, BINS, plan, &request);
  }
  if (status == USW_OK)
    status = step(usw_request_wait(&request));
  usw_plan_destroy(plan);
  return status;
}

static usw_status_t plan_of_parts(void) {
  const usw_part_t some[] = {
      {USW_INIT(usw_part_t), place.place, place.device, SCENARIO_ITEMS, {x_there.data}, {0}, NULL},
      {USW_INIT(usw_part_t), place.place, place.device, SCENARIO_ITEMS / 2, {x_there.data}, {0}, NULL}};
  usw_plan_t *plan = NULL;
  usw_status_t status = usw_plan_create_parts(&plan, USW_PLUS, USW_F64, some, 2, NULL);
  for (int run = 0; run < 3 && status == USW_OK; run++)
    status = step(usw_plan_run_parts(plan, result()));
  usw_plan_destroy(plan);
  return status;
}

/* Results in memory of the place, too: of calls by one sweep and by several, and of plans. */
static usw_status_t results_at_places(void) {
  usw_options_t options = {.size = USW_INIT(usw_options_t)};
  usw_part_t some[2];
  usw_plan_t *plan = NULL;
  for (int k = 0; k < 2; k++)
    some[k] = (usw_part_t){USW_INIT(usw_part_t), place.place, place.device,         WRITTEN_ITEMS,
                           {x_there.data},       {0},         results_there[k].data};
  usw_status_t status = step(usw_reduce_parts(USW_PLUS, USW_F64, some, 2, result(), &options));
  if (status == USW_OK)
    status = usw_plan_create_parts(&plan, USW_PLUS, USW_F64, some, 2, &options);
  if (status == USW_OK)
    status = step(usw_plan_run_parts(plan, result()));
  usw_plan_destroy(plan);
  options.accuracy = USW_EXACT;
  return status == USW_OK ? step(usw_reduce_parts(USW_PLUS, USW_F64, some, 2, result(), &options)) : status;
}

static usw_status_t by(usw_strategy_t strategy) {
  usw_options_t options = options_of();
  options.strategy = strategy;
  options.work_group_load = 2;
  return reduce(USW_PLUS, USW_I64, whole_there.data, &options);
}
static usw_status_t host_finish(void) { return by(USW_STRATEGY_HOST_FINISH); }
static usw_status_t multipass(void) { return by(USW_STRATEGY_MULTIPASS); }
static usw_status_t tree_atomic(void) { return by(USW_STRATEGY_TREE_ATOMIC); }

static usw_status_t in_stream(void) {
  usw_options_t options = options_of();
  options.stream = scenario_stream;
  return reduce(USW_PLUS, USW_F64, x_there.data, &options);
}

static usw_status_t staged(void) {
  usw_options_t options = options_of();
  options.staging = USW_STAGING_ALWAYS;
  const usw_status_t status = reduce(USW_PLUS, USW_F64, x, &options);
  double *most = result();
  return status == USW_OK ? step(beyond_fresh(SCENARIO_ITEMS, x, 500, most, (uint64_t *)most + 1, &options)) : status;
}

/* A part for each of up to two devices, at the same time; and a part of the first one beside one of the host. */
static usw_status_t shared(void) {
  const uint64_t second = usw_device_target(1) ? UINT64_C(2) : 0;
  usw_options_t options = {.size = USW_INIT(usw_options_t), .devices = UINT64_C(1) << place.device | second};
  usw_part_t some[3];
  for (int k = 0; k < 3; k++)
    some[k] = (usw_part_t){
        USW_INIT(usw_part_t), k == 1 ? USW_HOST : USW_DEVICE, place.device, SCENARIO_ITEMS, {x}, {0}, NULL};
  const usw_status_t status = reduce(USW_PLUS, USW_F64, x, &options);
  options.devices = 0;
  options.staging = USW_STAGING_ALWAYS;
  return status == USW_OK ? step(usw_reduce_parts(USW_PLUS, USW_F64, some, 3, result(), &options)) : status;
}

/* ---- kernels of the program's own ---- */

static usw_status_t kernel(void) {
  const usw_options_t options = options_of();
  double *most = result();
  return step(beyond_fresh(SCENARIO_ITEMS, x_there.data, 500, most, (uint64_t *)most + 1, &options));
}

static usw_status_t span(void) {
  const usw_options_t options = options_of();
  double *total = result();
  return step(bins_fresh(SCENARIO_ITEMS, x_there.data, total, (uint64_t *)total + 1, BINS, &options));
}

static usw_status_t output(void) {
  const usw_options_t options = options_of();
  return step(halve_fresh(SCENARIO_ITEMS, x_there.data, half_there.data, result(), &options));
}

static usw_status_t many_results(void) {
  enum { RESULTS = (SCENARIO_ITEMS + TILE - 1) / TILE };
  const usw_options_t options = options_of();
  double *sums_out = result();
  const usw_status_t status =
      tiles_fresh(SCENARIO_ITEMS, RESULTS, x_there.data, TILE, sums_out, (uint64_t *)sums_out + RESULTS, &options);
  if (status != USW_OK && place_kind == DRIVER_PLACE) /* it writes there directly, as into memory of a GPU */
    memset(sums_out, 0xa5, sizeof *scenario_results);
  return step(status);
}

/* ---- rechecked ---- */

static usw_status_t rechecked(void) {
  usw_options_t options = options_of();
  double *most;
  options.recheck = 1;
  usw_status_t status = reduce(USW_PLUS, USW_I64, whole_there.data, &options);
  most = result();
  if (status == USW_OK)
    status = step(halve_fresh(SCENARIO_ITEMS, x_there.data, half_there.data, result(), &options));
  if (status == USW_OK) {
    most = result();
    status = step(bins_fresh(SCENARIO_ITEMS, x_there.data, most, (uint64_t *)most + 1, BINS, &options));
  }
  return status;
}

/* ---- plans ---- */

static usw_status_t plan_runs(void) {
  const usw_options_t options = options_of();
  usw_plan_t *plan = NULL;
  usw_status_t status = usw_plan_create(&plan, USW_PLUS, USW_F64, &options);
  for (int run = 0; run < 2 && status == USW_OK; run++)
    status = step(usw_plan_run(plan, x_there.data, SCENARIO_ITEMS, result()));
  usw_plan_destroy(plan);
  return status;
}

static usw_status_t plan_bound(void) {
  const usw_options_t options = options_of();
  usw_plan_t *plan = NULL;
  usw_status_t status = usw_plan_create(&plan, USW_PLUS, USW_F64, &options);
  if (status == USW_OK)
    status = usw_plan_bind(plan, x_there.data, SCENARIO_ITEMS, result());
  if (status == USW_OK)
    status = step(usw_plan_run_bound(plan));
  for (int run = 1; run < 3 && status == USW_OK; run++)
    status = usw_plan_run_bound(plan);
  usw_plan_destroy(plan);
  return status;
}

static void note_end(void *context, usw_status_t status) { *(usw_status_t *)context = status; }

static usw_status_t plan_requests(void) {
  const usw_options_t options = options_of();
  usw_plan_t *plan = NULL;
  usw_request_t first = {NULL, 0}, second = {NULL, 0};
  usw_status_t told = USW_OK, status = usw_plan_create(&plan, USW_PLUS, USW_F64, &options);
  if (status == USW_OK)
    status = usw_plan_start(plan, x_there.data, SCENARIO_ITEMS, scenario_results[0], &first);
  if (status == USW_OK)
    status = usw_plan_on_completion(plan, note_end, &told);
  if (status == USW_OK)
    status = usw_plan_start(plan, x_there.data, SCENARIO_ITEMS, scenario_results[1], &second);
  const usw_status_t of_first = first.plan ? step(usw_request_wait(&first)) : USW_OK;
  const usw_status_t of_second = second.plan ? usw_request_wait(&second) : USW_OK;
  if (of_first == USW_OK && of_second == USW_OK && second.plan)
    step(USW_OK);
  usw_plan_destroy(plan);
  return status != USW_OK ? status : of_first != USW_OK ? of_first : of_second;
}

static usw_status_t plan_of_kernel(void) {
  const usw_options_t options = options_of();
  usw_plan_t *plan = NULL;
  usw_status_t status = bins_plan_create(&plan, &options);
  double *total = result();
  if (status == USW_OK) {
    memset(total, 0, (BINS + 1) * sizeof *total);
    status = bins_plan_run(SCENARIO_ITEMS, x_there.data, total, (uint64_t *)total + 1, BINS, plan);
    if (status != USW_OK)
      memset(total, 0xa5, (BINS + 1) * sizeof *total);
  }
  step(status);
  usw_plan_destroy(plan);
  return status;
}

static usw_status_t plan_in_stream(void) {
  usw_options_t options = options_of();
  usw_plan_t *plan = NULL;
  options.stream = scenario_stream;
  usw_status_t status = usw_plan_create(&plan, USW_PLUS, USW_F64, &options);
  if (status == USW_OK)
    status = usw_plan_enqueue(plan, x_there.data, SCENARIO_ITEMS, result());
  const int is_there = status == USW_OK;
  usw_plan_destroy(plan); /* waits for it */
  if (is_there)
    step(USW_OK);
  return status;
}

/* ---- sets ---- */

static usw_status_t sets(void) {
  const usw_options_t options = options_of();
  usw_set_t *set = NULL;
  usw_status_t status = usw_set_create(&set);
  const uint32_t fresh = USW_SET_INITIALIZE_TO_IDENTITY;
  double *cells = result();
  if (status == USW_OK)
    status = usw_set_add(set, USW_PLUS, USW_F64, x_there.data, 1, cells, fresh);
  if (status == USW_OK)
    status = usw_set_add(set, USW_MAXIMUM, USW_I64, whole_there.data, 1, cells + 1, fresh);
  if (status == USW_OK)
    status =
        usw_set_add_span(set, USW_PLUS, USW_F64, x_there.data, 1, USW_U32, keys_there.data, cells + 2, SPAN, fresh);
  if (status == USW_OK)
    status = step(usw_set_run(set, SET_ITEMS, &options));
  const usw_set_part_t part = {USW_INIT(usw_set_part_t), place.place, place.device, SET_ITEMS, set};
  if (status == USW_OK)
    status = step(usw_set_run_parts(&part, 1, NULL)); /* to the same cells */
  usw_set_destroy(set);
  return status;
}

static usw_status_t batches(void) {
  const usw_options_t options = options_of();
  usw_set_t *set = NULL;
  usw_status_t status = usw_set_create(&set);
  double *cells = result();
  for (size_t k = 0; k < 20 && status == USW_OK; k++)
    status = usw_set_add_array(set, USW_PLUS, USW_F64, (const double *)x_there.data + 100 * k, 100, 1, cells + k,
                               USW_SET_INITIALIZE_TO_IDENTITY);
  if (status == USW_OK)
    status = step(usw_set_run(set, 0, &options));
  usw_set_destroy(set);
  return status;
}

/* ---- parts ---- */

static usw_status_t parts(void) {
  static char block[BLOCK_BYTES];
  const usw_options_t options = options_of();
  usw_partial_t *part = NULL, *other = NULL;
  size_t bytes = 0;
  usw_status_t status = usw_partial_create(&part, USW_PLUS, USW_F64, &options);
  if (status == USW_OK)
    status = usw_partial_add(part, x_there.data, SCENARIO_ITEMS / 2);
  if (status == USW_OK)
    status =
        usw_partial_add(part, (const double *)x_there.data + SCENARIO_ITEMS / 2, SCENARIO_ITEMS - SCENARIO_ITEMS / 2);
  if (status == USW_OK)
    status = usw_partial_export(part, block, sizeof block, &bytes);
  if (status == USW_OK)
    status = usw_partial_import(&other, block, bytes, &options);
  if (status == USW_OK)
    status = usw_partial_merge(other, part);
  if (status == USW_OK)
    status = step(usw_partial_result(other, result()));
  usw_partial_destroy(other);
  usw_partial_destroy(part);
  return status;
}

static usw_status_t explained(void) {
  const usw_options_t options = options_of();
  return step(scenario_explanation(&options, result()));
}

static usw_status_t families(void) {
  const usw_options_t options = options_of();
  return scenario_of_families(x_there.data, &options, &result);
}

const scenario_t scenarios[] = {
    {"sum", sums, "", 7},
    {"long_integers", long_integers, "", 0},
    {"exact", exact, "", 0},
    {"reproducible", reproducible, "", 0},
    {"describe", described, "own", 0},
    {"host_finish", host_finish, "device", 0},
    {"multipass", multipass, "device", 0},
    {"tree_atomic", tree_atomic, "device", 0},
    {"kernel", kernel, "", 0},
    {"span", span, "", 0},
    {"output", output, "", 0},
    {"many_results", many_results, "", 0},
    {"families", families, "own", 0},
    {"recheck", rechecked, "", 0},
    {"plan", plan_runs, "", 0},
    {"plan_bound", plan_bound, "", 15},
    {"plan_requests", plan_requests, "", 0},
    {"plan_of_kernel", plan_of_kernel, "", 0},
    {"set", sets, "own", 15},
    {"batch", batches, "own", 0},
    {"parts", parts, "", 0},
    {"at_places", at_places, "", 0},
    {"kernel_at_places", kernel_at_places, "", 0},
    {"gathered", gathered, "", 0},
    {"span_there", span_there, "staging", 0},
    {"parts_there", parts_there, "staging", 0},
    {"gathering", gathering, "staging", 0},
    {"plan_at_places", plan_at_places, "", 0},
    {"plan_of_parts", plan_of_parts, "", 0},
    {"results_at_places", results_at_places, "", 0},
    {"info", scenario_questions, "", 13},
    {"explain", explained, "", 0},
    {"staging", staged, "staging", 11},
    {"devices", shared, "staging", 0},
    {"finalize", usw_finalize, "end", 7},
    {"in_stream", in_stream, "driver", 0},
    {"plan_in_stream", plan_in_stream, "driver", 9},
};
const int scenario_count = sizeof scenarios / sizeof *scenarios;

/* The kernels of the emulated library do on the host what a GPU does: some are not there. */
int scenario_is_possible(const scenario_t *scenario) {
  const char *needs = scenario->needs;
  const int is_device = place.place == USW_DEVICE, stages = strcmp(needs, "staging") == 0;
  if (stages)
    return place_kind == STAGING_PLACE || place_kind == GPU_PLACE;
  if (place_kind == STAGING_PLACE && strcmp(needs, "own") == 0) /* the emulation knows no pinned memory for its tasks */
    return 0;
#ifdef USW_PORT_SIMT
  if (strcmp(needs, "own") == 0)
    return is_device;
#endif
  if (strcmp(needs, "driver") == 0)
    return place_kind != OTHER_PLACE;
  return is_device || strcmp(needs, "device") != 0;
}

void scenario_prepare(const test_place_t *there, place_kind_t kind) {
  place = *there;
  place_kind = kind;
  for (size_t i = 0; i < SCENARIO_ITEMS; i++) {
    x[i] = (double)(i * 7919 % 1000);
    wide[i] = i % 3 ? x[i] : x[i] * 0x1p120;
    whole[i] = (int64_t)(i * 104729 % 100003) - 50000;
    keys[i] = (uint32_t)(i % SPAN);
  }
  x_there = device_memory_get(&place, x, sizeof x, 0);
  wide_there = device_memory_get(&place, wide, sizeof wide, 0);
  whole_there = device_memory_get(&place, whole, sizeof whole, 0);
  keys_there = device_memory_get(&place, keys, sizeof keys, 0);
  half_there = device_memory_get(&place, NULL, sizeof x, 0);
  for (int k = 0; k < 2; k++) {
    results_there[k] = device_memory_get(&place, NULL, sizeof *x, 0);
    counts_there[k] = device_memory_get(&place, NULL, SCENARIO_CELLS * sizeof(uint64_t), 0);
  }
}
