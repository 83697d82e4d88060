/* Calls of usw_reduce() and usw_reduce_pair() with any arguments: function, type, length, stride, alignment, place,
 * strategy, level, NaN policy and the other options, some of them wrong. A call gives the right result, by the
 * oracle and within the bound that usw_explain() tells, or an error of its documentation; then the result is
 * untouched and the text is one line. */
#include <math.h>
#include <upsweep/explain.h>

#include "api/case_levels.h"
#include "calls.h"
#include "oracle/items.h"

typedef enum {
  NOTHING_WRONG,
  NO_DATA,
  NO_RESULT,
  MISALIGNED,
  TOO_LONG,
  TOO_FAR, /* a stride beyond the address space */
  OTHER_STREAMS,
  OTHER_CODES,
  OPTIONS_SIZE,
  REPORT_SIZE,
  WRONG_WORD, /* place, strategy, level, policy, staging */
  TOO_MANY_TEAMS,
  WRONG_FOLD,
  WRONGS
} wrong_t;

typedef struct {
  const test_place_t *place;
  const row_t *row;
  wrong_t wrong;
  int has_plans;
  items_t items;
  layout_t layout;
  usw_options_t options;
  usw_report_t report;
  usw_operation_t operation; /* of the call, which may be none of the row's */
  usw_type_t type;
  size_t n;
  char text[200];
} call_t;

/* ---- what is asked for ---- */

static void take_items(input_t *input, call_t *call) {
  const usw_type_t type = call->row->type;
  const size_t n = take_length(input);
  const int64_t step = (int64_t)take_below(input, 9) - 4;
  call->layout.offset = take_below(input, 17);
  call->layout.stride = take_rarely(input, 16) ? USW_STRIDE_NONE : step ? (ptrdiff_t)step : 1;
  call->items = (items_t){.type = type, .n = n, .x = take_elements(input, type, n), .y = take_elements(input, type, n)};
  for (size_t i = 1; call->layout.stride == USW_STRIDE_NONE && i < n; i++)
    memcpy((char *)call->items.x + i * type_bytes(type), call->items.x, type_bytes(type));
  call->items.numbers_of_x = malloc((n + 1) * sizeof(number_t));
  call->items.numbers_of_y = malloc((n + 1) * sizeof(number_t));
  numbers_of(type, call->items.x, n, call->items.numbers_of_x);
  numbers_of(type, call->items.y, n, call->items.numbers_of_y);
}

static void take_options(input_t *input, call_t *call) {
  usw_options_t *o = &call->options;
  *o = place_options(call->place);
  call->report.size = USW_INIT(usw_report_t);
  o->strategy =
      take_below(input, 2) ? USW_AUTO_STRATEGY : (usw_strategy_t)take_below(input, USW_STRATEGY_MULTIPASS + 1);
  o->accuracy = (usw_accuracy_t)take_below(input, USW_EXACT + 1);
  o->nan = (usw_nan_t)take_below(input, 2);
  o->teams = take_below(input, 2) ? 0 : (uint32_t)take_below(input, take_rarely(input, 64) ? 600 : 12);
  o->initialize_to_identity = take_rarely(input, 4) ? take_any(input) : 0;
  o->report = take_below(input, 2) ? &call->report : NULL;
  o->work_group_load = take_rarely(input, 4) ? (uint32_t)take_any(input) : 0;
  o->recheck = take_rarely(input, 4) ? (uint32_t)take_any(input) : 0;
  if (o->accuracy == USW_REPRODUCIBLE && take_rarely(input, 4))
    o->fold = (uint32_t)take_below(input, 61);
}

static void break_word(input_t *input, usw_options_t *o) {
  const int word = take_below(input, 2) ? -1 : 8 + (int)take_below(input, 200);
  switch (take_below(input, 5)) {
  case 0:
    o->place = (usw_place_t)word;
    break;
  case 1:
    o->strategy = (usw_strategy_t)word;
    break;
  case 2:
    o->accuracy = (usw_accuracy_t)word;
    break;
  case 3:
    o->nan = (usw_nan_t)word;
    break;
  default:
    o->staging = (usw_staging_t)word;
  }
}

