/* Scenarios of large spans, all of whose cells GPUs keep to themselves for as long as they can: where the host's memory is not the device's. */
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

/* A span and nothing else, which may be in a device's memory. */
#define USW_KERNEL counted
#define USW_PARTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) S(uint64_t, counts, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_inc_at(counts, i % 300 + (uint64_t)(x > 1e300)); }
#include <upsweep/kernel_end.h>

/* The span in a device's memory, the variable in the host's: neither is written if the other is not. */
#define USW_KERNEL counted_and_more
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(uint64_t, more, USW_PLUS) S(uint64_t, counts, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(more, 2 + (uint64_t)(x > 1e300));
  usw_inc_at(counts, i % 300);
}
#include <upsweep/kernel_end.h>

#include "scenarios.h"

/* How often a reduction and another one, or two processes, count item 7 of each 300. */
enum { LOOKED_AT = 7, EXPECTED = 2 * (SCENARIO_ITEMS / 300 + 1) };

/* Of a large span that is on the device the host sees nothing; a short one it writes and copies there. */
usw_status_t scenario_span_there(const double *x, const place_memory_t *there, uint64_t *seen) {
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .teams = 2};
  static uint64_t found[SCENARIO_CELLS];
  for (int large = 0; large < 2; large++) {
    const size_t extent = large ? SCENARIO_CELLS : 301;
    usw_status_t status = step(counted_fresh(SCENARIO_ITEMS, x, there->data, extent, &options));
    if (status == USW_OK)
      status = step(counted(SCENARIO_ITEMS, x, there->data, extent, &options));
    if (status != USW_OK)
      return status;
    memory_read(there, found, sizeof found);
    seen[large] = found[LOOKED_AT];
    if (seen[large] != EXPECTED)
      abort(); /* no fault makes a wrong result */
  }
  uint64_t *const more = scenario_results[scenario_steps]; /* of the step that begins */
  return step(counted_and_more_fresh(SCENARIO_ITEMS, x, more, there->data, 300, &options));
}

/* Two parts of the device, which both have the result in its memory; nothing of them is on the host. */
usw_status_t scenario_parts_there(const double *x, const place_memory_t *there, const place_memory_t *beside,
                                  const test_place_t *place, uint64_t *seen) {
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .initialize_to_identity = 1, .teams = 2};
  static uint64_t found[2][SCENARIO_CELLS];
  const usw_variable_t variable = {there->data, SCENARIO_CELLS};
  void *result = beside->data;
  usw_kernel_part_t parts[2];
  for (int k = 0; k < 2; k++)
    parts[k] = (usw_kernel_part_t){.size = USW_INIT(usw_kernel_part_t),
                                   .place = place->place,
                                   .device = place->device,
                                   .kernel = &counted_kernel,
                                   .n = 300 * 20,
                                   .arguments = {(uint64_t)(uintptr_t)x},
                                   .results = k == 1 ? &result : NULL};
  const usw_status_t status = step(usw_kernel_run_parts(&counted_kernel, parts, 2, &variable, &options));
  if (status != USW_OK)
    return status;
  memory_read(there, found[0], sizeof found[0]);
  memory_read(beside, found[1], sizeof found[1]);
  *seen = found[0][LOOKED_AT];
  if (*seen != 2 * 20 || found[1][LOOKED_AT] != *seen)
    abort();
  return USW_OK;
}

/* Two processes with the same items, of which this is one; then a message in place of that. */
usw_status_t scenario_gathering(const double *x, uint64_t *seen) {
  static uint64_t counts[SCENARIO_CELLS];
  static _Alignas(64) char message[SCENARIO_CELLS * sizeof(uint64_t) + 256];
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)x, 0 /* first index */};
  const usw_variable_t variable = {counts, SCENARIO_CELLS};
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .initialize_to_identity = 1, .teams = 2};
  usw_gathering_t both;
  size_t bytes = 0;
  usw_status_t status = usw_message_bytes(&counted_kernel, &variable, &bytes);
  for (int is_left = 0; is_left < 2 && status == USW_OK; is_left++) {
    status = usw_gathering_begin(&counted_kernel, SCENARIO_ITEMS, arguments, &variable, &options, 0, 2, 1, &both);
    if (status != USW_OK || !both.records)
      return status;
    memcpy(both.records, (char *)both.records + both.record_bytes, both.record_bytes);
    status = is_left ? usw_gathering_leave(&both, 0, message, bytes) : usw_gathering_end(&both);
    if (status == USW_OK && !is_left)
      seen[0] = counts[LOOKED_AT];
    if (status == USW_OK && seen[0] != EXPECTED)
      abort();
    status = step(status);
  }
  return status;
}

static usw_status_t run(usw_plan_t *plan, const usw_kernel_t *kernel, const uint64_t *known_cells, uint64_t *room,
                        uint64_t cells) {
  uint64_t total;
  const usw_variable_t variables[] = {{&total, 1}, {room, cells}};
  const usw_status_t status = usw_plan_run_kernel_parts(plan, kernel, variables);
  if (status == USW_OK && memcmp(room, known_cells, cells * sizeof *room) != 0)
    abort(); /* no fault makes a wrong result */
  return status;
}

usw_status_t scenario_plan_of_spans(const usw_kernel_part_t *parts, size_t count, const uint64_t *known_cells,
                                    uint64_t *room, uint64_t cells) {
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .teams = 2, .initialize_to_identity = UINT64_MAX};
  const usw_kernel_t *const kernel = parts->kernel;
  usw_plan_t *plan = NULL;
  usw_status_t status = usw_plan_create_kernel_parts(&plan, kernel, parts, count, &options);
  for (int k = 0; k < 2 && status == USW_OK; k++)
    status = run(plan, kernel, known_cells, room, cells);
  usw_plan_destroy(plan);
  return status;
}
