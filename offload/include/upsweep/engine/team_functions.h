/* The functions of <upsweep/team.h> for one type and operator, by value. Included after collectives.h, with the same names
 * and with
 *   USW_COLLECTIVE_IGNORE       ", (void)..." for what merging needs beside its operands, in functions that merge nothing
 *   USW_COLLECTIVE_ANY          ", ..." that stands for it where nothing is combined
 *   USW_COLLECTIVE_FOLDS_WORD   1: a value is one word that the port folds over a sub-group by an instruction,
 *   USW_COLLECTIVE_FOLD_WORD(word, lanes)   which this is
 *
 * Where sub-groups are of one thread (the openmp port) a team is the threads of a parallel region: they show each other
 * where their values are through OpenMP's own broadcast, and every thread reads them in order. */

USW_INLINE USW_C_T USW_C(_combine)(USW_C_T a, USW_C_T b USW_COLLECTIVE_PARAMETER) {
  USW_C_T both = a;
  USW_COLLECTIVE_MERGE(&both, &b);
  return both;
}

#if USW_SUB_GROUP > 1
/* Values come by value and are copied first: where a file has many of these functions, what LLVM 19's OpenMPOpt makes of a
 * structure that is a parameter loses what is written to it through its address. */

/* ---- a sub-group ---- */

USW_INLINE USW_C_T USW_C(_sub_group_broadcast)(usw_sub_group_t group, USW_C_T value, uint32_t lane) {
  USW_C_T x = value;
  if (group.lanes > 1) /* a thread alone need not be lane 0 for the processor */
    USW_C(_shuffle)(&x, &x, lane, group.lanes);
  return x;
}
USW_INLINE USW_C_T USW_C(_sub_group_reduce_to_first)(usw_sub_group_t group, USW_C_T value USW_COLLECTIVE_PARAMETER) {
  USW_C_T x = value;
  USW_C(_fold)(&x, group.lane, group.lanes, group.lanes USW_COLLECTIVE_PASS);
  return x;
}
USW_INLINE USW_C_T USW_C(_sub_group_reduce)(usw_sub_group_t group, USW_C_T value USW_COLLECTIVE_PARAMETER) {
  USW_C_T x = value;
  if (USW_COLLECTIVE_FOLDS_WORD && group.lanes > 1) {
    uint32_t word;
    __builtin_memcpy(&word, (const void *)&x, 4);
    word = USW_COLLECTIVE_FOLD_WORD(word, group.lanes);
    __builtin_memcpy((void *)&x, &word, 4);
    return x;
  }
  x = USW_C(_sub_group_reduce_to_first)(group, x USW_COLLECTIVE_PASS);
  return USW_C(_sub_group_broadcast)(group, x, 0);
}
USW_INLINE USW_C_T USW_C(_sub_group_inclusive_scan)(usw_sub_group_t group, USW_C_T value USW_COLLECTIVE_PARAMETER) {
  USW_C_T x = value;
  USW_UNROLL for (uint32_t delta = 1; delta < USW_SUB_GROUP; delta *= 2) if (delta < group.lanes) {
    USW_C_T before;
    USW_C(_shuffle_up)(&before, &x, delta, group.lanes);
    if (group.lane >= delta) {
      USW_COLLECTIVE_MERGE(&before, &x);
      x = before;
    }
  }
  return x;
}
/* What the lanes before this one have together, behind `init`. */
USW_INLINE USW_C_T USW_C(_sub_group_exclusive_scan_from)(usw_sub_group_t group, USW_C_T value,
                                                         USW_C_T init USW_COLLECTIVE_PARAMETER) {
  USW_C_T x = value;
  USW_C_T before = x;
  x = USW_C(_sub_group_inclusive_scan)(group, x USW_COLLECTIVE_PASS);
  if (group.lanes > 1)
    USW_C(_shuffle_up)(&before, &x, 1, group.lanes);
  return group.lane == 0 ? init : USW_C(_combine)(init, before USW_COLLECTIVE_PASS);
}

/* ---- a team ---- */