/* What may be wrong with any call; data and lengths are put wrong where it is made. */
static void break_call(input_t *input, call_t *call) {
  usw_options_t *o = &call->options;
  switch (call->wrong) {
  case OTHER_CODES:
    do {
      call->operation = (usw_operation_t)(take_below(input, 60) - 2);
      call->type = (usw_type_t)(take_below(input, 40) - 2);
    } while (row_find(call->operation, call->type) && input_left(input));
    if (row_find(call->operation, call->type))
      call->operation = (usw_operation_t)77;
    break;
  case OPTIONS_SIZE:
    o->size += 1 + take_below(input, 64) * 8;
    break;
  case REPORT_SIZE:
    o->report = &call->report;
    call->report.size -= 1 + take_below(input, 8);
    break;
  case WRONG_WORD:
    break_word(input, o);
    break;
  case TOO_MANY_TEAMS:
    o->teams = 65536 + (uint32_t)take_bytes(input, 4) % 1000000;
    break;
  case WRONG_FOLD:
    o->fold = 61 + (uint32_t)take_bytes(input, 2);
    o->accuracy = USW_REPRODUCIBLE;
    break;
  default:
    break;
  }
}

static void take_call(input_t *input, call_t *call) {
  *call = (call_t){.place = take_place(input)};
  call->row = &rows[take_below(input, ROW_COUNT)];
  call->operation = call->row->operation;
  call->type = call->row->type;
  if (take_rarely(input, 4))
    call->wrong = (wrong_t)take_below(input, WRONGS);
  call->has_plans = take_rarely(input, 4);
  take_options(input, call);
  break_call(input, call);
  take_items(input, call);
  call->n = call->items.n;
  const char *stride = call->layout.stride == USW_STRIDE_NONE ? "none" : "";
  snprintf(call->text, sizeof call->text,
           "%s: %s_%s n=%zu offset=%zu stride=%s%td strategy=%s level=%d nan=%d teams=%u fold=%u wrong=%d",
           call->place->target, call->row->name, type_name(call->row->type), call->n, call->layout.offset, stride,
           *stride ? 0 : call->layout.stride, strategy_name(call->options.strategy), (int)call->options.accuracy,
           (int)call->options.nan, call->options.teams, call->options.fold, (int)call->wrong);
}

static void forget(call_t *call) {
  free(call->items.x);
  free(call->items.y);
  free(call->items.numbers_of_x);
  free(call->items.numbers_of_y);
}

/* ---- calls ---- */

typedef enum { AT_ONCE, BY_PLAN, BY_BOUND_PLAN } way_t;

static usw_status_t run_plan(usw_plan_t *plan, way_t way, int streams, const void *x, const void *y, size_t n,
                             void *into) {
  if (way == BY_PLAN)
    return streams == 1 ? usw_plan_run(plan, x, n, into) : usw_plan_run_pair(plan, x, y, n, into);
  const usw_status_t status = streams == 1 ? usw_plan_bind(plan, x, n, into) : usw_plan_bind_pair(plan, x, y, n, into);
  return status == USW_OK ? usw_plan_run_bound(plan) : status;
}

/* The call over items as they lie, with what is wrong of its data. */
static usw_status_t make(call_t *call, const laid_out_t *lying, way_t way, void *result) {
  const size_t element = type_bytes(call->row->type);
  const char *x = lying->x, *y = lying->y;
  int streams = call->row->streams;
  size_t n = call->n;
  call->options.stride[0] = lying->strides[0];
  call->options.stride[1] = lying->strides[1];
  if (call->wrong == NO_DATA)
    x = NULL;
  if (call->wrong == MISALIGNED && element > 1)
    x += 1;
  if (call->wrong == TOO_LONG)
    n = (call->layout.stride == USW_STRIDE_NONE ? SIZE_MAX : SIZE_MAX / element) - n;
  if (call->wrong == TOO_FAR)
    call->options.stride[0] = PTRDIFF_MAX;
  if (call->wrong == OTHER_STREAMS)
    streams = 3 - streams;
  void *const into = call->wrong == NO_RESULT ? NULL : result;
  if (way != AT_ONCE) {
    usw_plan_t *plan = NULL;
    usw_status_t status = usw_plan_create(&plan, call->operation, call->type, &call->options);
    if (status == USW_OK)
      status = run_plan(plan, way, streams, x, y, n, into);
    usw_plan_destroy(plan);
    return status;
  }
  return streams == 1 ? usw_reduce(call->operation, call->type, x, n, into, &call->options)
                      : usw_reduce_pair(call->operation, call->type, x, y, n, into, &call->options);
}

