/* The functions that a user kernel becomes: one that runs it, and those of its plans. */

#ifndef UPSWEEP_ENGINE_FUNCTION_ONCE
#define UPSWEEP_ENGINE_FUNCTION_ONCE
#include <string.h>
#include <upsweep/parts.h>
#include <upsweep/plan.h>

#define USW_FUNCTION_ADDRESS(T, n) const T *n,
#define USW_FUNCTION_VALUE(T, n) T n,
#define USW_FUNCTION_OUT(T, n) T *n,
#define USW_FUNCTION_VARIABLE(T, name, ...) T *name,
#define USW_FUNCTION_SPAN(T, name, extent, ...) T *name, USW_CAT(USW_FUNCTION_EXTENT_, USW_IS_DYNAMIC(extent))(name)
#define USW_FUNCTION_EXTENT_0(name)
#define USW_FUNCTION_EXTENT_1(name) size_t name##_extent,
#define USW_FUNCTION_PUT_ADDRESS(T, n) usw_words[usw_word++] = (uint64_t)(uintptr_t)(n);
#define USW_FUNCTION_PUT_VALUE(T, n) __builtin_memcpy(&usw_words[usw_word++], &(n), sizeof(T));
#define USW_SET_VARIABLE(name, count)                                                                                  \
  usw_variables[usw_variable].address = (void *)(name);                                                                \
  usw_variables[usw_variable++].extent = (count);
#define USW_VARIABLE_ADDRESS(T, name, ...) USW_SET_VARIABLE(name, usw_count)
#define USW_SPAN_ADDRESS(T, name, extent, ...)                                                                         \
  USW_SET_VARIABLE(name, USW_CAT(USW_SPAN_EXTENT_, USW_IS_DYNAMIC(extent))(name, USW_EXTENT(extent)))
#define USW_SPAN_EXTENT_0(name, extent) (extent)
#define USW_SPAN_EXTENT_1(name, extent) name##_extent
#define USW_NAME_ONLY(T, n) n,
#define USW_NAME_OF_VARIABLE(T, name, ...) name,
#define USW_NAME_OF_SPAN(T, name, extent, ...) name, USW_CAT(USW_NAME_EXTENT_, USW_IS_DYNAMIC(extent))(name)
#define USW_NAME_EXTENT_0(name)
#define USW_NAME_EXTENT_1(name) name##_extent,
#define USW_FUNCTION_RANGE_1 size_t usw_n USW_FUNCTION_RESULTS(USW_SEGMENTS)
#define USW_FUNCTION_RESULTS(has_segments) USW_FUNCTION_RESULTS_IF(has_segments)
#define USW_FUNCTION_RESULTS_IF(has_segments) USW_FUNCTION_RESULTS_##has_segments
#define USW_FUNCTION_RESULTS_0 USW_WHERE_MANY(, size_t usw_results)
#define USW_FUNCTION_RESULTS_1 , const usw_segments_t *usw_segments
#define USW_FUNCTION_RANGE_2 const usw_space_t *usw_space USW_WHERE_SPACE(, uint32_t usw_axes)
#define USW_FUNCTION_RANGE_3 USW_FUNCTION_RANGE_2
#define USW_FUNCTION_ARGUMENTS                                                                                         \
  USW_OWN_ARGUMENTS(USW_FUNCTION_ADDRESS, USW_FUNCTION_ADDRESS, USW_FUNCTION_VALUE, USW_FUNCTION_OUT)                  \
  USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN)
