/* The kernel's descriptor: what the library knows of it. */

#ifndef UPSWEEP_ENGINE_DESCRIPTOR_ONCE
#define UPSWEEP_ENGINE_DESCRIPTOR_ONCE
#define USW_DESCRIBE_IN(T, n) {#n, USW_ARGUMENT_IN, sizeof(T), __alignof__(T)},
#define USW_DESCRIBE_ARRAY(T, n) {#n, USW_ARGUMENT_ARRAY, sizeof(T), __alignof__(T)},
#define USW_DESCRIBE_VALUE(T, n) {#n, USW_ARGUMENT_VALUE, sizeof(T), __alignof__(T)},
#define USW_DESCRIBE_OUT(T, n) {#n, USW_ARGUMENT_OUT, sizeof(T), __alignof__(T)},
#define USW_CHECK_VALUE(T, n)                                                                                          \
  USW_ASSERT(sizeof(T) <= 8, "VALUE '" #n "' is over 8 bytes: pass its address as an ARRAY");
#define USW_DESCRIBE_REDUCER(T, n, count, cell_bytes, ...)                                                             \
  {#n,                                                                                                                 \
   (uint32_t)USW_OF(_code_, n),                                                                                        \
   sizeof(T),                                                                                                          \
   __alignof__(T),                                                                                                     \
   USW_BY_FORM(USW_HAS_IDENTITY_, __VA_ARGS__),                                                                        \
   USW_OF(_dimensions_, n),                                                                                            \
   count,                                                                                                              \
   cell_bytes,                                                                                                         \
   USW_OF(_fresh_, n),                                                                                                 \
   8 * USW_OF(_words_, n)},
#define USW_R_DESCRIBE(T, n, ...) USW_DESCRIBE_REDUCER(T, n, 1, 0, __VA_ARGS__)
#define USW_S_DESCRIBE(T, n, extent, ...)                                                                              \
  USW_DESCRIBE_REDUCER(T, n, USW_EXTENT(extent), USW_OF(_inline_, n) > 0 ? 0 : sizeof(USW_OF(_cell_, n)), __VA_ARGS__)

/* The original value of a variable or of a span's element, if it is to be combined in. */
#define USW_IS_SKIPPED(n) ((skip >> USW_OF(_position_, n)) & 1)
#define USW_R_ABSORB(T, n, ...)                                                                                        \
  if (!USW_IS_SKIPPED(n)) {                                                                                            \
    T original;                                                                                                        \
    __builtin_memcpy((void *)&original, variables[USW_OF(_position_, n)].address, sizeof original);                    \
    USW_BY_FORM(USW_ABSORB_, __VA_ARGS__)(n)                                                                           \
  }
#define USW_S_ABSORB(T, n, ...)                                                                                        \
  for (uint64_t k = 0; k < s.usw_extent_##n && !USW_IS_SKIPPED(n); k++) {                                              \
    USW_OF(_cell_, n) *const at = USW_OF(_inline_, n) > 0 ? &a->n[k] : &s.usw_cells_##n[k], before = *at;              \
    T original;                                                                                                        \
    __builtin_memcpy((void *)&original, (const T *)variables[USW_OF(_position_, n)].address + k, sizeof original);     \
    if (is_empty || (int)USW_OF(_level_, n) == 0)                                                                      \
      USW_OF(_set_, n)(at, original);                                                                                  \
    if (!is_empty && (int)USW_OF(_level_, n) == 0)                                                                     \
      USW_OF(_join_, n)(at, &before);                                                                                  \
    else if (!is_empty)                                                                                                \
      USW_OF(_put_, n)(at, original);                                                                                  \
  }
#define USW_R_EMPTY(T, n, ...) empty |= (uint64_t)!(USW_BY_FORM(USW_HAS_, __VA_ARGS__)(a, n)) << USW_OF(_position_, n);
#define USW_S_EMPTY(T, n, ...)                                                                                         \
  for (uint64_t k = 0; !USW_OF(_has_identity_, n) && k < s.usw_extent_##n; k++)                                        \
    empty |= (uint64_t)!USW_OF(_holds_, n)(USW_OF(_inline_, n) > 0 ? &a->n[k] : &s.usw_cells_##n[k])                   \
             << USW_OF(_position_, n);
/* A copy of few cells would be a call. */
enum { USW_MANY_CELLS = 256 };
#define USW_R_WRITE(T, n, ...)                                                                                         \
  {                                                                                                                    \
    const T value = USW_OF(_total_, n)(a);                                                                             \
    __builtin_memcpy(variables[USW_OF(_position_, n)].address, (const void *)&value, sizeof value);                    \
  }
#define USW_S_WRITE(T, n, extent, ...)                                                                                 \
  if (USW_BY_FORM(USW_ALONE_, __VA_ARGS__) && USW_OF(_inline_, n) == 0 && s.usw_extent_##n >= USW_MANY_CELLS)          \
    __builtin_memcpy(variables[USW_OF(_position_, n)].address, (const void *)s.usw_cells_##n,                          \
                     s.usw_extent_##n * sizeof(T));                                                                    \
  else                                                                                                                 \
    for (uint64_t k = 0; k < s.usw_extent_##n; k++) {                                                                  \
      const T value = USW_OF(_value_, n)(USW_OF(_inline_, n) > 0 ? &a->n[k] : &s.usw_cells_##n[k]);                    \
      __builtin_memcpy((void *)((T *)variables[USW_OF(_position_, n)].address + k), (const void *)&value,              \
                       sizeof value);                                                                                  \
    }
/* The numbers of an accumulator. Of a structure its shape says which it has: USW_MEMBERS_OF_<type>(name), a list of
 * USW_MEMBER(name.x) and, for an index, USW_MEMBER_INDEX(name.x), for an array of words
 * USW_MEMBER_WORDS(name.x). A complex number is two; bins end with two halves. */
#define USW_OFFSET(member) (uint32_t)__builtin_offsetof(USW_F(_acc), member)
#define USW_BYTES(member) sizeof(((const USW_F(_acc) *)0)->member)
#define USW_MEMBER(member) {USW_OFFSET(member), USW_BYTES(member), 1, 0},
#define USW_MEMBER_WORDS(member) {USW_OFFSET(member), 8, USW_BYTES(member) / 8, 0},
#define USW_MEMBER_INDEX(member) {USW_OFFSET(member), USW_BYTES(member), 1, 1},
#define USW_NUMBERS_IN(T) (USW_PARTS_OF(T) == 2 ? 2u : 1u)
#define USW_R_MEMBERS(T, n, ...) USW_BY_KIND(USW_MEMBERS_, __VA_ARGS__)(T, n)
#define USW_MEMBERS_KNOWN(T, n) {USW_OFFSET(n), sizeof(T) / USW_NUMBERS_IN(T), USW_NUMBERS_IN(T), 0},
#define USW_MEMBERS_GIVEN(T, n) USW_CAT(USW_MEMBERS_OF_, T)(n)
#define USW_MEMBERS_SUM(T, n) USW_SUM_MEMBERS(T, n, 0) USW_SUM_MEMBERS(T, n, 1)
#define USW_SUM_BYTES(T, n) (USW_BYTES(n) / USW_NUMBERS_IN(T))
#define USW_SUM_HALVES(n) ((int)USW_OF(_level_, n) == USW_REPRODUCIBLE ? 2u : 0u)
#define USW_SUM_MEMBERS(T, n, part)                                                                                    \
  {USW_OFFSET(n) + (part) * USW_SUM_BYTES(T, n), 8,                                                                    \
   (part) < USW_NUMBERS_IN(T) ? USW_SUM_BYTES(T, n) / 8 - USW_SUM_HALVES(n) / 2 : 0, 0},                               \
      {USW_OFFSET(n) + ((part) + 1) * USW_SUM_BYTES(T, n) - 4 * USW_SUM_HALVES(n), 4,                                  \
       (part) < USW_NUMBERS_IN(T) ? USW_SUM_HALVES(n) : 0, 0},
/* Extents as the arguments that the engine asks them from. */
#define USW_S_SET_EXTENT(T, n, ...) arguments.usw_extent_##n = extents ? extents[USW_OF(_position_, n)] : 0;
#ifdef __clang__
#define USW_LLVM_MAJOR __clang_major__
#else
#define USW_LLVM_MAJOR 0
#endif
#endif

USW_ARGS(USW_NOTHING, USW_NOTHING, USW_CHECK_VALUE)

/* The spans of a record on the host. */
static inline USW_F(_spans) USW_F(_spans_of)(const void *record, const uint64_t *extents USW_UNUSED) {
  USW_F(_arguments) arguments;
  USW_F(_spans) s;
  __builtin_memset((void *)&arguments, 0, sizeof arguments);
  USW_REDUCERS(USW_R_NOTHING, USW_S_SET_EXTENT)
  USW_F(_place_spans)(&s, &arguments, (USW_F(_acc) *)(uintptr_t)record);
  return s;
}
static void USW_F(_identity_of)(void *record, const uint64_t *extents) {
  USW_F(_spans) s = USW_F(_spans_of)(record, extents);
  USW_F(_identity)((USW_F(_acc) *)record);
  USW_F(_clear_block)(&s, 0, 1);
}
static void USW_F(_merge_of)(void *into, const void *from, const uint64_t *extents) {
  USW_F(_spans) s = USW_F(_spans_of)(into, extents), later = USW_F(_spans_of)(from, extents);
  USW_F(_merge)((USW_F(_acc) *)into, (const USW_F(_acc) *)from);
  USW_F(_merge_block)(&s, &later, 0, 1);
}

#ifdef USW_RESULT /* the kernel writes one result object of its own and starts from the identity */
static uint64_t USW_F(_finish_of)(const void *a, const usw_variable_t *variables, const uint64_t *extents USW_UNUSED) {
  USW_RESULT result;
  USW_F(_finish)((const USW_F(_acc) *)a, &result);
  __builtin_memcpy(variables[0].address, &result, sizeof result);
  return 0;
}
static const usw_reducer_t USW_F(_reducers)[] = {
    {"result", USW_NO_OPERATION, sizeof(USW_RESULT), __alignof__(USW_RESULT), 1, 0, 1, 0, 0,
     USW_F(_atomic) ? 8 * (0 USW_REDUCERS(USW_R_PLUS_WORDS, USW_R_PLUS_WORDS)) : 0}};
#if USW_SCAN && USW_TAKES_INITIAL
static void USW_F(_absorb_of)(void *record, const usw_variable_t *variables, const uint64_t *extents, uint64_t skip,
                              int is_empty) {
  USW_F(_spans) s = USW_F(_spans_of)(record, extents);
  USW_RESULT initial;
  __builtin_memcpy((void *)&initial, variables[0].address, sizeof initial);
  if (!(skip & 1))
    USW_F(_begin)((USW_F(_acc) *)record, &s, initial);
  (void)is_empty;
}
#define USW_ABSORB_FUNCTION USW_F(_absorb_of)
#else
#define USW_ABSORB_FUNCTION NULL
#endif
static const usw_member_t USW_F(_members)[] = {USW_REDUCERS(USW_R_MEMBERS, USW_R_NOTHING)};
#define USW_MEMBER_LIST USW_F(_members), sizeof USW_F(_members) / sizeof USW_F(_members)[0]
#else /* one variable per reducer */
/* The original values come before every item. */
static void USW_F(_absorb_of)(void *record, const usw_variable_t *variables, const uint64_t *extents, uint64_t skip,
                              int is_empty) {
  USW_F(_acc) *a = (USW_F(_acc) *)record;
  USW_F(_spans) s = USW_F(_spans_of)(record, extents);
  (void)s;
  USW_REDUCERS(USW_R_ABSORB, USW_S_ABSORB)
}
static uint64_t USW_F(_finish_of)(const void *record, const usw_variable_t *variables, const uint64_t *extents) {
  const USW_F(_acc) *a = (const USW_F(_acc) *)record;
  USW_F(_spans) s = USW_F(_spans_of)(record, extents);
  uint64_t empty = 0;
  (void)s;
  USW_REDUCERS(USW_R_EMPTY, USW_S_EMPTY)
  if (empty)
    return empty;
  USW_REDUCERS(USW_R_WRITE, USW_S_WRITE)
  return 0;
}
static const usw_reducer_t USW_F(_reducers)[] = {USW_REDUCERS(USW_R_DESCRIBE, USW_S_DESCRIBE)};
#define USW_ABSORB_FUNCTION USW_F(_absorb_of)
#define USW_MEMBER_LIST NULL, 0
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
    USW_EVERY_ARGUMENT(USW_DESCRIBE_IN, USW_DESCRIBE_ARRAY, USW_DESCRIBE_VALUE, USW_DESCRIBE_OUT){NULL, 0, 0, 0}};
static void *USW_F(_cache);

#ifndef USW_FACTS
#define USW_FACTS 0
#endif
#define USW_LIST_FACTS                                                                                                 \
  ((USW_F(_ordered) ? USW_FACT_ORDERED : 0) | (USW_F(_span_count) > 0 ? USW_FACT_SPANS : 0) |                          \
   (USW_F(_binned) || USW_F(_no_clause) ? USW_FACT_NO_CLAUSE : 0) | (USW_F(_awaits) ? USW_FACT_AWAITS : 0) |           \
   (USW_NO_INDEX ? USW_FACT_NO_INDEX : 0) | (USW_F(_outputs) > 0 ? USW_FACT_OUTPUTS : 0) |                             \
   (USW_DIMENSIONS > 1 ? USW_FACT_SPACE : 0) | (USW_MANY_RESULTS ? USW_FACT_MANY_RESULTS : 0) |                        \
   (USW_AXES ? USW_FACT_AXES : 0) | (USW_SEGMENTS ? USW_FACT_SEGMENTS : 0) | (USW_SCAN ? USW_FACT_SCAN : 0) |          \
   (USW_FINDS_RESTARTS ? USW_FACT_RESTARTS : 0) | (USW_F(_in_turns) ? USW_FACT_REVISITS : 0) |                         \
   (USW_COUNTS_ON ? USW_FACT_INDEX | USW_FACT_COUNTS_ON : 0) | (USW_F(_fixed) ? USW_FACT_FIXED_POINT : 0) |            \
   (USW_F(_common) ? USW_FACT_COMMON_CELLS : 0) |                                                                      \
   (USW_F(_common) && (1 USW_REDUCERS(USW_R_NOTHING, USW_S_AND_EXACT_CELLS)) ? USW_FACT_EXACT_CELLS : 0) |             \
   (1 USW_REDUCERS(USW_R_AND_EXACT, USW_S_AND_EXACT) ? USW_FACT_EXACT : 0))
#define USW_LIST_ACCURACY                                                                                              \
  ((USW_FACTS | USW_LIST_FACTS) & USW_FACT_EXACT                  ? USW_REPRODUCIBLE                                   \
   : 1 USW_REDUCERS(USW_R_AND_COMPENSATED, USW_S_AND_COMPENSATED) ? USW_COMPENSATED                                    \
                                                                  : USW_REPEATABLE)
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
    USW_FACTS | USW_LIST_FACTS,
    USW_LIST_ACCURACY,
    sizeof(USW_F(_acc)),
    USW_F(_item_bytes),
    USW_F(_block) * USW_F(_in_flight),
    0 USW_EVERY_ARGUMENT(USW_COUNT_ONE, USW_COUNT_ONE, USW_COUNT_ONE, USW_COUNT_ONE),
    0 USW_EVERY_ARGUMENT(USW_COUNT_ONE, USW_NOTHING, USW_NOTHING, USW_COUNT_ONE),
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
    USW_F(_few_chains),
    USW_F(_block_items),
    USW_STUBS,
    &USW_F(_cache),
    USW_MEMBER_LIST,
};
#undef USW_ABSORB_FUNCTION
#undef USW_MEMBER_LIST
#undef USW_LIST_FACTS
#undef USW_LIST_ACCURACY
#undef USW_BAD_INDEX_FUNCTION
#undef USW_STUBS
