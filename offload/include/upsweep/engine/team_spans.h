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
 * Where a block is for several teams (usw_is_common), which the library decides, there are no turns: every cell is combined by atomics.
 *
 * A thread keeps its last (index, value) until the index changes: runs of equal keys, which would make all lanes wait for
 * each other, cost nothing. */
#ifndef UPSWEEP_ENGINE_TEAM_SPANS_ONCE
#define UPSWEEP_ENGINE_TEAM_SPANS_ONCE
typedef uint32_t __attribute__((may_alias)) usw_word_t;
#define USW_SUB_GROUPS (USW_TEAM_SIZE / USW_SUB_GROUP)

typedef uint64_t __attribute__((may_alias)) usw_long_word_t;

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

/* So many lanes with the same cell join their values first. Extremes need not: who would change nothing only reads. */
enum { USW_MANY_PEERS = 4, USW_EXTREMES = 1 << USW_MINIMUM | 1 << USW_MAXIMUM };
/* name(index, &value): lanes that are about to combine into the same cell join their values, if some have many others; 1 in those that go on. */
#define USW_JOIN_PEERS(name, V, JOIN)                                                                                  \
  USW_INLINE int name(uint32_t index, V *value) {                                                                      \
    uint32_t here, peers = usw_port_peers(index, &here);                                                               \
    const uint32_t lane = usw_port_thread() % USW_SUB_GROUP, below = usw_port_lanes_below();                           \
    uint32_t rank = (uint32_t)__builtin_popcount(peers & below);                                                       \
    const int is_first = rank == 0;                                                                                    \
    if (usw_port_ballot_here(here, __builtin_popcount(peers) >= USW_MANY_PEERS) == 0)                                  \
      return 1;                                                                                                        \
    for (peers &= ~below & ~(1u << lane); usw_port_ballot_here(here, peers != 0) != 0; rank >>= 1) {                   \
      const uint32_t next = peers ? (uint32_t)__builtin_ctz(peers) : lane;                                             \
      uint32_t words[(sizeof(V) + 3) / 4] = {0};                                                                       \
      V other = *value;                                                                                                \
      __builtin_memcpy(words, (const void *)&other, sizeof other);                                                     \
      USW_UNROLL for (size_t w = 0; w < sizeof words / 4; w++) words[w] = usw_port_shuffle_here(here, words[w], next); \
      __builtin_memcpy((void *)&other, words, sizeof other);                                                           \
      if (peers)                                                                                                       \
        JOIN(value, &other);                                                                                           \
      peers &= ~usw_port_ballot_here(here, rank & 1); /* these have been joined */                                     \
    }                                                                                                                  \
    return is_first;                                                                                                   \
  }

/* What a number adds to words of a sum. */
typedef struct {
  uint64_t of[USW_FIXED_PARTS];
} usw_parts_t;
USW_INLINE void usw_add_parts(usw_parts_t *a, const usw_parts_t *b) {
  USW_UNROLL for (int p = 0; p < USW_FIXED_PARTS; p++) a->of[p] += b->of[p];
}
USW_JOIN_PEERS(usw_join_parts, usw_parts_t, usw_add_parts)
enum { USW_MEASURES_SUMS = 1, USW_ADDS_INTEGERS };

/* All NaNs of a floating type as one: which of two comes first, nobody knows. */
USW_INLINE uint64_t usw_one_nan(uint64_t word, int bytes) {
  const uint64_t infinity = bytes == 8 ? (uint64_t)0x7ff << 52 : (uint64_t)0xff << 23;
  const uint64_t magnitude = word & (bytes == 8 ? UINT64_MAX >> 1 : UINT32_MAX >> 1);
  return magnitude > infinity ? infinity | (uint64_t)1 << (bytes == 8 ? 51 : 22) : word;
}

