/* The accumulate policy of processors: a range of items by chains, written so that compilers find vectors in it. The host's loop is made of
 * it (host.h), and what a worker of the x86_64 device does (bodies.h).
 *
 * Integers may be added in any order, so one accumulator is enough and the compiler splits it itself; where they widen a
 * lot (bytes into 64 bits) it does better with a block at a time. Everything else goes to chains in turn, because no
 * compiler may reorder floating-point sums. Chains are folded after every block, so that none gets long; what fills no group of
 * them goes to few chains, and what fills no group of those to one. Which chain an item joins depends on its index and on where
 * the block ends, never on the level: all levels give the same bits. */

#ifndef UPSWEEP_ENGINE_CHAINS_ONCE
#define UPSWEEP_ENGINE_CHAINS_ONCE
#ifndef USW_HOST_BLOCK_ITEMS
#define USW_HOST_BLOCK_ITEMS 8192 /* a multiple of every group */
#endif
enum { USW_TRIAL_ITEMS = 2048 /* a multiple of every group, and not long to try again */ };
/* As many as keep a processor of 64-byte vectors busy while each waits for its last addition, unless they are large. The additions
 * of an accurate sum wait for each other: twice as many. */
#define USW_CHAINS_OF(bytes, is_accurate) ((bytes) <= 8 ? 32 : (bytes) > 16 ? 4 : (is_accurate) ? 16 : 8)
/* Loops of a few turns, which compilers would rather prepare for many. */
#if defined(__clang__)
#define USW_ONE_BY_ONE _Pragma("clang loop vectorize(disable) unroll(disable)")
#else
#define USW_ONE_BY_ONE
#endif
enum { USW_CHAINS_BYTES = 64 /* where chains begin, so that vectors of them lie on lines */ };
#define USW_R_AND_INTEGER(T, n, ...) &&USW_BY_KIND(USW_INTEGER_, __VA_ARGS__)(T)
#define USW_S_AND_INTEGER(T, n, extent, ...) USW_R_AND_INTEGER(T, n, __VA_ARGS__)
#define USW_RUN_FROM_START(T, n) , arguments->n + start
/* Chains in memory, as far as the compiler knows. */
#if defined(__GNUC__) && !defined(__NVPTX__) && !defined(__AMDGCN__)
#define USW_STORED(chains) __asm__ volatile("" : "+m"(chains))
#else
#define USW_STORED(chains) (void)(chains)
#endif
#define USW_R_OR_ACCURATE(T, n, ...) || (int)USW_OF(_level_, n) > 0
#define USW_S_OR_ACCURATE(T, n, extent, ...) USW_R_OR_ACCURATE(T, n, __VA_ARGS__)
#define USW_R_OR_WIDER(T, n, ...) || sizeof(T) > 2 * USW_F(_item_bytes)
#endif

