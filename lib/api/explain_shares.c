/* How calls with many results and scans share their items out, told instead of run: they are checked, placed and chosen for as those are. */
#include <upsweep/explain.h>

#include "api/keys.h"
#include "api/library.h"
#include "api/scan.h"
#include "api/select.h"
#include "base/bytes.h"
#include "base/error.h"
#include "exec/threads.h"
#include "policy/axes.h"
#include "policy/catalog.h"
#include "policy/check.h"
#include "policy/choose.h"
#include "policy/cost_model.h"
#include "policy/prepare.h"
#include "policy/result_shares.h"
#include "policy/scan.h"
#include "policy/schedule.h"
#include "policy/segments.h"
#include "policy/tuning.h"

enum { MOST_RESULT_BYTES = 256 };

/* What results would be written to: an address that is valid wherever nothing is written. */
static _Alignas(64) char nowhere[MOST_RESULT_BYTES];

static usw_status_t begin(const usw_shares_explanation_t *e) {
  const usw_status_t state = uswi_enter();
  if (state != USW_OK)
    return state;
  if (!e)
    return uswi_fail(USW_ERROR_INVALID, "usw_explain: explanation_out is NULL");
  if (e->size != sizeof *e)
    return uswi_fail(USW_ERROR_VERSION, "usw_explain: size is %zu, this library knows %zu", e->size, sizeof *e);
  return USW_OK;
}

/* Check and place as for a call of nothing: then no address is looked at. */
static usw_status_t prepare(uswi_call_t *call, const uint64_t *arguments) {
  const size_t n = call->n;
  call->n = 0;
  const usw_status_t status = uswi_prepare(call, arguments);
  call->n = n;
  if (status == USW_OK && call->segments)
    uswi_results_words(call)->usw_items = n;
  return status == USW_OK ? uswi_choose(call) : status;
}

/* Shares against the turns of the busiest among those who take them. */
static double balance_of(uint64_t shares, uint64_t takers) {
  return shares == 0 || takers == 0 ? 1 : (double)shares / ((double)uswi_quotient_up(shares, takers) * (double)takers);
}

static void explain_host(const uswi_call_t *call, usw_shares_explanation_t *e) {
  const int is_scan = uswi_is_scan(call->kernel);
  const uint32_t chunks = is_scan ? uswi_scan_most_threads(call) : call->chunks;
  const uswi_crew_t crew = uswi_threads_expect(chunks, uswi_cost_expect(call));
  e->place = USW_HOST;
  e->device = -1;
  e->target = "host";
  e->teams = is_scan ? (uint32_t)e->shares : call->chunks;
  e->team_size = 1;
  e->threads = crew.threads;
  e->threads_reason = uswi_bound_text(crew.bound);
  e->balance = balance_of(e->teams, crew.threads);
}

static void explain_device(const uswi_call_t *call, usw_shares_explanation_t *e) {
  e->place = USW_DEVICE;
  e->device = call->device->number;
  e->target = call->device->target;
  e->teams = call->teams;
  e->team_size = call->team_size;
  e->threads_reason = "";
  e->balance = balance_of(e->shares, (uint64_t)call->teams * (call->team_size / e->lanes));
}

static void explain(const uswi_call_t *call, uswi_share_t share, usw_shares_explanation_t *e) {
  *e = (usw_shares_explanation_t){.size = sizeof *e,
                                  .kernel = call->name,
                                  .strategy = call->strategy,
                                  .items = call->n,
                                  .axes = "",
                                  .share = share.text,
                                  .shares = share.count,
                                  .share_items = share.items,
                                  .lanes = share.lanes,
                                  .tuning_entry = "",
                                  .tuning_source = ""};
  if (call->device)
    explain_device(call, e);
  else
    explain_host(call, e);
  if (share.count > 0 && share.items == 0)
    e->balance = 0;
}

