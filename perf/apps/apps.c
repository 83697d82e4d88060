/* The cases of applications (apps.h): each by Upsweep's strategies, by the library's own kernel for the same, and by
 * OpenMP's reduction clause. */
#include "apps.h"
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>

/* What a case of bench_measure() points to. */
typedef struct app_case {
  const apps_case_t *app;
  apps_call_t call;
  apps_expected_t expected;
} app_case_t;

static void forget(bench_value_t *value_out) {
  for (int k = 0; k < APPS_MAX_NUMBERS; k++)
    value_out->numbers[k] = NAN; /* no number is ever right by chance */
}

static usw_status_t run_kernel(const bench_competitor_t *competitor, const bench_case_t *what, usw_report_t *report,
                               bench_value_t *value_out) {
  const app_case_t *self = what->self;
  const usw_options_t options = bench_call_options(competitor, what->device, report);
  forget(value_out);
  return self->app->run(&self->call, &options, value_out->numbers);
}

static usw_status_t run_library(const bench_competitor_t *competitor, const bench_case_t *what, usw_report_t *report,
                                bench_value_t *value_out) {
  const app_case_t *self = what->self;
  const usw_options_t options = bench_call_options(competitor, what->device, report);
  forget(value_out);
  return self->app->library(&self->call, &options, value_out->numbers);
}

static usw_status_t run_clause(const bench_competitor_t *competitor, const bench_case_t *what, usw_report_t *report,
                               bench_value_t *value_out) {
  const app_case_t *self = what->self;
  (void)competitor, (void)report;
  forget(value_out);
  self->app->clause(&self->call, value_out->numbers);
  return USW_OK;
}

static int is_right(const bench_case_t *what, const bench_competitor_t *competitor, const bench_value_t *value,
                    char *why_out, size_t why_bytes) {
  const apps_expected_t *expected = &((const app_case_t *)what->self)->expected;
  const double *numbers = value->numbers;
  (void)competitor;
  int k = 0;
  while (k < expected->count && fabs(numbers[k] - expected->number[k]) <= expected->tolerance[k])
    k++;
  if (k == expected->count)
    return 1;
  snprintf(why_out, why_bytes, "number %d is %.17g, expected %.17g +- %.3g", k, numbers[k], expected->number[k],
           expected->tolerance[k]);
  return 0;
}

static int enlist(const bench_session_t *session, const apps_case_t *app, bench_competitor_t *competitors) {
  const int count = bench_enlist(session->options, &session->place, competitors);
  int kept = 0;
  for (int k = 0; k < count; k++) {
    if (app->without_clause && competitors[k].strategy == USW_STRATEGY_CLAUSE)
      continue;
    competitors[kept] = competitors[k];
    competitors[kept++].run = run_kernel;
  }
  return kept;
}

static int enlist_peers(const bench_session_t *session, const bench_case_t *what, bench_competitor_t *competitors) {
  const apps_case_t *app = ((const app_case_t *)what->self)->app;
  const char *clause = session->place.device < 0 ? "libomp" : "plain_clause";
  int count = 0;
  if (app->library && bench_is_peer_wanted(session->options, "library"))
    competitors[count++] = (bench_competitor_t){.name = "library", .run = run_library, .is_peer = 1};
  if (app->clause && bench_is_peer_wanted(session->options, clause))
    competitors[count++] = (bench_competitor_t){.name = clause, .run = run_clause, .is_peer = 1};
  return count;
}

/* Returns how many results were wrong, or -1 if nobody could run it. */
static int run_app(bench_session_t *session, const apps_case_t *app, size_t n) {
  static bench_competitor_t competitors[BENCH_MAX_COMPETITORS];
  app_case_t self = {.app = app, .call = {.n = app->items ? app->items(n) : n, .device = session->place.device}};
  n = self.call.n;
  if (!bench_is_wanted(session, app->suite, app->name, NULL, n))
    return 0;
  self.expected = app->expect(n);
  if (apps_make_data(app, n, session->place.device, self.call.streams))
    return -1;
  bench_case_t what = {
      .suite = app->suite,
      .kernel = app->name,
      .n = n,
      .bytes = apps_bytes(app, n),
      .device = session->place.device,
      .self = &self,
      .is_right = is_right,
      .enlist_peers = enlist_peers,
  };
  for (int k = 0; k < APPS_MAX_STREAMS && app->streams[k].element_bytes; k++) {
    what.streams[what.stream_count] = self.call.streams[k];
    what.stream_bytes[what.stream_count++] = apps_stream_bytes(app, k, n);
  }
  const int wrong = bench_measure(session, &what, competitors, enlist(session, app, competitors));
  apps_free_data(session->place.device, self.call.streams);
  return wrong;
}

int apps_run(bench_session_t *session) {
  enum { LEAST_ITEMS = 64 };
  const bench_options_t *options = session->options;
  int failed = 0;
  for (int k = 0; k < options->app_count; k++)
    for (int l = 0; l < options->length_count; l++)
      if (options->lengths[l] >= LEAST_ITEMS && options->lengths[l] <= (size_t)1 << 33)
        failed += run_app(session, options->apps[k], options->lengths[l]) != 0;
  return failed;
}