#ifndef USW_HOST_RUN_ITEMS
#define USW_HOST_RUN_ITEMS 512 /* a multiple of every group, and so few that looking at them twice is no matter */
#endif
#ifndef USW_HOST_BULK_ITEMS
#define USW_HOST_BULK_ITEMS 256 /* how many small items compilers take at once, at most */
#endif
#if USW_BY_RUNS
enum { USW_F(_has_runs) = 1 };
#else
enum { USW_F(_has_runs) = 0 };
#endif
/* A group is what the chains take together: at most 64 items, which every range but the last is a multiple of. */
enum {
  USW_F(_integers) = 1 USW_REDUCERS(USW_R_AND_INTEGER, USW_S_AND_INTEGER),
  USW_F(_chains) = USW_F(_integers) || USW_F(_ordered) || USW_F(_tries) || USW_F(_has_one_chain)
                       ? 1
                       : USW_CHAINS_OF(sizeof(USW_F(_acc)), 0 USW_REDUCERS(USW_R_OR_ACCURATE, USW_S_OR_ACCURATE)),
  /* What takes the items behind the last group; 0: the chains do. Vectors of converted halves are twice as long. */
  USW_F(_few_chains) = USW_ITEM_DIMENSIONS > 1 || USW_F(_chains) == 1       ? 0
                       : USW_F(_chains) < 16                                ? 1
                       : (int)USW_F(_item_bytes) <= 2 * (int)USW_F(_inputs) ? USW_F(_chains) / 2
                                                                            : USW_F(_chains) / 4,
  USW_F(_few) = USW_F(_few_chains) > 1 ? USW_F(_few_chains) : 1,
  USW_F(_widens) = 0 USW_REDUCERS(USW_R_OR_WIDER, USW_R_OR_WIDER),
  USW_F(_run) = USW_F(_integers) && USW_F(_widens) ? USW_F(_block) : 1,
  USW_F(_group) = USW_F(_run) * USW_F(_chains),
  /* Compilers take hundreds of small items at once, and would take what is left of them one by one: it goes by blocks. */
  USW_F(_has_short_groups) = USW_F(_group) == 1 && USW_F(_block) >= 8 && USW_F(_span_count) == 0 && !USW_F(_ordered),
  USW_F(_block_items) = USW_F(_integers) ? 0
                        : USW_F(_tries)  ? USW_TRIAL_ITEMS
                                         : USW_HOST_BLOCK_ITEMS,
  /* Compilers find vectors from neighbours in memory, where chains are stored. From how they are folded, which is what they see
   * else, clang finds pairs: three to seven times the instructions (dot of f64 and f32, x86-64-v4). Not of an accurate sum, whose
   * chains are pairs themselves, nor where runs have a body of their own. */
  USW_F(_stores_chains) =
      !USW_F(_has_runs) && (sizeof(USW_F(_acc)) <= 8 || !(0 USW_REDUCERS(USW_R_OR_ACCURATE, USW_S_OR_ACCURATE))),
  USW_F(_line) = USW_CHAINS_BYTES / sizeof(USW_F(_acc)) > 1 ? USW_CHAINS_BYTES / sizeof(USW_F(_acc)) : 1
};
typedef USW_F(_acc) USW_F(_all_chains)[USW_F(_chains)];

USW_INLINE void USW_F(_clear_chains)(USW_F(_acc) * chains, size_t count) {
  for (size_t k = 0; k < count; k++)
    USW_F(_identity)(&chains[k]);
}

/* Fold chains into *total, one half of them into the other, as vectors are folded: in a copy, because what has been stored once
 * (USW_STORED) is stored after each step. What fits a line is stored as well: on the way there compilers would find but pairs,
 * too. */
USW_INLINE void USW_F(_fold_chains)(USW_F(_acc) * total, const USW_F(_acc) * chains, size_t count) {
  USW_F(_acc) a[USW_F(_chains)], line[USW_F(_line)] __attribute__((aligned(USW_CHAINS_BYTES)));
  for (size_t k = 0; k < count; k++)
    a[k] = chains[k];
  for (size_t half = count / 2; half > 0; half /= 2) {
    for (size_t k = 0; k < half; k++)
      USW_F(_merge)(&a[k], &a[k + half]);
    if (!USW_F(_stores_chains) || half != USW_F(_line))
      continue;
    for (size_t k = 0; k < half; k++)
      line[k] = a[k];
    USW_STORED(line);
    for (size_t k = 0; k < half; k++)
      a[k] = line[k];
  }
  USW_F(_merge)(total, &a[0]);
}

