/* What becomes of a worker's partial where every worker is a team of one (the openmp port). */

#if USW_HAS_REGIONS
/* Publish a worker's accumulator; the last one folds them all, in the order of the workers, into *out. Their cells are in
 * their blocks already. */
USW_INLINE void USW_F(_finish_worker)(const USW_F(_acc) * a, size_t worker, size_t workers,
                                      const USW_F(_arguments) * arguments, uint32_t finish, USW_F(_acc) * partials,
                                      uint32_t *ticket, USW_F(_acc) * out) {
  *USW_F(_record)(partials, worker, arguments) = *a;
  if (finish == USW_FINISH_HOST || usw_port_take_ticket(ticket) != workers - 1)
    return;
  usw_port_acquire();
  USW_F(_acc) total;
  USW_F(_spans) into, later;
  USW_F(_identity)(&total);
  USW_F(_place_spans)(&into, arguments, out);
  USW_F(_clear_block)(&into);
  for (size_t k = 0; k < workers; k++) {
    USW_F(_merge)(&total, USW_F(_record)(partials, k, arguments));
    USW_F(_place_spans)(&later, arguments, USW_F(_record)(partials, k, arguments));
    USW_F(_merge_block)(&into, &later, 0, 1);
  }
  *out = total;
  *ticket = 0;
}
#endif
