/* What teams hand over to the one that waits for it, as pairs of words that say themselves when they have come (port.h): accumulators
 * as they are, or columns (binned_exchange.h), and behind those of all teams the accumulators that do not fit into columns. All pairs are
 * as they were, zero, when the launch ends. */

enum {
  USW_F(_pairs) = (sizeof(USW_F(_acc)) + 7) / 8,
  USW_F(_unit_columns) = USW_F(_columns) > 0 ? USW_F(_columns) - 1 : 1 /* and behind them the window's */
};

/* A column's word of team k, and what an accumulator makes of all of them. */
USW_INLINE uint64_t *USW_F(_pair_of_column)(uint64_t *pairs, uint32_t column, uint32_t k) {
  return pairs + 2 * ((uint64_t)column * usw_port_teams() + k);
}
USW_INLINE void USW_F(_unpack)(USW_F(_acc) * a, uint32_t window, const uint64_t *units) {
  (void)a, (void)window, (void)units;
  USW_REDUCERS(USW_R_UNPACK, USW_R_NOTHING)
}

/* The pairs of team k's accumulator. */
USW_INLINE uint64_t *USW_F(_pairs_of_team)(uint64_t *pairs, uint32_t k) {
  return USW_F(_pair_of_column)(pairs, USW_F(_columns), 0) + (uint64_t)k * 2 * USW_F(_pairs);
}
USW_INLINE void USW_F(_send)(const USW_F(_acc) * a, uint64_t *pairs) {
  uint32_t words[2 * USW_F(_pairs)] = {0};
  uint64_t *const to = USW_F(_pairs_of_team)(pairs, usw_port_team());
  __builtin_memcpy(words, (const void *)a, sizeof *a);
  USW_UNROLL for (uint32_t p = 0; p < USW_F(_pairs); p++) usw_port_send(&to[2 * p], words[2 * p], words[2 * p + 1]);
}
/* All pairs are asked for at once. */
USW_INLINE void USW_F(_receive_accumulator)(USW_F(_acc) * a, uint64_t *from) {
  uint32_t words[2 * USW_F(_pairs)];
  for (int has_come = 0; !has_come;) {
    has_come = 1;
    USW_UNROLL for (uint32_t p = 0; p < USW_F(_pairs); p++) has_come &=
        usw_port_has_come(&from[2 * p], &words[2 * p], &words[2 * p + 1]);
  }
  USW_UNROLL for (uint32_t p = 0; p < USW_F(_pairs); p++) usw_port_put_pair(&from[2 * p], 0, 0);
  __builtin_memcpy((void *)a, words, sizeof *a);
}

/* The arrival of what team k sends, which leaves nothing behind. */
USW_INLINE void USW_F(_receive)(USW_F(_acc) * a, uint64_t *pairs, uint32_t k) {
  uint32_t low[USW_SENT_COLUMNS], high[USW_SENT_COLUMNS];
  uint64_t units[USW_SENT_COLUMNS];
  for (int has_come = USW_F(_columns) == 0; !has_come;) {
    has_come = 1;
    USW_UNROLL for (uint32_t c = 0; c < USW_F(_columns); c++) has_come &=
        usw_port_has_come(USW_F(_pair_of_column)(pairs, c, k), &low[c], &high[c]);
  }
  USW_UNROLL for (uint32_t c = 0; c < USW_F(_columns); c++) {
    usw_port_put_pair(USW_F(_pair_of_column)(pairs, c, k), 0, 0);
    units[c] = (uint64_t)high[c] << 32 | low[c];
  }
  if (USW_F(_columns) > 0 && low[USW_F(_unit_columns)] != USW_NO_WINDOW)
    USW_F(_unpack)(a, low[USW_F(_unit_columns)], units);
  else
    USW_F(_receive_accumulator)(a, USW_F(_pairs_of_team)(pairs, k));
}