/* The whole groups from `group` on, by chains in registers: nothing may index those at run time. Returns the group behind them. */
USW_INLINE size_t USW_F(_visit_groups_of_run)(USW_F(_acc) * chains, USW_F(_spans) * s, size_t group, size_t last,
                                              USW_F(_index) run, const USW_F(_arguments) * arguments, int contiguous) {
  USW_F(_acc) a[USW_F(_chains)];
  for (size_t k = 0; k < USW_F(_chains); k++)
    a[k] = chains[k];
  if (USW_F(_has_short_groups) && contiguous) {
    for (const size_t bulk = last / USW_HOST_BULK_ITEMS * USW_HOST_BULK_ITEMS; group < bulk; group++)
      USW_F(_visit_index)(a, s, USW_F(_in_run)(run, group, arguments, contiguous), arguments, contiguous);
    for (; group + USW_F(_block) <= last; group += USW_F(_block))
      for (size_t k = 0; k < USW_F(_block); k++)
        USW_F(_visit_index)(a, s, USW_F(_in_run)(run, group + k, arguments, contiguous), arguments, contiguous);
  }
  for (; (group + 1) * USW_F(_group) <= last; group++)
    for (size_t k = 0; k < USW_F(_group); k++)
      USW_F(_visit_index)(&a[k / USW_F(_run)], s, USW_F(_in_run)(run, group * USW_F(_group) + k, arguments, contiguous),
                          arguments, contiguous);
  for (size_t k = 0; k < USW_F(_chains); k++)
    chains[k] = a[k];
  if (USW_F(_stores_chains))
    USW_STORED(*(USW_F(_all_chains) *)(void *)chains);
  return group;
}

#if USW_BY_RUNS
/* The whole groups of items [first, last), many at once. Returns the first item that is left. */
USW_INLINE size_t USW_F(_visit_many_groups)(USW_F(_acc) * chains, USW_F(_spans) * s, size_t first, size_t last,
                                            const USW_F(_arguments) * arguments) {
  const size_t end = last / USW_F(_group) * USW_F(_group);
  for (size_t start = first; start < end; start += USW_HOST_RUN_ITEMS) {
    const size_t count = end - start < USW_HOST_RUN_ITEMS ? end - start : USW_HOST_RUN_ITEMS;
    if (!USW_F(_visit_many_in_run)(chains, s, start USW_WHERE_MANY(+arguments->usw_first), count,
                                   USW_F(_chains) USW_ARGS(USW_RUN_FROM_START, USW_VISIT_OTHER, USW_VISIT_OTHER)))
      USW_F(_visit_groups_of_run)(chains, s, start / USW_F(_group), start + count, 0, arguments, 1);
  }
  return end;
}
#endif

/* Items [first, last) of one run (below): those before the first whole group, whole groups, the items that fill no group, but where
 * few chains take these. */
USW_INLINE void USW_F(_visit_run)(USW_F(_acc) * chains, USW_F(_spans) * s, size_t first, size_t last, USW_F(_index) run,
                                  const USW_F(_arguments) * arguments, int contiguous) {
#if USW_ITEM_DIMENSIONS > 1
  for (; first % USW_F(_group) != 0 && first < last; first++)
    USW_F(_visit_index)(&chains[first % USW_F(_group) / USW_F(_run)], s,
                        USW_F(_in_run)(run, first, arguments, contiguous), arguments, contiguous);
  if (first % USW_F(_group) != 0)
    return;
#endif
  size_t group = first / USW_F(_group);
#if USW_BY_RUNS
  if (contiguous)
    group = USW_F(_visit_many_groups)(chains, s, first, last, arguments) / USW_F(_group);
#endif
  if (!(USW_F(_has_runs) && contiguous) && (USW_F(_few_chains) > 0 || (group + 1) * USW_F(_group) <= last))
    group = USW_F(_visit_groups_of_run)(chains, s, group, last, run, arguments, contiguous);
  for (size_t k = 0; USW_F(_few_chains) == 0 && group * USW_F(_group) + k < last; k++)
    USW_F(_visit_index)(&chains[k / USW_F(_run)], s,
                        USW_F(_in_run)(run, group * USW_F(_group) + k, arguments, contiguous), arguments, contiguous);
}

/* Items [first, last), run by run: items whose columns follow each other. In one dimension there is one run. */
USW_INLINE void USW_F(_visit_range)(USW_F(_acc) * chains, USW_F(_spans) * s, size_t first, size_t last,
                                    const USW_F(_arguments) * arguments, int contiguous) {
#if USW_ITEM_DIMENSIONS > 1
  while (first < last) {
    const USW_F(_index) start = USW_F(_locate)(first, arguments, 0);
    const size_t end = start.left < last - first ? first + start.left : last;
    USW_F(_visit_run)(chains, s, first, end, USW_F(_run_of)(start, first, arguments), arguments, contiguous);
    first = end;
  }
#else
  USW_F(_visit_run)(chains, s, first, last, 0, arguments, contiguous);
#endif
}

