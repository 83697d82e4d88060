/* Upsweep's plans bound to a case's data (usw_plan_bind()), beside its calls: what CUB captured in a graph compares with. */
#ifndef BENCH_BOUND_H
#define BENCH_BOUND_H

#include "bench/bench.h"

/* Bind a plan of these options to the call's data. 0, or -1 where there is no such plan. */
int bench_bind(const bench_call_t *call, const usw_options_t *options);

/* Run it. */
usw_status_t bench_run_bound(const bench_competitor_t *competitor, const bench_case_t *what, usw_report_t *report,
                             bench_value_t *value_out);

/* Let go of the data; nothing where no plan is bound. */
void bench_unbind(void);

#endif
