/* The forms of a call: by type, by codes, with options, of a user's kernel, of a set, of a partial, of parts. */
#include "calls.h"

/* On the host without a place, like most callers. */
static const usw_options_t *options_of(const counts_case_t *counted) {
  return counted->call.device < 0 ? NULL : &counted->options;
}

static usw_status_t reduce_with(counts_case_t *counted, const usw_options_t *options) {
  const bench_call_t *call = &counted->call;
  if (call->kernel->inputs == 2)
    return usw_reduce_pair(call->kernel->operation, call->type->type, call->x, call->y, call->n, &counted->value,
                           options);
  return usw_reduce(call->kernel->operation, call->type->type, call->x, call->n, &counted->value, options);
}

static usw_status_t reduce(counts_case_t *counted) { return reduce_with(counted, options_of(counted)); }

static usw_status_t reduce_with_options(counts_case_t *counted) { return reduce_with(counted, &counted->options); }

static usw_status_t typed(counts_case_t *counted) {
  return usw_sum((const double *)counted->call.x, counted->call.n, &counted->value.f64);
}

static usw_status_t prepare_report(counts_case_t *counted) {
  counted->report.size = USW_INIT(usw_report_t);
  counted->options.report = &counted->report;
  return USW_OK;
}

static usw_status_t prepare_stride(counts_case_t *counted) {
  for (int input = 0; input < counted->call.kernel->inputs; input++)
    counted->options.stride[input] = counted->form->stride;
  return USW_OK;
}

static usw_status_t user_kernel(counts_case_t *counted) {
  const bench_call_t *call = &counted->call;
  return counts_residual(call->n, call->x, call->y, &counted->variables[0], &counted->variables[1],
                         options_of(counted));
}

static usw_status_t prepare_set(counts_case_t *counted) {
  const void *x = counted->call.x;
  usw_status_t status = usw_set_create(&counted->set);
  if (status == USW_OK)
    status = usw_set_add(counted->set, USW_PLUS, USW_F64, x, 1, &counted->variables[0], 0);
  if (status == USW_OK)
    status = usw_set_add(counted->set, USW_MAXIMUM, USW_F64, x, 1, &counted->variables[1], 0);
  return status;
}

static usw_status_t run_set(counts_case_t *counted) {
  return usw_set_run(counted->set, counted->call.n, options_of(counted));
}

static void clear_set(counts_case_t *counted) { usw_set_destroy(counted->set); }

static usw_status_t prepare_partial(counts_case_t *counted) {
  const bench_call_t *call = &counted->call;
  return usw_partial_create(&counted->partial, call->kernel->operation, call->type->type, options_of(counted));
}

static usw_status_t add_partial(counts_case_t *counted) {
  return usw_partial_add(counted->partial, counted->call.x, counted->call.n);
}

static void clear_partial(counts_case_t *counted) { usw_partial_destroy(counted->partial); }

/* The same item in each part, on one device: what a part costs. */
static const usw_part_t *describe_parts(const counts_case_t *counted, usw_part_t *parts) {
  for (int k = 0; k < counted->form->parts; k++)
    parts[k] = (usw_part_t){USW_INIT(usw_part_t),
                            counted->options.place,
                            counted->options.device,
                            counted->call.n,
                            {counted->call.x, NULL},
                            {0},
                            NULL};
  return parts;
}

static usw_options_t options_of_parts(const counts_case_t *counted) {
  usw_options_t options = counted->options;
  options.place = USW_AUTO_PLACE;
  return options;
}

static usw_status_t reduce_parts(counts_case_t *counted) {
  usw_part_t parts[COUNTS_MOST_PARTS];
  const usw_options_t options = options_of_parts(counted);
  return usw_reduce_parts(USW_PLUS, counted->call.type->type, describe_parts(counted, parts),
                          (size_t)counted->form->parts, &counted->value, &options);
}

static usw_status_t prepare_plan_of_parts(counts_case_t *counted) {
  usw_part_t parts[COUNTS_MOST_PARTS];
  const usw_options_t options = options_of_parts(counted);
  return usw_plan_create_parts(&counted->plan, USW_PLUS, counted->call.type->type, describe_parts(counted, parts),
                               (size_t)counted->form->parts, &options);
}

static usw_status_t run_plan_of_parts(counts_case_t *counted) {
  return usw_plan_run_parts(counted->plan, &counted->value);
}

static void clear_plan(counts_case_t *counted) { usw_plan_destroy(counted->plan); }

const counts_form_t counts_forms[] = {
    {"typed", NULL, typed, NULL, "sum", 1},
    {"reduce", NULL, reduce, NULL, NULL, 1},
    {"options", NULL, reduce_with_options, NULL, NULL, 1},
    {"report", prepare_report, reduce_with_options, NULL, NULL, 1},
    {"strided", prepare_stride, reduce_with_options, NULL, NULL, 2},
    {"user_kernel", NULL, user_kernel, NULL, "dot", 1}, /* which has its two streams */
    {"set", prepare_set, run_set, clear_set, "sum", 1},
    {"partial", prepare_partial, add_partial, clear_partial, NULL, 1},
    {"parts1", NULL, reduce_parts, NULL, "sum", 1, 1},
    {"parts2", NULL, reduce_parts, NULL, "sum", 1, 2},
    {"parts4", NULL, reduce_parts, NULL, "sum", 1, 4},
    {"plan_parts1", prepare_plan_of_parts, run_plan_of_parts, clear_plan, "sum", 1, 1},
    {"plan_parts4", prepare_plan_of_parts, run_plan_of_parts, clear_plan, "sum", 1, 4},
    {.name = NULL},
};