/* Items [first, last) into *total, number by number: not compiled for each level. */
static void __attribute__((noinline, unused)) USW_F(_visit_carefully)(USW_F(_acc) * total, size_t first, size_t last,
                                                                      const USW_F(_arguments) * arguments,
                                                                      int contiguous, int is_mute) {
  USW_F(_acc) chain;
  USW_F(_spans) s;
  __builtin_memset((void *)&s, 0, sizeof s);
  s.usw_is_mute = (uint32_t)is_mute;
  USW_F(_begin_trial)(&chain, total);
  for (size_t i = first; i < last; i++) {
#if USW_ITEM_DIMENSIONS > 1
    const USW_F(_index) index = USW_F(_index_of)(USW_F(_locate)(i, arguments, 0), arguments, 0);
#else
    const USW_F(_index) index = i;
#endif
    USW_F(_visit_index)(&chain, &s, index, arguments, contiguous);
  }
  USW_F(_merge)(total, &chain);
}

#if USW_ITEM_DIMENSIONS == 1
/* Items that fill no group: few chains of their own, and for what these leave one. */
USW_INLINE void USW_F(_visit_rest)(USW_F(_acc) * total, USW_F(_spans) * s, size_t first, size_t last,
                                   const USW_F(_arguments) * arguments, int contiguous) {
  USW_F(_acc) few[USW_F(_few)], one;
  const size_t end = USW_F(_few) > 1 ? last - (last - first) % USW_F(_few) : first;
  if (first < end) {
    USW_F(_clear_chains)(few, USW_F(_few));
    for (; first < end; first += USW_F(_few))
      for (size_t k = 0; k < USW_F(_few); k++)
        USW_F(_visit_index)(&few[k], s, first + k, arguments, contiguous);
    USW_F(_fold_chains)(total, few, USW_F(_few));
  }
  if (first < last) {
    USW_F(_identity)(&one);
    USW_ONE_BY_ONE for (; first < last; first++) USW_F(_visit_index)(&one, s, first, arguments, contiguous);
    USW_F(_merge)(total, &one);
  }
}
#endif

/* Items [first, last) by blocks, each begun with fresh chains. */
USW_INLINE void USW_F(_visit_blocks)(USW_F(_acc) * total, USW_F(_spans) * s, size_t first, size_t last,
                                     const USW_F(_arguments) * arguments, int contiguous) {
  const size_t block = USW_F(_block_items) != 0 ? (size_t)USW_F(_block_items) : last - first;
  USW_F(_acc) chains[USW_F(_chains)] __attribute__((aligned(USW_CHAINS_BYTES)));
  USW_F(_identity)(total);
  for (; first < last; first += block) {
    const size_t end = last - first < block ? last : first + block;
    const size_t rest = USW_F(_few_chains) > 0 ? end - (end - first) % USW_F(_group) : end;
    if (first < rest) {
      USW_F(_clear_chains)(chains, USW_F(_chains));
      USW_F(_visit_range)(chains, s, first, rest, arguments, contiguous);
      USW_F(_fold_chains)(total, chains, USW_F(_chains));
    }
#if USW_ITEM_DIMENSIONS == 1
    if (USW_F(_few_chains) > 0)
      USW_F(_visit_rest)(total, s, rest, end, arguments, contiguous);
#endif
  }
}

/* Whether items may be visited again once their outputs are written: no input is there, and no array, which the body may read anywhere. */
#define USW_OR_SAME_IN(T, n) || (const void *)arguments->n == output
#define USW_OR_ARRAY(T, n) || 1
#define USW_AND_APART_OUT(T, n) &&!USW_F(_may_read)(arguments, (const void *)arguments->n)
USW_INLINE int USW_F(_may_read)(const USW_F(_arguments) * arguments, const void *output) {
  (void)arguments, (void)output;
  return 0 USW_ARGS(USW_OR_SAME_IN, USW_OR_ARRAY, USW_NOTHING);
}
USW_INLINE int USW_F(_has_outputs_apart)(const USW_F(_arguments) * arguments) {
  (void)arguments;
  return USW_F(_outputs) > 0 USW_OUTPUTS(USW_AND_APART_OUT);
}