/* Whether what is wrong shows: lengths and alignments are of no interest for no or bytes' elements. */
static int is_refused(const call_t *call) {
  switch (call->wrong) {
  case NOTHING_WRONG:
    return 0;
  case NO_DATA:
    return call->n > 0;
  case MISALIGNED:
    return call->n > 0 && type_bytes(call->row->type) > 1;
  case TOO_FAR:
    return call->n > 1;
  default:
    return 1;
  }
}

/* USW_EXACT is for sums; of what rounds nothing any level is. */
static int has_exact(const row_t *row) {
  const int is_complex = type_facts(row->type)->class_of == CLASS_COMPLEX;
  if (!row_is_rounded(row))
    return !(is_complex && row->operation == USW_NORM_INF);
  return row->operation == USW_PLUS || (row->operation == USW_NORM1 && !is_complex) ||
         (row->operation == USW_DOT && !is_complex);
}

/* 1: the support table has the call; 0: it has not; -1: other parts of the library say so. */
static int is_supported(const call_t *call) {
  const usw_options_t *o = &call->options;
  const int is_device = call->place->place == USW_DEVICE, is_host_strategy = o->strategy == USW_STRATEGY_HOST;
  if (o->strategy != USW_AUTO_STRATEGY && is_device == is_host_strategy)
    return 0;
  if (o->fold || (o->recheck && o->recheck != USW_RECHECK_NEVER))
    return -1;
  if (strategy_refuses(o->strategy, call->row) ||
      (o->strategy == USW_STRATEGY_CLAUSE && strcmp(call->place->target, "simt") == 0))
    return 0;
  if (o->accuracy == USW_EXACT)
    return has_exact(call->row) && strategy_has_level(o->strategy, call->row) ? -1 : 0;
  if (level_is_upper(o->accuracy))
    return strategy_has_level(o->strategy, call->row);
  return o->accuracy == USW_FAST || !strategy_has_any_order(o->strategy) || !row_is_rounded(call->row) ? 1 : -1;
}

static void check_refusal(const call_t *call, usw_status_t status, const uint8_t *result, size_t bytes) {
  for (size_t k = 0; k < bytes; k++)
    require(result[k] == 0xa5, "%s: a refused call writes its result", call->text);
  require(is_one_line(usw_error_text()) && strcmp(usw_status_name(status), "USW_STATUS_UNKNOWN") != 0,
          "%s: status %d, '%s'", call->text, (int)status, usw_error_text());
  require(status != USW_ERROR_MISMATCH && status != USW_ERROR_BUSY && status != USW_ERROR_STATE, "%s: %s: %s",
          call->text, usw_status_name(status), usw_error_text());
}

/* ---- results ---- */

static rounding_t rounding_of(const call_t *call) {
  const int is_serial = strcmp(call->place->target, "x86_64") == 0;
  return (rounding_t){64 + (double)call->n / (is_serial ? 1 : 16), 0};
}

static void check_result(call_t *call, const usw_explanation_t *explained, const result_t *result) {
  const rounding_t rounding = rounding_of(call);
  const row_t *row = call->row;
  const usw_accuracy_t level = call->options.accuracy;
  const oracle_t oracle = oracle_of(row, call->items.numbers_of_x, row->streams == 2 ? call->items.numbers_of_y : NULL,
                                    call->n, call->options.nan, rounding);
  char why[640] = "";
  const int is_upper = level_is_upper(level) && row_is_rounded(row);
  const int agrees = is_upper ? level_agrees(level, &oracle, rounding.chain, explained, result, why, sizeof why)
                              : oracle_agrees(&oracle, result, why, sizeof why);
  require(agrees, "%s: %s", call->text, why);
  if (level == USW_EXACT && row_is_rounded(row)) {
    long double parts[MOST_PARTS];
    const int count = result_parts(row, result, parts);
    for (int p = 0; p < count; p++)
      require(oracle.part[p].check != PART_NEAR || parts[p] == oracle.part[p].rounded ||
                  (isnan(parts[p]) && isnan(oracle.part[p].rounded)),
              "%s: %.20Lg is not the exact sum, rounded: %.20Lg", call->text, parts[p], oracle.part[p].rounded);
  }
}

