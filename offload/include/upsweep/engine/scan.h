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
/* The element of the result of item i, the k-th of a block, which is on a boundary if `aligned`. */
#define USW_WRITE_SCANNED(T, n)                                                                                        \
  if (aligned)                                                                                                         \
    *(T *)__builtin_assume_aligned(arguments->n + i, USW_BLOCK_BOUNDARY(T), k * sizeof(T) % USW_BLOCK_BOUNDARY(T)) =   \
        result;                                                                                                        \
  else                                                                                                                 \
    arguments->n[(ptrdiff_t)i * arguments->usw_stride_##n] = result;
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

/* Behind the visit of item i: of the library's kernels the result of what is before it, or of all up to it. */
USW_INLINE void USW_F(_write_scanned)(const USW_F(_acc) * a, const USW_F(_spans) * s, size_t i, size_t k,
                                      const USW_F(_arguments) * arguments, int aligned) {
  (void)a, (void)s, (void)i, (void)k, (void)arguments, (void)aligned;
#ifdef USW_RESULT
  USW_ASSERT((int)USW_F(_outputs) == 1, "a scan of the library's has an output");
  USW_F(_acc) from = *a;
  USW_RESULT result;
  if (arguments->usw_is_exclusive)
    from = s->usw_before;
  USW_F(_finish)(&from, &result);
  USW_OUTPUTS(USW_WRITE_SCANNED)
#endif
}

/* ---- processors ---- */

enum {
  /* Items that are scanned among themselves, so that compilers find vectors: small accumulators, whose merging is an instruction or two. */
  USW_F(_scan_block) = sizeof(USW_F(_acc)) <= 8 && !USW_F(_ordered) ? 16 : 1
};

/* Item i behind *a. */
USW_INLINE void USW_F(_scan_item)(USW_F(_acc) * a, USW_F(_spans) * s, size_t i, const USW_F(_arguments) * arguments,
                                  int contiguous) {
  s->usw_before = *a;
  USW_F(_visit_index)(a, s, i, arguments, contiguous);
  USW_F(_write_scanned)(a, s, i, 0, arguments, 0);
}

/* A block of items from `first` on: distances of 1, 2, 4 and so on (Hillis, Steele, 1986). */
USW_INLINE void USW_F(_scan_whole_block)(USW_F(_acc) * a, USW_F(_spans) * s, size_t first,
                                         const USW_F(_arguments) * arguments, int contiguous) {
  USW_F(_acc) through[USW_F(_scan_block)], nearer[USW_F(_scan_block)];
  s->usw_is_mute = 1;
  for (size_t k = 0; k < USW_F(_scan_block); k++) {
    USW_F(_identity)(&through[k]);
    USW_F(_visit_index)(&through[k], s, first + k, arguments, contiguous);
  }
  USW_UNROLL for (size_t distance = 1; distance < USW_F(_scan_block); distance *= 2) {
    for (size_t k = 0; k < USW_F(_scan_block); k++)
      nearer[k] = through[k];
    for (size_t k = distance; k < USW_F(_scan_block); k++) {
      through[k] = nearer[k - distance];
      USW_F(_merge)(&through[k], &nearer[k]);
    }
  }
  s->usw_is_mute = 0;
  for (size_t k = 0; k < USW_F(_scan_block); k++) {
    USW_F(_acc) before = *a;
    if (k > 0)
      USW_F(_merge)(&before, &through[k - 1]);
    USW_F(_scan_item)(&before, s, first + k, arguments, contiguous);
  }
  USW_F(_merge)(a, &through[USW_F(_scan_block) - 1]);
}

/* Items [first, last) behind *a, which has them then too. */
USW_INLINE void USW_F(_scan_items)(USW_F(_acc) * a, USW_F(_spans) * s, size_t first, size_t last,
                                   const USW_F(_arguments) * arguments, int contiguous) {
  USW_F(_open_outputs)(s, arguments);
  s->usw_is_mute = 0;
  if (USW_F(_scan_block) > 1)
    for (; last - first >= USW_F(_scan_block); first += USW_F(_scan_block))
      USW_F(_scan_whole_block)(a, s, first, arguments, contiguous);
  for (; first < last; first++)
    USW_F(_scan_item)(a, s, first, arguments, contiguous);
}

/* A chunk of the host's: into a record what its items come to; or, if it is to write, from what is before them in the record on. */
USW_INLINE void USW_F(_scan_chunk)(USW_F(_acc) * record, USW_F(_spans) * s, size_t first, size_t last,
                                   const USW_F(_arguments) * arguments, int contiguous) {
  if (arguments->usw_is_written) {
    USW_F(_scan_items)(record, s, first, last, arguments, contiguous);
    return;
  }
  s->usw_is_mute = 1;
  USW_F(_open_outputs)(s, arguments);
  USW_F(_visit_by_chains)(record, s, first, last, arguments, contiguous);
}
#endif