USW_INLINE USW_C_T USW_C(_team_broadcast)(usw_team_t team, USW_C_T value, uint32_t thread) {
  USW_C_T x = value;
  if (team.threads == 1)
    return x;
  if (team.thread == thread)
    USW_C(_put_value)(0, &x);
  usw_wait_for_team(team);
  USW_C(_get_value)(&x, 0);
  usw_wait_for_team(team);
  return x;
}
USW_INLINE USW_C_T USW_C(_team_reduce_to_first)(usw_team_t team, USW_C_T value USW_COLLECTIVE_PARAMETER) {
  USW_C_T x = value;
  if (team.threads == 1)
    return x;
  USW_C(_fold_team)(&x, team USW_COLLECTIVE_PASS);
  usw_wait_for_team(team);
  return x;
}
/* The result has a place of its own, so that nothing that is still read is written. */
USW_INLINE USW_C_T USW_C(_team_reduce)(usw_team_t team, USW_C_T value USW_COLLECTIVE_PARAMETER) {
  USW_C_T x = value;
  if (team.threads == 1)
    return x;
  USW_C(_fold_team)(&x, team USW_COLLECTIVE_PASS);
  if (team.thread == 0)
    USW_C(_put_value)(USW_COLLECTIVE_VALUES - 1, &x);
  usw_wait_for_team(team);
  USW_C(_get_value)(&x, USW_COLLECTIVE_VALUES - 1);
  return x;
}
/* What the sub-groups before this one have together; *has: whether there are any. The sub-groups' last lanes hold their
 * sums. */
USW_INLINE USW_C_T USW_C(_sub_groups_before)(usw_team_t team, USW_C_T scanned, int *has USW_COLLECTIVE_PARAMETER) {
  const uint32_t sub_group = team.thread / USW_SUB_GROUP;
  USW_C_T before = scanned;
  if (team.thread % USW_SUB_GROUP == usw_sub_group_of(team).lanes - 1)
    USW_C(_put_value)(sub_group, &before);
  usw_wait_for_team(team);
  if (sub_group > 0)
    USW_C(_get_value)(&before, 0);
#pragma nounroll
  for (uint32_t at = 1; at < sub_group; at++) {
    USW_C_T next;
    USW_C(_get_value)(&next, at);
    USW_COLLECTIVE_MERGE(&before, &next);
  }
  usw_wait_for_team(team);
  *has = sub_group > 0;
  return before;
}
USW_INLINE USW_C_T USW_C(_team_inclusive_scan)(usw_team_t team, USW_C_T value USW_COLLECTIVE_PARAMETER) {
  USW_C_T x = value;
  int has;
  if (team.threads == 1)
    return x;
  x = USW_C(_sub_group_inclusive_scan)(usw_sub_group_of(team), x USW_COLLECTIVE_PASS);
  const USW_C_T before = USW_C(_sub_groups_before)(team, x, &has USW_COLLECTIVE_PASS);
  return has ? USW_C(_combine)(before, x USW_COLLECTIVE_PASS) : x;
}
USW_INLINE USW_C_T USW_C(_team_exclusive_scan_from)(usw_team_t team, USW_C_T value,
                                                    USW_C_T init USW_COLLECTIVE_PARAMETER) {
  USW_C_T x = value;
  const usw_sub_group_t group = usw_sub_group_of(team);
  USW_C_T own = x, from = init;
  int has;
  if (team.threads == 1)
    return init;
  x = USW_C(_sub_group_inclusive_scan)(group, x USW_COLLECTIVE_PASS);
  if (group.lanes > 1)
    USW_C(_shuffle_up)(&own, &x, 1, group.lanes);
  const USW_C_T before = USW_C(_sub_groups_before)(team, x, &has USW_COLLECTIVE_PASS);
  if (has)
    from = USW_C(_combine)(from, before USW_COLLECTIVE_PASS);
  return group.lane == 0 ? from : USW_C(_combine)(from, own USW_COLLECTIVE_PASS);
}

#else
/* ---- a sub-group: this thread ---- */

