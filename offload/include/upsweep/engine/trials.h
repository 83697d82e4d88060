/* What a trial of an accumulate policy does to accumulators (accumulate.h, host.h). */

/* Accurate sums with windows (sums.h): items are visited without asking whether each number fits. GPUs measure some before
 * they add them; hosts try, and again if one did not. Spans would take them twice: kernels that have some always ask. */
enum {
  USW_F(_binned) = 0 USW_REDUCERS(USW_R_OR_BINNED, USW_S_OR_BINNED),
  USW_F(_tries) = USW_F(_binned) && USW_F(_span_count) == 0 && !USW_F(_together)
};
USW_INLINE void USW_F(_like)(USW_F(_acc) * a, const USW_F(_acc) * other) {
  (void)a, (void)other;
  USW_REDUCERS(USW_R_LIKE, USW_R_NOTHING)
}
USW_INLINE void USW_F(_begin_trial)(USW_F(_acc) * a, const USW_F(_acc) * other) {
  USW_F(_identity)(a);
  USW_F(_like)(a, other);
}
USW_INLINE int USW_F(_end_trial)(USW_F(_acc) * a) {
  (void)a;
  return 1 USW_REDUCERS(USW_R_AND_FITS, USW_R_NOTHING);
}
/* Whether a sum has to carry before a trial is joined to it. */
USW_INLINE int USW_F(_is_full)(const USW_F(_acc) * a) {
  (void)a;
  return 0 USW_REDUCERS(USW_R_OR_FULL, USW_R_NOTHING);
}
/* After a trial that failed: whether another one is worth it. */
USW_INLINE int USW_F(_learn)(USW_F(_acc) * a, const USW_F(_acc) * b) {
  (void)a, (void)b;
  return 1 USW_REDUCERS(USW_R_AND_LEARN, USW_R_NOTHING);
}
USW_INLINE void USW_F(_join_trial)(USW_F(_acc) * a, USW_F(_acc) * b) {
  (void)a, (void)b;
  USW_REDUCERS(USW_R_JOIN_TRIAL, USW_R_NOTHING)
  USW_CHECKED_MERGE
}
