/* What becomes of a worker's partial where every worker is a team of one (the openmp port). */

#if USW_HAS_REGIONS
/* Publish a worker's accumulator; the last one folds them all, in the order of the workers, into *out. */
USW_INLINE void USW_F(_finish_worker)(const USW_F(_acc) * a, size_t worker, size_t workers, uint32_t finish,
                                      USW_F(_acc) * partials, uint32_t *ticket, USW_F(_acc) * out) {
  partials[worker] = *a;
  if (finish == USW_FINISH_HOST || usw_port_take_ticket(ticket) != workers - 1)
    return;
  usw_port_acquire();
  USW_F(_acc) total = partials[0];
  for (size_t k = 1; k < workers; k++)
    USW_F(_merge)(&total, &partials[k]);
  *out = total;
  *ticket = 0;
}
#endif