USW_INLINE USW_C_T USW_C(_sub_group_broadcast)(usw_sub_group_t group, USW_C_T x, uint32_t lane) {
  (void)group, (void)lane;
  return x;
}
USW_INLINE USW_C_T USW_C(_sub_group_reduce_to_first)(usw_sub_group_t group, USW_C_T x USW_COLLECTIVE_PARAMETER) {
  (void)group USW_COLLECTIVE_IGNORE;
  return x;
}
USW_INLINE USW_C_T USW_C(_sub_group_reduce)(usw_sub_group_t group, USW_C_T x USW_COLLECTIVE_PARAMETER) {
  (void)group USW_COLLECTIVE_IGNORE;
  return x;
}
USW_INLINE USW_C_T USW_C(_sub_group_inclusive_scan)(usw_sub_group_t group, USW_C_T x USW_COLLECTIVE_PARAMETER) {
  (void)group USW_COLLECTIVE_IGNORE;
  return x;
}
USW_INLINE USW_C_T USW_C(_sub_group_exclusive_scan_from)(usw_sub_group_t group, USW_C_T x,
                                                         USW_C_T init USW_COLLECTIVE_PARAMETER) {
  (void)group, (void)x USW_COLLECTIVE_IGNORE;
  return init;
}

/* ---- a team: the threads of a parallel region ---- */

/* The values of threads [first, last) together, in their order; x if there is none. One thread lends a list of where
 * everybody's value is, which the threads enter in rounds of as many as it has room for. */
USW_INLINE USW_C_T USW_C(_fold_threads)(usw_team_t team, const USW_C_T *x, uint32_t first,
                                        uint32_t last USW_COLLECTIVE_PARAMETER) {
  const USW_C_T *room[USW_TEAM_LIMIT], **list = room;
  USW_C_T total = *x;
  int has = 0;
#ifdef _OPENMP
#pragma omp single copyprivate(list)
  list = room;
#endif
  for (uint32_t base = 0; base < team.threads; base += USW_TEAM_LIMIT) {
    if (team.thread >= base && team.thread - base < USW_TEAM_LIMIT)
      list[team.thread - base] = x;
    usw_wait_for_team(team);
    for (uint32_t k = first < base ? base : first; k < last && k - base < USW_TEAM_LIMIT; k++, has = 1) {
      const USW_C_T next = *list[k - base];
      if (has)
        USW_COLLECTIVE_MERGE(&total, &next);
      else
        total = next;
    }
    usw_wait_for_team(team);
  }
  return total;
}
USW_INLINE USW_C_T USW_C(_team_broadcast)(usw_team_t team, USW_C_T x, uint32_t thread) {
  return team.threads == 1 ? x : USW_C(_fold_threads)(team, &x, thread, thread + 1 USW_COLLECTIVE_ANY);
}
USW_INLINE USW_C_T USW_C(_team_reduce)(usw_team_t team, USW_C_T x USW_COLLECTIVE_PARAMETER) {
  return team.threads == 1 ? x : USW_C(_fold_threads)(team, &x, 0, team.threads USW_COLLECTIVE_PASS);
}
USW_INLINE USW_C_T USW_C(_team_reduce_to_first)(usw_team_t team, USW_C_T x USW_COLLECTIVE_PARAMETER) {
  if (team.threads == 1)
    return x;
  return USW_C(_fold_threads)(team, &x, 0, team.thread == 0 ? team.threads : 0 USW_COLLECTIVE_PASS);
}
USW_INLINE USW_C_T USW_C(_team_inclusive_scan)(usw_team_t team, USW_C_T x USW_COLLECTIVE_PARAMETER) {
  return team.threads == 1 ? x : USW_C(_fold_threads)(team, &x, 0, team.thread + 1 USW_COLLECTIVE_PASS);
}
USW_INLINE USW_C_T USW_C(_team_exclusive_scan_from)(usw_team_t team, USW_C_T x, USW_C_T init USW_COLLECTIVE_PARAMETER) {
  if (team.threads == 1)
    return init;
  const USW_C_T before = USW_C(_fold_threads)(team, &x, 0, team.thread USW_COLLECTIVE_PASS);
  return team.thread == 0 ? init : USW_C(_combine)(init, before USW_COLLECTIVE_PASS);
}
#endif
