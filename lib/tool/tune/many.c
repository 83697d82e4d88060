/* Calls with many results: sums of rows, of columns and of segments, which the benchmarks' measuring loop runs and checks. */
#include "measure/device.h"
#include "tune/tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One call, its memory where it runs, and its results on the host: what is expected, and what came. */
typedef struct many {
  const tune_kernel_t *kernel;
  usw_operation_t operation;
  const bench_type_t *type;
  size_t n, length, results; /* length: of a result, on average */
  bench_place_t place;
  const void *x;
  void *offsets, *out;
  double *expected;
  char *found;
} many_t;

static many_t many_of(const tune_kernel_t *kernel, const bench_options_t *names, size_t n) {
  const size_t length = kernel->length < n ? kernel->length : n;
  return (many_t){.kernel = kernel,
                  .operation = names->kernels[0]->operation,
                  .type = names->types[0],
                  .n = n,
                  .length = length,
                  .results = n / length};
}

const char *tune_shape_text(const tune_kernel_t *kernel, char text[TUNE_TEXT_BYTES]) {
  static const char *const shapes[] = {
      [TUNE_ONE_RESULT] = "one result", [TUNE_ROWS] = "rows", [TUNE_COLUMNS] = "columns", [TUNE_SEGMENTS] = "segments"};
  snprintf(text, TUNE_TEXT_BYTES, kernel->length ? "%s of %zu" : "%s", shapes[kernel->shape], kernel->length);
  return text;
}

/* ---- calls ---- */

static usw_array_t array_of(const many_t *many) {
  return many->kernel->shape == TUNE_ROWS ? usw_array_2d(many->type->type, many->x, many->results, many->length)
                                          : usw_array_2d(many->type->type, many->x, many->length, many->results);
}

static uint32_t axis_of(const many_t *many) { return many->kernel->shape == TUNE_ROWS ? USW_AXIS(1) : USW_AXIS(0); }

static usw_segments_t segments_of(const many_t *many) {
  static const int32_t nowhere[2];
  return usw_segments_by_offsets(USW_I32, many->offsets ? many->offsets : nowhere, many->results);
}

static usw_status_t explain(const many_t *many, const usw_options_t *options, usw_shares_explanation_t *e) {
  const usw_array_t array = array_of(many);
  const usw_segments_t segments = segments_of(many);
  *e = (usw_shares_explanation_t){.size = USW_INIT(usw_shares_explanation_t)};
  return many->kernel->shape == TUNE_SEGMENTS
             ? usw_explain_segments(many->operation, many->type->type, many->n, &segments, options, e)
             : usw_explain_axes(many->operation, &array, axis_of(many), options, e);
}

/* On a GPU the built-in entry takes all teams that run at once, which no entry exceeds; on the host chunks are no more than
 * the library makes where it is asked for as many as there can be. */
int tune_explain_many(const tune_kernel_t *kernel, const bench_options_t *names, size_t n, const usw_options_t *options,
                      tune_use_t *use_out) {
  const many_t many = many_of(kernel, names, n);
  usw_options_t at_most = *options;
  usw_shares_explanation_t e, most;
  at_most.teams = UINT16_MAX;
  if (explain(&many, options, &e) != USW_OK || explain(&many, &at_most, &most) != USW_OK)
    return -1;
  *use_out = (tune_use_t){e.strategy, e.teams, e.place == USW_HOST ? most.teams : e.team_size > 1 ? e.teams : 0};
  return 0;
}

static usw_status_t run(const bench_competitor_t *competitor, const bench_case_t *what, usw_report_t *report,
                        bench_value_t *value_out) {
  const many_t *many = what->self;
  const usw_options_t options = bench_call_options(competitor, many->place.device, report);
  const usw_array_t array = array_of(many);
  const usw_segments_t segments = segments_of(many);
  (void)value_out;
  return many->kernel->shape == TUNE_SEGMENTS
             ? usw_reduce_segments(many->operation, many->type->type, many->x, many->n, &segments, many->out, &options)
             : usw_reduce_axes(many->operation, &array, axis_of(many), many->out, &options);
}

/* ---- results ---- */

static size_t result_bytes(const many_t *many) { return many->type->sum == USW_F32 ? sizeof(float) : sizeof(double); }

static double found_at(const many_t *many, size_t k) {
  float f32;
  double f64;
  memcpy(&f32, many->found + k * sizeof f32, sizeof f32);
  if (many->type->sum == USW_F32)
    return f32;
  memcpy(&f64, many->found + k * sizeof f64, sizeof f64);
  return f64;
}

