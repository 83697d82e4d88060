/* Reductions by key: a scan finds where runs of equal keys begin; they are segments then. */
#include <upsweep/keys.h>

#include <stdlib.h>
#include <upsweep/segments.h>

#include "api/library.h"
#include "base/error.h"
#include "exec/run.h"
#include "exec/scratch.h"
#include "policy/catalog.h"
#include "policy/place.h"

/* Made by the build from kernels.def. */
extern const usw_kernel_t runs_u8_kernel, runs_u16_kernel, runs_u32_kernel, runs_u64_kernel;

/* Arguments of these kernels, as shapes/runs.h has them. */
enum { KEYS, ITEMS, IS_LONG, BEGINS, UNIQUE };

/* Where runs begin: memory of the place, as segments take it. */
typedef struct begins {
  void *data;
  usw_type_t type;
  uswi_scratch_t *scratch; /* on a device, which it belongs to */
} begins_t;

static const usw_kernel_t *kernel_of_keys(usw_type_t key_type) {
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

static usw_status_t get_begins(const uswi_call_t *call, begins_t *begins) {
  const int is_long = call->n >= UINT32_MAX;
  const size_t bytes = (call->n + 1) * (is_long ? 8 : 4);
  usw_status_t status = USW_OK;
  *begins = (begins_t){.type = is_long ? USW_U64 : USW_U32};
  if (call->device)
    status = uswi_scratch_take(call->device, bytes, 1, 1, &begins->scratch);
  if (status == USW_OK)
    begins->data = call->device ? begins->scratch->partials : malloc(bytes);
  return status == USW_OK && !begins->data
             ? uswi_fail(USW_ERROR_MEMORY, "%s: no room for %zu bytes of where runs begin", call->name, bytes)
             : status;
}

static void give_begins_back(begins_t *begins) {
  if (begins->scratch)
    uswi_scratch_give_back(begins->scratch);
  else
    free(begins->data);
}

/* Where the keys are both launches run. */
static void keep_place(const uswi_call_t *placed, usw_options_t *options) {
  options->place = placed->device ? USW_DEVICE : USW_HOST;
  options->device = placed->device ? placed->device->number : 0;
}

static usw_status_t find_runs(const uswi_call_t *placed, const void *keys, void *unique, const begins_t *begins,
                              uint64_t *runs) {
  const usw_variable_t variable = {runs, 1};
  uint64_t arguments[USWI_MAX_ARGUMENTS] = {0};
  usw_options_t own = uswi_default_options;
  uswi_call_t call;
  keep_place(placed, &own);
  own.stride[0] = placed->options->stride[1];
  own.stream = placed->options->stream;
  own.initialize_to_identity = 1;
  arguments[KEYS] = (uint64_t)(uintptr_t)keys;
  arguments[ITEMS] = placed->n;
  arguments[IS_LONG] = begins->type == USW_U64;
  arguments[BEGINS] = (uint64_t)(uintptr_t)begins->data;
  arguments[UNIQUE] = (uint64_t)(uintptr_t)unique;
  uswi_call_init(&call, placed->kernel, placed->n, &own);
  call.name = placed->name;
  call.variables = &variable;
  return uswi_run_call(&call, arguments);
}

static usw_status_t check(usw_operation_t operation, usw_type_t type, usw_type_t key_type, const void *results,
                          const size_t *runs_out, const usw_options_t *options) {
  const char *name;
  usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (options && options->size != sizeof *options)
    return uswi_fail(USW_ERROR_VERSION, "by_key: options.size is %zu, this library knows %zu", options->size,
                     sizeof *options);
  if (!uswi_kernel_of_many(operation, type, 1, options, &name))
    return USW_ERROR_UNSUPPORTED;
  if (!kernel_of_keys(key_type))
    return uswi_fail(USW_ERROR_UNSUPPORTED, "by_key: keys of type %d are no integers: USW_I64 for example",
                     (int)key_type);
  if (!results || !runs_out)
    return uswi_fail(USW_ERROR_INVALID, "by_key: the address of the %s is NULL",
                     results ? "number of runs" : "results");
  return USW_OK;
}

usw_status_t usw_reduce_by_key(usw_operation_t operation, usw_type_t type, const void *x, usw_type_t key_type,
                               const void *keys, size_t n, void *unique_out, void *results_out, size_t *runs_out,
                               const usw_options_t *options) {
  uint64_t runs = 0;
  begins_t begins;
  uswi_call_t call;
  usw_status_t status = check(operation, type, key_type, results_out, runs_out, options);
  if (status == USW_OK && n == 0)
    *runs_out = 0;
  if (status != USW_OK || n == 0)
    return status;
  uswi_call_init(&call, kernel_of_keys(key_type), n, options);
  call.name = "by_key";
  status = uswi_place_near(&call, (uint64_t)(uintptr_t)keys);
  if (status == USW_OK)
    status = get_begins(&call, &begins);
  if (status != USW_OK)
    return status;
  usw_options_t own = *call.options;
  keep_place(&call, &own);
  status = find_runs(&call, keys, unique_out, &begins, &runs);
  const usw_segments_t segments = usw_segments_by_offsets(begins.type, begins.data, (size_t)runs);
  if (status == USW_OK)
    status = usw_reduce_segments(operation, type, x, n, &segments, results_out, &own);
  give_begins_back(&begins);
  if (status == USW_OK)
    *runs_out = (size_t)runs;
  return status;
}
