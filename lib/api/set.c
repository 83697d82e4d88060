/* Reducer sets: built by calls. What is wrong with a reducer, whatever n and the place are, is found when it is added. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/library.h"
#include "api/set_object.h"
#include "api/set_task.h"
#include "backend/backend.h"
#include "base/error.h"
#include "policy/call.h"
#include "policy/catalog.h"

enum { MOST_CELLS = 0x7ffffffe /* a span has one more at most, and the kernel's last cell is its own */ };

usw_status_t usw_set_create(usw_set_t **set_out) {
  const usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (!set_out)
    return uswi_fail(USW_ERROR_INVALID, "usw_set_create: set_out is NULL");
  usw_set_t *set = calloc(1, sizeof *set);
  if (!set)
    return uswi_fail(USW_ERROR_MEMORY, "usw_set_create: no room for %zu bytes", sizeof *set);
  *set_out = set;
  return USW_OK;
}

void usw_set_destroy(usw_set_t *set) {
  if (!set)
    return;
  if (set->there)
    uswi_backend_free(set->device, set->there);
  free(set->cells);
  free(set);
}

/* The variable or span of the reducer that is to be the set's next: there, aligned, apart from those of the others. */
static usw_status_t check_variable(const usw_set_t *set, const uswi_set_reducer_t *reducer) {
  const usw_reducer_t *result = &reducer->kernel->reducers[0];
  const char *what = reducer->key_bytes ? "span" : "variable";
  const char *at = reducer->variable, *end = at + reducer->extent * result->bytes;
  if (!at)
    return uswi_fail(USW_ERROR_INVALID, "%s: its %s is NULL", reducer->name, what);
  if ((uintptr_t)at % result->alignment_bytes != 0)
    return uswi_fail(USW_ERROR_INVALID, "%s: its %s at 0x%llx is not aligned to %u bytes", reducer->name, what,
                     (unsigned long long)(uintptr_t)at, result->alignment_bytes);
  for (uint32_t q = 0; q < set->count; q++) {
    const uswi_set_reducer_t *other = &set->reducers[q];
    const char *start = other->variable;
    if (at < start + other->extent * other->kernel->reducers[0].bytes && start < end)
      return uswi_fail(USW_ERROR_INVALID, "%s: its %s shares bytes with that of %s", reducer->name, what, other->name);
  }
  return USW_OK;
}

static usw_status_t check_extent(const usw_set_t *set, const uswi_set_reducer_t *reducer) {
  size_t bytes;
  if (reducer->extent == 0)
    return uswi_fail(USW_ERROR_INVALID, "%s: its span has no element", reducer->name);
  if (reducer->extent > MOST_CELLS - set->cell_count ||
      __builtin_mul_overflow(reducer->extent, reducer->kernel->reducers[0].bytes, &bytes))
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: a span of %zu elements, the set has %zu: at most %d are possible",
                     reducer->name, reducer->extent, set->cell_count, MOST_CELLS);
  return USW_OK;
}

/* Add a reducer whose members are filled in but for the kernel. */
static usw_status_t add(usw_set_t *set, const char *function, uswi_set_reducer_t *reducer, uint32_t flags) {
  usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (!set)
    return uswi_fail(USW_ERROR_INVALID, "%s: set is NULL", function);
  if (set->count == USW_SET_MOST_REDUCERS)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: the set has %u reducers, more are not possible", function, set->count);
  if (uswi_check_codes(reducer->operation, reducer->type) != USW_OK)
    return USW_ERROR_UNSUPPORTED;
  if (reducer->operation > USW_LOGICAL_OR)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: %s, of reducer %u, is not one of USW_PLUS to USW_LOGICAL_OR", function,
                     uswi_operation_name(reducer->operation), set->count);
  reducer->kernel = uswi_kernel(reducer->operation, reducer->type, NULL);
  if (!reducer->kernel)
    return USW_ERROR_UNSUPPORTED;
  snprintf(reducer->name, sizeof reducer->name, "reducer %u (%s)", set->count, reducer->kernel->name);
  if (flags & ~USW_SET_INITIALIZE_TO_IDENTITY)
    return uswi_fail(USW_ERROR_INVALID, "%s: %s: flags are 0x%x, which has unknown bits", function, reducer->name,
                     flags);
  status = check_extent(set, reducer);
  if (status == USW_OK)
    status = check_variable(set, reducer);
  if (status != USW_OK)
    return status;
  reducer->stride = uswi_stride(reducer->stride);
  reducer->is_fresh = flags & USW_SET_INITIALIZE_TO_IDENTITY;
  reducer->first_cell = set->cell_count;
  set->cell_count += reducer->extent;
  set->batch.is_known = 0;
  uswi_set_describe(reducer);
  set->reducers[set->count++] = *reducer;
  return USW_OK;
}

usw_status_t usw_set_add(usw_set_t *set, usw_operation_t operation, usw_type_t type, const void *x, ptrdiff_t stride,
                         void *variable, uint32_t flags) {
  uswi_set_reducer_t reducer = {
      .operation = operation, .type = type, .x = x, .stride = stride, .variable = variable, .extent = 1};
  return add(set, "usw_set_add", &reducer, flags);
}

usw_status_t usw_set_add_array(usw_set_t *set, usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                               ptrdiff_t stride, void *variable, uint32_t flags) {
  uswi_set_reducer_t reducer = {.operation = operation,
                                .type = type,
                                .x = x,
                                .own_n = n,
                                .has_own_n = 1,
                                .stride = stride,
                                .variable = variable,
                                .extent = 1};
  return add(set, "usw_set_add_array", &reducer, flags);
}

usw_status_t usw_set_add_span(usw_set_t *set, usw_operation_t operation, usw_type_t type, const void *x,
                              ptrdiff_t stride, usw_type_t key_type, const void *keys, void *span, size_t extent,
                              uint32_t flags) {
  uswi_set_reducer_t reducer = {
      .operation = operation, .type = type, .x = x, .stride = stride, .keys = keys, .variable = span, .extent = extent};
  if (key_type == USW_U32 || key_type == USW_I32)
    reducer.key_bytes = 4;
  else if (key_type == USW_U64 || key_type == USW_I64)
    reducer.key_bytes = 8;
  else
    return uswi_fail(USW_ERROR_UNSUPPORTED, "usw_set_add_span: keys of %s: they are u32, i32, u64 or i64",
                     uswi_type_name(key_type) ? uswi_type_name(key_type) : "no type");
  return add(set, "usw_set_add_span", &reducer, flags);
}