/* Tells callers in the same file, if they are compiled by gcc, that what a variable holds is read: gcc warns of one that holds
 * nothing yet (-Wmaybe-uninitialized), of a call that it does not inline. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ > 10
#define USW_NUMBERED(T, n) USW_OF(_parameter_, n),
#define USW_R_NUMBERED(T, n, ...) USW_NUMBERED(T, n)
#define USW_S_NUMBERED(T, n, extent, ...)                                                                              \
  USW_NUMBERED(T, n) USW_CAT(USW_PARAMETER_OF_EXTENT_, USW_IS_DYNAMIC(extent))(n)
#define USW_PARAMETER_OF_EXTENT_0(n)
#define USW_PARAMETER_OF_EXTENT_1(n) USW_NUMBERED(size_t, n##_extent)
#define USW_R_READS(T, n, ...) USW_CAT(USW_READS_, USW_IS_FRESH(__VA_ARGS__))(n)
#define USW_S_READS(T, n, extent, ...) USW_R_READS(T, n, __VA_ARGS__)
#define USW_READS_0(n) __attribute__((access(read_write, (int)USW_OF(_parameter_, n))))
#define USW_READS_1(n)
#define USW_NOT_INLINED __attribute__((noinline))
#define USW_FUNCTION_PARAMETER_NUMBERS                                                                                 \
  enum {                                                                                                               \
    USW_F(_parameter_of_range) = 1 USW_WHERE_MANY(+1),                                                                 \
    USW_OWN_ARGUMENTS(USW_NUMBERED, USW_NUMBERED, USW_NUMBERED, USW_NUMBERED)                                          \
        USW_REDUCERS(USW_R_NUMBERED, USW_S_NUMBERED) USW_F(_parameter_of_options)                                      \
  };
#else
#define USW_R_READS(T, n, ...)
#define USW_S_READS(T, n, ...)
#define USW_NOT_INLINED
#define USW_FUNCTION_PARAMETER_NUMBERS
#endif
#define USW_FUNCTION_PARAMETERS USW_CAT(USW_FUNCTION_RANGE_, USW_DIMENSIONS), USW_FUNCTION_ARGUMENTS
/* The same of a plan's runs: segments are the plan's, and of a kernel of axes the space. */
#define USW_PLAN_PARAMETERS USW_WHERE_NO_SPACE(USW_CAT(USW_PLAN_RANGE_, USW_DIMENSIONS), ) USW_FUNCTION_ARGUMENTS
#define USW_PLAN_RANGE_1 size_t usw_n USW_PLAN_RESULTS(USW_SEGMENTS)
#define USW_PLAN_RESULTS(has_segments) USW_PLAN_RESULTS_IF(has_segments)
#define USW_PLAN_RESULTS_IF(has_segments) USW_PLAN_RESULTS_##has_segments
#define USW_PLAN_RESULTS_0 USW_FUNCTION_RESULTS_0
#define USW_PLAN_RESULTS_1
#define USW_PLAN_RANGE_2 USW_FUNCTION_RANGE_2
#define USW_PLAN_RANGE_3 USW_FUNCTION_RANGE_3
/* The number of items, and the arguments that a space takes. */
#define USW_PLAN_ITEMS                                                                                                 \
  USW_WHERE_SPACE(const size_t usw_n = 0) USW_WHERE_NO_SPACE(USW_CAT(USW_PLAN_ITEMS_, USW_DIMENSIONS))
#define USW_PLAN_ITEMS_1 (void)0
#define USW_PLAN_ITEMS_2                                                                                               \
  size_t usw_n;                                                                                                        \
  const usw_status_t usw_status = usw_plan_space(usw_plan, USW_DIMENSIONS, usw_space, usw_words, &usw_n);              \
  if (usw_status != USW_OK)                                                                                            \
  return usw_status
