/* Sums by several sweeps over the elements. A sweep finds the exact sum of what its window of bins takes of each number
 * (offload/include/upsweep/engine/bins.h); the next sweep removes that from each number and sums the remainders. The windows
 * are added up and rounded once. */

#include "exec/exact.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <upsweep/window.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/error.h"
#include "exec/run.h"
#include "machine/arithmetic.h"
#include "policy/check.h"
#include "policy/fold.h"
#include "policy/place.h"

/* What has sweeps, by the names of its kernels. */
typedef struct {
  usw_operation_t operation;
  usw_type_t type, part; /* what the parts of a complex number are */
  const char *name;
} reduction_t;

static const reduction_t reductions[] = {
    {USW_PLUS, USW_F64, USW_F64, "sum_exact_f64"},    {USW_PLUS, USW_F32, USW_F32, "sum_exact_f32"},
    {USW_PLUS, USW_F16, USW_F16, "sum_exact_f16"},    {USW_PLUS, USW_BF16, USW_BF16, "sum_exact_bf16"},
    {USW_PLUS, USW_CF64, USW_F64, "sum_exact_cf64"},  {USW_PLUS, USW_CF32, USW_F32, "sum_exact_cf32"},
    {USW_NORM1, USW_F64, USW_F64, "norm1_exact_f64"}, {USW_NORM1, USW_F32, USW_F32, "norm1_exact_f32"},
    {USW_NORM1, USW_F16, USW_F16, "norm1_exact_f16"}, {USW_NORM1, USW_BF16, USW_BF16, "norm1_exact_bf16"},
    {USW_DOT, USW_F64, USW_F64, "dot_exact_f64"},     {USW_DOT, USW_F32, USW_F32, "dot_exact_f32"},
    {USW_DOT, USW_F16, USW_F16, "dot_exact_f16"},     {USW_DOT, USW_BF16, USW_BF16, "dot_exact_bf16"},
};

static const reduction_t *find(usw_operation_t operation, usw_type_t type) {
  for (size_t r = 0; r < sizeof reductions / sizeof *reductions; r++)
    if (reductions[r].operation == operation && reductions[r].type == type)
      return &reductions[r];
  return NULL;
}

static int is_double(usw_type_t type) { return type == USW_F64 || type == USW_CF64; }

int uswi_has_sweeps(usw_operation_t operation, usw_type_t type, const usw_options_t *options) {
  return (options->accuracy == USW_EXACT || options->fold > uswi_default_fold(type)) && find(operation, type) != NULL;
}

/* Of the numbers that are added: the exponents of the least bit and of the first power of two above all, binary digits. */
typedef struct {
  int least, above, digits;
} range_t;

/* Of a product's pair, for doubles: what is below the least double is not in it. */
static range_t range_of(const reduction_t *reduction) {
  const range_t range = reduction->part == USW_F64    ? (range_t){-1074, 1024, 53}
                        : reduction->part == USW_F32  ? (range_t){-149, 128, 24}
                        : reduction->part == USW_BF16 ? (range_t){-133, 128, 8}
                                                      : (range_t){-24, 16, 11};
  const int factors = reduction->operation == USW_DOT && reduction->part != USW_F64 ? 2 : 1;
  return (range_t){factors * range.least, factors * range.above, factors * range.digits};
}

static int passes_nans(const usw_options_t *options) { return options->nan == USW_NAN_IGNORE; }

/* A window's lowest unit is 119 digits below the first power of two that is too large for it, and windows are 40 apart.
 * A remainder of exactly half a unit needs that bin again, so a sweep is sure of 80 digits only. */
static uint32_t most_sweeps(const reduction_t *reduction, const usw_options_t *options) {
  const range_t range = range_of(reduction);
  const int highest_unit = range.above - 119 + 39;
  if (options->accuracy != USW_EXACT)
    return uswi_sweeps_of(options->fold);
  return highest_unit <= range.least ? 1 : 1 + (uint32_t)((highest_unit - range.least + 79) / 80);
}

static usw_options_t options_of_sweep(const usw_options_t *options) {
  usw_options_t own = *options;
  own.accuracy = USW_REPRODUCIBLE;
  own.fold = 0;
  return own;
}

usw_status_t uswi_exact_check(const usw_kernel_t *usual, const usw_options_t *options) {
  const char *const name = find((usw_operation_t)usual->operation, (usw_type_t)usual->type)->name;
  const usw_options_t own = options_of_sweep(options);
  uswi_call_t call;
  uswi_call_init(&call, &window_sweep_kernel, 0, &own);
  call.name = name;
  const usw_status_t status = uswi_check_fold(name, options);
  return status == USW_OK ? uswi_check_options(&call) : status;
}

