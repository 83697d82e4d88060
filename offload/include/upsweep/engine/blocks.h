/* Records, and the spans whose cells they hold. */

/* What a worker, chunk or team leaves behind is a record: its accumulator and, behind it, its block of cells. */
USW_INLINE uint64_t USW_F(_record_bytes)(const USW_F(_arguments) * arguments USW_UNUSED) {
  return USW_F(_block_spans) == 0
             ? sizeof(USW_F(_acc))
             : USW_BLOCK_ROUND(sizeof(USW_F(_acc))) + (0 USW_REDUCERS(USW_R_ZERO, USW_S_BLOCK_BYTES));
}
USW_INLINE USW_F(_acc) * USW_F(_record)(void *records, uint64_t number, const USW_F(_arguments) * arguments) {
  return (USW_F(_acc) *)(void *)((char *)records + number * USW_F(_record_bytes)(arguments));
}

/* Whether a team may wait for what others send it (sent.h): small accumulators, without spans, in any order; and a
 * reproducible sum of real numbers alone, of which 16 bytes are a column, in teams that have a sub-group of up to 64 threads for
 * each (columns.h). */
enum {
  USW_F(_columns) =
      USW_TEAM_SIZE >= 64 * USW_SENT_COLUMNS &&
              sizeof(USW_F(_acc)) <= 16 * USW_SENT_COLUMNS USW_REDUCERS(USW_R_AND_IN_COLUMNS, USW_R_AND_NOT)
          ? sizeof(USW_F(_acc)) / 16
          : 0
};
enum {
  USW_F(_awaits) =
      USW_F(_columns) > 0 || (USW_F(_span_count) == 0 && !USW_F(_ordered) && sizeof(USW_F(_acc)) <= USW_SENT_BYTES)
};

/* The spans of a record. */
USW_INLINE void USW_F(_place_spans)(USW_F(_spans) * s, const USW_F(_arguments) * arguments USW_UNUSED,
                                    USW_F(_acc) * record) {
  char *const block USW_UNUSED = (char *)record + USW_BLOCK_ROUND(sizeof *record);
  uint64_t offset USW_UNUSED = 0;
  __builtin_memset((void *)s, 0, sizeof *s);
  USW_REDUCERS(USW_R_NOTHING, USW_S_OPEN)
}

/* Every cell of a block becomes the identity. */
USW_INLINE void USW_F(_clear_block)(USW_F(_spans) * s) {
  (void)s;
  USW_REDUCERS(USW_R_NOTHING, USW_S_CLEAR_BLOCK)
}

/* Join the cells first, first + step, ... of every span of a later block. */
USW_INLINE void USW_F(_merge_block)(USW_F(_spans) * s, const USW_F(_spans) * later USW_UNUSED,
                                    uint64_t first USW_UNUSED, uint64_t step USW_UNUSED) {
  (void)s;
  USW_REDUCERS(USW_R_NOTHING, USW_S_MERGE_BLOCK)
}
