/* Scans: what the items before each have come to, which its body may ask for (USW_SCAN), or whose results the library's own kernels write
 * into their output.
 *
 * Items are taken twice. First each share of them (a lane group's block of a thread, a chunk of the host's) is accumulated by itself, with
 * outputs mute; what lies before a share is then combined in an order that depends on its number alone; last, items are visited again, one
 * after the other, each behind what is before it. So the bits are the same on every run, for any number of teams and threads.
 *
 * Here is what all places share, and what processors do; team_scan.h has the GPU's part. */

#ifndef UPSWEEP_ENGINE_SCAN_ONCE
#define UPSWEEP_ENGINE_SCAN_ONCE
#define USW_OPEN_OUT(T, n)                                                                                             \
  s->usw_base_of_##n = arguments->n;                                                                                   \
  s->usw_step_of_##n = arguments->usw_stride_##n;
#define USW_WRITE_SCANNED(T, n) arguments->n[(ptrdiff_t)i * arguments->usw_stride_##n] = result;
enum { USW_SCAN_CHAIN = 8 /* items; their marks are in one word */ };

/* Bit k: key first + k, of `items`, differs from the one before, or is none. */
#define USW_NEW_KEYS(bytes, T)                                                                                         \
  USW_INLINE uint32_t USW_F(_new_keys_##bytes)(const T *keys, ptrdiff_t stride, size_t items, size_t first,            \
                                               size_t count) {                                                         \
    T before = keys[(ptrdiff_t)(first - (first > 0)) * stride];                                                        \
    uint32_t is_new = first == 0;                                                                                      \
    USW_UNROLL for (size_t k = 0; k < count; k++) {                                                                    \
      const int is_there = first + k < items;                                                                          \
      const T key = keys[(ptrdiff_t)(is_there ? first + k : first) * stride];                                          \
      is_new |= (uint32_t)(key != before || !is_there) << k;                                                           \
      before = key;                                                                                                    \
    }                                                                                                                  \
    return is_new;                                                                                                     \
  }

/* Outputs past the caches: a processor does not read the line before it writes it. gcc has such stores for x86-64 alone. */
enum { USW_SCAN_LINE_BYTES = 64, USW_SCAN_STORE_BYTES = 16 };
typedef long long __attribute__((vector_size(USW_SCAN_STORE_BYTES), may_alias)) usw_scan_store_t;
#if defined(__clang__)
#define USW_STORE_PAST(to, value) __builtin_nontemporal_store(value, to)
#elif defined(__x86_64__)
#define USW_STORE_PAST(to, value) __builtin_ia32_movntdq(to, value)
#else
#define USW_STORE_PAST(to, value) (void)(*(to) = (value))
#endif
/* Other threads see them behind a barrier only if they are done before it. */
#if defined(__x86_64__) && !defined(__NVPTX__) && !defined(__AMDGCN__)
#define USW_STORES_PAST_ARE_DONE() __builtin_ia32_sfence()
#else
#define USW_STORES_PAST_ARE_DONE() __atomic_thread_fence(__ATOMIC_RELEASE)
#endif
#define USW_S_NOT_SCANNED(T, n, ...) USW_ASSERT(sizeof(T) == 0, "span '" #n "': scans are of variables only");
#endif

#if USW_SCAN
USW_REDUCERS(USW_R_NOTHING, USW_S_NOT_SCANNED)
USW_ASSERT(!USW_F(_binned),
           "a sum with USW_PLUS_REPRODUCIBLE has no scan: its value before every item would take a carry each");

USW_INLINE void USW_F(_open_outputs)(USW_F(_spans) * s, const USW_F(_arguments) * arguments) {
  (void)s, (void)arguments;
  USW_OUTPUTS(USW_OPEN_OUT)
}

/* ---- where scans begin anew: the library's kernels ---- */

#if USW_FINDS_RESTARTS
USW_NEW_KEYS(1, uint8_t)
USW_NEW_KEYS(2, uint16_t)
USW_NEW_KEYS(4, uint32_t)
USW_NEW_KEYS(8, uint64_t)
/* Bit k: the scan begins anew at item first + k, for the `count` items of a block. */
USW_INLINE uint32_t USW_F(_restarts_of)(size_t first, size_t count, const USW_F(_arguments) * arguments) {
  const void *const marks = (const void *)(uintptr_t)arguments->usw_marks;
  const ptrdiff_t stride = arguments->usw_key_stride;
  const size_t items = arguments->usw_items;
  switch (arguments->usw_key_bytes) {
  case 0: /* a word has the marks of whole blocks */
    return ((const uint32_t *)marks)[first / 32] >> first % 32;
  case 1:
    return USW_F(_new_keys_1)((const uint8_t *)marks, stride, items, first, count);
  case 2:
    return USW_F(_new_keys_2)((const uint16_t *)marks, stride, items, first, count);
  case 4:
    return USW_F(_new_keys_4)((const uint32_t *)marks, stride, items, first, count);
  default:
    return USW_F(_new_keys_8)((const uint64_t *)marks, stride, items, first, count);
  }
}

