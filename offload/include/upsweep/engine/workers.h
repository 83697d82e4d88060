/* What becomes of a worker's partial where every worker is a team of one (the openmp port). */

#if USW_HAS_REGIONS
/* Records first, ..., end - 1 into an accumulator and the blocks of a record. */
USW_INLINE void USW_F(_merge_records)(USW_F(_acc) * a, USW_F(_spans) * into, const USW_F(_arguments) * arguments,
                                      USW_F(_acc) * records, size_t first, size_t end) {
  USW_F(_spans) later;
  for (size_t k = first; k < end; k++) {
    USW_F(_merge)(a, USW_F(_record)(records, k, arguments));
    USW_F(_place_spans)(&later, arguments, USW_F(_record)(records, k, arguments));
    USW_F(_merge_block)(into, &later, 0, 1);
  }
}

/* A worker's accumulator to where `finish` wants it; the last one leaves all of them, in the order of the workers, in
 * *out. Their cells are in their blocks already. */
USW_INLINE void USW_F(_finish_worker)(const USW_F(_acc) * a, size_t worker, size_t workers,
                                      const USW_F(_arguments) * arguments, uint32_t finish, USW_F(_acc) * partials,
                                      uint32_t *ticket, USW_F(_acc) * out) {
  const int by_atomics = USW_F(_atomic) && finish >= USW_FINISH_TREE_ATOMIC;
  uint64_t *const cells = (uint64_t *)(void *)partials;
  if (by_atomics)
    USW_F(_all_atomics_in)(a, cells);
  else
    *USW_F(_record)(partials, worker, arguments) = *a;
  if (finish == USW_FINISH_HOST || usw_port_take_ticket(ticket) != workers - 1)
    return;
  usw_port_acquire();
  USW_F(_acc) total;
  USW_F(_spans) into;
  if (by_atomics) {
    USW_F(_all_atomics_out)(&total, cells);
  } else {
    USW_F(_identity)(&total);
    USW_F(_place_spans)(&into, arguments, out);
    USW_F(_clear_block)(&into);
    USW_F(_merge_records)(&total, &into, arguments, partials, 0, workers);
  }
  *out = total;
  *ticket = 0;
}
#endif
