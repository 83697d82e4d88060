/* Columns on a GPU of which each thread takes all items: many columns of few items, side by side. There is nothing to fold between threads, and
 * no piece to leave, so that what a thread does beside its items is short. The bits are those of _visit_strip(). */

/* Whether the columns of a call are such. */
USW_INLINE int USW_F(_are_whole_columns)(const USW_F(_arguments) * arguments) {
  return arguments->usw_across == USW_TEAM_SIZE && arguments->usw_pieces == 1 && arguments->usw_items > 0 &&
         arguments->usw_kept_levels + arguments->usw_reduced_levels == 0;
}

/* The columns of a thread from number c on, into fresh accumulators. */
USW_INLINE void USW_F(_take_whole_columns)(USW_F(_acc) * a, USW_F(_spans) * s, size_t c,
                                           const USW_F(_arguments) * arguments, int is_vector) {
  const size_t within = 0;
  const usw_offset_t offset = {{(ptrdiff_t)c, (ptrdiff_t)c}, 0}; /* columns have the step 1 (policy/result_shares.c) */
  USW_F(_arguments) part = *arguments;
  USW_OWN_ARGUMENTS(USW_ADVANCE_BY_OFFSET, USW_NOTHING, USW_NOTHING, USW_ADVANCE_BY_OFFSET)
  part.usw_first = 0;
#if USW_BY_COLUMNS
  if (USW_F(_take_lines_of_columns)(a, &part, arguments->usw_items, 0, 1, is_vector))
    return;
#endif
  USW_UNROLL for (uint32_t k = 0; k < (is_vector ? USW_F(_vector) : 1); k++) USW_F(_identity)(&a[k]);
  USW_F(_take_lines)(a, s, &part, arguments->usw_items, 0, 1, is_vector);
}

/* Write the results of a thread's columns: at once where that is whole words of 16 bytes. */
USW_INLINE void USW_F(_write_columns)(USW_F(_acc) * a, size_t c, const USW_F(_arguments) * arguments, int is_vector) {
#ifdef USW_RESULT
  USW_RESULT results[USW_F(_vector)];
  USW_RESULT *const there = arguments->usw_results_of_result + c;
  if (is_vector && sizeof results % 16 == 0 && arguments->usw_result_step == 1 && ((uintptr_t)there & 15) == 0) {
    USW_UNROLL for (uint32_t k = 0; k < USW_F(_vector); k++) USW_F(_finish)(&a[k], &results[k]);
    usw_move_there(there, results, sizeof results);
    return;
  }
#endif
  USW_UNROLL for (uint32_t k = 0; k < (is_vector ? USW_F(_vector) : 1); k++)
      USW_F(_write_results)(&a[k], (c + k) * arguments->usw_result_step, arguments, 0);
}

/* All of them, by threads that take one each or a vector. */
USW_INLINE void USW_F(_visit_columns_of_threads)(const USW_F(_share_of_results) share, int is_vector) {
  const USW_F(_arguments) *const arguments = share.arguments;
  const size_t of_thread = is_vector ? USW_F(_vector) : 1,
               thread = usw_port_team() * (size_t)USW_TEAM_SIZE + usw_port_thread();
  const size_t step = usw_port_teams() * (size_t)USW_TEAM_SIZE * of_thread;
#pragma nounroll
  for (size_t c = thread * of_thread; c < arguments->usw_width; c += step) {
    USW_F(_acc) a[USW_F(_vector)];
    USW_F(_spans) s = *share.s;
    USW_F(_take_whole_columns)(a, &s, c, arguments, is_vector);
    USW_F(_write_columns)(a, c, arguments, is_vector);
  }
}

USW_INLINE void USW_F(_visit_whole_columns)(const USW_F(_share_of_results) share) {
  if (USW_F(_vector) > 1 && share.arguments->usw_has_vectors)
    USW_F(_visit_columns_of_threads)(share, 1);
  else
    USW_F(_visit_columns_of_threads)(share, 0);
}
