/* Columns on a GPU of which each thread takes all items: many columns of few items, side by side. There is nothing to fold between threads, and
 * no piece to leave, so that what a thread does beside its items is short. The bits are those of _visit_strip(). */

/* Whether the columns of a call are such. */
USW_INLINE int USW_F(_are_whole_columns)(const USW_F(_arguments) * arguments) {
  return arguments->usw_across == USW_TEAM_SIZE && arguments->usw_pieces == 1 && arguments->usw_items > 0 &&
         arguments->usw_kept_levels + arguments->usw_reduced_levels == 0;
}

/* The columns of a thread from number c on, into fresh accumulators. */
USW_INLINE void USW_F(_take_whole_columns)(USW_F(_acc) * a, USW_F(_spans) * s, size_t c,
                                           const USW_F(_arguments) * arguments, int is_vector, uint32_t at_once) {
  const size_t within = 0;
  const usw_offset_t offset = {{(ptrdiff_t)c, (ptrdiff_t)c}, 0}; /* columns have the step 1 (policy/result_shares.c) */
  USW_F(_arguments) part = *arguments;
  USW_OWN_ARGUMENTS(USW_ADVANCE_BY_OFFSET, USW_NOTHING, USW_NOTHING, USW_ADVANCE_BY_OFFSET)
  const USW_F(_turn) all = {0, 1, at_once};
  part.usw_first = 0;
#if USW_BY_COLUMNS
  if (USW_F(_take_lines_of_columns)(a, &part, arguments->usw_items, all, is_vector, 1))
    return;
#endif
  USW_UNROLL for (uint32_t k = 0; k < (is_vector ? USW_F(_vector) : 1); k++) USW_F(_identity)(&a[k]);
  USW_F(_take_lines)(a, s, &part, arguments->usw_items, all, is_vector);
}

#ifdef USW_RESULT
enum {
  USW_F(_bytes_of_sub_group) = USW_F(_strip_bytes) / USW_SUB_GROUPS / 16 * 16,
  USW_F(_results_together) = USW_SUB_GROUP / 2,
  USW_F(_writes_together) = sizeof(USW_RESULT) > 16 && sizeof(USW_RESULT) % 16 == 8 &&
                            USW_F(_results_together) * sizeof(USW_RESULT) <= USW_F(_bytes_of_sub_group)
};
/* Write the results of a sub-group's columns from `first` on by way of team memory, half of them at once, so that neighbours write 16 bytes
 * side by side: results of which every other one is on a boundary of 16 bytes. Each thread would write its own by 8 bytes at a time, which are
 * parts of sectors. (Descriptions of 2^26 columns of 3 doubles on an H200: 4037 us, so 1721.) */
USW_INLINE void USW_F(_write_together)(USW_F(_acc) * a, size_t first, const USW_F(_arguments) * arguments) {
  enum {
    HALF = USW_F(_results_together),
    WORDS = sizeof(USW_RESULT) / sizeof(usw_move_8_t),
    MOVES = HALF * sizeof(USW_RESULT) / sizeof(usw_move_16_t)
  };
  const uint32_t lane = usw_port_thread() % USW_SUB_GROUP, sub_group = usw_port_thread() / USW_SUB_GROUP;
  USW_TEAM_SPACE char *const stage = (USW_TEAM_SPACE char *)USW_F(_strip)() + sub_group * USW_F(_bytes_of_sub_group);
  USW_TEAM_SPACE usw_move_8_t *const of_lane = (USW_TEAM_SPACE usw_move_8_t *)stage + lane % HALF * WORDS;
  USW_RESULT result;
  usw_move_8_t words[WORDS + !WORDS];
  USW_F(_finish)(a, &result);
  __builtin_memcpy(words, &result, WORDS * sizeof words[0]);
  USW_UNROLL for (uint32_t half = 0; half < 2; half++) {
    usw_move_16_t *const there = (usw_move_16_t *)(void *)(arguments->usw_results_of_result + first + half * HALF);
    if (lane / HALF == half)
      USW_UNROLL for (uint32_t w = 0; w < WORDS; w++) of_lane[w] = words[w];
    usw_port_sub_group_sync();
    for (uint32_t move = lane; move < MOVES; move += USW_SUB_GROUP)
      there[move] = ((USW_TEAM_SPACE usw_move_16_t *)stage)[move];
    usw_port_sub_group_sync();
  }
}
/* Whether a sub-group's columns from `first` on are all there, and their results lie so. */
USW_INLINE int USW_F(_can_write_together)(size_t first, const USW_F(_arguments) * arguments) {
  return USW_F(_writes_together) && first + USW_SUB_GROUP <= arguments->usw_width && arguments->usw_result_step == 1 &&
         ((uintptr_t)arguments->usw_results_of_result & 15) == 0;
}
#endif

/* Write the results of a thread's columns: with those of its neighbours, or at once where that is whole words of 16 bytes. */
USW_INLINE void USW_F(_write_columns)(USW_F(_acc) * a, size_t c, const USW_F(_arguments) * arguments, int is_vector) {
#ifdef USW_RESULT
  const size_t first = c - usw_port_thread() % USW_SUB_GROUP;
  if (!is_vector && USW_F(_can_write_together)(first, arguments)) {
    USW_F(_write_together)(a, first, arguments);
    return;
  }
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

/* All of them, by threads that take one each or a vector, and load so many of its items at once. */
USW_INLINE void USW_F(_visit_columns_of_threads)(const USW_F(_share_of_results) share, int is_vector,
                                                 uint32_t at_once) {
  const USW_F(_arguments) *const arguments = share.arguments;
  const size_t of_thread = is_vector ? USW_F(_vector) : 1,
               thread = usw_port_team() * (size_t)USW_TEAM_SIZE + usw_port_thread();
  const size_t step = usw_port_teams() * (size_t)USW_TEAM_SIZE * of_thread;
#pragma nounroll
  for (size_t c = thread * of_thread; c < arguments->usw_width; c += step) {
    USW_F(_acc) a[USW_F(_vector)];
    USW_F(_spans) s = *share.s;
    USW_F(_take_whole_columns)(a, &s, c, arguments, is_vector, at_once);
    USW_F(_write_columns)(a, c, arguments, is_vector);
  }
}

USW_INLINE void USW_F(_visit_whole_columns)(const USW_F(_share_of_results) share) {
  if (USW_F(_vector) > 1 && share.arguments->usw_has_vectors)
    USW_F(_visit_columns_of_threads)(share, 1, USW_MOST_AT_ONCE);
  else if (share.arguments->usw_items <= USW_FEW_AT_ONCE) /* items that are not there take steps, too */
    USW_F(_visit_columns_of_threads)(share, 0, USW_FEW_AT_ONCE);
  else
    USW_F(_visit_columns_of_threads)(share, 0, USW_MOST_AT_ONCE);
}