/* A call of a kernel with so many results. */
static usw_status_t explain_results(uswi_call_t *call, const char *name, size_t results,
                                    usw_shares_explanation_t *explanation_out) {
  const uint64_t arguments[USWI_MAX_ARGUMENTS] = {0};
  const usw_variable_t variable = {nowhere, results};
  call->name = name;
  call->variables = &variable;
  const usw_status_t status = prepare(call, arguments);
  if (status != USW_OK)
    return status;
  explain(call, uswi_share_of_results(call), explanation_out);
  if (call->tuning_entry) {
    explanation_out->tuning_entry = uswi_tuning_text(call->tuning_entry);
    explanation_out->tuning_source = call->tuning_entry->source;
  }
  explanation_out->results = results;
  explanation_out->bytes = (uint64_t)call->n * call->item_bytes;
  return USW_OK;
}

static uint32_t streams_of(usw_operation_t operation) { return operation == USW_DOT || operation == USW_DOTC ? 2 : 1; }

usw_status_t usw_explain_axes(usw_operation_t operation, const usw_array_t *array, uint32_t axes,
                              const usw_options_t *options, usw_shares_explanation_t *explanation_out) {
  const usw_array_t *const arrays[] = {array, array};
  const char *name;
  uswi_axes_t described;
  uswi_call_t call;
  usw_status_t status = begin(explanation_out);
  if (status == USW_OK && !array)
    status = uswi_fail(USW_ERROR_INVALID, "the array is NULL");
  if (status != USW_OK)
    return status;
  const usw_kernel_t *const kernel = uswi_kernel_of_many(operation, array->type, streams_of(operation), options, &name);
  if (!kernel)
    return USW_ERROR_UNSUPPORTED;
  status = uswi_axes_describe(name, kernel, arrays, axes, &described);
  if (status != USW_OK)
    return status;
  uswi_call_init(&call, kernel, described.items * described.results, options);
  call.axes = &described;
  status = explain_results(&call, name, described.results, explanation_out);
  if (status == USW_OK)
    explanation_out->axes = uswi_axes_kind(&described);
  return status;
}

usw_status_t usw_explain_segments(usw_operation_t operation, usw_type_t type, size_t n, const usw_segments_t *segments,
                                  const usw_options_t *options, usw_shares_explanation_t *explanation_out) {
  const char *name;
  uswi_segments_t described;
  uswi_call_t call;
  usw_status_t status = begin(explanation_out);
  if (status != USW_OK)
    return status;
  const usw_kernel_t *const kernel = uswi_kernel_of_many(operation, type, streams_of(operation), options, &name);
  if (!kernel)
    return USW_ERROR_UNSUPPORTED;
  status = uswi_segments_describe(name, segments, n, &described);
  if (status == USW_OK && segments->type == USW_NO_TYPE) {
    const usw_array_t rows = uswi_rows_of_segments(segments, type, 0, options);
    return usw_explain_axes(operation, &rows, USW_AXIS(1), options, explanation_out);
  }
  if (status != USW_OK)
    return status;
  uswi_call_init(&call, kernel, n, options);
  call.segments = &described;
  return explain_results(&call, name, described.count, explanation_out);
}

/* A call of a scan's kernel, which begins with such arguments. */
static usw_status_t explain_scan(uswi_call_t *call, const uint64_t *arguments,
                                 usw_shares_explanation_t *explanation_out) {
  const usw_variable_t variable = {nowhere, 1};
  call->variables = &variable;
  const usw_status_t status = prepare(call, arguments);
  if (status != USW_OK)
    return status;
  explain(call, uswi_share_of_scan(call), explanation_out);
  explanation_out->results = call->n;
  explanation_out->bytes = (uint64_t)call->n * uswi_scan_item_bytes(call->kernel);
  return USW_OK;
}