#define USW_PLAN_ITEMS_3 USW_PLAN_ITEMS_2
/* The parameters again, to hand on. */
#define USW_FUNCTION_RANGE_NAMES_1 usw_n USW_FUNCTION_RESULTS_NAME(USW_SEGMENTS)
#define USW_FUNCTION_RESULTS_NAME(has_segments) USW_FUNCTION_RESULTS_NAME_IF(has_segments)
#define USW_FUNCTION_RESULTS_NAME_IF(has_segments) USW_FUNCTION_RESULTS_NAME_##has_segments
#define USW_FUNCTION_RESULTS_NAME_0 USW_WHERE_MANY(, usw_results)
#define USW_FUNCTION_RESULTS_NAME_1 , usw_segments
#define USW_FUNCTION_RANGE_NAMES_2 usw_space USW_WHERE_SPACE(, usw_axes)
#define USW_FUNCTION_RANGE_NAMES_3 USW_FUNCTION_RANGE_NAMES_2
#define USW_FUNCTION_NAMES                                                                                             \
  USW_CAT(USW_FUNCTION_RANGE_NAMES_, USW_DIMENSIONS),                                                                  \
      USW_OWN_ARGUMENTS(USW_NAME_ONLY, USW_NAME_ONLY, USW_NAME_ONLY, USW_NAME_ONLY)                                    \
          USW_REDUCERS(USW_NAME_OF_VARIABLE, USW_NAME_OF_SPAN)
static inline usw_options_t usw_options_from_identity(const usw_options_t *options) {
  usw_options_t fresh;
  memset(&fresh, 0, sizeof fresh);
  fresh.size = sizeof fresh;
  if (options)
    fresh = *options;
  fresh.initialize_to_identity = UINT64_MAX;
  return fresh;
}
/* Of a part there are the kernel's own arguments, of all parts the variables. */
#define USW_PART_ADDRESS(T, n) , const T *n
#define USW_PART_VALUE(T, n) , T n
#define USW_PART_OUT(T, n) , T *n
#define USW_PART_ARGUMENTS USW_OWN_ARGUMENTS(USW_PART_ADDRESS, USW_PART_ADDRESS, USW_PART_VALUE, USW_PART_OUT)
#define USW_PARTS_VARIABLES                                                                                            \
  usw_variable_t usw_variables[USW_F(_variables)];                                                                     \
  const unsigned usw_count = 1;                                                                                        \
  unsigned usw_variable = 0;                                                                                           \
  USW_REDUCERS(USW_VARIABLE_ADDRESS, USW_SPAN_ADDRESS)                                                                 \
  (void)usw_count
#define USW_FUNCTION_TIMES_RESULTS(has_segments) USW_FUNCTION_TIMES_RESULTS_IF(has_segments)
#define USW_FUNCTION_TIMES_RESULTS_IF(has_segments) USW_FUNCTION_TIMES_RESULTS_##has_segments
#define USW_FUNCTION_TIMES_RESULTS_0 USW_WHERE_NO_SPACE(USW_WHERE_MANY(*usw_results))
#define USW_FUNCTION_TIMES_RESULTS_1 *(usw_segments ? usw_segments->count : 0)
#define USW_PLAN_TIMES_RESULTS(has_segments) USW_PLAN_TIMES_RESULTS_IF(has_segments)
#define USW_PLAN_TIMES_RESULTS_IF(has_segments) USW_PLAN_TIMES_RESULTS_##has_segments
#define USW_PLAN_TIMES_RESULTS_0 USW_FUNCTION_TIMES_RESULTS_0
#define USW_PLAN_TIMES_RESULTS_1
#define USW_FUNCTION_WORDS USW_WORDS_OF(1 USW_FUNCTION_TIMES_RESULTS(USW_SEGMENTS))
#define USW_PLAN_WORDS USW_WORDS_OF(1 USW_PLAN_TIMES_RESULTS(USW_SEGMENTS))
/* The arguments as the library takes them, in arrays of the function's own. */
#define USW_WORDS_OF(results)                                                                                          \
  uint64_t usw_words[USW_F(_argument_count)] = {0};                                                                    \
  usw_variable_t usw_variables[USW_F(_variables)];                                                                     \
  USW_F(_fill_arguments)                                                                                               \
  (usw_words, usw_variables,                                                                                           \
   USW_OWN_ARGUMENTS(USW_NAME_ONLY, USW_NAME_ONLY, USW_NAME_ONLY, USW_NAME_ONLY)                                       \
       USW_REDUCERS(USW_NAME_OF_VARIABLE, USW_NAME_OF_SPAN) results)
