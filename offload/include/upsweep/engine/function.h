/* The function that a user kernel becomes. */

#ifndef UPSWEEP_ENGINE_FUNCTION_ONCE
#define UPSWEEP_ENGINE_FUNCTION_ONCE
#define USW_FUNCTION_ADDRESS(T, n) const T *n,
#define USW_FUNCTION_VALUE(T, n) T n,
#define USW_FUNCTION_VARIABLE(T, name, ...) T *name,
#define USW_FUNCTION_SPAN(T, name, extent, ...) T *name, USW_CAT(USW_FUNCTION_EXTENT_, USW_IS_DYNAMIC(extent))(name)
#define USW_FUNCTION_EXTENT_0(name)
#define USW_FUNCTION_EXTENT_1(name) size_t name##_extent,
#define USW_SLOT_ADDRESS(T, n) slots[slot++] = (uint64_t)(uintptr_t)(n);
#define USW_SLOT_VALUE(T, n) __builtin_memcpy(&slots[slot++], &(n), sizeof(T));
#define USW_SET_VARIABLE(name, count)                                                                                  \
  variables[variable].address = (void *)(name);                                                                        \
  variables[variable++].extent = (count);
#define USW_VARIABLE_ADDRESS(T, name, ...) USW_SET_VARIABLE(name, 1)
#define USW_SPAN_ADDRESS(T, name, extent, ...)                                                                         \
  USW_SET_VARIABLE(name, USW_CAT(USW_SPAN_EXTENT_, USW_IS_DYNAMIC(extent))(name, USW_EXTENT(extent)))
#define USW_SPAN_EXTENT_0(name, extent) (extent)
#define USW_SPAN_EXTENT_1(name, extent) name##_extent
#define USW_FUNCTION_RANGE_1 size_t usw_n
#define USW_FUNCTION_RANGE_2 const usw_space_t *usw_space
#define USW_FUNCTION_RANGE_3 const usw_space_t *usw_space
#define USW_FUNCTION_PARAMETERS                                                                                        \
  USW_CAT(USW_FUNCTION_RANGE_, USW_DIMENSIONS),                                                                        \
      USW_ARGS(USW_FUNCTION_ADDRESS, USW_FUNCTION_ADDRESS, USW_FUNCTION_VALUE)                                         \
          USW_REDUCERS(USW_FUNCTION_VARIABLE, USW_FUNCTION_SPAN) const usw_options_t *usw_options
#endif

/** Runs the kernel over items 0 to n - 1, or over a space; arguments in list order, then the address of one variable per
 *  reducer (of a span's first element, and its extent where the list says USW_DYNAMIC_EXTENT).
 *  @return as usw_reduce(). */
usw_status_t USW_KERNEL(USW_FUNCTION_PARAMETERS);
usw_status_t USW_KERNEL(USW_FUNCTION_PARAMETERS) {
  enum { slot_count = 1 USW_EVERY_ARGUMENT(USW_COUNT_ONE, USW_COUNT_ONE, USW_COUNT_ONE) };
  uint64_t slots[slot_count] = {0};
  usw_variable_t variables[USW_F(_variables)];
  unsigned slot = 0 USW_SPACE_ARGUMENTS(USW_COUNT_ONE), variable = 0;
  USW_ARGS(USW_SLOT_ADDRESS, USW_SLOT_ADDRESS, USW_SLOT_VALUE)
  USW_REDUCERS(USW_VARIABLE_ADDRESS, USW_SPAN_ADDRESS)
  (void)slot;
  (void)variable;
#if USW_DIMENSIONS > 1
  return usw_kernel_run_space(&USW_F(_kernel), USW_DIMENSIONS, usw_space, slots, variables, usw_options);
#else
  return usw_kernel_run(&USW_F(_kernel), usw_n, slots, variables, usw_options);
#endif
}
