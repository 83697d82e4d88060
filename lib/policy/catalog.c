#include "policy/catalog.h"

#include <stdio.h>
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
typedef by_level_t by_code_t[USWI_OPERATIONS][USWI_TYPES];
/* The kernels of one result, those along axes, those of scans, and of scans of segments; each of every NaN policy, and those that pass over NaNs, where these are
 * others. */
typedef enum { OF_ONE_RESULT, OF_AXES, OF_SCANS, OF_SEGMENT_SCANS, FAMILIES } family_t;
typedef struct {
  by_code_t of_all, of_numbers;
} kernels_t;
static kernels_t kernels[FAMILIES];
/* How many streams each operation reads. */
static uswi_once_t once = USWI_ONCE;

static const char *const operation_names[USWI_OPERATIONS] = {
#define NAME(name, OPERATION, ...) [USW_##OPERATION] = #name,
    USW_FUNCTIONS(NAME, )
#undef NAME
};
static const char *const type_names[USWI_TYPES] = {
#define NAME(tag, CODE, ...) [USW_##CODE] = #tag,
    USW_TYPES(NAME, )
#undef NAME
};

const char *uswi_operation_name(usw_operation_t operation) {
  return (unsigned)operation < USWI_OPERATIONS ? operation_names[operation] : NULL;
}

const char *uswi_type_name(usw_type_t type) { return (unsigned)type < USWI_TYPES ? type_names[type] : NULL; }

const char *uswi_list_types(uswi_has_type_t has, usw_operation_t operation, char list[USWI_TYPE_LIST_BYTES]) {
  const char *before = "";
  int last = 0, length = 0;
  *list = 0;
  for (int type = 0; type < USWI_TYPES; type++)
    if (type_names[type] && has(operation, (usw_type_t)type))
      last = type;
  for (int type = 0; type <= last && length < USWI_TYPE_LIST_BYTES; type++) {
    if (!type_names[type] || !has(operation, (usw_type_t)type))
      continue;
    length += snprintf(list + length, (size_t)(USWI_TYPE_LIST_BYTES - length), "%s%s",
                       *before && type == last ? " and " : before, type_names[type]);
    before = ", ";
  }
  return list;
}

usw_status_t uswi_check_codes(usw_operation_t operation, usw_type_t type) {
  if (!uswi_operation_name(operation))
    return uswi_fail(USW_ERROR_UNSUPPORTED, "operation %d is none of usw_operation_t: USW_PLUS for example",
                     (int)operation);
  if (!uswi_type_name(type))
    return uswi_fail(USW_ERROR_UNSUPPORTED, "type %d is none of usw_type_t: USW_F64 for example", (int)type);
  return USW_OK;
}

/* A kernel that serves another type, under its name and codes. */
static const usw_kernel_t *rename_kernel(usw_kernel_t *own, const usw_kernel_t *kernel, const usw_alias_t *alias) {
  *own = *kernel;
  own->name = alias->name;
  own->operation = alias->operation;
  own->type = alias->type;
  return own;
}

static family_t family_of(const usw_kernel_t *kernel) {
  return kernel->facts & USW_FACT_AXES       ? OF_AXES
         : kernel->facts & USW_FACT_RESTARTS ? OF_SEGMENT_SCANS
         : kernel->facts & USW_FACT_SCAN     ? OF_SCANS
                                             : OF_ONE_RESULT;
}

static void fill_table(void) {
  for (const usw_kernel_t *const *k = uswi_kernels; *k; k++) {
    kernels_t *const of = &kernels[family_of(*k)];
    const int passes_nans = ((*k)->facts & USW_FACT_PASSES_NANS) != 0;
    by_level_t *levels = &(passes_nans ? of->of_numbers : of->of_all)[(*k)->operation][(*k)->type];
    const int level = (*k)->accuracy == USW_REPRODUCIBLE ? REPRODUCIBLE : COMPENSATED;
    (*levels)[(*levels)[ANY_LEVEL] ? level : ANY_LEVEL] = *k;
  }
  for (usw_alias_t *alias = uswi_aliases; alias->kernel; alias++) {
    kernels[family_of(alias->kernel)].of_all[alias->operation][alias->type][ANY_LEVEL] =
        rename_kernel(&alias->own, alias->kernel, alias);
  }
}

