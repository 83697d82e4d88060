/* The calls by codes: find the library's kernel for (operation, type) and run it. */
#include <upsweep/descriptor.h>
#include <upsweep/upsweep.h>

#include "call.h"
#include "error.h"
#include "exact.h"
#include "host/short.h"
#include "once.h"
#include "reduce.h"
#include "state.h"

/* Made by offload/table.c from kernels.def. */
extern const usw_kernel_t *const uswi_kernels[]; /* ends with NULL */
extern usw_alias_t uswi_aliases[];               /* ends with one whose kernel is NULL */

enum { OPERATIONS = 64, TYPES = 32 };

/* The kernels of every level, and of the two upper ones where those round too much. */
static const usw_kernel_t *by_code[OPERATIONS][TYPES];
static const usw_kernel_t *compensated[OPERATIONS][TYPES], *reproducible[OPERATIONS][TYPES];
/* How many streams each operation reads. */
static uint32_t streams_of[OPERATIONS];
static uswi_once_t once = USWI_ONCE;

static void fill_table(void) {
  for (const usw_kernel_t *const *k = uswi_kernels; *k; k++) {
    const usw_kernel_t **entry = &by_code[(*k)->operation][(*k)->type];
    if (*entry)
      entry = (*k)->accuracy == USW_REPRODUCIBLE ? &reproducible[(*k)->operation][(*k)->type]
                                                 : &compensated[(*k)->operation][(*k)->type];
    *entry = *k;
    streams_of[(*k)->operation] = uswi_inputs_of(*k);
  }
  for (usw_alias_t *alias = uswi_aliases; alias->kernel; alias++) {
    alias->own = *alias->kernel;
    alias->own.name = alias->name;
    alias->own.operation = alias->operation;
    alias->own.type = alias->type;
    by_code[alias->operation][alias->type] = &alias->own;
    streams_of[alias->operation] = uswi_inputs_of(alias->kernel);
  }
}

/* The kernels of every level, as short calls take them, once a call has come the usual way. */
static uswi_short_t shorts[OPERATIONS][TYPES];
static uswi_once_t once_short = USWI_ONCE;

static void fill_shorts(void) {
  uswi_once(&once, fill_table);
  uswi_short_prepare();
  for (int o = 0; o < OPERATIONS; o++)
    for (int t = 0; t < TYPES; t++)
      if (by_code[o][t])
        uswi_short_learn(&shorts[o][t], by_code[o][t], streams_of[o]);
}

static inline int are_codes(usw_operation_t operation, usw_type_t type) {
  return (unsigned)operation < OPERATIONS && (unsigned)type < TYPES;
}

static const usw_kernel_t *find(usw_operation_t operation, usw_type_t type, usw_accuracy_t accuracy) {
  uswi_once(&once, fill_table);
  if (!are_codes(operation, type))
    return NULL;
  const usw_kernel_t *kernel = by_code[operation][type];
  if (accuracy == USW_COMPENSATED && compensated[operation][type])
    return compensated[operation][type];
  if (accuracy >= USW_COMPENSATED && reproducible[operation][type])
    return reproducible[operation][type];
  return kernel;
}

const usw_kernel_t *uswi_kernel(usw_operation_t operation, usw_type_t type, const usw_options_t *options) {
  const usw_accuracy_t accuracy = options && options->size == sizeof *options ? options->accuracy : USW_REPEATABLE;
  const usw_kernel_t *kernel = find(operation, type, accuracy);
  if (!kernel)
    uswi_fail(USW_ERROR_UNSUPPORTED, "there is no reduction with operation %d over type %d", (int)operation, (int)type);
  return kernel;
}

const usw_kernel_t *uswi_kernel_of_streams(usw_operation_t operation, usw_type_t type, uint32_t streams,
                                           const usw_options_t *options) {
  const usw_kernel_t *kernel = uswi_kernel(operation, type, options);
  if (!kernel || streams_of[operation] == streams)
    return kernel;
  uswi_fail(USW_ERROR_UNSUPPORTED, "%s reads %u streams: use %s", kernel->name, streams_of[operation],
            streams_of[operation] == 1 ? "usw_reduce()" : "usw_reduce_pair()");
  return NULL;
}

/* What is not short. */
static __attribute__((noinline)) usw_status_t run_usual(usw_operation_t operation, usw_type_t type,
                                                        const uint64_t *slots, uint32_t streams, size_t n,
                                                        void *result_out, const usw_options_t *options) {
  const usw_kernel_t *kernel = uswi_kernel_of_streams(operation, type, streams, options);
  uswi_once(&once_short, fill_shorts);
  if (!kernel)
    return USW_ERROR_UNSUPPORTED;
  if (uswi_takes_passes(operation, type, options))
    return uswi_exact_reduce(kernel, slots, n, result_out, options);
  const usw_variable_t variable = {result_out, 1};
  return usw_kernel_run(kernel, n, slots, &variable, options);
}

/* Run the kernel of (operation, type) if it reads that many streams, the first of the slots. Inlined, with the number of
 * streams a constant. */
static inline __attribute__((always_inline)) usw_status_t run(usw_operation_t operation, usw_type_t type,
                                                              uint64_t *slots, uint32_t streams, size_t n,
                                                              void *result_out, const usw_options_t *options) {
  const usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (are_codes(operation, type) && uswi_run_short(&shorts[operation][type], slots, streams, n, result_out, options))
    return USW_OK;
  return run_usual(operation, type, slots, streams, n, result_out, options);
}

usw_status_t usw_reduce(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *result_out,
                        const usw_options_t *options) {
  uint64_t slots[USWI_MAX_LIBRARY_SLOTS] = {(uint64_t)(uintptr_t)x};
  return run(operation, type, slots, 1, n, result_out, options);
}

usw_status_t usw_reduce_pair(usw_operation_t operation, usw_type_t type, const void *x, const void *y, size_t n,
                             void *result_out, const usw_options_t *options) {
  uint64_t slots[USWI_MAX_LIBRARY_SLOTS] = {(uint64_t)(uintptr_t)x, (uint64_t)(uintptr_t)y};
  return run(operation, type, slots, 2, n, result_out, options);
}

size_t usw_result_bytes(usw_operation_t operation, usw_type_t type) {
  const usw_kernel_t *kernel = find(operation, type, USW_REPEATABLE);
  return kernel ? kernel->reducers[0].bytes : 0;
}