usw_status_t uswi_exact_begin(uswi_exact_t *exact, const usw_kernel_t *usual, size_t n, const void *first,
                              const usw_options_t *options) {
  const reduction_t *reduction = find((usw_operation_t)usual->operation, (usw_type_t)usual->type);
  uswi_call_t call;
  *exact = (uswi_exact_t){.kernel = &window_sweep_kernel,
                          .name = reduction->name,
                          .options = options_of_sweep(options),
                          .most_sweeps = most_sweeps(reduction, options),
                          .element_bytes = usual->item_bytes,
                          .elements_per_item = 1};
  uswi_call_init(&call, exact->kernel, n, &exact->options);
  call.name = exact->name;
  usw_status_t status = uswi_exact_check(usual, options);
  if (status == USW_OK)
    status = uswi_place_near(&call, (uint64_t)(uintptr_t)first);
  exact->has_device = call.device != NULL;
  exact->options.place = call.device ? USW_DEVICE : USW_HOST;
  exact->options.device = call.device ? call.device->number : 0;
  if (call.device)
    exact->elements_per_item = USW_WINDOW_BATCH;
  else
    exact->kernel = uswi_window_kernel_on_host(reduction->part, reduction->operation == USW_DOT, passes_nans(options));
  return status;
}

/* Items of the kernel for any place: batches of elements. */
static size_t batches_of(size_t n) {
  const size_t group = (size_t)USW_WINDOW_BATCH * USW_WINDOW_LANES;
  return uswi_quotient_up(n, group) * USW_WINDOW_LANES;
}

void uswi_exact_call_init(const uswi_exact_t *exact, size_t n, uswi_call_t *call) {
  uswi_call_init(call, exact->kernel, exact->has_device ? batches_of(n) : n, &exact->options);
  call->name = exact->name;
  call->item_bytes = exact->element_bytes * exact->elements_per_item;
}

/* ---- one sweep after the other ---- */

static ptrdiff_t asked_stride(ptrdiff_t stride) { return stride == 0 ? USW_STRIDE_NONE : stride; }

static const reduction_t *reduction_of(const usw_kernel_t *usual) {
  return find((usw_operation_t)usual->operation, (usw_type_t)usual->type);
}

/* Each part of the numbers, real and imaginary, is a sum of its own: y are the other factors, or the other parts of complex numbers,
 * or x again. */
static void begin_sum(uswi_sweeps_t *sweeps) {
  const reduction_t *reduction = reduction_of(sweeps->usual);
  const int is_of_products = reduction->operation == USW_DOT;
  const size_t part_bytes = sweeps->usual->arguments[0].bytes / (size_t)sweeps->sums;
  sweeps->x = (const char *)(uintptr_t)sweeps->streams[0];
  sweeps->y = (const char *)(uintptr_t)sweeps->streams[is_of_products];
  if (sweeps->n > 0) {
    sweeps->x += sweeps->sum * part_bytes;
    sweeps->y += is_of_products ? 0 : (sweeps->sums - 1 - sweeps->sum) * part_bytes;
  }
  for (int s = 0; s < 2; s++)
    sweeps->stride[s] =
        sweeps->n > 1 ? uswi_stride(sweeps->exact.options.stride[is_of_products ? s : 0]) * (ptrdiff_t)sweeps->sums : 1;
  sweeps->sweep = 0;
  sweeps->anchor = 0;
  sweeps->least = range_of(reduction).least; /* no number has a bit below 2^least */
}

static usw_status_t check_arguments(const uswi_sweeps_t *sweeps) {
  const uswi_exact_t *exact = &sweeps->exact;
  const usw_kernel_t *usual = sweeps->usual;
  usw_status_t status = uswi_check_items(exact->name, sweeps->n);
  for (uint32_t s = 0; s < usual->stream_count && sweeps->n > 0 && status == USW_OK; s++)
    status = uswi_check_stream(exact->name, usual->arguments[s].name, sweeps->streams[s], sweeps->n,
                               uswi_stride(exact->options.stride[s]), usual->arguments[s].bytes,
                               usual->arguments[s].alignment_bytes);
  return status;
}

usw_status_t uswi_sweeps_begin(uswi_sweeps_t *sweeps, const usw_kernel_t *usual, const uint64_t *streams, size_t n,
                               const usw_options_t *options) {
  const reduction_t *reduction = reduction_of(usual);
  sweeps->usual = usual;
  sweeps->streams[0] = streams[0];
  sweeps->streams[1] = streams[1];
  sweeps->n = n;
  sweeps->sum = 0;
  sweeps->sums = reduction->type == reduction->part ? 1 : 2;
  usw_status_t status = uswi_exact_begin(&sweeps->exact, usual, n, (const void *)(uintptr_t)streams[0], options);
  if (status == USW_OK)
    status = check_arguments(sweeps);
  if (status != USW_OK)
    return status;
  sweeps->exact.element_bytes /= sweeps->sums;
  sweeps->report.size = sizeof sweeps->report;
  sweeps->exact.options.report = options->report ? &sweeps->report : NULL;
  begin_sum(sweeps);
  return USW_OK;
}

