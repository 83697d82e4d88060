/* Reproducible sums of a launch whose last team waits, as columns: the units of each bin, which are integers, and, in the last
 * column, the window. Where all threads of all teams have the same window, which is usual, a sum is a sum of integers, column by
 * column, and nothing is merged. A column is a sub-group's: it adds up what the threads of its team left in team memory, and
 * sends it; or, in the team that waits, adds what the others send. Threads with other windows slide to their team's highest first.
 *
 * A team that cannot do so says USW_NO_WINDOW in place of its window and sends its accumulator; where there is one, or teams have
 * another window than the waiting team, or the first where that has only zeros, the last team merges accumulators (finish.h). */

enum {
  USW_F(_column_parts) = USW_SUB_GROUPS / USW_SENT_COLUMNS, /* sub-groups that share what is sent of a column */
  USW_F(_column_values) = 4, /* words that a thread asks for at once: 256 teams are one round */
  USW_F(_team_values) = USW_F(_columns) > 0 ? USW_TEAM_SIZE : 1
};
USW_TEAM_MEMORY uint64_t USW_F(_units_of)[USW_F(_unit_columns)][USW_F(_team_values)]; /* each thread's */
USW_TEAM_MEMORY uint64_t USW_F(_sum_of)[USW_SUB_GROUPS]; /* what each sub-group has added up */
/* Of each sub-group: the highest window of its threads, and the least one, not counting 0, less one. */
USW_TEAM_MEMORY uint32_t USW_F(_highest_of)[USW_SUB_GROUPS] __attribute__((aligned(16)));
USW_TEAM_MEMORY uint32_t USW_F(_least_of)[USW_SUB_GROUPS] __attribute__((aligned(16)));

/* Threads leave their columns in team memory. Each has so few cuts that the units of the team fit a word. Holds one barrier. */
USW_INLINE void USW_F(_leave_columns)(const USW_F(_acc) * a) {
  const uint32_t thread = usw_port_thread(), most USW_UNUSED = USW_BIN_ROOM / 2 / USW_TEAM_SIZE;
  uint64_t units[USW_SENT_COLUMNS];
  uint32_t window = USW_NO_WINDOW;
  (void)a;
  USW_REDUCERS(USW_R_PACK, USW_R_NOTHING)
  USW_UNROLL for (uint32_t c = 0; c + 1 < USW_F(_columns); c++) USW_F(_units_of)[c][thread] = units[c];
  const uint32_t highest = usw_port_sub_group_max(window), least = ~usw_port_sub_group_max(~(window - 1));
  if (thread % USW_SUB_GROUP == 0) {
    USW_F(_highest_of)[thread / USW_SUB_GROUP] = highest;
    USW_F(_least_of)[thread / USW_SUB_GROUP] = least;
  }
  usw_port_barrier();
}

/* The highest window of the team's threads; and whether some have others, but for those that go with any. */
USW_INLINE uint32_t USW_F(_highest_window)(int *differ) {
  uint32_t highest = 0, least = UINT32_MAX;
  USW_UNROLL for (uint32_t g = 0; g < USW_SUB_GROUPS; g++) {
    highest = USW_F(_highest_of)[g] > highest ? USW_F(_highest_of)[g] : highest;
    least = USW_F(_least_of)[g] < least ? USW_F(_least_of)[g] : least;
  }
  *differ = highest != 0 && least + 1 != highest;
  return highest;
}

/* Threads leave their columns, all in one window, which is returned; if need be at a second go. */
USW_INLINE uint32_t USW_F(_leave_alike)(USW_F(_acc) * a) {
  int differ;
  USW_F(_leave_columns)(a);
  const uint32_t window = USW_F(_highest_window)(&differ);
  if (differ && window != USW_NO_WINDOW) {
    USW_REDUCERS(USW_R_SLIDE, USW_R_NOTHING)
    usw_port_barrier(); /* what was left has been looked at */
    USW_F(_leave_columns)(a);
  }
  return window;
}

/* The team's column, added up by a whole sub-group. */
USW_INLINE uint64_t USW_F(_own_column)(uint32_t column, uint32_t lane, uint32_t window) {
  if (column + 1 == USW_F(_columns))
    return window;
  uint64_t sum = 0;
  USW_UNROLL for (uint32_t g = 0; g < USW_SUB_GROUPS; g++) sum += USW_F(_units_of)[column][g * USW_SUB_GROUP + lane];
  return usw_port_sub_group_sum(sum);
}

/* What other teams send of a column, those of every so many teams from the first on: a lane's sum. Nonzero in *is_odd: a sum of so
 * many units might not fit, or, in the last column, a window is not the one expected. */
USW_INLINE uint64_t USW_F(_sent_column)(uint64_t *pairs, uint32_t column, uint32_t first, uint32_t window,
                                        int *is_odd) {
  const uint32_t teams = usw_port_teams() - 1, step = USW_SUB_GROUP * USW_F(_column_parts), most = (1u << 28) / teams;
  const int is_window = column + 1 == USW_F(_columns);
  uint64_t sum = 0;
  for (; first < teams; first += step * USW_F(_column_values)) {
    uint32_t low[USW_F(_column_values)], high[USW_F(_column_values)];
    for (int has_come = 0; !has_come;) {
      has_come = 1;
      USW_UNROLL for (uint32_t j = 0; j < USW_F(_column_values); j++) {
        low[j] = high[j] = 0;
        if (first + j * step < teams)
          has_come &= usw_port_has_come(USW_F(_pair_of_column)(pairs, column, first + j * step), &low[j], &high[j]);
      }
    }
    USW_UNROLL for (uint32_t j = 0; j < USW_F(_column_values); j++) {
      *is_odd |= is_window ? low[j] != 0 && low[j] != window : high[j] + most > 2 * most;
      sum += (uint64_t)high[j] << 32 | low[j];
    }
  }
  return sum;
}

