/* The life of a team's cells: open, close, and hand over to the accumulator or the record. */

/* Of blocks that teams have in common: a launch of their own lets cells start from the identity. */
USW_INLINE void USW_F(_clear_common)(const USW_F(_arguments) * arguments, USW_F(_acc) * records, uint32_t blocks) {
  for (uint32_t block = 0; block < blocks; block++) {
    USW_F(_spans) s;
    USW_F(_place_spans)(&s, arguments, USW_F(_record)(records, block, arguments));
    USW_F(_clear_block)(&s, usw_port_team() * (uint64_t)USW_TEAM_SIZE + usw_port_thread(),
                        usw_port_teams() * (uint64_t)USW_TEAM_SIZE);
  }
}

/* What a launch of sums by a fixed point finds, and where: behind a record the words, behind them the teams' accumulators. */
USW_INLINE usw_measured_t *USW_F(_measured_at)(uint32_t *ticket) {
  return (usw_measured_t *)(void *)(ticket + USW_MEASURED_TICKET);
}
USW_INLINE void USW_F(_place_words)(USW_F(_spans) * s USW_UNUSED, USW_F(_acc) * record,
                                    const USW_F(_arguments) * arguments) {
  uint64_t *words USW_UNUSED = (uint64_t *)(void *)USW_F(_record)(record, 1, arguments);
  USW_REDUCERS(USW_R_NOTHING, USW_S_PLACE_WORDS)
}
USW_INLINE USW_F(_acc) *
    USW_F(_behind_words)(USW_F(_acc) * record, uint64_t team, const USW_F(_arguments) * arguments) {
  USW_F(_spans) spans, *const s USW_UNUSED = &spans;
  USW_F(_place_spans)(s, arguments, record);
  const uint64_t cells = 0 USW_REDUCERS(USW_R_ZERO, USW_S_FIXED_CELLS);
  char *const behind = (char *)USW_F(_record)(record, 1, arguments) + cells * (8 * USW_FIXED_WORDS);
  return (USW_F(_acc) *)(void *)(behind + team * USW_BLOCK_ROUND(sizeof(USW_F(_acc))));
}

/* All words become 0. */
USW_INLINE void USW_F(_clear_words)(const USW_F(_arguments) * arguments, USW_F(_acc) * record,
                                    usw_fixed_point_t point) {
  USW_F(_spans) spans, *const s USW_UNUSED = &spans;
  USW_F(_place_spans)(s, arguments, record);
  uint64_t *const words = (uint64_t *)(void *)USW_F(_record)(record, 1, arguments);
  const uint64_t count = point.words * (0 USW_REDUCERS(USW_R_ZERO, USW_S_FIXED_CELLS));
  for (uint64_t k = usw_port_team() * (uint64_t)USW_TEAM_SIZE + usw_port_thread(); k < count;
       k += usw_port_teams() * (uint64_t)USW_TEAM_SIZE)
    words[k] = 0;
}

/* The cells of all copies start from the identity. */
USW_INLINE void USW_F(_open_team_spans)(USW_F(_spans) * s, const USW_F(_arguments) * arguments, USW_F(_acc) * partials,
                                        uint32_t blocks) {
  uint32_t area USW_UNUSED = 0;
  USW_F(_place_spans)(
      s, arguments, USW_F(_record)(partials, blocks > 0 ? usw_port_team() & (blocks - 1) : usw_port_team(), arguments));
  s->usw_home = USW_CELLS_TEAM;
  s->usw_is_common = blocks > 0;
  s->usw_fixed = 0;
  s->usw_copies = (uint32_t)USW_COPIES_OF(0 USW_REDUCERS(USW_R_ZERO, USW_S_COPY_BYTES));
  const uint32_t copies = USW_COPIES(s);
  s->usw_sharing = USW_TEAM_SIZE / (copies ? copies : 1);
  const uint32_t copy USW_UNUSED = copies ? usw_port_thread() / s->usw_sharing : 0;
  USW_REDUCERS(USW_R_NOTHING, USW_S_AREA)
  USW_REDUCERS(USW_R_NOTHING, USW_S_START_BATCH)
  USW_REDUCERS(USW_R_NOTHING, USW_S_CLEAR_TEAM)
  for (uint32_t k = usw_port_thread(); USW_F(_in_turns) && k < USW_SUB_GROUPS * USW_LANE_WORDS; k += USW_TEAM_SIZE)
    USW_F(_lanes)[k / USW_LANE_WORDS][k % USW_LANE_WORDS] = 0;
  usw_port_barrier();
}

/* Sums go by a fixed point: it is measured while there is none. */
USW_INLINE void USW_F(_open_fixed)(USW_F(_spans) * s, const USW_F(_arguments) * arguments, USW_F(_acc) * record,
                                   usw_fixed_point_t point) {
  s->usw_fixed = point.words > 0 ? USW_ADDS_INTEGERS : USW_MEASURES_SUMS;
  s->usw_is_mute = point.words == 0; /* the body runs once more */
  s->usw_point = point;
  s->usw_in_runs = 0;
  __builtin_memset((void *)&s->usw_measured, 0, sizeof s->usw_measured);
  USW_F(_place_words)(s, record, arguments);
}

/* Copies into the first of them. */
USW_INLINE void USW_F(_fold_copies)(const USW_F(_spans) * s) {
  usw_port_barrier();
  for (uint32_t half = USW_COPIES(s) / 2; half > 0; half /= 2) {
    USW_REDUCERS(USW_R_NOTHING, USW_S_FOLD_COPIES)
    usw_port_barrier();
  }
}

/* Where each thread has its copy: the cells of an accumulator or record into it. */
USW_INLINE void USW_F(_join_own_cells)(const USW_F(_acc) * a, const USW_F(_spans) * s) {
  (void)a, (void)s;
  USW_REDUCERS(USW_R_NOTHING, USW_S_JOIN_COMPARED)
}

/* Combine what threads still keep, and fold the copies. */
USW_INLINE void USW_F(_close_team_spans)(const USW_F(_acc) * a, USW_F(_spans) * s) {
  USW_REDUCERS(USW_R_NOTHING, USW_S_END_RUN)
  if (USW_F(_in_turns) && USW_COPIES(s) != USW_TEAM_SIZE && !s->usw_is_common) {
    USW_F(_find_turns)(s, 1);
    usw_port_barrier();
    USW_F(_settle)(s, 1);
  }
  if (USW_F(_private) && s->usw_compared)
    USW_F(_join_own_cells)(a, s);
  USW_F(_fold_copies)(s);
}

/* Where each thread has its copy. In the last team: start again, for the cells of partials. */
USW_INLINE void USW_F(_clear_own_cells)(USW_F(_spans) * s) {
  (void)s;
  USW_REDUCERS(USW_R_NOTHING, USW_S_CLEAR_TEAM)
}
/* In thread 0: the folded cells into the accumulator. */
USW_INLINE void USW_F(_take_short_spans)(USW_F(_acc) * a, const USW_F(_spans) * s) {
  (void)a, (void)s;
  USW_REDUCERS(USW_R_NOTHING, USW_S_TAKE_SHORT)
}

USW_INLINE void USW_F(_publish_cells)(USW_F(_spans) * s) {
  (void)s;
  USW_REDUCERS(USW_R_NOTHING, USW_S_PUBLISH)
}