/* The arguments of the kernel for any place, and of those on the host. */
static void fill_arguments(uswi_sweeps_t *sweeps) {
  const uswi_exact_t *exact = &sweeps->exact;
  const reduction_t *reduction = reduction_of(sweeps->usual);
  const int is_of_products = reduction->operation == USW_DOT, passes = passes_nans(&exact->options);
  const int is_of_parts = passes && sweeps->y != sweeps->x && !is_of_products;
  const ptrdiff_t bytes = (ptrdiff_t)exact->element_bytes / (is_of_products ? 2 : 1);
  const uint64_t x = (uint64_t)(uintptr_t)sweeps->x, y = (uint64_t)(uintptr_t)sweeps->y;
  uint64_t kept = UINT64_MAX, anchor;
  const uint64_t removed = sweeps->anchor > 0 ? UINT64_MAX : 0;
  if (reduction->operation == USW_NORM1)
    kept >>= 1;
  memcpy(&anchor, &sweeps->anchor, sizeof anchor);
  const uint64_t on_device[] = {x,
                                y,
                                (uint64_t)(sweeps->stride[0] * bytes),
                                (uint64_t)(sweeps->stride[1] * bytes),
                                sweeps->n,
                                (uint64_t)reduction->part | (is_of_products ? USW_WINDOW_PRODUCTS : 0) |
                                    (passes ? USW_WINDOW_PASSES_NANS : 0) | (is_of_parts ? USW_WINDOW_PARTS : 0),
                                kept,
                                anchor,
                                removed};
  const uint64_t on_host[] = {x, kept, anchor, removed};
  const uint64_t of_numbers_on_host[] = {x, y, kept, anchor, removed};
  const uint64_t of_products_on_host[] = {x, y, anchor, removed};
  const uint64_t *const from = exact->has_device ? on_device
                               : is_of_products  ? of_products_on_host
                               : passes          ? of_numbers_on_host
                                                 : on_host;
  memcpy(sweeps->arguments, from, exact->kernel->argument_count * sizeof *from);
}

void uswi_sweeps_aim(uswi_sweeps_t *sweeps, uswi_call_t *call) {
  fill_arguments(sweeps);
  sweeps->options = sweeps->exact.options;
  if (!sweeps->exact.has_device) {
    sweeps->options.stride[0] = asked_stride(sweeps->stride[0]);
    sweeps->options.stride[1] = asked_stride(sweeps->stride[1]);
  }
  uswi_exact_call_init(&sweeps->exact, sweeps->n, call);
  sweeps->variable = (usw_variable_t){&sweeps->window, 1};
  call->variables = &sweeps->variable;
  call->options = &sweeps->options;
}

/* The call's report is that of its last sweep, with the bytes and the time of all. */
static void add_report(const uswi_sweeps_t *sweeps, usw_report_t *total) {
  const uint64_t bytes = total->bytes + sweeps->n * (uint64_t)sweeps->exact.element_bytes, kept = total->kept;
  *total = sweeps->report;
  total->bytes = bytes;
  total->kept = kept;
}

/* Whether the sum needs another sweep. */
static int goes_on(uswi_sweeps_t *sweeps, uswi_exact_sum_t *sum) {
  const usw_window_t *window = &sweeps->window;
  const int digits = range_of(reduction_of(sweeps->usual)).digits;
  if (window->is_special) {
    sum->special += window->special;
    sum->is_special = 1;
    return 0;
  }
  uswi_window_add(&sum->windows, window);
  if (sweeps->sweep == 0 && window->smallest - digits + 1 > sweeps->least)
    sweeps->least = window->smallest - digits + 1;
  if (window->unit <= sweeps->least || ++sweeps->sweep == sweeps->exact.most_sweeps)
    return 0;
  sweeps->anchor = ldexp(1, USW_WINDOW_ANCHOR_BITS + window->unit);
  return 1;
}

int uswi_sweeps_take(uswi_sweeps_t *sweeps, usw_report_t *total, uswi_exact_sum_t sums[2]) {
  if (total)
    add_report(sweeps, total);
  if (goes_on(sweeps, &sums[sweeps->sum]))
    return 1;
  if (++sweeps->sum == sweeps->sums)
    return 0;
  begin_sum(sweeps);
  return 1;
}

