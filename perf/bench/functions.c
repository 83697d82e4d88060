/* The cases of the library's functions: every kernel of a row with every type that it has, at every length. */
#include "bench.h"
#include "bound.h"
#include "peers/plugin.h"

#include <math.h>
#include <stdio.h>

/* What the cases are called in files: those over data of the whole range of exponents are not the same ones. */
static const char *suite_of(const bench_session_t *session) { return session->options->is_wide ? "wide" : "functions"; }

/* What a case of bench_measure() points to. */
typedef struct function_case {
  bench_call_t call;
  bench_expected_t expected;
  bench_expected_t accurate[3]; /* from USW_COMPENSATED to USW_EXACT */
} function_case_t;

static int is_accurate(usw_accuracy_t accuracy) { return accuracy >= USW_COMPENSATED; }

/* Of an accuracy that the function does not have nobody asks. */
static void expect_accurate(const bench_competitor_t *competitors, int count, function_case_t *self) {
  const bench_call_t *call = &self->call;
  for (int k = 0; k < count; k++) {
    const usw_options_t options = bench_call_options(&competitors[k], call->device, NULL);
    usw_explanation_t promised = {.size = USW_INIT(usw_explanation_t)};
    if (!is_accurate(options.accuracy))
      continue;
    bench_expected_t *expected = &self->accurate[options.accuracy - USW_COMPENSATED];
    *expected = self->expected;
    if (usw_explain(call->kernel->operation, call->type->type, call->n, &options, &promised) == USW_OK)
      bench_allow(expected, &promised);
  }
}

static int is_right(const bench_case_t *what, const bench_competitor_t *competitor, const bench_value_t *value,
                    char *why_out, size_t why_bytes) {
  const function_case_t *self = what->self;
  const bench_expected_t *expected = !competitor->is_peer && is_accurate(competitor->accuracy)
                                         ? &self->accurate[competitor->accuracy - USW_COMPENSATED]
                                         : &self->expected;
  const bench_numbers_t found = bench_numbers(self->call.kernel, self->call.type, value);
  if (bench_is_right(expected, &found, competitor->peer || competitor->special & PEER_PLAIN_LOOP))
    return 1;
  int k = 0;
  while (k + 1 < expected->numbers.count && fabsl(found.at[k] - expected->numbers.at[k]) <= expected->tolerance[k])
    k++;
  snprintf(why_out, why_bytes, "%.18Lg, expected %.18Lg", found.at[k], expected->numbers.at[k]);
  return 0;
}

/* One case from start to end. Returns how many results were wrong, or -1 if nobody could run it. */
static int run_case(bench_session_t *session, const bench_call_t *call) {
  static bench_competitor_t competitors[BENCH_MAX_COMPETITORS];
  const size_t bytes = call->n * call->type->bytes;
  function_case_t self = {.call = *call,
                          .expected = session->options->is_wide ? bench_expect_wide(call->kernel, call->type, call->n)
                                                                : bench_expect(call->kernel, call->type, call->n)};
  const int count = bench_enlist(session->options, &session->place, competitors);
  expect_accurate(competitors, count, &self);
  const bench_case_t what = {
      .suite = suite_of(session),
      .kernel = call->kernel->name,
      .type = call->type->name,
      .n = call->n,
      .bytes = (double)bytes * call->kernel->inputs,
      .device = call->device,
      .stream_count = call->kernel->inputs,
      .streams = {call->x, call->y},
      .stream_bytes = {bytes, bytes},
      .self = &self,
      .is_right = is_right,
      .enlist_peers = bench_enlist_peers,
  };
  const int wrong = bench_measure(session, &what, competitors, count);
  bench_unbind();
  return wrong;
}

/* At any length. */
static int is_wanted(const bench_session_t *session, const bench_kernel_t *kernel, const bench_type_t *type) {
  for (int l = 0; l < session->options->length_count; l++)
    if (bench_is_wanted(session, suite_of(session), kernel->name, type->name, session->options->lengths[l]))
      return 1;
  return 0;
}

/* All kernels and lengths of one type over the same data. Returns how many cases failed. */
static int run_type(bench_session_t *session, const bench_type_t *type, bench_data_t data) {
  const bench_options_t *options = session->options;
  const bench_kernel_t *kernels[BENCH_MAX_LIST];
  size_t longest = 0;
  int inputs = 0, failed = 0, kernel_count = 0;
  void *streams[2];
  for (int k = 0; k < options->length_count; k++)
    longest = options->lengths[k] > longest ? options->lengths[k] : longest;
  for (int k = 0; k < options->kernel_count; k++) {
    const bench_kernel_t *kernel = options->kernels[k];
    const int has_data =
        data == BENCH_WIDE ? bench_has_wide(kernel, type) : kernel->data == data && bench_has(kernel, type);
    if (!has_data || !is_wanted(session, kernel, type))
      continue;
    kernels[kernel_count++] = kernel;
    inputs = kernel->inputs > inputs ? kernel->inputs : inputs;
  }
  if (kernel_count == 0)
    return 0;
  if (bench_make_data(&session->place, type, data, longest, inputs, streams))
    return 1;
  for (int k = 0; k < kernel_count; k++) {
    for (int l = 0; l < options->length_count; l++) {
      const bench_call_t call = {
          kernels[k],           type, options->lengths[l], streams[0], kernels[k]->inputs == 2 ? streams[1] : NULL,
          session->place.device};
      if (bench_is_wanted(session, suite_of(session), kernels[k]->name, type->name, call.n))
        failed += run_case(session, &call) != 0;
    }
  }
  bench_free_data(&session->place, streams);
  return failed;
}

int bench_run_functions(bench_session_t *session) {
  int failed = 0;
  for (int k = 0; k < session->options->type_count; k++)
    for (bench_data_t data = 0; data < BENCH_DATA_COUNT; data++)
      if ((data == BENCH_WIDE) == session->options->is_wide)
        failed += run_type(session, session->options->types[k], data);
  return failed;
}
