/* What the threads of a sub-group or team do together with one value each of a type: hand it round and fold it. The tree of
 * kernels (tree.h) and the functions of <upsweep/team.h> (team_functions.h) are made of this.
 *
 * Included once per type and operator, with
 *   USW_COLLECTIVE_NAME         what team memory is named by
 *   USW_COLLECTIVE_PREFIX       what functions are named by
 *   USW_COLLECTIVE_TYPE         the type: anything that memcpy can copy
 *   USW_COLLECTIVE_MERGE(a, b)  combines *b, which comes after *a, into *a
 *   USW_COLLECTIVE_ALIGN(a, values), USW_COLLECTIVE_MERGE_QUICKLY(a, b)   where there is another merge for values that have
 *                               been aligned, all of a sub-group at once, and whether it is right for these: both, or none
 *   USW_COLLECTIVE_WORDS        the words of 4 bytes that are handed round
 *   USW_COLLECTIVE_VALUES         values that team memory has room for: one per sub-group at least
 *   USW_COLLECTIVE_HEAVY        1: merging is many instructions, of which one copy is enough
 *   USW_COLLECTIVE_PARAMETER, USW_COLLECTIVE_PASS   what merging needs beside its operands, or nothing
 * Neighbours are folded first, so that the order of the threads is kept: operators need not be commutative. */

#ifndef UPSWEEP_ENGINE_COLLECTIVES_ONCE
#define UPSWEEP_ENGINE_COLLECTIVES_ONCE
#if USW_SUB_GROUP > 1
enum { USW_LARGE_VALUE_BYTES = 80 }; /* those of more bytes are folded by one copy of the instructions in a team */
USW_INLINE uint32_t usw_sub_groups_of(usw_team_t team) { return (team.threads + USW_SUB_GROUP - 1) / USW_SUB_GROUP; }

/* The bytes of word w of an object, and where they are. */
#define USW_WORD_BYTES(T, w) (sizeof(T) - 4 * (w) < 4 ? sizeof(T) - 4 * (w) : 4)
#define USW_WORD_OF(a, w) ((char *)(a) + 4 * (w))
#endif
#endif

#ifndef USW_COLLECTIVE_ALIGN
#define USW_COLLECTIVE_ALIGN(a, values) 0
#define USW_COLLECTIVE_MERGE_QUICKLY(a, b) USW_COLLECTIVE_MERGE(a, b)
#endif

#define USW_C(what) USW_CAT(USW_COLLECTIVE_PREFIX, what)
#define USW_C_VALUES USW_CAT(USW_COLLECTIVE_NAME, _values)
#define USW_C_T USW_COLLECTIVE_TYPE

#if USW_SUB_GROUP > 1
USW_TEAM_MEMORY uint32_t USW_C_VALUES[USW_COLLECTIVE_VALUES][USW_COLLECTIVE_WORDS + (USW_COLLECTIVE_WORDS == 0)];

USW_INLINE void USW_C(_put_value)(uint32_t at, const USW_C_T *a) {
  USW_UNROLL for (uint32_t w = 0; w < USW_COLLECTIVE_WORDS; w++) {
    uint32_t word = 0;
    __builtin_memcpy(&word, USW_WORD_OF(a, w), USW_WORD_BYTES(USW_C_T, w));
    USW_C_VALUES[at][w] = word;
  }
}
USW_INLINE void USW_C(_get_value)(USW_C_T *a, uint32_t at) {
  USW_UNROLL for (uint32_t w = 0; w < USW_COLLECTIVE_WORDS; w++) {
    const uint32_t word = USW_C_VALUES[at][w];
    __builtin_memcpy((void *)USW_WORD_OF(a, w), &word, USW_WORD_BYTES(USW_C_T, w));
  }
}

/* The value of another lane of `lanes`: `distance` further up or down, or of a lane by its number. */
#define USW_SHUFFLE_FUNCTION(name, port)                                                                               \
  USW_INLINE void USW_C(name)(USW_C_T * to, const USW_C_T *from, uint32_t which, uint32_t lanes) {                     \
    USW_UNROLL for (uint32_t w = 0; w < USW_COLLECTIVE_WORDS; w++) {                                                   \
      uint32_t word = 0;                                                                                               \
      __builtin_memcpy(&word, USW_WORD_OF(from, w), USW_WORD_BYTES(USW_C_T, w));                                       \
      word = port(word, which, lanes);                                                                                 \
      __builtin_memcpy((void *)USW_WORD_OF(to, w), &word, USW_WORD_BYTES(USW_C_T, w));                                 \
    }                                                                                                                  \
  }