/* What a scan begins anew from: the identity, or the initial value. */
USW_INLINE USW_F(_acc) USW_F(_anew)(USW_F(_spans) * s, const USW_F(_arguments) * arguments) {
  USW_F(_acc) anew;
  USW_F(_identity)(&anew);
  (void)s, (void)arguments;
#if USW_TAKES_INITIAL
  const uint64_t words[] = {arguments->usw_initial_low, arguments->usw_initial_high};
  USW_RESULT initial;
  __builtin_memcpy((void *)&initial, words, sizeof initial);
  if (arguments->usw_has_initial)
    USW_F(_begin)(&anew, s, initial);
#endif
  return anew;
}
/* Item i does so. */
USW_INLINE void USW_F(_restart_at)(USW_F(_acc) * a, size_t i, const USW_F(_acc) * anew) {
  const uint32_t restarts = a->usw_restarts + 1;
  *a = *anew;
  a->usw_restarts = restarts;
  (void)i;
#if USW_COUNTS_FROM_RESTART
  a->usw_begin = i;
#endif
}
#else
USW_INLINE uint32_t USW_F(_restarts_of)(size_t first, size_t count, const USW_F(_arguments) * arguments) {
  (void)first, (void)count, (void)arguments;
  return 0;
}
USW_INLINE USW_F(_acc) USW_F(_anew)(USW_F(_spans) * s, const USW_F(_arguments) * arguments) {
  USW_F(_acc) anew;
  USW_F(_identity)(&anew);
  (void)s, (void)arguments;
  return anew;
}
USW_INLINE void USW_F(_restart_at)(USW_F(_acc) * a, size_t i, const USW_F(_acc) * anew) {
  (void)a, (void)i, (void)anew;
}
#endif

/* The items that have results: those of no segment have none. */
USW_INLINE usw_range_t USW_F(_items_with_results)(const USW_F(_arguments) * arguments) {
  usw_range_t range = {0, SIZE_MAX};
  (void)arguments;
#if USW_FINDS_RESTARTS
  const usw_marks_t *const bounds = (const usw_marks_t *)(uintptr_t)arguments->usw_bounds;
  if (bounds) {
    range.first = bounds->begin;
    range.end = bounds->end;
  }
#endif
  return range;
}

/* ---- processors ---- */

/* Behind the visit of item i: of the library's kernels the result of what is before it, or of all up to it, to `aside`, or, if that is NULL,
 * to the output. Results by run are a GPU's alone. */
USW_INLINE void USW_F(_write_scanned)(const USW_F(_acc) * a, const USW_F(_spans) * s, size_t i, usw_range_t results,
                                      const USW_F(_arguments) * arguments, void *aside) {
  (void)a, (void)s, (void)i, (void)results, (void)arguments, (void)aside;
#ifdef USW_RESULT
  USW_F(_acc) from = *a;
  USW_RESULT result;
  if (arguments->usw_is_exclusive)
    from = s->usw_before;
#if USW_FINDS_RESTARTS
  if (i - results.first >= results.end - results.first)
    return;
#endif
  USW_F(_finish)(&from, &result);
  if (aside)
    *(USW_RESULT *)aside = result;
  else {
    USW_OUTPUTS(USW_WRITE_SCANNED)
  }
#endif
}

/* Items are taken in blocks of a few chains, which are accumulated side by side, so that a processor need not wait for one item after the
 * other; then each chain is visited again, behind what is before it. */
enum {
  USW_F(_scan_chains) = sizeof(USW_F(_acc)) <= 16   ? 8
                        : sizeof(USW_F(_acc)) <= 32 ? 4
                                                    : 1,
  USW_F(_scan_block) = USW_F(_scan_chains) * USW_SCAN_CHAIN
};
#if USW_SCANS_PAST_CACHES
/* Results of a block on their way past the caches, so that stores fill whole lines. */
USW_ASSERT(USW_F(_scan_block) * sizeof(USW_RESULT) % USW_SCAN_STORE_BYTES == 0, "results of a block are whole stores");
typedef struct {
  USW_RESULT of_item[USW_F(_scan_block)] __attribute__((aligned(USW_SCAN_LINE_BYTES)));
} USW_F(_aside);
#define USW_ASIDE(results, k) (&(results)->of_item[k])
#else
typedef char USW_F(_aside); /* there is none */
#define USW_ASIDE(results, k) ((void *)0)
#endif