#endif

enum { USW_F(_argument_count) = 1 USW_EVERY_ARGUMENT(USW_COUNT_ONE, USW_COUNT_ONE, USW_COUNT_ONE, USW_COUNT_ONE) };

/* usw_count: results of each variable. */
static inline void USW_F(_fill_arguments)(uint64_t *usw_words, usw_variable_t *usw_variables,
                                          USW_FUNCTION_ARGUMENTS size_t usw_count) {
  unsigned usw_word = 0 USW_SPACE_ARGUMENTS(USW_COUNT_ONE), usw_variable = 0;
  USW_OWN_ARGUMENTS(USW_FUNCTION_PUT_ADDRESS, USW_FUNCTION_PUT_ADDRESS, USW_FUNCTION_PUT_VALUE,
                    USW_FUNCTION_PUT_ADDRESS)
  USW_REDUCERS(USW_VARIABLE_ADDRESS, USW_SPAN_ADDRESS)
  (void)usw_words, (void)usw_word, (void)usw_variable, (void)usw_count;
}

/** Runs the kernel over items 0 to n - 1, or over a space; arguments in list order, then the address of one variable per
 *  reducer (of a span's first element, and its extent where the list says USW_DYNAMIC_EXTENT).
 *  @return as usw_reduce(). */
USW_FUNCTION_PARAMETER_NUMBERS
usw_status_t USW_KERNEL(USW_FUNCTION_PARAMETERS const usw_options_t *usw_options) USW_NOT_INLINED
    USW_REDUCERS(USW_R_READS, USW_S_READS);
usw_status_t USW_KERNEL(USW_FUNCTION_PARAMETERS const usw_options_t *usw_options) {
  USW_FUNCTION_WORDS;
#if USW_AXES_OF_SPACE
  return usw_kernel_run_axes(&USW_F(_kernel), USW_DIMENSIONS, usw_space, usw_axes, usw_words, usw_variables,
                             usw_options);
#elif USW_DIMENSIONS > 1
  return usw_kernel_run_space(&USW_F(_kernel), USW_DIMENSIONS, usw_space, usw_words, usw_variables, usw_options);
#elif USW_SEGMENTS
  return usw_kernel_run_segments(&USW_F(_kernel), usw_n, usw_segments, usw_words, usw_variables, usw_options);
#else
  return usw_kernel_run(&USW_F(_kernel), usw_n, usw_words, usw_variables, usw_options);
#endif
}

/** Runs it with all variables beginning with the identity: they need not be initialized.
 *  @return as usw_reduce(); USW_ERROR_NO_IDENTITY if a reducer's operator has none. */
usw_status_t USW_F(_fresh)(USW_FUNCTION_PARAMETERS const usw_options_t *usw_options) USW_NOT_INLINED;
usw_status_t USW_F(_fresh)(USW_FUNCTION_PARAMETERS const usw_options_t *usw_options) {
  const usw_options_t usw_from_identity = usw_options_from_identity(usw_options);
  return USW_KERNEL(USW_FUNCTION_NAMES & usw_from_identity);
}

#if USW_SEGMENTS
/** Makes a plan of the kernel, whose runs take these segments. @return as usw_plan_create_kernel_segments(). */
usw_status_t USW_F(_plan_create_segments)(usw_plan_t **usw_plan_out, const usw_segments_t *usw_segments,
                                          const usw_options_t *usw_options);