USW_SHUFFLE_FUNCTION(_shuffle, usw_port_shuffle)
USW_SHUFFLE_FUNCTION(_shuffle_up, usw_port_shuffle_up)
USW_SHUFFLE_FUNCTION(_shuffle_down, usw_port_shuffle_down)
#undef USW_SHUFFLE_FUNCTION

/* Lanes from `values` on hold none: what they have is merged only into lanes that nobody reads, which saves asking where
 * their number is a known power of two. */
USW_INLINE void USW_C(_fold_step)(USW_C_T *a, uint32_t delta, uint32_t lane, uint32_t values, uint32_t lanes,
                                  int is_quick USW_COLLECTIVE_PARAMETER) {
  USW_C_T other;
  USW_C(_shuffle_down)(&other, a, delta, lanes);
  if ((__builtin_constant_p(values) && (values & (values - 1)) == 0) || lane + delta < values) {
    if (is_quick)
      USW_COLLECTIVE_MERGE_QUICKLY(a, &other);
    else
      USW_COLLECTIVE_MERGE(a, &other);
  }
}
/* Fold the first `values` of a sub-group of `lanes` threads into that of its lane 0. */
USW_INLINE void USW_C(_fold)(USW_C_T *a, uint32_t lane, uint32_t values, uint32_t lanes USW_COLLECTIVE_PARAMETER) {
  if (USW_COLLECTIVE_ALIGN(a, values)) {
    USW_UNROLL for (uint32_t delta = 1; delta < USW_SUB_GROUP; delta *= 2) if (delta < values)
        USW_C(_fold_step)(a, delta, lane, values, lanes, 1 USW_COLLECTIVE_PASS);
  } else if (USW_COLLECTIVE_HEAVY) {
#pragma nounroll
    for (uint32_t delta = 1; delta < values; delta *= 2)
      USW_C(_fold_step)(a, delta, lane, values, lanes, 0 USW_COLLECTIVE_PASS);
  } else {
    USW_UNROLL for (uint32_t delta = 1; delta < USW_SUB_GROUP; delta *= 2) if (delta < values)
        USW_C(_fold_step)(a, delta, lane, values, lanes, 0 USW_COLLECTIVE_PASS);
  }
}

/* Fold a team's values into that of its thread 0: those of each sub-group, then, round 1, what these left. Holds one barrier;
 * team memory is free again behind the next. */
USW_INLINE void USW_C(_fold_team)(USW_C_T *a, usw_team_t team USW_COLLECTIVE_PARAMETER) {
  const uint32_t lanes = usw_sub_group_of(team).lanes, sub_groups = usw_sub_groups_of(team);
  const uint32_t lane = team.thread % USW_SUB_GROUP;
  /* Handed round, so that the compiler sees that all lanes go the same way below: else each shuffle there is prepared for
   * lanes that do not come. */
  const uint32_t sub_group = usw_port_shuffle(team.thread / USW_SUB_GROUP, 0, lanes);
  const int is_large = USW_COLLECTIVE_HEAVY && sizeof(USW_C_T) > USW_LARGE_VALUE_BYTES;
  uint32_t round = is_large ? usw_port_opaque(0) : 0; /* else the compiler makes two copies all the same */
#pragma nounroll
  do {
    USW_C(_fold)(a, lane, round == 0 ? lanes : sub_groups, lanes USW_COLLECTIVE_PASS);
    if (is_large && round == 1)
      return;
    if (lane == 0)
      USW_C(_put_value)(sub_group, a);
    usw_wait_for_team(team);
    if (sub_group != 0)
      return;
    USW_C(_get_value)(a, lane < sub_groups ? lane : 0);
    round++;
  } while (is_large);
  USW_C(_fold)(a, lane, sub_groups, lanes USW_COLLECTIVE_PASS);
}
#endif