/* Item i into *a, behind what is there, anew if `restarts` has bit 0; if the body is not mute, it writes. */
USW_INLINE void USW_F(_scan_item)(USW_F(_acc) * a, USW_F(_spans) * s, size_t i, uint32_t restarts, usw_range_t results,
                                  const USW_F(_acc) * anew, const USW_F(_arguments) * arguments, int contiguous,
                                  void *aside) {
  if (restarts & 1)
    USW_F(_restart_at)(a, i, anew);
  s->usw_before = *a;
  USW_F(_visit_index)(a, s, i, arguments, contiguous);
  if (!s->usw_is_mute)
    USW_F(_write_scanned)(a, s, i, results, arguments, aside);
}

#if USW_FINDS_RESTARTS
/* Items of which some begin anew, one after the other, as the chains of _scan_chains_of(): no processor foresees where, so that to visit them
 * twice takes longer than to wait for one after the other. What follows the last of these is by itself what all come to. (One thread of an EPYC,
 * ns for an item, by chains and so: running sums of doubles in segments of 4 on the average 7.0, 3.7; of 16 3.5, 2.1; of 1024 1.7, 1.1.) */
USW_INLINE void USW_F(_scan_in_turn)(const USW_F(_acc) * base, USW_F(_acc) * through, USW_F(_spans) * s, size_t first,
                                     size_t chains, size_t count, const uint32_t *restarts, usw_range_t with_results,
                                     const USW_F(_acc) * anew, const USW_F(_arguments) * arguments, int contiguous,
                                     int writes, USW_F(_aside) * aside) {
  USW_F(_acc) a = *base;
  uint32_t number = 0;
  (void)aside;
  USW_F(_merge)(&a, through);
  s->usw_is_mute = !writes;
  for (size_t c = 0; c < chains; c++) {
    number += (uint32_t)__builtin_popcount(restarts[c]);
    for (size_t k = 0; k < count; k++)
      USW_F(_scan_item)(&a, s, first + c * count + k, restarts[c] >> k, with_results, anew, arguments, contiguous,
                        aside ? USW_ASIDE(aside, c * count + k) : NULL);
  }
  s->usw_is_mute = 0;
  a.usw_restarts = number;
  USW_F(_merge)(through, &a);
}
#endif

/* `chains` chains of `count` items each, from `first` on, behind *base and *through; the latter has them, too, then. Results to `aside`, or,
 * if that is NULL, to the output. */
USW_INLINE void USW_F(_scan_chains_of)(const USW_F(_acc) * base, USW_F(_acc) * through, USW_F(_spans) * s, size_t first,
                                       size_t chains, size_t count, usw_range_t with_results,
                                       const USW_F(_arguments) * arguments, int contiguous, int writes,
                                       USW_F(_aside) * aside) {
  USW_F(_acc) of_chain[USW_F(_scan_chains)], before[USW_F(_scan_chains)];
  const USW_F(_acc) anew = USW_F(_anew)(s, arguments);
#if USW_FINDS_RESTARTS
  uint32_t restarts[USW_F(_scan_chains)], all = 0;
  for (size_t c = 0; c < chains; c++) {
    restarts[c] = USW_F(_restarts_of)(first + c * count, count, arguments) & ((UINT32_C(1) << count) - 1);
    all |= restarts[c];
  }
  if (all != 0) {
    USW_F(_scan_in_turn)(base, through, s, first, chains, count, restarts, with_results, &anew, arguments, contiguous,
                         writes, aside);
    return;
  }
#endif
  s->usw_is_mute = 1;
  for (size_t c = 0; c < chains; c++)
    USW_F(_identity)(&of_chain[c]);
  for (size_t k = 0; k < count; k++)
    USW_UNROLL for (size_t c = 0; c < chains; c++)
        USW_F(_scan_item)(&of_chain[c], s, first + c * count + k, 0, with_results, &anew, arguments, contiguous, NULL);
  for (size_t c = 0; c < chains; c++) {
    before[c] = *base;
    USW_F(_merge)(&before[c], through);
    USW_F(_merge)(through, &of_chain[c]);
  }
  s->usw_is_mute = 0;
  for (size_t k = 0; k < count && writes; k++)
    USW_UNROLL for (size_t c = 0; c < chains; c++)
        USW_F(_scan_item)(&before[c], s, first + c * count + k, 0, with_results, &anew, arguments, contiguous,
                          aside ? USW_ASIDE(aside, c * count + k) : NULL);
}

