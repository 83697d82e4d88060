/* Runs of equal keys. Scans begin anew at each. Reductions do the same on a GPU, whose runs may be short: a scan writes what each run comes to.
 * Elsewhere, and of what no scan has, a scan finds where runs begin; they are segments then. */
#include "api/keys.h"

#include <upsweep/keys.h>
#include <upsweep/segments.h>

#include "api/library.h"
#include "api/scan.h"
#include "base/error.h"
#include "exec/place_memory.h"
#include "exec/run.h"
#include "policy/catalog.h"
#include "policy/check.h"
#include "policy/outputs.h"
#include "policy/place.h"
#include "policy/row_lanes.h"

/* Made by the build from kernels.def. */
extern const usw_kernel_t runs_u8_kernel, runs_u16_kernel, runs_u32_kernel, runs_u64_kernel;

/* Arguments of these kernels, as shapes/runs.h has them. */
enum { KEYS, ITEMS, IS_LONG, BEGINS, UNIQUE };

const usw_kernel_t *uswi_keys_kernel(usw_type_t key_type) {
  switch (key_type) {
  case USW_I8:
  case USW_U8:
    return &runs_u8_kernel;
  case USW_I16:
  case USW_U16:
    return &runs_u16_kernel;
  case USW_I32:
  case USW_U32:
    return &runs_u32_kernel;
  case USW_I64:
  case USW_U64:
    return &runs_u64_kernel;
  default:
    return NULL;
  }
}

static uint32_t key_bytes(usw_type_t key_type) { return uswi_keys_kernel(key_type)->arguments[KEYS].bytes; }

usw_status_t uswi_keys_check(const char *name, usw_type_t key_type) {
  return uswi_keys_kernel(key_type)
             ? USW_OK
             : uswi_fail(USW_ERROR_UNSUPPORTED, "%s: keys of type %d are no integers: USW_I64 for example", name,
                         (int)key_type);
}

/* ---- arrays that share elements ---- */

static uswi_elements_t elements_of(const void *first, ptrdiff_t stride, uint32_t bytes, size_t n) {
  return (uswi_elements_t){(uint64_t)(uintptr_t)first, uswi_stride(stride) * (ptrdiff_t)bytes, bytes, n};
}

static usw_status_t check_apart(const char *name, const char *what, uswi_elements_t written, const char *where,
                                uswi_elements_t other) {
  if (written.first == 0 || uswi_are_apart(&written, &other))
    return USW_OK;
  return uswi_fail(USW_ERROR_INVALID, "%s: the %s are to go into the %s: give them an array of their own", name, what,
                   where);
}

/* ---- one launch: a scan that begins anew at each run ---- */

/* An array of keys: that it is one, and where the place has it. */
static usw_status_t reach_keys(uswi_call_t *call, const char *what, const void *keys, ptrdiff_t stride, uint32_t bytes,
                               uint64_t *address_out) {
  *address_out = (uint64_t)(uintptr_t)keys;
  const usw_status_t status = uswi_check_stream(call->name, what, *address_out, call->n, stride, bytes, bytes);
  return status == USW_OK ? uswi_reach(call, call->name, what, address_out) : status;
}

static usw_status_t describe_keys(uswi_call_t *call, usw_type_t key_type, const void *keys, ptrdiff_t stride,
                                  usw_restart_words_t *words) {
  *words = (usw_restart_words_t){
      .usw_key_bytes = key_bytes(key_type), .usw_key_stride = uswi_stride(stride), .usw_items = call->n};
  return reach_keys(call, "keys", keys, words->usw_key_stride, key_bytes(key_type), &words->usw_marks);
}

const usw_kernel_t *uswi_keys_at_once(const uswi_call_t *placed, usw_operation_t operation, usw_type_t type) {
  const usw_options_t *o = placed->options;
  const usw_kernel_t *const kernel = uswi_find_segment_scan(operation, type, o);
  const int is_plain = o->fold == 0 && !uswi_asks_for_rechecks(o);
  if (!kernel || !placed->device || !placed->device->runs_bare || placed->n >= UINT32_MAX || !is_plain)
    return NULL;
  if (o->accuracy >= USW_COMPENSATED && kernel->accuracy < (uint32_t)o->accuracy)
    return NULL;
  return kernel;
}

/* Whether one launch does it: results go where it runs, and nothing is asked for that such a scan has not. */
static const usw_kernel_t *kernel_at_once(const uswi_call_t *placed, usw_operation_t operation, usw_type_t type,
                                          const void *results) {
  const usw_kernel_t *const kernel = uswi_keys_at_once(placed, operation, type);
  return kernel && uswi_backend_where(results).memory == USWI_MEMORY_DEVICE ? kernel : NULL;
}

