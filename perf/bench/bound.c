#include "bound.h"

#include <upsweep/upsweep.h>

static usw_plan_t *plan;
static bench_value_t value;

int bench_bind(const bench_call_t *call, const usw_options_t *options) {
  bench_unbind();
  usw_status_t status = usw_plan_create(&plan, call->kernel->operation, call->type->type, options);
  if (status == USW_OK)
    status = call->kernel->inputs == 2 ? usw_plan_bind_pair(plan, call->x, call->y, call->n, &value)
                                       : usw_plan_bind(plan, call->x, call->n, &value);
  return status == USW_OK ? 0 : -1;
}

usw_status_t bench_run_bound(const bench_competitor_t *competitor, const bench_case_t *what, usw_report_t *report,
                             bench_value_t *value_out) {
  (void)competitor, (void)what, (void)report;
  const usw_status_t status = usw_plan_run_bound(plan);
  *value_out = value;
  return status;
}

void bench_unbind(void) {
  usw_plan_destroy(plan);
  plan = NULL;
}
