#include "policy/catalog.h"

#include <upsweep/upsweep.h>

#include "base/error.h"
#include "base/once.h"
#include "policy/call.h"

/* Made by offload/table.c from kernels.def. */
extern const usw_kernel_t *const uswi_kernels[]; /* ends with NULL */
extern usw_alias_t uswi_aliases[];               /* ends with one whose kernel is NULL */

/* The kernels of every level, and of the two upper ones where those round too much. */
enum { ANY_LEVEL, COMPENSATED, REPRODUCIBLE, LEVELS };
typedef const usw_kernel_t *by_level_t[LEVELS];
static by_level_t by_code[USWI_OPERATIONS][USWI_TYPES];
/* Those that pass over NaNs, where those of every policy are others. */
static by_level_t of_numbers[USWI_OPERATIONS][USWI_TYPES];
/* How many streams each operation reads. */
static uint32_t streams_of[USWI_OPERATIONS];
static uswi_once_t once = USWI_ONCE;

static void fill_table(void) {
  for (const usw_kernel_t *const *k = uswi_kernels; *k; k++) {
    const int passes_nans = ((*k)->facts & USW_FACT_PASSES_NANS) != 0;
    by_level_t *levels = &(passes_nans ? of_numbers : by_code)[(*k)->operation][(*k)->type];
    const int level = (*k)->accuracy == USW_REPRODUCIBLE ? REPRODUCIBLE : COMPENSATED;
    (*levels)[(*levels)[ANY_LEVEL] ? level : ANY_LEVEL] = *k;
    streams_of[(*k)->operation] = uswi_streams_of(*k);
  }
  for (usw_alias_t *alias = uswi_aliases; alias->kernel; alias++) {
    alias->own = *alias->kernel;
    alias->own.name = alias->name;
    alias->own.operation = alias->operation;
    alias->own.type = alias->type;
    by_code[alias->operation][alias->type][ANY_LEVEL] = &alias->own;
    streams_of[alias->operation] = uswi_streams_of(alias->kernel);
  }
}

const usw_kernel_t *uswi_kernel_at(usw_operation_t operation, usw_type_t type, usw_accuracy_t accuracy, usw_nan_t nan) {
  uswi_once(&once, fill_table);
  if (!uswi_are_codes(operation, type))
    return NULL;
  const by_level_t *levels = &of_numbers[operation][type];
  if (nan != USW_NAN_IGNORE || !(*levels)[ANY_LEVEL])
    levels = &by_code[operation][type];
  if (accuracy == USW_COMPENSATED && (*levels)[COMPENSATED])
    return (*levels)[COMPENSATED];
  if (accuracy >= USW_COMPENSATED && (*levels)[REPRODUCIBLE])
    return (*levels)[REPRODUCIBLE];
  return (*levels)[ANY_LEVEL];
}

const usw_kernel_t *uswi_kernel(usw_operation_t operation, usw_type_t type, const usw_options_t *options) {
  if (!options || options->size != sizeof *options)
    options = &uswi_default_options;
  const usw_kernel_t *kernel = uswi_kernel_at(operation, type, options->accuracy, options->nan);
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