static usw_status_t reduce_at_once(const usw_kernel_t *kernel, uswi_call_t *placed, const void *x, usw_type_t key_type,
                                   const void *keys, void *unique, void *results, size_t *runs_out) {
  usw_restart_words_t words;
  usw_options_t own = *placed->options;
  uint32_t runs;
  usw_status_t status = describe_keys(placed, key_type, keys, own.stride[1], &words);
  if (status == USW_OK)
    status = reach_keys(placed, "unique", unique, 1, key_bytes(key_type), &words.usw_unique);
  if (status != USW_OK)
    return status;
  words.usw_by_run = 1;
  uswi_keep_place(placed, &own);
  own.stride[1] = 1;
  const uswi_scan_t scan = {.x = x, .n = placed->n, .out = results, .restarts = &words};
  status = uswi_scan(kernel, &scan, &own, &runs);
  if (status == USW_OK)
    *runs_out = runs;
  return status;
}

/* ---- two launches: where runs begin, then segments ---- */

/* As offsets of segments, of this type. */
static usw_type_t type_of_begins(size_t items) { return items >= UINT32_MAX ? USW_U64 : USW_U32; }

static usw_status_t find_runs(const uswi_call_t *placed, const void *keys, void *unique, void *begins, uint64_t *runs) {
  const usw_variable_t variable = {runs, 1};
  uint64_t arguments[USWI_MAX_ARGUMENTS] = {0};
  usw_options_t own = uswi_default_options;
  uswi_call_t call;
  uswi_keep_place(placed, &own);
  own.stride[0] = placed->options->stride[1];
  own.stream = placed->options->stream;
  own.initialize_to_identity = 1;
  arguments[KEYS] = (uint64_t)(uintptr_t)keys;
  arguments[ITEMS] = placed->n;
  arguments[IS_LONG] = type_of_begins(placed->n) == USW_U64;
  arguments[BEGINS] = (uint64_t)(uintptr_t)begins;
  arguments[UNIQUE] = (uint64_t)(uintptr_t)unique;
  uswi_call_init(&call, placed->kernel, placed->n, &own);
  call.name = placed->name;
  call.variables = &variable;
  return uswi_run_call(&call, arguments);
}

static usw_status_t reduce_in_two(uswi_call_t *call, usw_operation_t operation, usw_type_t type, const void *x,
                                  const void *keys, void *unique, void *results, size_t *runs_out) {
  uint64_t runs = 0;
  uswi_place_memory_t begins;
  const usw_type_t begin_type = type_of_begins(call->n);
  usw_options_t own = *call->options;
  usw_status_t status =
      uswi_place_memory_take(call, (call->n + 1) * (begin_type == USW_U64 ? 8 : 4), 0, "where runs begin", &begins);
  if (status != USW_OK)
    return status;
  uswi_keep_place(call, &own);
  const usw_segments_t none = usw_segments_by_offsets(begin_type, begins.data, 0);
  status = usw_reduce_segments(operation, type, x, call->n, &none, results, &own); /* refused before keys are written */
  if (status == USW_OK)
    status = find_runs(call, keys, unique, begins.data, &runs);
  const usw_segments_t segments = usw_segments_by_offsets(begin_type, begins.data, (size_t)runs);
  if (status == USW_OK)
    status = usw_reduce_segments(operation, type, x, call->n, &segments, results, &own);
  uswi_place_memory_give_back(call, &begins, 0);
  if (status == USW_OK)
    *runs_out = (size_t)runs;
  return status;
}

/* ---- the calls ---- */

static usw_status_t check(const usw_kernel_t **kernel_out, usw_operation_t operation, usw_type_t type,
                          usw_type_t key_type, const void *results, const size_t *runs_out,
                          const usw_options_t *options) {
  const char *name;
  usw_status_t status = uswi_enter();
  if (status == USW_OK)
    status = uswi_check_size("by_key", options);
  if (status != USW_OK)
    return status;
  *kernel_out = uswi_kernel_of_many(operation, type, 1, options, &name);
  if (!*kernel_out)
    return USW_ERROR_UNSUPPORTED;
  status = uswi_keys_check("by_key", key_type);
  if (status != USW_OK)
    return status;
  if (!results || !runs_out)
    return uswi_fail(USW_ERROR_INVALID, "by_key: the address of the %s is NULL",
                     results ? "number of runs" : "results");
  return USW_OK;
}

