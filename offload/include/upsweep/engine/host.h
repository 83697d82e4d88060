/* The host's loop over a range of items: the same accumulate and merge, written so that compilers find vectors in it.
 *
 * Integers may be added in any order, so one accumulator is enough and the compiler splits it itself; where they widen a
 * lot (bytes into 64 bits) it does better with a block at a time. Everything else goes to a few chains in turn, because
 * no compiler may reorder floating-point sums. Which chain an item joins depends on its index alone. */

#ifndef UPSWEEP_ENGINE_HOST_ONCE
#define UPSWEEP_ENGINE_HOST_ONCE
#define USW_CHAINS_OF(bytes) ((bytes) <= 8 ? 16 : (bytes) <= 16 ? 8 : 4)
#define USW_R_AND_INTEGER(T, n, ...) &&USW_BY_KIND(USW_INTEGER_, __VA_ARGS__)(T)
#define USW_R_OR_WIDER(T, n, ...) || sizeof(T) > 2 * USW_F(_item_bytes)
#define USW_INTEGER_KNOWN(T) ((T)0.5 == 0)
#define USW_INTEGER_GIVEN(T) 0
#define USW_INTEGER_NONE(T) 0
#endif

/* A row is what the chains take together: at most 64 items, which every range but the last is a multiple of. */
enum {
  USW_F(_integers) = 1 USW_REDUCERS(USW_R_AND_INTEGER, USW_NO_SPAN),
  USW_F(_chains) = USW_F(_integers) ? 1 : USW_CHAINS_OF(sizeof(USW_F(_acc))),
  USW_F(_widens) = 0 USW_REDUCERS(USW_R_OR_WIDER, USW_NO_SPAN),
  USW_F(_run) = USW_F(_integers) && USW_F(_widens) ? USW_F(_block) : 1,
  USW_F(_row) = USW_F(_run) * USW_F(_chains)
};

/* Fold the chains, neighbours first, into the first. */
USW_INLINE void USW_F(_fold_chains)(USW_F(_acc) * chains) {
  for (size_t step = 1; step < USW_F(_chains); step *= 2)
    for (size_t k = 0; k < USW_F(_chains); k += 2 * step)
      USW_F(_merge)(&chains[k], &chains[k + step]);
}

/* Whole rows, then the items that fill no row. */
USW_INLINE void USW_F(_visit_range)(USW_F(_acc) * chains, size_t first, size_t last,
                                    const USW_F(_arguments) * arguments, int contiguous) {
  size_t row = first / USW_F(_row);
  USW_F(_acc) a[USW_F(_chains)];
  for (size_t k = 0; k < USW_F(_chains); k++)
    a[k] = chains[k];
  for (; (row + 1) * USW_F(_row) <= last; row++)
    for (size_t k = 0; k < USW_F(_row); k++)
      USW_F(_visit_item)(&a[k / USW_F(_run)], row * USW_F(_row) + k, arguments, contiguous);
  for (size_t k = 0; row * USW_F(_row) + k < last; k++)
    USW_F(_visit_item)(&a[k / USW_F(_run)], row * USW_F(_row) + k, arguments, contiguous);
  for (size_t k = 0; k < USW_F(_chains); k++)
    chains[k] = a[k];
}

static void USW_F(_host)(size_t usw_first, size_t usw_last, const uint64_t *usw_slots, const ptrdiff_t *usw_strides,
                         void *usw_result) {
  int usw_contiguous = 1;
  for (int k = 0; k < USW_F(_inputs); k++)
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
