/* Many results: a map says which items a result is of, and each result's accumulator is finished where its items were visited. The
 * original values and what becomes of them are those of a single result (descriptor.h).
 *
 * A kernel's file names a header with the map (USW_OWN_MAP; tests/api/tile_map.h is one), a function that says which items those
 * of a result are: USW_INLINE usw_range_t USW_F(_own_map)(size_t result, size_t n, const USW_F(_arguments) * arguments). Ranges end at
 * n at most, and may be empty and overlap; without items nobody is asked. A result is a team's work on a GPU, and elsewhere a worker's. */

#ifndef UPSWEEP_ENGINE_RESULTS_ONCE
#define UPSWEEP_ENGINE_RESULTS_ONCE
/* Combine the original value of a variable into the accumulator. */
#define USW_ABSORB_PLAIN(n) a->n = is_empty ? original : USW_OF(_operate_, n)(original, a->n);
#define USW_ABSORB_NONE(n)                                                                                             \
  a->n = is_empty || !a->has_##n ? original : USW_OF(_operate_, n)(original, a->n);                                    \
  a->has_##n = 1;
#define USW_ABSORB_SUM(n)                                                                                              \
  if (is_empty)                                                                                                        \
    USW_ACCURATE(set, a->n)(&a->n, original);                                                                          \
  else                                                                                                                 \
    USW_ACCURATE(add, a->n)(&a->n, original, 0);

/* Which items a result is of: first, ..., end - 1. */
typedef struct {
  size_t first, end;
} usw_range_t;

#define USW_ADVANCE(T, n) part.n += (ptrdiff_t)first * part.usw_stride_##n;
#define USW_R_WRITE_RESULT(T, n, ...)                                                                                  \
  {                                                                                                                    \
    T *const result = arguments->usw_results_of_##n + r;                                                               \
    if (!((arguments->usw_fresh >> USW_OF(_position_, n)) & 1)) {                                                      \
      const T original = *result;                                                                                      \
      USW_BY_FORM(USW_ABSORB_, __VA_ARGS__)(n)                                                                         \
    }                                                                                                                  \
    *result = USW_OF(_total_, n)(a);                                                                                   \
  }
#define USW_S_NO_RESULT(T, n, ...)                                                                                     \
  USW_ASSERT(sizeof(T) == 0, "span '" #n "': of many results there are variables only");
#endif

#if USW_MANY_RESULTS
USW_REDUCERS(USW_R_NOTHING, USW_S_NO_RESULT)
#include USW_OWN_MAP

/* The items of result r. */
USW_INLINE usw_range_t USW_F(_range_of)(size_t r, const USW_F(_arguments) * arguments) {
  const usw_range_t none = {0, 0};
  return arguments->usw_items == 0 ? none : USW_F(_own_map)(r, arguments->usw_items, arguments);
}

/* The arguments of the items from `first` on, which are numbered from 0 then; the body sees their numbers in the whole. */
USW_INLINE USW_F(_arguments) USW_F(_arguments_from)(const USW_F(_arguments) * arguments, size_t first) {
  USW_F(_arguments) part = *arguments;
  part.usw_first = first;
  USW_OWN_ARGUMENTS(USW_ADVANCE, USW_NOTHING, USW_NOTHING, USW_ADVANCE)
  return part;
}

/* The results number r of all variables. */
USW_INLINE void USW_F(_write_results)(USW_F(_acc) * a, size_t r, const USW_F(_arguments) * arguments, int is_empty) {
  (void)is_empty;
  USW_REDUCERS(USW_R_WRITE_RESULT, USW_R_NOTHING)
}

/* A processor's: visit the items of result r, and write it. */
USW_INLINE void USW_F(_visit_result)(USW_F(_acc) * a, USW_F(_spans) * s, size_t r, const USW_F(_arguments) * arguments,
                                     int contiguous) {
  const usw_range_t range = USW_F(_range_of)(r, arguments);
  const USW_F(_arguments) part = USW_F(_arguments_from)(arguments, range.first);
  USW_F(_identity)(a);
  if (range.first < range.end)
    USW_F(_visit_by_chains)(a, s, 0, range.end - range.first, &part, contiguous);
  USW_F(_write_results)(a, r, arguments, range.first >= range.end);
}
#endif