/* A word of 4 or 8 bytes in device memory; and another one in its place, unless it is no longer what was seen: what is there then. */
USW_INLINE uint64_t usw_seen_word(void *at, int bytes) {
  return bytes == 8 ? __atomic_load_n((usw_long_word_t *)at, __ATOMIC_RELAXED)
                    : __atomic_load_n((usw_word_t *)at, __ATOMIC_RELAXED);
}
USW_INLINE int usw_replace_word(void *at, uint64_t *seen, uint64_t next, int bytes) {
  if (bytes == 8)
    return __atomic_compare_exchange_n((usw_long_word_t *)at, seen, next, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  uint32_t word = (uint32_t)*seen;
  const int is_replaced =
      __atomic_compare_exchange_n((usw_word_t *)at, &word, (uint32_t)next, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  *seen = word;
  return is_replaced;
}

/* Bytes of one copy of the cells in the block when extents come at run time. */
#define USW_S_COPY_BYTES(T, n, extent, ...)                                                                            \
  +(USW_OF(_inline_, n) > 0 ? 0 : USW_BLOCK_ROUND(s->usw_extent_##n * sizeof(USW_OF(_cell_, n))))

/* Whether a span's cells are in the pool: all of them where each thread has its copy, else those of the block. */
#define USW_IS_POOLED(n) (USW_F(_private) > 0 || USW_OF(_inline_, n) == 0)

/* What a thread keeps of a span: where it is in the pool, the run that waits to be combined, what the body left, and a
 * batch of what is to be combined now. */
#define USW_NO_CELL UINT32_MAX
#ifndef USW_RECORDS_AT_ONCE /* cells of as many records are read before they are joined; 8 take registers of kernels with turns: a team less */
#define USW_RECORDS_AT_ONCE 6
#endif
#ifndef USW_BATCH_ITEMS
#define USW_BATCH_ITEMS 4
#endif
#define USW_COPIES(s) (USW_F(_dynamic_spans) > 0 ? (s)->usw_copies : (uint32_t)USW_F(_fixed_copies))
#define USW_S_TEAM_PLACE(T, n)                                                                                         \
  uint64_t *usw_words_##n;                                                                                             \
  uint32_t usw_area_##n, usw_own_##n, usw_step_##n, usw_run_##n, usw_left_##n, usw_seen_##n;                           \
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
  /* In the copy that this thread combines into: found without a division. */                                          \
  USW_INLINE USW_OF(_cell_, n) * USW_OF(_own_, n)(const USW_F(_spans) * s, uint32_t index) {                           \
    return (USW_OF(_cell_, n) *)(void *)((char *)USW_F(_pool) + s->usw_area_##n) + s->usw_own_##n +                    \
           index * s->usw_step_##n;                                                                                    \
  }                                                                                                                    \
  USW_INLINE void USW_OF(_team_put_, n)(USW_F(_spans) * s, uint32_t index, T value) {                                  \
    USW_OF(_put_, n)(USW_COPIES(s) == 0 ? &s->usw_cells_##n[index] : USW_OF(_own_, n)(s, index), value);               \
  }                                                                                                                    \
  /* Into a cell of device memory that others combine into. */                                                         \
  USW_INLINE void USW_OF(_memory_put_, n)(USW_OF(_cell_, n) * cell, T value) {                                         \
    const int bytes = (int)sizeof(T);                                                                                  \
    uint64_t word = 0, seen;                                                                                           \
    __builtin_memcpy((void *)&word, (const void *)&value, sizeof value < 8 ? sizeof value : 8);                        \
    if (USW_OF(_atomic_, n) && bytes == 8 && (int)USW_OF(_code_, n) == USW_PLUS) {                                     \
      __atomic_fetch_add((usw_long_word_t *)(void *)cell, word, __ATOMIC_RELAXED);                                     \
    } else if (USW_OF(_atomic_, n)) {                                                                                  \
      usw_atomic_combine(USW_OF(_code_, n), (usw_word_t *)(void *)cell, (const usw_word_t *)(const void *)&value,      \
                         bytes / 4);                                                                                   \
    } else if (bytes == 8 && USW_SUM_PARTS(T, n) == 1) {                                                               \
      usw_atomic_add_double((uint64_t *)(void *)cell, usw_double_of(word));                                            \
    } else {                                                                                                           \
      seen = usw_seen_word((void *)cell, bytes);                                                                       \
      do {                                                                                                             \
        T next = value;                                                                                                \
        __builtin_memcpy((void *)&next, (const void *)&seen, sizeof next < 8 ? sizeof next : 8);                       \
        next = USW_OF(_operate_, n)(next, value);                                                                      \
        __builtin_memcpy((void *)&word, (const void *)&next, sizeof next < 8 ? sizeof next : 8);                       \
        word = usw_hidden(USW_PARTS_OF(T) == 1 ? usw_one_nan(word, bytes) : word);                                     \
      } while (word != seen && !usw_replace_word((void *)cell, &seen, word, bytes));                                   \
    }                                                                                                                  \
  }                                                                                                                    \
  USW_INLINE void USW_OF(_join_value_, n)(T * x, const T *y) { *x = USW_OF(_operate_, n)(*x, *y); }                    \
  USW_JOIN_PEERS(USW_OF(_join_peers_, n), T, USW_OF(_join_value_, n))                                                  \
  /* A sum by a fixed point (fixed_point.h): measure the number, or add it as integers. */                             \
  USW_INLINE void USW_OF(_fixed_put_, n)(USW_F(_spans) * s, uint32_t index, T value) {                                 \
    const double number = usw_part_of((const void *)&value, 0, sizeof value == 8 ? 8 : 4);                             \
    usw_parts_t parts;                                                                                                 \
    uint32_t first;                                                                                                    \
    if (s->usw_fixed == USW_MEASURES_SUMS) {                                                                           \
      s->usw_in_runs += index == s->usw_run_##n;                                                                       \
      s->usw_run_##n = index;                                                                                          \
      usw_measure_number(&s->usw_measured, number);                                                                    \
      return;                                                                                                          \
    }                                                                                                                  \
    usw_split_number(number, s->usw_point, &first, parts.of);                                                          \
    if (!usw_join_parts(index * 8 + first, &parts))                                                                    \
      return;                                                                                                          \
    USW_DEVICE_SPACE uint64_t *const at =                                                                              \
        (USW_DEVICE_SPACE uint64_t *)&s->usw_words_##n[(uint64_t)index * s->usw_point.words + first];                  \
    USW_UNROLL for (uint32_t p = 0; p < USW_FIXED_PARTS; p++) if (parts.of[p] != 0 && first + p < s->usw_point.words)  \
        __atomic_fetch_add(&at[p], parts.of[p], __ATOMIC_RELAXED);                                                     \
  }                                                                                                                    \
  USW_INLINE void USW_OF(_atomic_put_, n)(USW_F(_spans) * s, uint32_t index, T value) {                                \
    if (USW_OF(_atomic_, n) && USW_COPIES(s) > 0) /* of other cells there are none in common then */                   \
      usw_atomic_combine(USW_OF(_code_, n), (usw_word_t *)(void *)USW_OF(_own_, n)(s, index),                          \
                         (const usw_word_t *)(const void *)&value, (int)(sizeof(T) / 4));                              \
    else if (((USW_EXTREMES >> (int)USW_OF(_code_, n)) & 1) || USW_OF(_join_peers_, n)(index, &value))                 \
      USW_OF(_memory_put_, n)(&s->usw_cells_##n[index], value);                                                        \
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
    } else if (USW_TAKES_TURNS(n) && !s->usw_is_common) {                                                              \
      if (s->usw_seen_##n++ == s->usw_wanted)                                                                          \
        s->usw_left_##n = index, s->usw_left_value_##n = value;                                                        \
    } else if (USW_F(_fixed) && USW_S_IS_SUM(T, n) && s->usw_fixed != 0) {                                             \
      if (s->usw_wanted == 0)                                                                                          \
        USW_OF(_fixed_put_, n)(s, index, value);                                                                       \
    } else if (USW_F(_fixed) && s->usw_fixed == USW_MEASURES_SUMS) {                                                   \
      return;                                                                                                          \
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
      return lane & (s->usw_sharing - 1);                                                                              \
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
    const uint32_t copies = USW_COPIES(s), sharing = s->usw_sharing;                                                   \
    const uint32_t groups = sharing > USW_SUB_GROUP ? sharing / USW_SUB_GROUP : 1;                                     \
    for (uint32_t group = 0; group < groups; group++) {                                                                \
      if ((usw_port_thread() / USW_SUB_GROUP & (groups - 1)) == group) {                                               \
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
  s->usw_step_##n = copies > USW_SUB_GROUPS ? copies : 1;                                                              \
  s->usw_own_##n = copy * (copies > USW_SUB_GROUPS ? 1 : (uint32_t)s->usw_extent_##n);                                 \
  area += USW_IS_POOLED(n) ? copies * (uint32_t)USW_BLOCK_ROUND(s->usw_extent_##n * sizeof(USW_OF(_cell_, n))) : 0;
#define USW_S_CLEAR_TEAM(T, n, ...)                                                                                    \
  if (USW_OF(_inline_, n) == 0 && USW_COPIES(s) == 0)                                                                  \
    for (uint64_t k = usw_port_thread() + (s->usw_is_common ? s->usw_extent_##n : 0); k < s->usw_extent_##n;           \
         k += USW_TEAM_SIZE)                                                                                           \
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
  const int USW_OF(_is_by_atomics_, n) = USW_OF(_atomic_, n) || s->usw_is_common;                                      \
  if (USW_OF(_is_by_atomics_, n) && s->usw_run_##n != USW_NO_CELL && !(USW_S_IS_SUM(T, n) && s->usw_fixed != 0))       \
    USW_OF(_atomic_put_, n)(s, s->usw_run_##n, s->usw_run_value_##n);                                                  \
  USW_UNROLL for (uint32_t k = 0; k < USW_BATCH_ITEMS; k++) {                                                          \
    s->usw_index_##n[k] = k == 0 && !USW_OF(_is_by_atomics_, n) ? s->usw_run_##n : USW_NO_CELL;                        \
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
/* Where the words of a sum by a fixed point are; and what a fold makes of those of a thread among `threads`. */
#define USW_S_PLACE_WORDS(T, n, ...)                                                                                   \
  s->usw_words_##n = words;                                                                                            \
  words += USW_OF(_inline_, n) == 0 && USW_S_IS_SUM(T, n) ? s->usw_extent_##n * s->usw_point.words : 0;
#define USW_S_ROUND_WORDS(T, n, ...)                                                                                   \
  for (uint64_t k = thread; USW_OF(_inline_, n) == 0 && USW_S_IS_SUM(T, n) && k < s->usw_extent_##n; k += threads) {   \
    const usw_sum_bits_t sum = usw_sum_of_words(&s->usw_words_##n[k * s->usw_point.words], s->usw_point);              \
    const T none = USW_OF(_identity_of_, n)();                                                                         \
    if (sum.bits == 0)                                                                                                 \
      __builtin_memcpy((void *)&into->usw_cells_##n[k], (const void *)&none, sizeof none);                             \
    else                                                                                                               \
      usw_put_rounded((void *)&into->usw_cells_##n[k], sum, (int)sizeof none);                                         \
  }
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
