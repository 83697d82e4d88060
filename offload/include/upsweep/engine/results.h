/* Many results: each accumulator is finished where its items were visited (map.h says which they are). The original values and what
 * becomes of them are those of a single result (descriptor.h). A GPU's part is in team_results.h, that of processors here. */

#ifndef UPSWEEP_ENGINE_RESULTS_ONCE
#define UPSWEEP_ENGINE_RESULTS_ONCE
#include <upsweep/engine/moves.h>

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

#ifdef USW_RESULT
/* By words, as alignment allows: compilers write the bytes of a padding one by one. */
USW_INLINE void USW_F(_store_result)(USW_RESULT *there, const USW_RESULT *result) {
  enum { WORDS = sizeof *result / 8 };
  if (sizeof *result % 8 != 0 || _Alignof(USW_RESULT) % 8 != 0) {
    *there = *result;
    return;
  }
  if (WORDS % 2 == 0 && ((uintptr_t)there & 15) == 0) {
    usw_move_there(there, result, sizeof *result);
    return;
  }
  uint64_t words[WORDS + !WORDS];
  __builtin_memcpy(words, result, sizeof *result);
  USW_UNROLL for (uint32_t w = 0; w < WORDS; w++)
      __builtin_memcpy(__builtin_assume_aligned((char *)there + 8 * w, 8), &words[w], 8);
}
#endif

/* The results number r of all variables. */
USW_INLINE void USW_F(_write_results)(USW_F(_acc) * a, size_t r, const USW_F(_arguments) * arguments, int is_empty) {
  (void)is_empty;
#ifdef USW_RESULT
  USW_RESULT result;
  USW_F(_finish)(a, &result);
  USW_F(_store_result)(arguments->usw_results_of_result + r, &result);
#else
  USW_REDUCERS(USW_R_WRITE_RESULT, USW_R_NOTHING)
#endif
}

#if USW_AXES
#include <upsweep/engine/pieces.h>
#else
USW_INLINE void USW_F(_end_piece)(USW_F(_acc) * a, size_t piece, size_t r, size_t there, int is_empty,
                                  const USW_F(_arguments) * arguments) {
  (void)piece, (void)r;
  USW_F(_write_results)(a, there, arguments, is_empty);
}
#endif

/* A processor's: visit the items of a piece of result r. */
USW_INLINE void USW_F(_visit_result)(USW_F(_acc) * a, USW_F(_spans) * s, size_t piece, size_t r,
                                     const USW_F(_arguments) * arguments, int contiguous) {
  const usw_range_t range = USW_F(_items_of_piece)(r, piece, arguments);
  const usw_offset_t start = USW_F(_start_of_result)(r, arguments);
  USW_F(_acc) of_run;
  size_t count;
  USW_F(_spans) own = *s;
  USW_ENTER_SEGMENT(&own, r);
  USW_F(_identity)(a);
  for (size_t i = range.first; i < range.end; i += count) {
    const USW_F(_arguments) part = USW_F(_run_from)(arguments, start, i, range.end, &count);
    USW_F(_visit_by_chains)(&of_run, &own, 0, count, &part, contiguous);
    if (i == range.first)
      *a = of_run;
    else
      USW_F(_merge)(a, &of_run);
  }
  USW_F(_end_piece)(a, piece, r, start.result, range.first >= range.end, arguments);
}

#if USW_AXES
#include <upsweep/engine/columns.h>
#endif

/* Results first, ..., last - 1, of each the piece. */
USW_INLINE void USW_F(_visit_piece)(USW_F(_acc) * a, USW_F(_spans) * s, size_t piece, size_t first, size_t last,
                                    const USW_F(_arguments) * arguments, int contiguous) {
#if USW_AXES
  if (!contiguous && arguments->usw_across > 0 &&
      !USW_F(_tries)) { /* columns are not contiguous (policy/result_shares.c) */
    USW_F(_visit_columns_of_results)(s, piece, first, last, arguments);
    return;
  }
#endif
  for (size_t r = first; r < last; r++)
    USW_F(_visit_result)(a, s, piece, r, arguments, contiguous);
}

#include <upsweep/engine/segments.h>

/* Results first, ..., last - 1; or blocks of segments, behind the last of which is the work of joining what they leave; or pieces of all results,
 * behind the last of which it is that for each result. */
USW_INLINE void USW_F(_visit_results)(USW_F(_acc) * a, USW_F(_spans) * s, size_t first, size_t last,
                                      const USW_F(_arguments) * arguments, int contiguous) {
#if USW_AXES && USW_SUB_GROUP > 1 /* a host beside an emulated GPU: where a team has them */
  USW_LEVELS_OF_KERNEL(USW_PUT_LEVEL)
#endif
#if USW_SEGMENTS && (USW_SUB_GROUP == 1 || defined(USW_PORT_SIMT))
  if (arguments->usw_blocks > 0 && first == arguments->usw_blocks) {
    USW_F(_join_stretches)(arguments);
    return;
  }
  if (arguments->usw_blocks > 0) {
    USW_F(_visit_segments)(s, first, last, arguments, contiguous);
    return;
  }
#endif
#if USW_AXES
  const int is_cut = arguments->usw_pieces > 1;
  const size_t first_piece = is_cut ? first : 0, end_of_pieces = is_cut ? last : 1;
  const size_t first_result = is_cut ? 0 : first, end_of_results = is_cut ? arguments->usw_results : last;
  if (is_cut && first >= arguments->usw_pieces) {
    const USW_F(_arguments) own = *arguments; /* so that the others' stay in registers */
    USW_F(_join_pieces)(first - own.usw_pieces, last - own.usw_pieces, &own);
    return;
  }
  for (size_t piece = first_piece; piece < end_of_pieces; piece++)
    USW_F(_visit_piece)(a, s, piece, first_result, end_of_results, arguments, contiguous);
#else
  USW_F(_visit_piece)(a, s, 0, first, last, arguments, contiguous);
#endif
}
#endif
