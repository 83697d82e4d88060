#include "exec/exact_parts.h"

#include "exec/parts_finish.h"
#include "machine/arithmetic.h"

static int is_done(const uswi_sweeps_t *sweeps) { return sweeps->sum == sweeps->sums; }

/* The next sweep of each that needs one, in as much room as that takes. */
static size_t aim(uswi_sweeps_t *sweeps, uswi_part_t *room, size_t count) {
  size_t running = 0;
  for (size_t k = 0; k < count; k++)
    if (!is_done(&sweeps[k])) {
      uswi_part_t *part = &room[running++];
      uswi_part_init(part, sweeps[k].exact.kernel, 0, k);
      uswi_sweeps_aim(&sweeps[k], &part->call);
      part->arguments = sweeps[k].arguments;
    }
  return running;
}

static usw_status_t run(uswi_sweeps_t *sweeps, uswi_part_t *room, size_t count, usw_report_t *total,
                        uswi_exact_sum_t sums[2]) {
  uswi_parts_t parts = {.part = room, .whole = count};
  while ((parts.count = aim(sweeps, room, count)) > 0) {
    const usw_status_t status = uswi_run_each_part(&parts);
    if (status != USW_OK)
      return status;
    for (size_t r = 0; r < parts.count; r++)
      uswi_sweeps_take(&sweeps[room[r].number], total, sums);
  }
  return USW_OK;
}

usw_status_t uswi_exact_add_parts(uswi_sweeps_t *sweeps, uswi_part_t *room, size_t count, usw_report_t *total,
                                  uswi_exact_sum_t sums[2]) {
  uswi_arithmetic_t callers;
  uswi_arithmetic_begin(&callers, sweeps->exact.kernel, &sweeps->exact.options);
  usw_status_t status = run(sweeps, room, count, total, sums);
  for (size_t k = 0; k < count && status == USW_OK && total; k++) {
    status = uswi_sweeps_count_kept(&sweeps[k], total);
    if (status != USW_OK)
      status = uswi_fail_of_part(status, k, count);
  }
  uswi_arithmetic_end(&callers);
  return status;
}
