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

/* The spans of a record. */
USW_INLINE void USW_F(_place_spans)(USW_F(_spans) * s, const USW_F(_arguments) * arguments USW_UNUSED,
                                    USW_F(_acc) * record) {
  char *const block USW_UNUSED = (char *)record + USW_BLOCK_ROUND(sizeof *record);
  uint64_t offset USW_UNUSED = 0;
  __builtin_memset((void *)s, 0, sizeof *s);
  USW_REDUCERS(USW_R_NOTHING, USW_S_OPEN)
}

/* The cells first, first + step, ... of every span become the identity. */
USW_INLINE void USW_F(_clear_block)(USW_F(_spans) * s, uint64_t first USW_UNUSED, uint64_t step USW_UNUSED) {
  (void)s;
  USW_REDUCERS(USW_R_NOTHING, USW_S_CLEAR_BLOCK)
}

/* Join the cells first, first + step, ... of every span of a later block. */
USW_INLINE void USW_F(_merge_block)(USW_F(_spans) * s, const USW_F(_spans) * later USW_UNUSED,
                                    uint64_t first USW_UNUSED, uint64_t step USW_UNUSED) {
  (void)s;
  USW_REDUCERS(USW_R_NOTHING, USW_S_MERGE_BLOCK)
}
