/* The life of a team's cells: open, close, and hand over to the accumulator or the record. */

/* The cells of all copies start from the identity. */
USW_INLINE void USW_F(_open_team_spans)(USW_F(_spans) * s, const USW_F(_arguments) * arguments,
                                        USW_F(_acc) * partials) {
  uint32_t area USW_UNUSED = 0;
  USW_F(_place_spans)(s, arguments, USW_F(_record)(partials, usw_port_team(), arguments));
  s->usw_home = USW_CELLS_TEAM;
  s->usw_copies = (uint32_t)USW_COPIES_OF(0 USW_REDUCERS(USW_R_ZERO, USW_S_COPY_BYTES));
  USW_REDUCERS(USW_R_NOTHING, USW_S_AREA)
  USW_REDUCERS(USW_R_NOTHING, USW_S_START_BATCH)
  USW_REDUCERS(USW_R_NOTHING, USW_S_CLEAR_TEAM)
  for (uint32_t k = usw_port_thread(); USW_F(_in_turns) && k < USW_SUB_GROUPS * USW_LANE_WORDS; k += USW_TEAM_SIZE)
    USW_F(_lanes)[k / USW_LANE_WORDS][k % USW_LANE_WORDS] = 0;
  usw_port_barrier();
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
  if (USW_F(_in_turns) && USW_COPIES(s) != USW_TEAM_SIZE) {
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
