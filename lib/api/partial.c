/* Reductions in parts: an accumulator that is kept between calls. */

#include "api/partial.h"

#include <stdlib.h>
#include <string.h>

#include "api/library.h"
#include "base/bytes.h"
#include "base/error.h"
#include "exec/run.h"
#include "machine/arithmetic.h"
#include "policy/call.h"
#include "policy/catalog.h"
#include "policy/check.h"

/* The parts are merged as a binary counter is raised by one: while bit k of `parts` is set, level k holds the
 * reduction of 2^k neighbouring parts, higher levels the earlier ones. So any number of parts adds few roundings. */
enum { LEVELS = 64, LINE = 64 };

static void *level(const usw_partial_t *partial, int k) { return partial->levels + (size_t)k * partial->stride; }

void *uswi_partial_work(const usw_partial_t *partial) { return level(partial, LEVELS); }

static usw_partial_t *allocate(const usw_kernel_t *kernel) {
  usw_partial_t *partial = calloc(1, sizeof *partial);
  if (!partial)
    return NULL;
  partial->kernel = kernel;
  partial->stride = uswi_round_up(kernel->accumulator_bytes, LINE);
  partial->levels = aligned_alloc(LINE, (LEVELS + 1) * partial->stride);
  if (partial->levels)
    return partial;
  free(partial);
  return NULL;
}

const usw_kernel_t *uswi_partial_kernel(usw_operation_t operation, usw_type_t type, const usw_options_t *options,
                                        usw_status_t *status_out) {
  const usw_kernel_t *kernel = uswi_kernel_of_streams(operation, type, 1, options);
  *status_out = USW_ERROR_UNSUPPORTED;
  if (!kernel)
    return NULL;
  uswi_call_t call;
  uswi_call_init(&call, kernel, 0, options);
  *status_out = uswi_check_options(&call);
  return *status_out == USW_OK ? kernel : NULL;
}

usw_status_t uswi_partial_make(usw_partial_t **partial_out, usw_operation_t operation, usw_type_t type,
                               const usw_options_t *options) {
  usw_status_t status;
  const usw_kernel_t *kernel = uswi_partial_kernel(operation, type, options, &status);
  if (!kernel)
    return status;
  usw_partial_t *partial = allocate(kernel);
  if (!partial)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %d accumulators of %u bytes", kernel->name, LEVELS + 1,
                     kernel->accumulator_bytes);
  partial->options = options ? *options : (usw_options_t){.size = sizeof *options};
  *partial_out = partial;
  return USW_OK;
}

usw_status_t usw_partial_create(usw_partial_t **partial_out, usw_operation_t operation, usw_type_t type,
                                const usw_options_t *options) {
  const usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (!partial_out)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_create: partial_out is NULL");
  return uswi_partial_make(partial_out, operation, type, options);
}

usw_status_t usw_partial_begin_at(usw_partial_t *partial, uint64_t first_index) {
  if (!partial)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_begin_at: partial is NULL");
  if (partial->count != 0)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_begin_at: %s has %llu elements already", partial->kernel->name,
                     (unsigned long long)partial->count);
  if (first_index > INT64_MAX)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_begin_at: first_index is %llu, indices end at 2^63 - 1",
                     (unsigned long long)first_index);
  partial->next_index = first_index;
  partial->is_placed = 1;
  return USW_OK;
}

/* Whether so many elements more keep counts and indices below 2^63. */
static usw_status_t check_count(const usw_partial_t *partial, uint64_t count) {
  const uint64_t most = partial->next_index > partial->count ? partial->next_index : partial->count;
  if (count <= INT64_MAX - most)
    return USW_OK;
  return uswi_fail(USW_ERROR_INVALID, "%s: %llu elements behind %llu: counts and indices end at 2^63 - 1",
                   partial->kernel->name, (unsigned long long)count, (unsigned long long)most);
}

void uswi_partial_push(usw_partial_t *partial) {
  void *part = uswi_partial_work(partial);
  int k = 0;
  for (; partial->parts >> k & 1; k++) { /* the earlier parts stay on the left */
    partial->kernel->merge(level(partial, k), part, NULL);
    memcpy(part, level(partial, k), partial->kernel->accumulator_bytes);
  }
  memcpy(level(partial, k), part, partial->kernel->accumulator_bytes);
  partial->parts++;
}

