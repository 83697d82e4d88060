/* The host's loop over a range of items: the same accumulate and merge, in a few interleaved chains so that the compiler
 * can keep them in vector registers. Which chain an item joins depends on its place in the range alone. */

#ifndef UPSWEEP_ENGINE_HOST_ONCE
#define UPSWEEP_ENGINE_HOST_ONCE
#define USW_CHAINS_OF(bytes) ((bytes) <= 4 ? 32 : (bytes) <= 8 ? 16 : (bytes) <= 16 ? 8 : 4)
#endif

enum { USW_F(_chains) = USW_CHAINS_OF(sizeof(USW_F(_acc))) };

/* Fold the chains, neighbours first, into the first. */
USW_INLINE void USW_F(_fold_chains)(USW_F(_acc) * chains) {
  for (size_t step = 1; step < USW_F(_chains); step *= 2)
    for (size_t k = 0; k < USW_F(_chains); k += 2 * step)
      USW_F(_merge)(&chains[k], &chains[k + step]);
}

/* Rows of one item per chain, then the items that fill no row. */
USW_INLINE void USW_F(_visit_range)(USW_F(_acc) * chains, size_t first, size_t last,
                                    const USW_F(_arguments) * arguments, int contiguous) {
  size_t i = first;
  USW_F(_acc) a[USW_F(_chains)];
  for (size_t k = 0; k < USW_F(_chains); k++)
    a[k] = chains[k];
  for (; last - i >= USW_F(_chains); i += USW_F(_chains)) {
    for (size_t k = 0; k < USW_F(_chains); k++)
      USW_F(_visit_item)(&a[k], i + k, arguments, contiguous);
  }
  for (size_t k = 0; i < last; i++, k++)
    USW_F(_visit_item)(&a[k], i, arguments, contiguous);
  for (size_t k = 0; k < USW_F(_chains); k++)
    chains[k] = a[k];
}

static void USW_F(_host)(size_t usw_first, size_t usw_last, const uint64_t *usw_slots, const ptrdiff_t *usw_strides,
                         void *usw_result) {
  int usw_contiguous = 1;
  for (size_t k = 0; k < USW_F(_inputs); k++)
    usw_contiguous &= usw_strides[k] == 1;
  USW_ARGS(USW_UNPACK_IN, USW_UNPACK_ARRAY, USW_UNPACK_VALUE)
  USW_UNPACKED;
  const USW_F(_arguments) usw_arguments = USW_F(_gather)(0 USW_ARGS(USW_PASS_IN, USW_PASS, USW_PASS));
  USW_F(_acc) usw_chains[USW_F(_chains)];
  for (size_t k = 0; k < USW_F(_chains); k++)
    USW_F(_identity)(&usw_chains[k]);
  if (usw_contiguous)
    USW_F(_visit_range)(usw_chains, usw_first, usw_last, &usw_arguments, 1);
  else
    USW_F(_visit_range)(usw_chains, usw_first, usw_last, &usw_arguments, 0);
  USW_F(_fold_chains)(usw_chains);
  *(USW_F(_acc) *)usw_result = usw_chains[0];
}