/* Sums are exact. What has been looked at is overwritten, so that the next call has to write it. */
static int is_right(const bench_case_t *what, const bench_competitor_t *competitor, const bench_value_t *value,
                    char *why_out, size_t why_bytes) {
  const many_t *many = what->self;
  const size_t bytes = many->results * result_bytes(many);
  size_t k = 0;
  (void)competitor, (void)value;
  if (many->place.device < 0)
    memcpy(many->found, many->out, bytes);
  else if (bench_device_read(many->place.device, many->found, many->out, bytes))
    memset(many->found, 0xff, bytes);
  while (k < many->results && found_at(many, k) == many->expected[k])
    k++;
  if (k < many->results)
    snprintf(why_out, why_bytes, "result %zu: %.18g, expected %.18g", k, found_at(many, k), many->expected[k]);
  memset(many->found, 0xff, bytes);
  if (many->place.device < 0)
    memset(many->out, 0xff, bytes);
  else
    bench_device_write(many->place.device, many->out, 0, many->found, bytes);
  return k == many->results;
}

static size_t begin_of(const many_t *many, size_t k) {
  if (k == many->results)
    return many->n;
  return k * many->length + (many->kernel->shape == TUNE_SEGMENTS && k > 0 ? k * 2654435761u % many->length : 0);
}

/* Of elements that lie side by side, or `results` apart. */
static void expect(const many_t *many) {
  const int is_columns = many->kernel->shape == TUNE_COLUMNS;
  int64_t period[BENCH_PERIOD];
  for (size_t i = 0; i < BENCH_PERIOD; i++)
    period[i] = bench_element(many->type, BENCH_GENERAL, 0, i).real;
  for (size_t k = 0; k < many->results; k++) {
    const size_t begin = is_columns ? k : begin_of(many, k), step = is_columns ? many->results : 1;
    const size_t end = is_columns ? many->n : begin_of(many, k + 1);
    int64_t sum = 0;
    for (size_t i = begin; i < end; i += step)
      sum += period[i % BENCH_PERIOD];
    many->expected[k] = (double)sum * bench_unit(many->type, 0);
  }
}

/* ---- one call, from its data to its entries ---- */

static int put_offsets(many_t *many) {
  const size_t bytes = (many->results + 1) * sizeof(int32_t);
  int32_t *offsets = malloc(bytes);
  many->offsets = bench_allocate(&many->place, bytes);
  int failed = !offsets || !many->offsets;
  for (size_t k = 0; k <= many->results && !failed; k++)
    offsets[k] = (int32_t)begin_of(many, k);
  if (!failed && many->place.device < 0)
    memcpy(many->offsets, offsets, bytes);
  else if (!failed)
    failed = bench_device_write(many->place.device, many->offsets, 0, offsets, bytes);
  free(offsets);
  return failed;
}

static int make(many_t *many, void *streams[2]) {
  const size_t bytes = many->results * result_bytes(many);
  if (bench_make_data(&many->place, many->type, BENCH_GENERAL, many->n, 1, streams))
    return -1;
  many->x = streams[0];
  many->out = bench_allocate(&many->place, bytes);
  many->found = malloc(bytes);
  many->expected = malloc(many->results * sizeof *many->expected);
  return many->out && many->found && many->expected && !put_offsets(many) ? 0 : -1;
}

static int enlist_no_peers(const bench_session_t *session, const bench_case_t *what, bench_competitor_t *competitors) {
  (void)session, (void)what, (void)competitors;
  return 0;
}

static int run_made(bench_session_t *session, const many_t *many) {
  static bench_competitor_t competitors[BENCH_MAX_COMPETITORS];
  char text[TUNE_TEXT_BYTES];
  const int count = bench_enlist(session->options, &session->place, competitors);
  for (int k = 0; k < count; k++)
    competitors[k].run = run;
  expect(many);
  const bench_case_t what = {
      .suite = "many results",
      .kernel = tune_shape_text(many->kernel, text),
      .type = many->type->name,
      .n = many->n,
      .bytes = (double)many->n * (double)many->type->bytes,
      .device = many->place.device,
      .self = many,
      .is_right = is_right,
      .enlist_peers = enlist_no_peers,
  };
  return bench_measure(session, &what, competitors, count);
}

int tune_run_many(bench_session_t *session, const tune_kernel_t *kernel) {
  many_t many = many_of(kernel, session->options, session->options->lengths[0]);
  void *streams[2] = {NULL, NULL};
  many.place = session->place;
  const int failed = make(&many, streams) != 0 || run_made(session, &many) != 0;
  bench_free_data(&many.place, streams);
  bench_free(&many.place, many.out);
  bench_free(&many.place, many.offsets);
  free(many.expected);
  free(many.found);
  return failed;
}
