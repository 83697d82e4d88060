/* The kernel's descriptor: what the library knows of it. */

#ifndef UPSWEEP_ENGINE_DESCRIPTOR_ONCE
#define UPSWEEP_ENGINE_DESCRIPTOR_ONCE
#define USW_DESCRIBE_IN(T, n) {#n, USW_ARGUMENT_IN, sizeof(T), __alignof__(T)},
#define USW_DESCRIBE_ARRAY(T, n) {#n, USW_ARGUMENT_ARRAY, sizeof(T), __alignof__(T)},
#define USW_DESCRIBE_VALUE(T, n) {#n, USW_ARGUMENT_VALUE, sizeof(T), __alignof__(T)},
#define USW_CHECK_VALUE(T, n)                                                                                          \
  USW_ASSERT(sizeof(T) <= 8, "VALUE '" #n "' is over 8 bytes: pass its address as an ARRAY");
#define USW_DESCRIBE_REDUCER(T, n, count, ...)                                                                         \
  {#n,                                                                                                                 \
   (uint32_t)USW_OF(_code_, n),                                                                                        \
   (uint32_t)((count) * sizeof(T)),                                                                                    \
   __alignof__(T),                                                                                                     \
   USW_BY_KIND(USW_HAS_IDENTITY_, __VA_ARGS__),                                                                        \
   USW_OF(_dimensions_, n),                                                                                            \
   count},
#define USW_R_DESCRIBE(T, n, ...) USW_DESCRIBE_REDUCER(T, n, 1, __VA_ARGS__)
#define USW_S_DESCRIBE(T, n, extent, ...) USW_DESCRIBE_REDUCER(T, n, extent, __VA_ARGS__)
#define USW_ABSORB_KNOWN(at)
#define USW_ABSORB_GIVEN(at)
#define USW_ABSORB_NONE(at) before.has_##at = 1;
#define USW_ABSORB(T, n, at, offset, ...)                                                                              \
  __builtin_memcpy((void *)&before.at, (const char *)variables[USW_OF(_position_, n)] + (offset), sizeof(T));          \
  USW_BY_KIND(USW_ABSORB_, __VA_ARGS__)(at)
#define USW_R_ABSORB(T, n, ...)                                                                                        \
  if (!((skip >> USW_OF(_position_, n)) & 1)) {                                                                        \
    USW_ABSORB(T, n, n, 0, __VA_ARGS__)                                                                                \
  }
#define USW_S_ABSORB(T, n, extent, ...)                                                                                \
  for (size_t k = 0; k < (extent) && !((skip >> USW_OF(_position_, n)) & 1); k++) {                                    \
    USW_ABSORB(T, n, n[k], k * sizeof(T), __VA_ARGS__)                                                                 \
  }
#define USW_MARK_EMPTY(n, at, ...)                                                                                     \
  empty |= (uint64_t)!(USW_BY_KIND(USW_HAS_, __VA_ARGS__)(a, at)) << USW_OF(_position_, n);
#define USW_R_EMPTY(T, n, ...) USW_MARK_EMPTY(n, n, __VA_ARGS__)
#define USW_S_EMPTY(T, n, extent, ...)                                                                                 \
  for (size_t k = 0; k < (extent); k++) {                                                                              \
    USW_MARK_EMPTY(n, n[k], __VA_ARGS__)                                                                               \
  }
#define USW_WRITE(T, n, ...) __builtin_memcpy(variables[USW_OF(_position_, n)], &a->n, sizeof a->n);
#ifdef __clang__
#define USW_LLVM_MAJOR __clang_major__
#else
#define USW_LLVM_MAJOR 0
#endif
#endif

USW_ARGS(USW_NOTHING, USW_NOTHING, USW_CHECK_VALUE)

static void USW_F(_identity_of)(void *a) { USW_F(_identity)((USW_F(_acc) *)a); }
static void USW_F(_merge_of)(void *into, const void *from) {
  USW_F(_merge)((USW_F(_acc) *)into, (const USW_F(_acc) *)from);
}

#ifdef USW_RESULT /* the kernel writes one result object of its own and starts from the identity */
static uint64_t USW_F(_finish_of)(const void *a, void *const *variables) {
  USW_RESULT result;
  USW_F(_finish)((const USW_F(_acc) *)a, &result);
  __builtin_memcpy(variables[0], &result, sizeof result);
  return 0;
}
static const usw_reducer_t USW_F(_reducers)[] = {
    {"result", USW_NO_OPERATION, sizeof(USW_RESULT), __alignof__(USW_RESULT), 1, 0, 1}};
#define USW_ABSORB_FUNCTION NULL
#else /* one variable per reducer */
/* The original values come before every item. */
static void USW_F(_absorb_of)(void *a, void *const *variables, uint64_t skip, int is_empty) {
  USW_F(_acc) before;
  USW_F(_identity)(&before);
  USW_REDUCERS(USW_R_ABSORB, USW_S_ABSORB)
  if (!is_empty)
    USW_F(_merge)(&before, (const USW_F(_acc) *)a);
  *(USW_F(_acc) *)a = before;
}
static uint64_t USW_F(_finish_of)(const void *accumulator, void *const *variables) {
  const USW_F(_acc) *a = (const USW_F(_acc) *)accumulator;
  uint64_t empty = 0;
  USW_REDUCERS(USW_R_EMPTY, USW_S_EMPTY)
  if (empty)
    return empty;
  USW_REDUCERS(USW_WRITE, USW_WRITE)
  return 0;
}
static const usw_reducer_t USW_F(_reducers)[] = {USW_REDUCERS(USW_R_DESCRIBE, USW_S_DESCRIBE)};
#define USW_ABSORB_FUNCTION USW_F(_absorb_of)
#endif

#ifdef USW_CHECKED
static uint64_t USW_F(_bad_index_of)(const void *accumulator, uint64_t *index_out) {
  const USW_F(_acc) *a = (const USW_F(_acc) *)accumulator;
  *index_out = a->usw_bad_index;
  return a->usw_bad_reducer;
}
#define USW_BAD_INDEX_FUNCTION USW_F(_bad_index_of)
#else
#define USW_BAD_INDEX_FUNCTION NULL
#endif

static const usw_argument_t USW_F(_argument_list)[] = {
    USW_EVERY_ARGUMENT(USW_DESCRIBE_IN, USW_DESCRIBE_ARRAY, USW_DESCRIBE_VALUE){NULL, 0, 0, 0}};
static void *USW_F(_cache);

#ifndef USW_FACTS
#define USW_FACTS 0
#endif
#ifndef USW_OPERATION
#define USW_OPERATION USW_NO_OPERATION
#define USW_TYPE USW_NO_TYPE
#endif
#if USW_HAS_REGIONS
#define USW_STUBS                                                                                                      \
  {USW_TEXT(USW_F(_bare)), USW_F(_bare), USW_TEAM_SIZE}, {                                                             \
    USW_TEXT(USW_F(_standard)), USW_F(_standard), USW_CLAUSE_TEAM_SIZE                                                 \
  }
#elif defined(USW_PORT_SIMT)
#define USW_STUBS {USW_TEXT(USW_F(_bare)), USW_F(_bare), USW_TEAM_SIZE}, {NULL, NULL, 0}
#else
#define USW_STUBS {NULL, NULL, 0}, {NULL, NULL, 0}
#endif

#ifdef __cplusplus
extern "C" const usw_kernel_t USW_F(_kernel);
#else
extern const usw_kernel_t USW_F(_kernel);
#endif
const usw_kernel_t USW_F(_kernel) = {
    USW_DESCRIPTOR_ABI,
    USW_HAS_REGIONS ? USW_LLVM_MAJOR : 0,
    USW_TEXT(USW_KERNEL),
    USW_HAS_REGIONS ? USW_IMAGES : "",
    USW_OPERATION,
    USW_TYPE,
    USW_FACTS,
    sizeof(USW_F(_acc)),
    USW_F(_item_bytes),
    USW_F(_block) * USW_F(_in_flight),
    0 USW_EVERY_ARGUMENT(USW_COUNT_ONE, USW_COUNT_ONE, USW_COUNT_ONE),
    sizeof USW_F(_reducers) / sizeof USW_F(_reducers)[0],
    USW_F(_argument_list),
    USW_F(_reducers),
    USW_F(_identity_of),
    USW_F(_merge_of),
    USW_ABSORB_FUNCTION,
    USW_F(_finish_of),
    USW_BAD_INDEX_FUNCTION,
    {USW_F(_host) USW_HOST_VARIANT_LIST},
    USW_F(_chains),
    USW_F(_block_items),
    USW_STUBS,
    &USW_F(_cache),
};
#undef USW_ABSORB_FUNCTION
#undef USW_BAD_INDEX_FUNCTION
#undef USW_STUBS
