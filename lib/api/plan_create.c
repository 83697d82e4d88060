/* Plans: how they are made, and what they can be run with. */
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "api/keys.h"
#include "api/library.h"
#include "api/plan_create.h"
#include "api/plan_object.h"
#include "api/scan.h"
#include "base/error.h"
#include "exec/exact.h"
#include "exec/short.h"
#include "policy/call.h"
#include "policy/catalog.h"
#include "policy/check.h"
#include "policy/space.h"

usw_status_t uswi_plan_make(usw_plan_t **plan_out, const usw_kernel_t *kernel, const usw_options_t *options) {
  uswi_call_t call;
  uswi_call_init(&call, kernel, 0, options);
  if (!plan_out)
    return uswi_fail(USW_ERROR_INVALID, "%s: plan_out is NULL", kernel->name);
  usw_plan_t *plan = calloc(1, sizeof *plan);
  if (!plan)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for a plan of %zu bytes", kernel->name, sizeof *plan);
  if (pthread_mutex_init(&plan->lock, NULL) != 0) {
    free(plan);
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for the lock of a plan", kernel->name);
  }
  plan->kernel = kernel;
  plan->name = kernel->name;
  plan->results = 1;
  plan->options = *call.options;
  atomic_flag_clear(&plan->busy);
  *plan_out = plan;
  return USW_OK;
}

static usw_status_t check_options(const usw_kernel_t *kernel, const usw_options_t *options) {
  uswi_call_t call;
  uswi_call_init(&call, kernel, 0, options);
  return uswi_check_options(&call);
}

usw_status_t usw_plan_create(usw_plan_t **plan_out, usw_operation_t operation, usw_type_t type,
                             const usw_options_t *options) {
  usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  const usw_kernel_t *kernel = uswi_kernel(operation, type, options);
  if (!kernel)
    return USW_ERROR_UNSUPPORTED;
  const int takes_sweeps = uswi_takes_sweeps(operation, type, options);
  status = takes_sweeps ? uswi_exact_check(kernel, options) : check_options(kernel, options);
  if (status == USW_OK)
    status = uswi_plan_make(plan_out, kernel, options);
  if (status != USW_OK)
    return status;
  (*plan_out)->is_of_library = 1;
  (*plan_out)->takes_sweeps = takes_sweeps;
  return USW_OK;
}

usw_status_t usw_plan_create_kernel(usw_plan_t **plan_out, const usw_kernel_t *kernel, const usw_options_t *options) {
  usw_status_t status = uswi_enter();
  if (status == USW_OK)
    status = uswi_check_kernel(kernel);
  if (status == USW_OK)
    status = check_options(kernel, options);
  return status == USW_OK ? uswi_plan_make(plan_out, kernel, options) : status;
}

/* A plan of more than a reduction, under the name that errors have; what its map is of is the caller's to set. */
static usw_status_t make_with_map(usw_plan_t **plan_out, const usw_kernel_t *kernel, const char *name,
                                  uswi_plan_map_t map, size_t results, const usw_options_t *options) {
  usw_status_t status = check_options(kernel, options);
  if (status == USW_OK)
    status = uswi_plan_make(plan_out, kernel, options);
  if (status != USW_OK)
    return status;
  (*plan_out)->is_of_library = 1;
  (*plan_out)->name = name;
  (*plan_out)->map = map;
  (*plan_out)->results = results;
  return USW_OK;
}

/* ---- many results ---- */

usw_status_t usw_plan_create_axes(usw_plan_t **plan_out, usw_operation_t operation, const usw_array_t *x,
                                  const usw_array_t *y, uint32_t axes, const usw_options_t *options) {
  const usw_array_t *const arrays[] = {x, y};
  const char *name;
  uswi_axes_t described;
  usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (!x)
    return uswi_fail(USW_ERROR_INVALID, "the array is NULL");
  const usw_kernel_t *const kernel = uswi_kernel_of_many(operation, x->type, y ? 2 : 1, options, &name);
  if (!kernel)
    return USW_ERROR_UNSUPPORTED;
  status = uswi_axes_describe(name, kernel, arrays, axes, &described);
  if (status == USW_OK)
    status = make_with_map(plan_out, kernel, name, USWI_PLAN_OF_AXES, described.results, options);
  if (status != USW_OK)
    return status;
  (*plan_out)->axes = described;
  uswi_learn_shorts();
  return USW_OK;
}