static const usw_kernel_t *find(family_t family, usw_operation_t operation, usw_type_t type, usw_accuracy_t accuracy,
                                usw_nan_t nan) {
  uswi_once(&once, fill_table);
  if (!uswi_are_codes(operation, type))
    return NULL;
  const by_level_t *levels = &kernels[family].of_numbers[operation][type];
  if (nan != USW_NAN_IGNORE || !(*levels)[ANY_LEVEL])
    levels = &kernels[family].of_all[operation][type];
  if (accuracy == USW_COMPENSATED && (*levels)[COMPENSATED])
    return (*levels)[COMPENSATED];
  if (accuracy >= USW_COMPENSATED && (*levels)[REPRODUCIBLE])
    return (*levels)[REPRODUCIBLE];
  return (*levels)[ANY_LEVEL];
}

const usw_kernel_t *uswi_kernel_at(usw_operation_t operation, usw_type_t type, usw_accuracy_t accuracy, usw_nan_t nan) {
  return find(OF_ONE_RESULT, operation, type, accuracy, nan);
}

/* The options, or the defaults for none and for those of another size, which the checks of a call refuse. */
static const usw_options_t *known_options(const usw_options_t *options) {
  return options && options->size == sizeof *options ? options : &uswi_default_options;
}

static int has_kernel(usw_operation_t operation, usw_type_t type) {
  return kernels[OF_ONE_RESULT].of_all[operation][type][ANY_LEVEL] != NULL;
}

const usw_kernel_t *uswi_kernel(usw_operation_t operation, usw_type_t type, const usw_options_t *options) {
  options = known_options(options);
  const usw_kernel_t *kernel = uswi_kernel_at(operation, type, options->accuracy, options->nan);
  if (!kernel && uswi_check_codes(operation, type) == USW_OK) {
    char list[USWI_TYPE_LIST_BYTES];
    uswi_fail(USW_ERROR_UNSUPPORTED, "there is no %s of %s: it takes %s", uswi_operation_name(operation),
              uswi_type_name(type), uswi_list_types(has_kernel, operation, list));
  }
  return kernel;
}

const usw_kernel_t *uswi_kernel_of_streams(usw_operation_t operation, usw_type_t type, uint32_t streams,
                                           const usw_options_t *options) {
  const usw_kernel_t *kernel = uswi_kernel(operation, type, options);
  if (!kernel || kernel->stream_count == streams)
    return kernel;
  /* One text for all families. */
  uswi_fail(USW_ERROR_UNSUPPORTED, "%s reads %s", kernel->name,
            kernel->stream_count == 1
                ? "1 stream: use a call that takes x alone, such as usw_reduce() or usw_reduce_axes()"
                : "2 streams: use a call that takes x and y, such as usw_reduce_pair() or usw_reduce_axes_pair()");
  return NULL;
}

/* Its name is that of the kernel for one result, behind "axes_". */
const usw_kernel_t *uswi_kernel_of_many(usw_operation_t operation, usw_type_t type, uint32_t streams,
                                        const usw_options_t *options, const char **name_out) {
  const usw_options_t *const known = known_options(options);
  const usw_kernel_t *const of_many = find(OF_AXES, operation, type, known->accuracy, known->nan);
  if (of_many && of_many->stream_count == streams) {
    *name_out = of_many->name + sizeof "axes_" - 1;
    return of_many;
  }
  const usw_kernel_t *const of_one = uswi_kernel_of_streams(operation, type, streams, options);
  if (of_one)
    uswi_fail(USW_ERROR_UNSUPPORTED, "%s: this library has no kernel along axes", of_one->name);
  return NULL;
}

static int has_scan(usw_operation_t operation, usw_type_t type) {
  return kernels[OF_SCANS].of_all[operation][type][ANY_LEVEL] != NULL;
}

const usw_kernel_t *uswi_find_segment_scan(usw_operation_t operation, usw_type_t type, const usw_options_t *options) {
  options = known_options(options);
  return find(OF_SEGMENT_SCANS, operation, type, options->accuracy, options->nan);
}

const usw_kernel_t *uswi_kernel_of_scan(usw_operation_t operation, usw_type_t type, int is_of_segments,
                                        const usw_options_t *options) {
  options = known_options(options);
  const usw_kernel_t *const kernel =
      find(is_of_segments ? OF_SEGMENT_SCANS : OF_SCANS, operation, type, options->accuracy, options->nan);
  if (!kernel && uswi_check_codes(operation, type) == USW_OK) {
    char list[USWI_TYPE_LIST_BYTES];
    uswi_list_types(has_scan, operation, list);
    uswi_fail(USW_ERROR_UNSUPPORTED, "there is no scan by %s of %s%s%s", uswi_operation_name(operation),
              uswi_type_name(type), *list ? ": it takes " : "", list);
  }
  return kernel;
}