usw_status_t USW_F(_plan_create_segments)(usw_plan_t **usw_plan_out, const usw_segments_t *usw_segments,
                                          const usw_options_t *usw_options) {
  return usw_plan_create_kernel_segments(usw_plan_out, &USW_F(_kernel), usw_segments, usw_options);
}
#elif USW_AXES_OF_SPACE
/** Makes a plan of the kernel for a space and its axes. @return as usw_plan_create_kernel_axes(). */
usw_status_t USW_F(_plan_create)(usw_plan_t **usw_plan_out, const usw_space_t *usw_space, uint32_t usw_axes,
                                 const usw_options_t *usw_options);
usw_status_t USW_F(_plan_create)(usw_plan_t **usw_plan_out, const usw_space_t *usw_space, uint32_t usw_axes,
                                 const usw_options_t *usw_options) {
  return usw_plan_create_kernel_axes(usw_plan_out, &USW_F(_kernel), USW_DIMENSIONS, usw_space, usw_axes, usw_options);
}
#else
/** Makes a plan of the kernel. @return as usw_plan_create_kernel(). */
usw_status_t USW_F(_plan_create)(usw_plan_t **usw_plan_out, const usw_options_t *usw_options);
usw_status_t USW_F(_plan_create)(usw_plan_t **usw_plan_out, const usw_options_t *usw_options) {
  return usw_plan_create_kernel(usw_plan_out, &USW_F(_kernel), usw_options);
}
#endif

/** Runs such a plan: arguments as the kernel's function but for segments, the plan in place of the options.
 *  @return as usw_plan_run_kernel(). */
usw_status_t USW_F(_plan_run)(USW_PLAN_PARAMETERS usw_plan_t *usw_plan);
usw_status_t USW_F(_plan_run)(USW_PLAN_PARAMETERS usw_plan_t *usw_plan) {
  USW_PLAN_WORDS;
  USW_PLAN_ITEMS;
  return usw_plan_run_kernel(usw_plan, &USW_F(_kernel), usw_n, usw_words, usw_variables);
}

/** Binds the plan to these arguments, for usw_plan_run_bound(). @return as usw_plan_bind_kernel(). */
usw_status_t USW_F(_plan_bind)(USW_PLAN_PARAMETERS usw_plan_t *usw_plan);
usw_status_t USW_F(_plan_bind)(USW_PLAN_PARAMETERS usw_plan_t *usw_plan) {
  USW_PLAN_WORDS;
  USW_PLAN_ITEMS;
  return usw_plan_bind_kernel(usw_plan, &USW_F(_kernel), usw_n, usw_words, usw_variables);
}

/** Starts it. @return as usw_plan_start_kernel(). */
usw_status_t USW_F(_plan_start)(USW_PLAN_PARAMETERS usw_plan_t *usw_plan, usw_request_t *usw_request_out);
usw_status_t USW_F(_plan_start)(USW_PLAN_PARAMETERS usw_plan_t *usw_plan, usw_request_t *usw_request_out) {
  USW_PLAN_WORDS;
  USW_PLAN_ITEMS;
  return usw_plan_start_kernel(usw_plan, &USW_F(_kernel), usw_n, usw_words, usw_variables, usw_request_out);
}

/** Puts it into the plan's stream. @return as usw_plan_enqueue_kernel(). */
usw_status_t USW_F(_plan_enqueue)(USW_PLAN_PARAMETERS usw_plan_t *usw_plan);
usw_status_t USW_F(_plan_enqueue)(USW_PLAN_PARAMETERS usw_plan_t *usw_plan) {
  USW_PLAN_WORDS;
  USW_PLAN_ITEMS;
  return usw_plan_enqueue_kernel(usw_plan, &USW_F(_kernel), usw_n, usw_words, usw_variables);
}

#if USW_PARTS
USW_ASSERT((int)USW_F(_argument_count) - 1 <= USW_MAX_PART_ARGUMENTS,
           "USW_PARTS: a kernel has too many arguments, see USW_MAX_PART_ARGUMENTS");

/** Describes a part of the items by the number of its own and the arguments of the kernel's function; where it runs is found by its
 *  addresses, unless the caller changes that. @return the part, for the functions below. */