usw_status_t usw_plan_create_kernel_axes(usw_plan_t **plan_out, const usw_kernel_t *kernel, uint32_t dimensions,
                                         const usw_space_t *space, uint32_t axes, const usw_options_t *options) {
  uswi_axes_t described;
  usw_status_t status = uswi_enter();
  if (status == USW_OK)
    status = uswi_check_kernel(kernel);
  if (status == USW_OK)
    status = uswi_axes_of_space(kernel, dimensions, space, axes, options, &described);
  if (status == USW_OK)
    status = make_with_map(plan_out, kernel, kernel->name, USWI_PLAN_OF_AXES, described.results, options);
  if (status != USW_OK)
    return status;
  (*plan_out)->is_of_library = 0;
  (*plan_out)->axes = described;
  return USW_OK;
}

/* Of one length: rows. */
static usw_status_t create_rows(usw_plan_t **plan_out, usw_operation_t operation, usw_type_t type, uint32_t streams,
                                const usw_segments_t *segments, const usw_options_t *options) {
  const usw_array_t x = uswi_rows_of_segments(segments, type, 0, options);
  const usw_array_t y = uswi_rows_of_segments(segments, type, 1, options);
  const usw_status_t status =
      usw_plan_create_axes(plan_out, operation, &x, streams == 2 ? &y : NULL, USW_AXIS(1), options);
  if (status == USW_OK)
    (*plan_out)->may_have_more = 1;
  return status;
}

usw_status_t usw_plan_create_segments(usw_plan_t **plan_out, usw_operation_t operation, usw_type_t type,
                                      const usw_segments_t *segments, const usw_options_t *options) {
  const char *name;
  uswi_segments_t described;
  usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  const usw_kernel_t *const of_one = uswi_kernel(operation, type, options);
  const uint32_t streams = of_one ? of_one->stream_count : 0;
  const usw_kernel_t *const kernel = of_one ? uswi_kernel_of_many(operation, type, streams, options, &name) : NULL;
  if (!kernel)
    return USW_ERROR_UNSUPPORTED;
  status = uswi_segments_describe(name, segments, SIZE_MAX, &described);
  if (status == USW_OK && segments->type == USW_NO_TYPE)
    return create_rows(plan_out, operation, type, streams, segments, options);
  if (status == USW_OK)
    status = make_with_map(plan_out, kernel, name, USWI_PLAN_OF_SEGMENTS, segments->count, options);
  if (status == USW_OK)
    (*plan_out)->segments = *segments;
  return status;
}

usw_status_t usw_plan_create_kernel_segments(usw_plan_t **plan_out, const usw_kernel_t *kernel,
                                             const usw_segments_t *segments, const usw_options_t *options) {
  uswi_segments_t described;
  usw_status_t status = uswi_enter();
  if (status == USW_OK)
    status = uswi_check_kernel(kernel);
  if (status == USW_OK)
    status = uswi_segments_check_kernel(kernel);
  if (status == USW_OK)
    status = uswi_segments_describe(kernel->name, segments, SIZE_MAX, &described);
  if (status == USW_OK)
    status = make_with_map(plan_out, kernel, kernel->name, USWI_PLAN_OF_SEGMENTS, segments->count, options);
  if (status != USW_OK)
    return status;
  (*plan_out)->is_of_library = 0;
  (*plan_out)->segments = *segments;
  return USW_OK;
}

/* ---- scans ---- */