/* Once more over items that lie otherwise: the bits stay, where they are promised. */
static void check_again(call_t *call, const result_t *result) {
  const layout_t other = {(call->layout.offset + 3) % 16,
                          call->layout.stride == USW_STRIDE_NONE ? USW_STRIDE_NONE : -1};
  if (row_is_rounded(call->row) &&
      (call->options.accuracy == USW_FAST || strategy_has_any_order(call->options.strategy)))
    return;
  laid_out_t lying = items_lay_out(&call->items, call->place, other);
  result_t again;
  memset(&again, 0, sizeof again);
  const usw_status_t status = make(call, &lying, AT_ONCE, &again);
  require(status == USW_OK, "%s: once more: %s", call->text, usw_error_text());
  require(results_equal(call->row, result, &again), "%s: other bits once more", call->text);
  laid_out_free(&lying);
}

/* A plan of the call ends as the call does, with its bits where these are promised; sweeps are no plan's. */
static void check_plan(call_t *call, const laid_out_t *lying, usw_status_t expected, const result_t *result) {
  const int is_of_sweeps = call->options.accuracy == USW_EXACT || call->options.fold > 0;
  const int has_bits = !row_is_rounded(call->row) ||
                       (call->options.accuracy != USW_FAST && !strategy_has_any_order(call->options.strategy));
  for (way_t way = BY_PLAN; way <= BY_BOUND_PLAN; way = (way_t)(way + 1)) {
    result_t again;
    memset(&again, 0, sizeof again);
    const usw_status_t status = make(call, lying, way, &again);
    require(status == expected || (status == USW_ERROR_UNSUPPORTED && is_of_sweeps) ||
                (status != USW_OK && call->wrong != NOTHING_WRONG),
            "%s: usw_reduce() gives %s, plan %d %s: %s", call->text, usw_status_name(expected), (int)way,
            usw_status_name(status), usw_error_text());
    require(status != USW_OK || !has_bits || results_equal(call->row, result, &again), "%s: other bits by plan %d",
            call->text, (int)way);
  }
}

static void check_report(const call_t *call) {
  const usw_report_t *report = &call->report;
  if (call->options.report)
    require(report->place == call->place->place && report->device == call->place->device && report->teams > 0 &&
                report->strategy != USW_AUTO_STRATEGY && strcmp(report->target, call->place->target) == 0,
            "%s: the report says place %d, strategy %d, %u teams", call->text, (int)report->place,
            (int)report->strategy, report->teams);
}

static void run(call_t *call, const laid_out_t *lying) {
  const size_t bytes = call->row->result_bytes;
  uint8_t *memory = malloc(bytes);
  usw_explanation_t explained = {.size = USW_INIT(usw_explanation_t)};
  result_t result;
  memset(memory, 0xa5, bytes);
  const usw_status_t status = make(call, lying, AT_ONCE, memory);
  if (status != USW_OK)
    check_refusal(call, status, memory, bytes);
  memset(&result, 0, sizeof result);
  memcpy(&result, memory, bytes);
  free(memory);
  require(status != USW_OK || !is_refused(call), "%s: is not refused", call->text);
  if (call->has_plans && call->wrong != OTHER_STREAMS)
    check_plan(call, lying, status, &result);
  if (call->wrong != NOTHING_WRONG)
    return;
  const int supported = is_supported(call);
  const usw_status_t told = usw_explain(call->operation, call->type, call->n, &call->options, &explained);
  require(told == status, "%s: usw_reduce() gives %s, usw_explain() %s: %s", call->text, usw_status_name(status),
          usw_status_name(told), usw_error_text());
  require(supported < 0 || status == (supported ? USW_OK : USW_ERROR_UNSUPPORTED), "%s: %s: %s", call->text,
          usw_status_name(status), usw_error_text());
  if (status != USW_OK)
    return;
  check_report(call);
  check_result(call, &explained, &result);
  check_again(call, &result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  input_t input = input_of(data, bytes);
  call_t call;
  take_call(&input, &call);
  if (getenv("USW_FUZZ_TELL"))
    puts(call.text);
  laid_out_t lying = items_lay_out(&call.items, call.place, call.layout);
  run(&call, &lying);
  laid_out_free(&lying);
  forget(&call);
  return 0;
}