#if USW_SCANS_PAST_CACHES
#define USW_LOAD_AHEAD(T, n)                                                                                           \
  USW_UNROLL for (size_t b = 0; b < USW_F(_scan_block) * sizeof(T); b += USW_SCAN_LINE_BYTES)                          \
      __builtin_prefetch((const void *)((uintptr_t)arguments->n + (first + ahead) * sizeof(T) + b), 0, 2);
#define USW_NO_LOAD_AHEAD(T, n)
#define USW_STORE_RESULTS(T, n)                                                                                        \
  for (size_t k = 0; k < sizeof results / USW_SCAN_STORE_BYTES; k++)                                                   \
    USW_STORE_PAST((usw_scan_store_t *)(void *)(arguments->n + first) + k, ((usw_scan_store_t *)(void *)&results)[k]);
#define USW_OR_ADDRESS(T, n) | (uintptr_t)arguments->n

/* The whole blocks of [first, last): outputs past the caches, while inputs come from memory that are wanted `ahead` items later, which may be
 * behind the last one; 0: none. Returns the first item that is left. */
USW_INLINE size_t USW_F(_scan_blocks_past_caches)(const USW_F(_acc) * base, USW_F(_acc) * through, USW_F(_spans) * s,
                                                  size_t first, size_t last, const USW_F(_arguments) * arguments,
                                                  size_t ahead) {
  const size_t chains = USW_F(_scan_chains);
  const usw_range_t all = {0, SIZE_MAX};
  for (; last - first >= USW_F(_scan_block); first += USW_F(_scan_block)) {
    USW_F(_aside) results;
    if (ahead > 0) {
      USW_ARGS(USW_LOAD_AHEAD, USW_NO_LOAD_AHEAD, USW_NO_LOAD_AHEAD)
    }
    USW_F(_scan_chains_of)(base, through, s, first, chains, USW_SCAN_CHAIN, all, arguments, 1, 1, &results);
    USW_OUTPUTS(USW_STORE_RESULTS)
  }
  USW_STORES_PAST_ARE_DONE();
  return first;
}
#undef USW_LOAD_AHEAD
#undef USW_NO_LOAD_AHEAD
#undef USW_STORE_RESULTS
#endif

#include <upsweep/engine/scan_chosen.h>

/* Items [first, last) behind *base; what they come to by themselves into *through. */
USW_INLINE void USW_F(_scan_items)(const USW_F(_acc) * base, USW_F(_acc) * through, USW_F(_spans) * s, size_t first,
                                   size_t last, const USW_F(_arguments) * arguments, int contiguous, int writes) {
  const usw_range_t results = USW_F(_items_with_results)(arguments);
  USW_F(_open_outputs)(s, arguments);
  USW_F(_identity)(through);
#if USW_SCANS_PAST_CACHES
  const uint64_t written = arguments->usw_is_written;
  if (contiguous && written >= USW_PAST_CACHES && (0 USW_OUTPUTS(USW_OR_ADDRESS)) % USW_SCAN_STORE_BYTES == 0)
    first = USW_F(_scan_blocks_past_caches)(base, through, s, first, last, arguments, written - USW_PAST_CACHES);
#endif
  const size_t chains = USW_F(_scan_chains);
  for (; last - first >= USW_F(_scan_block); first += USW_F(_scan_block)) {
#ifdef USW_IS_CHOSEN
    if (contiguous)
      first = USW_F(_scan_chosen)(base, through, first, last, arguments, writes);
    if (last - first < USW_F(_scan_block))
      break;
#endif
    USW_F(_scan_chains_of)(base, through, s, first, chains, USW_SCAN_CHAIN, results, arguments, contiguous, writes,
                           NULL);
  }
  for (; first < last; first++)
    USW_F(_scan_chains_of)(base, through, s, first, 1, 1, results, arguments, contiguous, writes, NULL);
}

/* A chunk of the host's: into a record what its items come to; or, if it is to write, from what is before them in the record on. The latter
 * adds up as the former and a merge do, so that one thread need not do both. */
USW_INLINE void USW_F(_scan_chunk)(USW_F(_acc) * record, USW_F(_spans) * s, size_t first, size_t last,
                                   const USW_F(_arguments) * arguments, int contiguous) {
  const USW_F(_acc) base = *record;
  const int writes = arguments->usw_is_written != 0;
  USW_F(_acc) through;
  USW_F(_scan_items)(&base, &through, s, first, last, arguments, contiguous, writes);
  if (writes)
    USW_F(_merge)(record, &through);
  else
    *record = through;
}
#undef USW_ASIDE
#undef USW_OR_ADDRESS
#endif
