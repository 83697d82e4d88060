#include <stdlib.h>
#include <string.h>
#include <upsweep/plan.h>

#include "scenarios.h"

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