usw_status_t usw_explain_scan(usw_operation_t operation, usw_type_t type, size_t n, const usw_options_t *options,
                              usw_shares_explanation_t *explanation_out) {
  const usw_kernel_t *kernel;
  uint64_t arguments[USWI_MAX_ARGUMENTS];
  uswi_call_t call;
  usw_status_t status = begin(explanation_out);
  if (status == USW_OK)
    status = uswi_scan_kernel(operation, type, 0, NULL, options, &kernel);
  if (status != USW_OK)
    return status;
  uswi_scan_arguments(kernel, 0, 0, 0, arguments);
  uswi_call_init(&call, kernel, n, options);
  return explain_scan(&call, arguments, explanation_out);
}

usw_status_t usw_explain_select(usw_type_t type, size_t n, const usw_options_t *options,
                                usw_shares_explanation_t *explanation_out) {
  const uint64_t arguments[USWI_MAX_ARGUMENTS] = {0};
  const usw_kernel_t *kernel;
  uswi_call_t call;
  const usw_status_t status = begin(explanation_out);
  if (status != USW_OK)
    return status;
  if (!(kernel = uswi_select_kernel(type)))
    return USW_ERROR_UNSUPPORTED;
  uswi_call_init(&call, kernel, n, options);
  call.name = "select";
  return explain_scan(&call, arguments, explanation_out);
}

/* ---- by key ---- */

static usw_status_t check_runs(size_t n, size_t runs) {
  if (runs <= n && (runs > 0 || n == 0))
    return USW_OK;
  return uswi_fail(USW_ERROR_INVALID,
                   "by_key: %zu elements are not in %zu runs: at least 1, at most one for each element", n, runs);
}

/* Where the call runs, as its search for runs finds out: that is a kernel without options of its own. */
static usw_status_t place_by_key(const usw_kernel_t *runs_kernel, size_t n, const usw_options_t *options,
                                 uswi_call_t *placed, usw_options_t *own) {
  const uint64_t arguments[USWI_MAX_ARGUMENTS] = {0};
  const usw_variable_t variable = {nowhere, 1};
  *own = uswi_default_options;
  if (options) {
    own->place = options->place;
    own->device = options->device;
  }
  uswi_call_init(placed, runs_kernel, n, own);
  placed->name = "by_key";
  placed->variables = &variable;
  const usw_status_t status = prepare(placed, arguments);
  placed->variables = NULL;
  if (options)
    placed->options = options;
  return status;
}

usw_status_t usw_explain_by_key(usw_operation_t operation, usw_type_t type, usw_type_t key_type, size_t n, size_t runs,
                                const usw_options_t *options, usw_shares_explanation_t *explanation_out) {
  static const uint64_t begins[2];
  const usw_segments_t segments = usw_segments_by_offsets(USW_U64, begins, runs);
  const char *name;
  uint64_t arguments[USWI_MAX_ARGUMENTS];
  usw_options_t own;
  uswi_call_t call, placed;
  usw_status_t status = begin(explanation_out);
  if (status == USW_OK)
    status = uswi_check_size("by_key", options);
  const usw_kernel_t *const kernel = status == USW_OK ? uswi_kernel_of_many(operation, type, 1, options, &name) : NULL;
  if (status == USW_OK && !kernel)
    status = USW_ERROR_UNSUPPORTED;
  if (status == USW_OK)
    status = uswi_keys_check("by_key", key_type);
  if (status == USW_OK)
    status = check_runs(n, runs);
  if (status == USW_OK)
    status = place_by_key(uswi_keys_kernel(key_type), n, options, &placed, &own);
  if (status != USW_OK)
    return status;
  const usw_kernel_t *const at_once = uswi_keys_at_once(&placed, operation, type);
  if (at_once) {
    uswi_scan_arguments(at_once, 0, 0, 0, arguments);
    uswi_call_init(&call, at_once, n, options);
    status = explain_scan(&call, arguments, explanation_out);
  } else {
    status = usw_explain_segments(operation, type, n, &segments, options, explanation_out);
  }
  if (status != USW_OK)
    return status;
  explanation_out->results = runs;
  explanation_out->bytes = (uint64_t)n * (kernel->item_bytes + uswi_keys_kernel(key_type)->arguments[0].bytes);
  return USW_OK;
}
