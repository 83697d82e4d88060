/* The team-local tree and what becomes of a team's partial. For ports whose threads form sub-groups and teams.
 *
 * Shuffles fold a sub-group, team memory the sub-groups of a team. A partial goes to `partials[team]`; whichever team
 * publishes last folds all of them in the order of the teams, so that timing never shows in the result. */

#ifndef UPSWEEP_ENGINE_TREE_ONCE
#define UPSWEEP_ENGINE_TREE_ONCE
typedef uint32_t __attribute__((may_alias)) usw_word_t;
#define USW_SUB_GROUPS (USW_TEAM_SIZE / USW_SUB_GROUP)
#endif

USW_ASSERT(USW_TEAM_SIZE % USW_SUB_GROUP == 0 && USW_SUB_GROUPS <= USW_SUB_GROUP, "a team is whole sub-groups");
enum { USW_F(_words) = sizeof(USW_F(_acc)) / 4, USW_F(_fold_copies) = USW_F(_heavy) ? 1 : 6 };
USW_TEAM_MEMORY uint32_t USW_F(_team_words)[USW_SUB_GROUPS][USW_F(_words)];
USW_TEAM_MEMORY uint32_t USW_F(_is_last);

/* Fold the first `threads` (a power of two) accumulators of a sub-group into that of its thread 0. */
USW_INLINE void USW_F(_fold_sub_group)(USW_F(_acc) * a, uint32_t threads) {
#pragma unroll USW_F(_fold_copies)
  for (uint32_t delta = threads / 2; delta > 0; delta /= 2) {
    USW_F(_acc) other;
#pragma unroll
    for (uint32_t w = 0; w < USW_F(_words); w++)
      ((usw_word_t *)&other)[w] = usw_port_shuffle_down(((const usw_word_t *)a)[w], delta);
    USW_F(_merge)(a, &other);
  }
}

/* Fold a team's accumulators into that of its thread 0. Holds one barrier. */
USW_INLINE void USW_F(_fold_team)(USW_F(_acc) * a) {
  const uint32_t thread = usw_port_thread();
  USW_F(_fold_sub_group)(a, USW_SUB_GROUP);
  if (thread % USW_SUB_GROUP == 0) {
#pragma unroll
    for (uint32_t w = 0; w < USW_F(_words); w++)
      USW_F(_team_words)[thread / USW_SUB_GROUP][w] = ((const usw_word_t *)a)[w];
  }
  usw_port_barrier();
  if (thread < USW_SUB_GROUP) {
#pragma unroll
    for (uint32_t w = 0; w < USW_F(_words); w++)
      ((usw_word_t *)a)[w] = USW_F(_team_words)[thread % USW_SUB_GROUPS][w];
    USW_F(_fold_sub_group)(a, USW_SUB_GROUPS);
  }
}

/* Publish the team's accumulator (in thread 0); the last team folds them all into *out. */
USW_INLINE void USW_F(_finish_team)(USW_F(_acc) * a, uint32_t finish, USW_F(_acc) * partials, uint32_t *ticket,
                                    USW_F(_acc) * out) {
  const uint32_t thread = usw_port_thread(), team = usw_port_team(), teams = usw_port_teams();
  if (teams == 1 && finish == USW_FINISH_LAST_TEAM) {
    if (thread == 0)
      *out = *a;
    return;
  }
  if (thread == 0)
    partials[team] = *a;
  if (finish == USW_FINISH_HOST)
    return;
  if (thread == 0)
    USW_F(_is_last) = usw_port_take_ticket(ticket) == teams - 1;
  usw_port_barrier();
  if (!USW_F(_is_last))
    return;
  usw_port_acquire();
  USW_F(_identity)(a);
  for (uint32_t k = thread; k < teams; k += USW_TEAM_SIZE) {
    const USW_F(_acc) partial = partials[k];
    USW_F(_merge)(a, &partial);
  }
  USW_F(_fold_team)(a);
  if (thread == 0) {
    *out = *a;
    *ticket = 0;
  }
}

/* What every thread of a bare launch runs. */
USW_INLINE void USW_F(_team_body)(size_t n, uint32_t finish, uint32_t aligned, USW_F(_acc) * partials, uint32_t *ticket,
                                  USW_F(_acc) * out, USW_F(_arguments) arguments) {
  USW_F(_acc) a;
  const USW_F(_share) share = {usw_port_team(), usw_port_teams(), usw_port_thread(), USW_TEAM_SIZE};
  USW_F(_identity)(&a);
  USW_F(_accumulate)(&a, n, share, &arguments, aligned != 0);
  USW_F(_fold_team)(&a);
  USW_F(_finish_team)(&a, finish, partials, ticket, out);
}