/* A block of items on trial. 0: not all of its numbers fitted; *total may have made room for them, and *again says whether
 * that was enough. Outputs are written where they are apart. */
USW_INLINE int USW_F(_try_block)(USW_F(_acc) * total, USW_F(_spans) * s, size_t first, size_t last,
                                 const USW_F(_arguments) * arguments, int contiguous, int is_apart, int *again) {
  USW_F(_acc) chains[USW_F(_chains)];
  int fits = 1;
  *again = 1;
  for (size_t k = 0; k < USW_F(_chains); k++)
    USW_F(_begin_trial)(&chains[k], total);
  if (is_apart) { /* a copy of the loop for each: that without outputs is shorter */
    s->usw_is_mute = 0;
    USW_F(_visit_range)(chains, s, first, last, arguments, contiguous);
  } else {
    s->usw_is_mute = 1;
    USW_F(_visit_range)(chains, s, first, last, arguments, contiguous);
  }
  for (size_t k = 0; k < USW_F(_chains); k++)
    fits &= USW_F(_end_trial)(&chains[k]);
  for (size_t k = 0; !fits && k < USW_F(_chains); k++)
    *again &= USW_F(_learn)(total, &chains[k]);
  for (size_t k = 0; fits && k < USW_F(_chains); k++)
    USW_F(_join_trial)(total, &chains[k]);
  return fits;
}

/* The outputs of a block whose trial has succeeded: its inputs have not changed until now, even where they are the same arrays. What
 * is combined is forgotten, and compilers leave it out. */
USW_INLINE void USW_F(_write_outputs)(USW_F(_spans) * s, size_t first, size_t last, const USW_F(_arguments) * arguments,
                                      int contiguous) {
  USW_F(_acc) forgotten[USW_F(_chains)];
  s->usw_is_mute = 0;
  USW_F(_clear_chains)(forgotten, USW_F(_chains));
  USW_F(_visit_range)(forgotten, s, first, last, arguments, contiguous);
}

/* The same where numbers must fit. The first item tells how large they are. */
USW_INLINE void USW_F(_try_blocks)(USW_F(_acc) * total, USW_F(_spans) * s, size_t first, size_t last,
                                   const USW_F(_arguments) * arguments, int contiguous) {
  const size_t block = USW_TRIAL_ITEMS;
  const int is_apart = USW_F(_has_outputs_apart)(arguments);
  USW_F(_acc) sample;
  int again;
  USW_F(_identity)(total);
  USW_F(_identity)(&sample);
  USW_F(_visit_carefully)(&sample, first, first + 1, arguments, contiguous, 1);
  USW_F(_begin_trial)(total, &sample);
  s->usw_on_trial = USW_TRIES;
  while (first < last) {
    const size_t end = last - first < block ? last : first + block;
    const int fits = USW_F(_try_block)(total, s, first, end, arguments, contiguous, is_apart, &again);
    if (!fits && !again)
      USW_F(_visit_carefully)(total, first, end, arguments, contiguous, 0);
    else if (fits && USW_F(_outputs) > 0 && !is_apart)
      USW_F(_write_outputs)(s, first, end, arguments, contiguous);
    if (fits || !again)
      first = end;
  }
}

/* Items [first, last) of the streams that the arguments name into *total. */
USW_INLINE void USW_F(_visit_by_chains)(USW_F(_acc) * total, USW_F(_spans) * s, size_t first, size_t last,
                                        const USW_F(_arguments) * arguments, int contiguous) {
  if (USW_F(_tries))
    USW_F(_try_blocks)(total, s, first, last, arguments, contiguous);
  else
    USW_F(_visit_blocks)(total, s, first, last, arguments, contiguous);
}
