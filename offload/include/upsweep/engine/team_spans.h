/* Spans while a team of a GPU visits its items, for any type and operator, with the same bits on every run.
 *
 * Short spans that do not fit into team memory once per thread, or whose order matters, stay in the accumulator. Of
 * others the team holds `copies` of every cell, in team memory if at least one copy fits, else one in its block:
 *   a copy per thread        nobody else combines into it: the body does so itself
 *   a copy for 2 or 4        they take turns, one lane after the other
 *   a copy per sub-group     lanes with the same cell take turns; who they are is found by a word of lanes' bits per cell,
 *                            cells sharing words by their index's low bits
 *   fewer copies             so do the sub-groups that share one
 * Taking turns needs all of the team at the same place, so the body only leaves its (index, value) behind, and the engine
 * combines them after a batch of items (in_step.h). A body that combines into a span several times runs as often.
 * Integers whose operator has an atomic instruction are combined by it at once: any order gives the same bits.
 *
 * A thread keeps its last (index, value) until the index changes: runs of equal keys, which would make all lanes wait for
 * each other, cost nothing. */
#ifndef UPSWEEP_ENGINE_TEAM_SPANS_ONCE
#define UPSWEEP_ENGINE_TEAM_SPANS_ONCE
typedef uint32_t __attribute__((may_alias)) usw_word_t;
#define USW_SUB_GROUPS (USW_TEAM_SIZE / USW_SUB_GROUP)

/* Copies of all cells, given the bytes of one. */
#define USW_COPIES_FIT(copies, bytes) ((uint64_t)(bytes) * (copies) <= USW_POOL_BYTES)
#define USW_COPIES_OF(bytes)                                                                                           \
  (USW_COPIES_FIT(USW_TEAM_SIZE, bytes)                               ? USW_TEAM_SIZE                                  \
   : USW_COPIES_FIT(USW_TEAM_SIZE / 2, bytes)                         ? USW_TEAM_SIZE / 2                              \
   : USW_COPIES_FIT(USW_TEAM_SIZE / 4, bytes)                         ? USW_TEAM_SIZE / 4                              \
   : USW_COPIES_FIT(USW_SUB_GROUPS, bytes)                            ? USW_SUB_GROUPS                                 \
   : USW_COPIES_FIT(USW_SUB_GROUPS / 2, bytes) && USW_SUB_GROUPS >= 2 ? USW_SUB_GROUPS / 2                             \
   : USW_COPIES_FIT(USW_SUB_GROUPS / 4, bytes) && USW_SUB_GROUPS >= 4 ? USW_SUB_GROUPS / 4                             \
   : USW_COPIES_FIT(1, bytes)                                         ? 1                                              \
                                                                      : 0)
enum { USW_LANE_WORDS = 256 }; /* words of lanes' bits per sub-group */
#if USW_SUB_GROUP > 32
typedef uint64_t usw_lanes_t;
#else
typedef uint32_t usw_lanes_t;
#endif

/* Combine words of 4 bytes into memory that others combine into. A sum of 64 bits is two of 32, the second with the carry
 * of the first: team memory has no other that does not try again and again. */
USW_INLINE void usw_atomic_combine(int operation, usw_word_t *at, const usw_word_t *value, int words) {
  uint32_t carry = 0;
  for (int w = 0; w < words; w++) {
    if (operation == USW_PLUS) {
      const uint32_t add = value[w] + carry;
      carry = add != 0 && __atomic_fetch_add(&at[w], add, __ATOMIC_RELAXED) + add < add;
    } else if (operation == USW_BIT_AND) {
      __atomic_fetch_and(&at[w], value[w], __ATOMIC_RELAXED);
    } else if (operation == USW_BIT_OR) {
      __atomic_fetch_or(&at[w], value[w], __ATOMIC_RELAXED);
    } else {
      __atomic_fetch_xor(&at[w], value[w], __ATOMIC_RELAXED);
    }
  }
}