usw_status_t usw_partial_add(usw_partial_t *partial, const void *x, size_t n) {
  if (!partial)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_add: partial is NULL");
  const uint64_t arguments[USWI_MAX_LIBRARY_ARGUMENTS] = {(uint64_t)(uintptr_t)x};
  uswi_call_t call;
  uswi_call_init(&call, partial->kernel, n, &partial->options);
  call.index_of_first = partial->next_index;
  usw_status_t status = uswi_enter();
  if (status == USW_OK)
    status = check_count(partial, n);
  if (status == USW_OK)
    status = uswi_reduce_to_record(&call, arguments, uswi_partial_work(partial));
  if (status != USW_OK)
    return status;
  if (n > 0) {
    uswi_arithmetic_t callers;
    uswi_arithmetic_begin(&callers, partial->kernel, &partial->options);
    uswi_partial_push(partial);
    uswi_arithmetic_end(&callers);
  }
  partial->count += n;
  partial->next_index += n;
  return USW_OK;
}

/* Whether both are the same reduction, with the same promise. */
static usw_status_t check_alike(const usw_partial_t *into, const usw_partial_t *from) {
  static const char *const levels[] = {"USW_REPEATABLE", "USW_FAST", "USW_COMPENSATED", "USW_REPRODUCIBLE",
                                       "USW_EXACT"};
  static const char *const policies[] = {"USW_NAN_PROPAGATE", "USW_NAN_IGNORE"};
  const usw_options_t *a = &into->options, *b = &from->options;
  if (into->kernel != from->kernel || a->accuracy != b->accuracy)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_merge: into is %s at %s, from is %s at %s", into->kernel->name,
                     levels[a->accuracy], from->kernel->name, levels[b->accuracy]);
  if (into->kernel->facts & USW_FACT_NAN_POLICY && a->nan != b->nan)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_merge: into is %s with %s, from with %s", into->kernel->name,
                     policies[a->nan], policies[b->nan]);
  return USW_OK;
}

void uswi_shift_indices(const usw_kernel_t *kernel, void *accumulator, uint64_t shift) {
  for (const usw_member_t *m = kernel->members; m < kernel->members + kernel->member_count; m++)
    for (uint32_t k = 0; m->is_index && k < m->count; k++) {
      char *at = (char *)accumulator + m->offset_bytes + (size_t)k * m->bytes;
      uint64_t index;
      memcpy(&index, at, sizeof index);
      index += index <= INT64_MAX ? shift : 0;
      memcpy(at, &index, sizeof index);
    }
}

usw_status_t usw_partial_merge(usw_partial_t *into, const usw_partial_t *from) {
  if (!into || !from)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_merge: %s is NULL", into ? "from" : "into");
  if (into == from)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_merge: into and from are the same object");
  usw_status_t status = check_alike(into, from);
  if (status == USW_OK)
    status = check_count(into, from->count);
  if (status != USW_OK || from->count == 0)
    return status;
  void *part = uswi_partial_work(into);
  uswi_arithmetic_t callers;
  uswi_arithmetic_begin(&callers, into->kernel, &into->options);
  uswi_partial_total(from, part);
  if (from->is_placed) {
    into->is_placed = 1;
    into->next_index = from->next_index > into->next_index ? from->next_index : into->next_index;
  } else {
    uswi_shift_indices(into->kernel, part, into->next_index);
    into->next_index += from->count;
  }
  uswi_partial_push(into);
  uswi_arithmetic_end(&callers);
  into->count += from->count;
  return USW_OK;
}

void uswi_partial_total(const usw_partial_t *partial, void *total_out) {
  int k = LEVELS - 1;
  while (k >= 0 && !(partial->parts >> k & 1))
    k--;
  if (k < 0)
    partial->kernel->identity(total_out, NULL);
  else /* alone it stays as it is: (1 + 0i) times a complex number with an infinity is another number */
    memcpy(total_out, level(partial, k), partial->kernel->accumulator_bytes);
  for (k--; k >= 0; k--)
    if (partial->parts >> k & 1)
      partial->kernel->merge(total_out, level(partial, k), NULL);
}

usw_status_t usw_partial_result(const usw_partial_t *partial, void *result_out) {
  if (!partial || !result_out)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_result: %s is NULL", partial ? "result_out" : "partial");
  void *total = uswi_partial_work(partial);
  uswi_arithmetic_t callers;
  uswi_arithmetic_begin(&callers, partial->kernel, &partial->options);
  uswi_partial_total(partial, total);
  const usw_variable_t variable = {result_out, 1};
  partial->kernel->finish(total, &variable, NULL);
  uswi_arithmetic_end(&callers);
  return USW_OK;
}

void usw_partial_destroy(usw_partial_t *partial) {
  if (!partial)
    return;
  free(partial->levels);
  free(partial);
}
