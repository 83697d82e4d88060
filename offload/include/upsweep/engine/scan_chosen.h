/* Scans of the library's that write an element for each item that they choose, one behind the other, on processors: selections, runs of equal keys.
 * Where items are chosen, no processor foresees, so nothing branches on it: each item is written where the next chosen one belongs, over the one
 * before if that was not chosen. The kernel's file says which items are chosen, USW_IS_CHOSEN(i), which is 0 or 1, where i is not 0; what is
 * written, USW_PUT_CHOSEN(k, i); and which variable counts them, USW_COUNT_OF_CHOSEN. All items have neighbors in memory. (One thread of an EPYC, ns
 * for an item, by the body and so: doubles, half of them selected 4.5, 1.4; sums by key, runs of 4 keys on the average 8.9, 5.5, of 1024 3.0, 0.8.) */

#ifdef USW_IS_CHOSEN
enum { USW_F(_chosen_block) = 256 };

/* The items first, ..., of a block, of which so many are chosen, from number `number` on. Nothing is written behind the last one: that may be
 * another thread's. */
USW_INLINE void USW_F(_put_chosen)(size_t first, uint64_t number, uint64_t chosen,
                                   const USW_F(_arguments) * arguments) {
  const uint64_t end = number + chosen;
  if (chosen == USW_F(_chosen_block)) {
    for (size_t k = 0; k < USW_F(_chosen_block); k++) {
      USW_PUT_CHOSEN(number + k, first + k)
    }
    return;
  }
  for (size_t i = first; number < end; i++) {
    USW_PUT_CHOSEN(number, i)
    number += USW_IS_CHOSEN(i);
  }
}

/* Whole blocks of [first, last), but neither the first item nor the last one, behind *base and *through, which has them, too, then. Returns the first
 * item that is left. */
USW_INLINE size_t USW_F(_scan_chosen)(const USW_F(_acc) * base, USW_F(_acc) * through, size_t first, size_t last,
                                      const USW_F(_arguments) * arguments, int writes) {
  for (; first > 0 && last - first > USW_F(_chosen_block); first += USW_F(_chosen_block)) {
    uint32_t chosen = 0;
    for (size_t k = 0; k < USW_F(_chosen_block); k++)
      chosen += USW_IS_CHOSEN(first + k);
    if (writes)
      USW_F(_put_chosen)(first, base->USW_COUNT_OF_CHOSEN + through->USW_COUNT_OF_CHOSEN, chosen, arguments);
    through->USW_COUNT_OF_CHOSEN += chosen;
  }
  return first;
}
#endif