/* Where scans that begin anew start from is not the variable's value. */
static usw_status_t make_scan(usw_plan_t **plan_out, const usw_kernel_t *kernel, uswi_plan_map_t map, int is_exclusive,
                              const void *initial, const usw_options_t *options) {
  if (initial && !is_exclusive)
    return uswi_fail(USW_ERROR_INVALID, "%s: an initial value is for exclusive scans", kernel->name);
  const usw_status_t status = make_with_map(plan_out, kernel, kernel->name, map, 1, options);
  if (status != USW_OK)
    return status;
  usw_plan_t *const plan = *plan_out;
  plan->is_exclusive = is_exclusive != 0;
  plan->has_initial = initial != NULL;
  plan->options.initialize_to_identity = !initial || map != USWI_PLAN_OF_SCAN;
  if (initial)
    memcpy(plan->initial, initial, kernel->reducers[0].bytes);
  return USW_OK;
}

usw_status_t usw_plan_create_scan(usw_plan_t **plan_out, usw_operation_t operation, usw_type_t type, int is_exclusive,
                                  const void *initial, const usw_options_t *options) {
  const usw_kernel_t *kernel;
  const usw_status_t status = uswi_scan_kernel(operation, type, 0, initial, options, &kernel);
  return status == USW_OK ? make_scan(plan_out, kernel, USWI_PLAN_OF_SCAN, is_exclusive, initial, options) : status;
}

usw_status_t usw_plan_create_scan_segments(usw_plan_t **plan_out, usw_operation_t operation, usw_type_t type,
                                           const usw_segments_t *segments, int is_exclusive, const void *initial,
                                           const usw_options_t *options) {
  const usw_kernel_t *kernel;
  uswi_segments_t described;
  usw_status_t status = uswi_scan_kernel(operation, type, 1, initial, options, &kernel);
  if (status == USW_OK)
    status = uswi_scan_segments_describe(kernel->name, segments, SIZE_MAX, options, &described);
  if (status == USW_OK)
    status = make_scan(plan_out, kernel, USWI_PLAN_OF_SCAN_OF_SEGMENTS, is_exclusive, initial, options);
  if (status == USW_OK)
    (*plan_out)->segments = *segments;
  return status;
}

usw_status_t usw_plan_create_scan_by_key(usw_plan_t **plan_out, usw_operation_t operation, usw_type_t type,
                                         usw_type_t key_type, const void *keys, int is_exclusive, const void *initial,
                                         const usw_options_t *options) {
  const usw_kernel_t *kernel;
  usw_status_t status = uswi_scan_kernel(operation, type, 1, initial, options, &kernel);
  if (status == USW_OK)
    status = uswi_keys_check(kernel->name, key_type);
  if (status == USW_OK && !keys)
    status = uswi_fail(USW_ERROR_INVALID, "%s: the address of the keys is NULL", kernel->name);
  if (status == USW_OK)
    status = make_scan(plan_out, kernel, USWI_PLAN_OF_SCAN_BY_KEY, is_exclusive, initial, options);
  if (status != USW_OK)
    return status;
  (*plan_out)->key_type = key_type;
  (*plan_out)->keys = keys;
  return USW_OK;
}

usw_status_t usw_plan_on_completion(usw_plan_t *plan, usw_callback_t callback, void *context) {
  const usw_status_t status = uswi_plan_enter(plan, "usw_plan_on_completion");
  if (status != USW_OK)
    return status;
  plan->callback = callback;
  plan->context = context;
  return uswi_plan_leave(plan, USW_OK);
}

usw_status_t usw_plan_space(const usw_plan_t *plan, uint32_t dimensions, const usw_space_t *space, uint64_t *arguments,
                            size_t *n_out) {
  if (!plan)
    return uswi_fail(USW_ERROR_INVALID, "usw_plan_space: the plan is NULL");
  return uswi_space_describe(plan->kernel, dimensions, space, &plan->options, arguments, n_out);
}
