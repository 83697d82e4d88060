/* Few results of many items on processors are visited in pieces of all of them, each of which leaves an accumulator for each result. They are
 * joined in order, and follow from extents and steps (policy/result_shares.c), so that the number of threads does not show in the bits. Whole
 * results are their only piece. */

/* The accumulators that a piece leaves. */
USW_INLINE USW_F(_acc) * USW_F(_left_by_piece)(size_t piece, const USW_F(_arguments) * arguments) {
  return (USW_F(_acc) *)(uintptr_t)arguments->usw_left_by_pieces + piece * arguments->usw_results;
}

/* Leave a piece of the result that is number r in the order of elements, or write it, number `there` of the results. */
USW_INLINE void USW_F(_end_piece)(USW_F(_acc) * a, size_t piece, size_t r, size_t there, int is_empty,
                                  const USW_F(_arguments) * arguments) {
  if (arguments->usw_pieces > 1)
    USW_F(_left_by_piece)(piece, arguments)[r] = *a;
  else
    USW_F(_write_results)(a, there, arguments, is_empty);
}

/* Join what all pieces have left of results first, ..., last - 1, in order, and write these. By itself, because it would be a good part of each
 * function that visits results, and takes little of the time. */
static void __attribute__((noinline, unused)) USW_F(_join_pieces)(size_t first, size_t last,
                                                                  const USW_F(_arguments) * arguments) {
  USW_F(_acc) *const all = USW_F(_left_by_piece)(0, arguments);
  for (size_t piece = 1; piece < arguments->usw_pieces; piece++) {
    const USW_F(_acc) *const left = USW_F(_left_by_piece)(piece, arguments);
    for (size_t r = first; r < last; r++)
      USW_F(_merge)(&all[r], &left[r]);
  }
  for (size_t r = first; r < last; r++)
    USW_F(_write_results)(&all[r], USW_F(_start_of_result)(r, arguments).result, arguments, 0);
}