usw_kernel_part_t USW_F(_part)(size_t usw_n USW_PART_ARGUMENTS);
usw_kernel_part_t USW_F(_part)(size_t usw_n USW_PART_ARGUMENTS) {
  usw_kernel_part_t usw_part;
  uint64_t *const usw_words = usw_part.arguments;
  unsigned usw_word = 0;
  memset(&usw_part, 0, sizeof usw_part);
  usw_part.size = sizeof usw_part;
  usw_part.n = usw_n;
  usw_part.kernel = &USW_F(_kernel);
  USW_OWN_ARGUMENTS(USW_FUNCTION_PUT_ADDRESS, USW_FUNCTION_PUT_ADDRESS, USW_FUNCTION_PUT_VALUE,
                    USW_FUNCTION_PUT_ADDRESS)
  (void)usw_words, (void)usw_word;
  return usw_part;
}

/** Runs the kernel over all parts: the variables as in the kernel's function. @return as usw_kernel_run_parts(). */
usw_status_t USW_F(_parts)(const usw_kernel_part_t *usw_parts, size_t usw_part_count,
                           USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN) const usw_options_t *usw_options);
usw_status_t USW_F(_parts)(const usw_kernel_part_t *usw_parts, size_t usw_part_count,
                           USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN) const usw_options_t *usw_options) {
  USW_PARTS_VARIABLES;
  return usw_kernel_run_parts(&USW_F(_kernel), usw_parts, usw_part_count, usw_variables, usw_options);
}

/** The same with all variables beginning with the identity. @return as usw_kernel_run_parts(). */
usw_status_t USW_F(_parts_fresh)(const usw_kernel_part_t *usw_parts, size_t usw_part_count,
                                 USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN)
                                     const usw_options_t *usw_options);
usw_status_t USW_F(_parts_fresh)(const usw_kernel_part_t *usw_parts, size_t usw_part_count,
                                 USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN)
                                     const usw_options_t *usw_options) {
  const usw_options_t usw_from_identity = usw_options_from_identity(usw_options);
  return USW_F(_parts)(usw_parts, usw_part_count,
                       USW_REDUCERS(USW_NAME_OF_VARIABLE, USW_NAME_OF_SPAN) & usw_from_identity);
}

/** Makes a plan of the kernel over these parts. @return as usw_plan_create_kernel_parts(). */
usw_status_t USW_F(_plan_create_parts)(usw_plan_t **usw_plan_out, const usw_kernel_part_t *usw_parts,
                                       size_t usw_part_count, const usw_options_t *usw_options);
usw_status_t USW_F(_plan_create_parts)(usw_plan_t **usw_plan_out, const usw_kernel_part_t *usw_parts,
                                       size_t usw_part_count, const usw_options_t *usw_options) {
  return usw_plan_create_kernel_parts(usw_plan_out, &USW_F(_kernel), usw_parts, usw_part_count, usw_options);
}

/** Runs such a plan. @return as usw_plan_run_kernel_parts(). */
usw_status_t USW_F(_plan_run_parts)(USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN) usw_plan_t *usw_plan);
usw_status_t USW_F(_plan_run_parts)(USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN) usw_plan_t *usw_plan) {
  USW_PARTS_VARIABLES;
  return usw_plan_run_kernel_parts(usw_plan, &USW_F(_kernel), usw_variables);
}

/** Starts it. @return as usw_plan_start_kernel_parts(). */
usw_status_t USW_F(_plan_start_parts)(USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN) usw_plan_t *usw_plan,
                                      usw_request_t *usw_request_out);
usw_status_t USW_F(_plan_start_parts)(USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN) usw_plan_t *usw_plan,
                                      usw_request_t *usw_request_out) {
  USW_PARTS_VARIABLES;
  return usw_plan_start_kernel_parts(usw_plan, &USW_F(_kernel), usw_variables, usw_request_out);
}
#endif