/* A column of units of all teams, or a part of the others', added up by a whole sub-group. Of the windows, only *is_odd counts. */
USW_INLINE uint64_t USW_F(_whole_column)(uint64_t *pairs, uint32_t column, uint32_t part, uint32_t lane,
                                         uint32_t window, int *is_odd) {
  const uint64_t own = part == 0 ? USW_F(_own_column)(column, lane, window) : 0;
  const uint64_t sent = USW_F(_sent_column)(pairs, column, part * USW_SUB_GROUP + lane, window, is_odd);
  usw_port_sub_group_sync(); /* lanes come one by one, and what they do together then takes four times as long */
  return column + 1 == USW_F(_columns) ? 0 : usw_port_sub_group_sum(sent) + own;
}

/* What the sub-groups have added up, in the window of all, into *out: a lane writes a word of it, so that all leave at once. */
USW_INLINE void USW_F(_write_sum)(uint32_t lane, uint32_t window, USW_F(_acc) * out) {
  enum { words = USW_F(_columns) > 0 ? 2 * USW_F(_columns) : 1 };
  uint64_t units[USW_SENT_COLUMNS] = {0}, all[words], word = 0;
  USW_F(_acc) a;
  USW_UNROLL for (uint32_t p = 0; p < USW_F(_column_parts); p++) {
    USW_UNROLL for (uint32_t c = 0; c + 1 < USW_F(_columns); c++) units[c] += USW_F(_sum_of)[p * USW_SENT_COLUMNS + c];
  }
  __builtin_memset((void *)&a, 0, sizeof a);
  USW_F(_unpack)(&a, window, units);
  __builtin_memcpy(all, (const void *)&a, sizeof a < sizeof all ? sizeof a : sizeof all);
  USW_UNROLL for (uint32_t w = 0; w < words; w++) word = lane == w ? all[w] : word;
  if (lane < words)
    ((uint64_t *)(void *)out)[lane] = word;
}

/* The window that all teams should have: the waiting team's own, or, where that goes with any, the first one's. */
USW_INLINE uint32_t USW_F(_expected_window)(uint64_t *pairs, uint32_t own) {
  uint32_t window = own, unused;
  while (own == 0 && !usw_port_has_come(USW_F(_pair_of_column)(pairs, USW_F(_unit_columns), 0), &window, &unused))
    continue;
  return window;
}

/* All teams' sum into *out. 0: it cannot be made so, and what was sent is still there. */
USW_INLINE int USW_F(_add_columns)(uint64_t *pairs, uint32_t own_window, USW_F(_acc) * out) {
  const uint32_t thread = usw_port_thread(), lane = thread % USW_SUB_GROUP, sub_group = thread / USW_SUB_GROUP;
  const uint32_t column = sub_group % USW_SENT_COLUMNS, part = sub_group / USW_SENT_COLUMNS;
  const int takes_part = column < USW_F(_columns) && part < USW_F(_column_parts);
  const uint32_t window = USW_F(_expected_window)(pairs, own_window);
  int is_odd = window == USW_NO_WINDOW;
  if (takes_part) {
    const uint64_t sum = USW_F(_whole_column)(pairs, column, part, lane, window, &is_odd);
    if (lane == 0)
      USW_F(_sum_of)[sub_group] = sum;
  }
  if (usw_port_team_any(is_odd))
    return 0;
  if (sub_group == 0) /* whoever watches it may go on: the next launch on this memory begins when this one has ended */
    USW_F(_write_sum)(lane, window, out);
  for (uint32_t k = part * USW_SUB_GROUP + lane; takes_part && k < usw_port_teams() - 1;
       k += USW_SUB_GROUP * USW_F(_column_parts))
    usw_port_put_pair(USW_F(_pair_of_column)(pairs, column, k), 0, 0);
  return 1;
}

/* Send the team's columns. 0: the window says that its accumulator has to follow. */
USW_INLINE int USW_F(_send_columns)(uint64_t *pairs, uint32_t window) {
  const uint32_t thread = usw_port_thread(), lane = thread % USW_SUB_GROUP, column = thread / USW_SUB_GROUP;
  if (column < USW_F(_columns)) {
    const uint64_t own = USW_F(_own_column)(column, lane, window);
    if (lane == 0)
      usw_port_send(USW_F(_pair_of_column)(pairs, column, usw_port_team()), (uint32_t)own, (uint32_t)(own >> 32));
  }
  return window != USW_NO_WINDOW;
}

/* What a team does when its threads have accumulated. 0: their accumulators have to be folded, and sent or merged with those of
 * the others. */
USW_INLINE int USW_F(_finish_in_columns)(USW_F(_acc) * a, uint64_t *pairs, USW_F(_acc) * out) {
  const uint32_t window = USW_F(_leave_alike)(a);
  return usw_port_team() == usw_port_teams() - 1 ? USW_F(_add_columns)(pairs, window, out)
                                                 : USW_F(_send_columns)(pairs, window);
}