/* Bytes of one copy of the cells in the block when extents come at run time. */
#define USW_S_COPY_BYTES(T, n, extent, ...)                                                                            \
  +(USW_OF(_inline_, n) > 0 ? 0 : USW_BLOCK_ROUND(s->usw_extent_##n * sizeof(USW_OF(_cell_, n))))

/* Whether a span's cells are in the pool: all of them where each thread has its copy, else those of the block. */
#define USW_IS_POOLED(n) (USW_F(_private) > 0 || USW_OF(_inline_, n) == 0)

/* What a thread keeps of a span: where it is in the pool, the run that waits to be combined, what the body left, and a
 * batch of what is to be combined now. */
#define USW_NO_CELL UINT32_MAX
#ifndef USW_RECORDS_AT_ONCE /* cells of as many records are read before they are joined */
#define USW_RECORDS_AT_ONCE 8
#endif
#ifndef USW_BATCH_ITEMS
#define USW_BATCH_ITEMS 4
#endif
#define USW_COPIES(s) (USW_F(_dynamic_spans) > 0 ? (s)->usw_copies : (uint32_t)USW_F(_fixed_copies))
#define USW_S_TEAM_PLACE(T, n)                                                                                         \
  uint32_t usw_area_##n, usw_run_##n, usw_left_##n, usw_seen_##n;                                                      \
  T usw_run_value_##n, usw_left_value_##n;                                                                             \
  uint32_t usw_index_##n[USW_BATCH_ITEMS];                                                                             \
  T usw_value_##n[USW_BATCH_ITEMS];                                                                                    \
  uint32_t usw_turn_##n[USW_BATCH_ITEMS];

/* The cell of a copy. Copies that few threads share lie side by side, so that neighbours do not meet in a bank. */
#define USW_S_TEAM_COMBINE(T, n, extent, ...)                                                                          \
  enum { USW_OF(_atomic_, n) = USW_S_ATOMIC(T, n) };                                                                   \
  USW_INLINE USW_OF(_cell_, n) * USW_OF(_pooled_, n)(const USW_F(_spans) * s, uint32_t index, uint32_t copy) {         \
    const uint32_t copies = USW_COPIES(s), at = copies > USW_SUB_GROUPS                                                \
                                                    ? index * copies + copy                                            \
                                                    : copy * (uint32_t)USW_OF(_extent_in_, n)(s) + index;              \
    return (USW_OF(_cell_, n) *)(void *)((char *)USW_F(_pool) + s->usw_area_##n) + at;                                 \
  }                                                                                                                    \
  USW_INLINE void USW_OF(_team_put_, n)(USW_F(_spans) * s, uint32_t index, T value) {                                  \
    const uint32_t copies = USW_COPIES(s);                                                                             \
    if (copies == 0)                                                                                                   \
      USW_OF(_put_, n)(&s->usw_cells_##n[index], value);                                                               \
    else                                                                                                               \
      USW_OF(_put_, n)(USW_OF(_pooled_, n)(s, index, usw_port_thread() / (USW_TEAM_SIZE / copies)), value);            \
  }                                                                                                                    \
  USW_INLINE void USW_OF(_atomic_put_, n)(USW_F(_spans) * s, uint32_t index, T value) {                                \
    const uint32_t copies = USW_COPIES(s);                                                                             \
    const int words = (int)(sizeof(T) / 4);                                                                            \
    if (copies == 0)                                                                                                   \
      usw_atomic_combine(USW_OF(_code_, n), (usw_word_t *)(void *)&s->usw_cells_##n[index],                            \
                         (const usw_word_t *)(const void *)&value, words);                                             \
    else                                                                                                               \
      usw_atomic_combine(                                                                                              \
          USW_OF(_code_, n),                                                                                           \
          (usw_word_t *)(void *)USW_OF(_pooled_, n)(s, index, usw_port_thread() / (USW_TEAM_SIZE / copies)),           \
          (const usw_word_t *)(const void *)&value, words);                                                            \
  }                                                                                                                    \
  /* Join the run, or end it: 1 if there is one to be combined, which index and value then are. */                     \
  USW_INLINE int USW_OF(_end_run_, n)(USW_F(_spans) * s, uint32_t *index, T *value) {                                  \
    const uint32_t run = s->usw_run_##n;                                                                               \
    const T run_value = s->usw_run_value_##n;                                                                          \
    const int same = run == *index && (int)USW_OF(_level_, n) == 0; /* adding two values would round */                \
    s->usw_run_##n = *index;                                                                                           \
    s->usw_run_value_##n = same ? USW_OF(_operate_, n)(run_value, *value) : *value;                                    \
    *index = run;                                                                                                      \
    *value = run_value;                                                                                                \
    return !same && run != USW_NO_CELL;                                                                                \
  }                                                                                                                    \
  USW_INLINE void USW_OF(_team_combine_, n)(USW_F(_spans) * s, uint32_t index, T value) {                              \
    if (USW_COPIES(s) == USW_TEAM_SIZE) {                                                                              \
      USW_OF(_team_put_, n)(s, index, value);                                                                          \
    } else if (!USW_OF(_atomic_, n)) {                                                                                 \
      if (s->usw_seen_##n++ == s->usw_wanted)                                                                          \
        s->usw_left_##n = index, s->usw_left_value_##n = value;                                                        \
    } else if (s->usw_wanted == 0 && USW_OF(_end_run_, n)(s, &index, &value)) {                                        \
      USW_OF(_atomic_put_, n)(s, index, value);                                                                        \
    }                                                                                                                  \
  }                                                                                                                    \
  /* Take what the body left at item k of the batch; 1 if it has more. */                                              \
  USW_INLINE int USW_OF(_collect_, n)(USW_F(_spans) * s, uint32_t k) {                                                 \
    const uint32_t seen = s->usw_seen_##n;                                                                             \
    uint32_t index = s->usw_left_##n;                                                                                  \
    T value = s->usw_left_value_##n;                                                                                   \
    const int ended = seen > s->usw_wanted && USW_OF(_end_run_, n)(s, &index, &value);                                 \
    s->usw_index_##n[k] = ended ? index : USW_NO_CELL;                                                                 \
    s->usw_value_##n[k] = value;                                                                                       \
    s->usw_seen_##n = 0;                                                                                               \
    return seen > s->usw_wanted + 1;                                                                                   \
  }

/* The turn of this thread among those that share its copy and its sub-group: for each item of the batch. */
#define USW_S_SETTLE(T, n, extent, ...)                                                                                \
  USW_INLINE uint32_t USW_OF(_turn_, n)(const USW_F(_spans) * s, uint32_t k) {                                         \
    const uint32_t lane = usw_port_thread() % USW_SUB_GROUP, group = usw_port_thread() / USW_SUB_GROUP;                \
    const uint32_t copies = USW_COPIES(s), index = s->usw_index_##n[k];                                                \
    const int some = index != USW_NO_CELL;                                                                             \
    if (copies > USW_SUB_GROUPS)                                                                                       \
      return lane % (USW_TEAM_SIZE / copies);                                                                          \
    usw_lanes_t before = 0; /* the lanes before this one whose index has the same word */                              \
    if (some)                                                                                                          \
      __atomic_fetch_or((usw_lanes_t *)&USW_F(_lanes)[group][index % USW_LANE_WORDS], (usw_lanes_t)1 << lane,          \
                        __ATOMIC_RELAXED);                                                                             \
    usw_port_sub_group_sync();                                                                                         \
    if (some)                                                                                                          \
      before = USW_F(_lanes)[group][index % USW_LANE_WORDS] & (((usw_lanes_t)1 << lane) - 1);                          \
    usw_port_sub_group_sync();                                                                                         \
    if (some)                                                                                                          \
      USW_F(_lanes)[group][index % USW_LANE_WORDS] = 0;                                                                \
    usw_port_sub_group_sync();                                                                                         \
    if (USW_OF(_extent_in_, n)(s) <= USW_LANE_WORDS)                                                                   \
      return (uint32_t)__builtin_popcountll(before);                                                                   \
    uint32_t turn = 0; /* words are shared: of those lanes, count the ones with the same index */                      \
    for (; usw_port_sub_group_any(before != 0); before &= before - 1) {                                                \
      const uint32_t other =                                                                                           \
          usw_port_shuffle(index, before ? (uint32_t)__builtin_ctzll(before) : lane, USW_SUB_GROUP);                   \
      turn += before != 0 && other == index;                                                                           \
    }                                                                                                                  \
    return turn;                                                                                                       \
  }                                                                                                                    \
  USW_INLINE void USW_OF(_find_turns_, n)(USW_F(_spans) * s, uint32_t items) {                                         \
    USW_UNROLL for (uint32_t k = 0; k < items; k++) s->usw_turn_##n[k] = USW_OF(_turn_, n)(s, k);                      \
  }                                                                                                                    \
  USW_INLINE void USW_OF(_settle_, n)(USW_F(_spans) * s, uint32_t items) {                                             \
    const uint32_t copies = USW_COPIES(s), sharing = USW_TEAM_SIZE / (copies ? copies : 1);                            \
    const uint32_t groups = sharing > USW_SUB_GROUP ? sharing / USW_SUB_GROUP : 1;                                     \
    for (uint32_t group = 0; group < groups; group++) {                                                                \
      if (usw_port_thread() / USW_SUB_GROUP % groups == group) {                                                       \
        USW_UNROLL for (uint32_t k = 0; k < items; k++) {                                                              \
          /* Between turns of sub-groups nothing but these two is kept of an item. */                                  \
          const uint32_t index = groups > 1 ? usw_port_opaque(s->usw_index_##n[k]) : s->usw_index_##n[k];              \
          const uint32_t mine = groups > 1 ? usw_port_opaque(s->usw_turn_##n[k]) : s->usw_turn_##n[k];                 \
          uint32_t now = 0;                                                                                            \
          do {                                                                                                         \
            if (index != USW_NO_CELL && mine == now)                                                                   \
              USW_OF(_team_put_, n)(s, index, s->usw_value_##n[k]);                                                    \
            usw_port_sub_group_sync();                                                                                 \
            now++;                                                                                                     \
          } while (copies > USW_SUB_GROUPS ? now < sharing                                                             \
                                           : usw_port_sub_group_any(index != USW_NO_CELL && mine >= now));             \
        }                                                                                                              \
      }                                                                                                                \
      if (group + 1 < groups) /* whoever comes next votes first, which is a barrier */                                 \
        usw_port_barrier();                                                                                            \
    }                                                                                                                  \
  }

/* Visitors of all spans. */
#define USW_S_START_BATCH(T, n, ...)                                                                                   \
  s->usw_run_##n = s->usw_left_##n = USW_NO_CELL;                                                                      \
  s->usw_seen_##n = 0;                                                                                                 \
  __builtin_memset((void *)&s->usw_run_value_##n, 0, sizeof(T));                                                       \
  __builtin_memset((void *)&s->usw_left_value_##n, 0, sizeof(T));
#define USW_S_AREA(T, n, ...)                                                                                          \
  s->usw_area_##n = area;                                                                                              \
  area +=                                                                                                              \
      USW_IS_POOLED(n) ? USW_COPIES(s) * (uint32_t)USW_BLOCK_ROUND(s->usw_extent_##n * sizeof(USW_OF(_cell_, n))) : 0;
#define USW_S_CLEAR_TEAM(T, n, ...)                                                                                    \
  if (USW_OF(_inline_, n) == 0 && USW_COPIES(s) == 0)                                                                  \
    for (uint64_t k = usw_port_thread(); k < s->usw_extent_##n; k += USW_TEAM_SIZE)                                    \
      USW_OF(_clear_, n)(&s->usw_cells_##n[k]);                                                                        \
  for (uint32_t k = usw_port_thread(); USW_IS_POOLED(n) && k < USW_COPIES(s) * (uint32_t)s->usw_extent_##n;            \
       k += USW_TEAM_SIZE)                                                                                             \
    USW_OF(_clear_, n)(USW_OF(_pooled_, n)(s, 0, 0) + k);
#define USW_TAKES_TURNS(n) (USW_OF(_inline_, n) == 0 && !USW_OF(_atomic_, n))
#define USW_S_COLLECT(T, n, ...) (USW_TAKES_TURNS(n) ? USW_OF(_collect_, n)(s, k) : 0) |
#define USW_S_ANY_TO_SETTLE(T, n, ...) (USW_TAKES_TURNS(n) && s->usw_index_##n[k] != USW_NO_CELL) ||
#define USW_S_FIND_TURNS(T, n, ...)                                                                                    \
  if (USW_TAKES_TURNS(n))                                                                                              \
    USW_OF(_find_turns_, n)(s, items);
#define USW_S_SETTLE_ONE(T, n, ...)                                                                                    \
  if (USW_TAKES_TURNS(n))                                                                                              \
    USW_OF(_settle_, n)(s, items);
#define USW_S_END_RUN(T, n, ...)                                                                                       \
  if (USW_OF(_atomic_, n) && s->usw_run_##n != USW_NO_CELL)                                                            \
    USW_OF(_atomic_put_, n)(s, s->usw_run_##n, s->usw_run_value_##n);                                                  \
  USW_UNROLL for (uint32_t k = 0; k < USW_BATCH_ITEMS; k++) {                                                          \
    s->usw_index_##n[k] = k == 0 ? s->usw_run_##n : USW_NO_CELL;                                                       \
    s->usw_value_##n[k] = s->usw_run_value_##n;                                                                        \
  }
/* Pairs of copies into the first half of them. */
#define USW_S_FOLD_COPIES(T, n, ...)                                                                                   \
  for (uint32_t k = usw_port_thread(); USW_IS_POOLED(n) && k < half * (uint32_t)s->usw_extent_##n; k += USW_TEAM_SIZE) \
    USW_OF(_join_, n)(USW_OF(_pooled_, n)(s, k / half, k % half), USW_OF(_pooled_, n)(s, k / half, k % half + half));
/* Where each thread has its copy: what was compared joins it; it takes the cells of a partial; thread 0's is the result. */
#define USW_S_JOIN_COMPARED(T, n, ...)                                                                                 \
  for (uint32_t k = 0; k != USW_OF(_inline_, n); k++)                                                                  \
    USW_OF(_join_, n)(USW_OF(_pooled_, n)(s, k, usw_port_thread()), &a->n[k]);
#define USW_S_TAKE_SHORT(T, n, ...)                                                                                    \
  USW_UNROLL for (uint32_t k = 0; k != USW_OF(_inline_, n); k++) a->n[k] = *USW_OF(_pooled_, n)(s, k, 0);
#define USW_S_PUBLISH(T, n, ...)                                                                                       \
  if (USW_OF(_inline_, n) == 0 && USW_COPIES(s) > 0)                                                                   \
    for (uint64_t k = usw_port_thread(); k < s->usw_extent_##n; k += USW_TEAM_SIZE)                                    \
      s->usw_cells_##n[k] = *USW_OF(_pooled_, n)(s, (uint32_t)k, 0);
/* The cells of `count` records, `step` bytes apart, into those of another: those of a thread among `threads`. */
#define USW_S_FOLD_RECORDS(T, n, ...)                                                                                  \
  for (uint64_t k = thread; USW_OF(_inline_, n) == 0 && k < s->usw_extent_##n; k += threads) {                         \
    const char *from = (const char *)&s->usw_cells_##n[k];                                                             \
    USW_OF(_cell_, n) sum = s->usw_cells_##n[k];                                                                       \
    _Pragma(USW_TEXT(unroll USW_RECORDS_AT_ONCE)) for (uint32_t r = 1; r < count; r++)                                 \
        USW_OF(_join_, n)(&sum, (const USW_OF(_cell_, n) *)(const void *)(from + r * step));                           \
    into->usw_cells_##n[k] = sum;                                                                                      \
  }
#endif

/* A kernel's own part. */
enum {
  USW_F(_private) = USW_F(_span_count) > 0 && USW_F(_block_spans) == 0 && !USW_F(_ordered) && !USW_F(_together) &&
                    USW_COPIES_FIT(USW_TEAM_SIZE, USW_F(_cell_bytes)),
  USW_F(_fixed_copies) = USW_F(_private) ? USW_TEAM_SIZE : USW_COPIES_OF(0 USW_REDUCERS(USW_R_ZERO, USW_S_FIXED_BYTES)),
  USW_F(_pool_bytes) = USW_F(_private) ? USW_TEAM_SIZE * (int)USW_F(_cell_bytes)
                       : USW_F(_dynamic_spans) > 0
                           ? USW_POOL_BYTES
                           : USW_F(_fixed_copies) * (0 USW_REDUCERS(USW_R_ZERO, USW_S_FIXED_BYTES))
};
USW_TEAM_MEMORY uint64_t USW_F(_pool)[USW_F(_pool_bytes) / 8 + (USW_F(_pool_bytes) == 0)];
USW_TEAM_MEMORY usw_lanes_t USW_F(_lanes)[USW_F(_in_turns) ? USW_SUB_GROUPS : 1][USW_F(_in_turns) ? USW_LANE_WORDS : 1];