/* Sweeps count nothing: for a report the items without a NaN are counted by the usual kernel, the result of which nobody wants. */
usw_status_t uswi_sweeps_count_kept(const uswi_sweeps_t *sweeps, usw_report_t *total) {
  enum { LARGEST_RESULT = 16 };
  _Alignas(LARGEST_RESULT) char result[LARGEST_RESULT];
  usw_report_t report = {.size = sizeof report, .kept = sweeps->n};
  usw_options_t options = sweeps->exact.options;
  const usw_variable_t variable = {result, 1};
  usw_status_t status = USW_OK;
  options.report = &report;
  if (passes_nans(&options))
    status = uswi_run_kernel(sweeps->usual, sweeps->n, sweeps->streams, &variable, &options);
  total->kept += report.kept;
  return status;
}

/* ---- the result ---- */

static double round_sum(const uswi_exact_sum_t *sum, int is_wide) {
  if (sum->is_special)
    return sum->special;
  return is_wide ? uswi_window_round(&sum->windows, DBL_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG)
                 : uswi_window_round(&sum->windows, FLT_MANT_DIG, FLT_MIN_EXP - FLT_MANT_DIG);
}

/* Where the result is to be written. */
static usw_status_t check_result(const usw_kernel_t *usual, const void *result_out) {
  const char *name = find((usw_operation_t)usual->operation, (usw_type_t)usual->type)->name;
  const uint32_t alignment_bytes = usual->reducers[0].alignment_bytes;
  if (!result_out)
    return uswi_fail(USW_ERROR_INVALID, "%s: the address of 'result' is NULL", name);
  if (!uswi_is_aligned((uintptr_t)result_out, alignment_bytes))
    return uswi_fail(USW_ERROR_INVALID, "%s: 'result' at 0x%llx is not aligned to %u bytes", name,
                     (unsigned long long)(uintptr_t)result_out, alignment_bytes);
  return USW_OK;
}

static void write_result(usw_type_t type, const double results[2], void *result_out) {
  const float singles[2] = {(float)results[0], (float)results[1]};
  if (is_double(type))
    memcpy(result_out, results, (type == USW_CF64 ? 2 : 1) * sizeof *results);
  else
    memcpy(result_out, singles, (type == USW_CF32 ? 2 : 1) * sizeof *singles);
}

/* Add all items to sums, and bytes and kept items to a report, which may be NULL. */
static usw_status_t add(const usw_kernel_t *usual, const uint64_t *streams, size_t n, const usw_options_t *options,
                        usw_report_t *total, uswi_exact_sum_t sums[2]) {
  uswi_sweeps_t sweeps;
  uswi_call_t call;
  usw_status_t status = uswi_sweeps_begin(&sweeps, usual, streams, n, options);
  if (status != USW_OK)
    return status;
  uswi_arithmetic_t callers;
  uswi_arithmetic_begin(&callers, sweeps.exact.kernel, &sweeps.exact.options);
  do {
    uswi_sweeps_aim(&sweeps, &call);
    status = uswi_run_call(&call, sweeps.arguments);
  } while (status == USW_OK && uswi_sweeps_take(&sweeps, total, sums));
  if (status == USW_OK && total)
    status = uswi_sweeps_count_kept(&sweeps, total);
  uswi_arithmetic_end(&callers);
  return status;
}

void uswi_exact_write(const usw_kernel_t *usual, const uswi_exact_sum_t sums[2], void *result_out) {
  const usw_type_t type = (usw_type_t)usual->type;
  uswi_arithmetic_t callers;
  uswi_arithmetic_set(&callers);
  const double results[2] = {round_sum(&sums[0], is_double(type)), round_sum(&sums[1], is_double(type))};
  write_result(type, results, result_out);
  uswi_arithmetic_give_back(&callers);
}

usw_status_t uswi_exact_reduce(const usw_kernel_t *usual, const uint64_t *streams, size_t n, void *result_out,
                               const usw_options_t *options) {
  usw_report_t total = {.size = sizeof total};
  uswi_exact_sum_t sums[2] = {{{{0}}, 0, 0}, {{{0}}, 0, 0}};
  const uint64_t start_ns = options->report ? uswi_now_ns() : 0;
  usw_status_t status = check_result(usual, result_out);
  if (status == USW_OK)
    status = add(usual, streams, n, options, options->report ? &total : NULL, sums);
  if (status != USW_OK)
    return status;
  uswi_exact_write(usual, sums, result_out);
  if (options->report) {
    total.time_ns = uswi_now_ns() - start_ns;
    *options->report = total;
  }
  return USW_OK;
}
