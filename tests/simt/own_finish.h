/* A finish of the tests' own, which simt/own_finish.c names as USW_OWN_FINISH: the last team to come folds the teams' partials from
 * the last team's to the first one's. Included once per kernel, so there is nothing to guard. */
USW_ASSERT(USW_F(_span_count) == 0, "own_finish.h: partials have no cells");

/* All partials into the accumulator of thread 0. Each thread takes neighbours: the tree keeps the order of the threads. */
USW_INLINE void USW_F(_fold_backwards)(const USW_F(_worker) w, USW_F(_acc) * partials) {
  const uint64_t thread = usw_port_thread(), teams = usw_port_teams();
  const uint64_t first = teams * thread / USW_TEAM_SIZE, end = teams * (thread + 1) / USW_TEAM_SIZE;
  USW_F(_identity)(w.a);
#pragma nounroll
  for (uint64_t k = first; k < end; k++)
    USW_F(_merge_record)(w.a, w.s, USW_F(_record)(partials, teams - 1 - k, w.arguments));
  USW_F(_fold_accumulators)(w.a);
}

USW_INLINE void USW_F(_own_finish)(const USW_F(_worker) w, const USW_F(_sink) sink) {
  USW_F(_publish)(w, sink);
  if (!USW_F(_is_last_of)(usw_port_teams(), sink.ticket))
    return;
  USW_F(_fold_backwards)(w, sink.partials);
  if (usw_port_thread() == 0) {
    *sink.out = *w.a;
    *sink.ticket = 0;
  }
}