/* Of n elements, over 0, for each of which there may be a run. */
static usw_status_t check_arrays(const usw_kernel_t *kernel, const void *x, usw_type_t key_type, const void *keys,
                                 size_t n, const void *unique, const void *results, const usw_options_t *o) {
  const uswi_elements_t elements = elements_of(x, o->stride[0], kernel->arguments[0].bytes, n),
                        of_keys = elements_of(keys, o->stride[1], key_bytes(key_type), n),
                        of_unique = elements_of(unique, 1, key_bytes(key_type), n),
                        of_results = elements_of(results, 1, kernel->reducers[0].bytes, n);
  if (n > USWI_MOST_PATH_ITEMS)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "by_key: n = %zu is over 2^48 items: pass some runs at a time", n);
  usw_status_t status = check_apart("by_key", "keys of runs", of_unique, "keys", of_keys);
  if (status == USW_OK)
    status = check_apart("by_key", "keys of runs", of_unique, "elements", elements);
  if (status == USW_OK)
    status = check_apart("by_key", "results", of_results, "elements", elements);
  if (status == USW_OK)
    status = check_apart("by_key", "results", of_results, "keys", of_keys);
  return status == USW_OK && unique ? check_apart("by_key", "results", of_results, "keys of runs", of_unique) : status;
}

usw_status_t usw_reduce_by_key(usw_operation_t operation, usw_type_t type, const void *x, usw_type_t key_type,
                               const void *keys, size_t n, void *unique_out, void *results_out, size_t *runs_out,
                               const usw_options_t *options) {
  uswi_call_t call;
  const usw_kernel_t *kernel;
  usw_status_t status = check(&kernel, operation, type, key_type, results_out, runs_out, options);
  if (status == USW_OK && n == 0)
    *runs_out = 0;
  if (status != USW_OK || n == 0)
    return status;
  uswi_call_init(&call, uswi_keys_kernel(key_type), n, options);
  call.name = "by_key";
  status = check_arrays(kernel, x, key_type, keys, n, unique_out, results_out, call.options);
  if (status == USW_OK)
    status = uswi_check_place(&call);
  if (status == USW_OK)
    status = uswi_place_near(&call, (uint64_t)(uintptr_t)keys);
  if (status != USW_OK)
    return status;
  const usw_kernel_t *const at_once = kernel_at_once(&call, operation, type, results_out);
  return at_once ? reduce_at_once(at_once, &call, x, key_type, keys, unique_out, results_out, runs_out)
                 : reduce_in_two(&call, operation, type, x, keys, unique_out, results_out, runs_out);
}

static uint32_t bytes_written(const usw_kernel_t *scan) {
  uint32_t a = 0;
  while (scan->arguments[a].kind != USW_ARGUMENT_OUT)
    a++;
  return scan->arguments[a].bytes;
}

usw_status_t uswi_keys_find(const usw_kernel_t *kernel, const uswi_scan_t *scan, usw_type_t key_type, const void *keys,
                            const usw_options_t *options, usw_restart_words_t *words_out, usw_options_t *own_out) {
  uswi_call_t call;
  uswi_call_init(&call, uswi_keys_kernel(key_type), scan->n, options);
  call.name = kernel->name;
  const ptrdiff_t *const strides = call.options->stride;
  usw_status_t status =
      check_apart(call.name, "results", elements_of(scan->out, strides[1], bytes_written(kernel), scan->n), "keys",
                  elements_of(keys, strides[2], key_bytes(key_type), scan->n));
  if (status == USW_OK)
    status = uswi_check_place(&call);
  if (status == USW_OK)
    status = uswi_place_near(&call, (uint64_t)(uintptr_t)scan->x);
  if (status == USW_OK)
    status = describe_keys(&call, key_type, keys, call.options->stride[2], words_out);
  *own_out = *call.options;
  uswi_keep_place(&call, own_out);
  return status;
}

static usw_status_t scan_by_key(usw_operation_t operation, usw_type_t type, const uswi_scan_t *scan,
                                usw_type_t key_type, const void *keys, const usw_options_t *options) {
  const usw_kernel_t *kernel;
  usw_restart_words_t words;
  usw_options_t own;
  uswi_scan_t with_keys = *scan;
  usw_status_t status = uswi_scan_kernel(operation, type, 1, scan->initial, options, &kernel);
  if (status == USW_OK)
    status = uswi_keys_check(kernel->name, key_type);
  if (status != USW_OK || scan->n == 0)
    return status;
  status = uswi_keys_find(kernel, scan, key_type, keys, options, &words, &own);
  with_keys.restarts = &words;
  return status == USW_OK ? uswi_scan(kernel, &with_keys, &own, NULL) : status;
}

usw_status_t usw_scan_by_key(usw_operation_t operation, usw_type_t type, const void *x, usw_type_t key_type,
                             const void *keys, size_t n, void *out, const usw_options_t *options) {
  return scan_by_key(operation, type, &(uswi_scan_t){.x = x, .n = n, .out = out}, key_type, keys, options);
}

usw_status_t usw_scan_by_key_exclusive(usw_operation_t operation, usw_type_t type, const void *x, usw_type_t key_type,
                                       const void *keys, size_t n, void *out, const void *initial,
                                       const usw_options_t *options) {
  return scan_by_key(operation, type, &(uswi_scan_t){.x = x, .n = n, .out = out, .is_exclusive = 1, .initial = initial},
                     key_type, keys, options);
}
