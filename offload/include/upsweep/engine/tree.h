/* The team-local tree and what becomes of a team's partial. For ports whose threads form sub-groups and teams.
 *
 * Shuffles fold a sub-group, team memory the sub-groups of a team. A partial goes to the team's record (blocks.h);
 * whichever team publishes last folds all of them in the order of the teams, so that timing never shows in the result.
 *
 * Where a device says that teams start in the order of their numbers, the one with the last number waits for what the
 * others send (sent.h), which takes no ticket and no fence. It keeps nobody from running: when it starts, all others have. On an
 * H200 sums, minima and dot are 2 to 6 % quicker by it up to 2^22 elements; larger accumulators are slower to send than to publish
 * (description of doubles 1.4 times), but for reproducible sums, which go as columns of integers (columns.h). */

#ifndef UPSWEEP_ENGINE_TREE_ONCE
#define UPSWEEP_ENGINE_TREE_ONCE
enum { USW_BLOCK_GROUP = 32 /* teams whose last folds their blocks */ };
#endif

USW_ASSERT(USW_TEAM_SIZE % USW_SUB_GROUP == 0 && USW_SUB_GROUPS <= USW_SUB_GROUP, "a team is whole sub-groups");
/* Words that shuffles move: not those of cells that are folded in team memory. */
enum {
  USW_F(_words) =
      USW_F(_private) ? (__builtin_offsetof(USW_F(_variable_fields), usw_end) + 3) / 4 : sizeof(USW_F(_acc)) / 4
};
USW_TEAM_MEMORY uint32_t USW_F(_is_last);

/* Accurate sums with windows: the accumulators of a sub-group's lanes get the same one before they are folded, so that
 * nothing has to be asked at each step, and mostly (1: they are quick) there is little to hand round and to add. */
enum { USW_F(_aligns) = USW_F(_binned) && USW_F(_span_count) == 0 };
USW_INLINE int USW_F(_align)(USW_F(_acc) * a, uint32_t values) {
  (void)a, (void)values;
  return 1 USW_REDUCERS(USW_R_AND_ALIGN, USW_R_NOTHING);
}
USW_INLINE void USW_F(_add_aligned)(USW_F(_acc) * a, const USW_F(_acc) * b, int is_quick) {
  (void)a, (void)b, (void)is_quick;
  USW_REDUCERS(USW_R_ADD_ALIGNED, USW_R_NOTHING)
  USW_CHECKED_MERGE
}
/* Into the accumulator of a lower lane. */
USW_INLINE void USW_F(_merge_lane)(USW_F(_acc) * a, const USW_F(_acc) * b, int is_quick) {
  if (USW_F(_aligns))
    USW_F(_add_aligned)(a, b, is_quick);
  else if (USW_F(_private))
    USW_F(_merge_variables)(a, b);
  else
    USW_F(_merge)(a, b);
}

#define USW_COLLECTIVE_NAME USW_KERNEL
#define USW_COLLECTIVE_PREFIX USW_KERNEL
#define USW_COLLECTIVE_TYPE USW_F(_acc)
#define USW_COLLECTIVE_ALIGN(a, values) (USW_F(_aligns) && USW_F(_align)(a, values))
#define USW_COLLECTIVE_MERGE(a, b) USW_F(_merge_lane)(a, b, 0)
#define USW_COLLECTIVE_MERGE_QUICKLY(a, b) USW_F(_merge_lane)(a, b, 1)
#define USW_COLLECTIVE_WORDS USW_F(_words)
#define USW_COLLECTIVE_VALUES USW_SUB_GROUPS
#define USW_COLLECTIVE_HEAVY (sizeof(USW_F(_acc)) > 32 || USW_F(_span_count) > 0)
#define USW_COLLECTIVE_PARAMETER
#define USW_COLLECTIVE_PASS
#include <upsweep/engine/collectives.h>
#include <upsweep/engine/collectives_end.h>

#include <upsweep/engine/sent.h>

#include <upsweep/engine/columns.h>

/* Fold the accumulators of a team into that of its thread 0. Holds one barrier. */
USW_INLINE void USW_F(_fold_accumulators)(USW_F(_acc) * a) { USW_F(_fold_team)(a, usw_bare_team_of(USW_TEAM_SIZE)); }

/* The records among first, ..., end - 1 that a thread folds: every team-size-th, or, in order, neighbours. */
USW_INLINE uint32_t USW_F(_first_record)(uint32_t first, uint32_t end, uint32_t thread) {
  return first + (USW_F(_ordered) ? (uint32_t)((uint64_t)(end - first) * thread / USW_TEAM_SIZE) : thread);
}
USW_INLINE uint32_t USW_F(_end_record)(uint32_t first, uint32_t end, uint32_t thread) {
  return USW_F(_ordered) ? USW_F(_first_record)(first, end, thread + 1) : end;
}

/* What a team leaves behind, in its record. */
USW_INLINE void USW_F(_publish)(const USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_arguments) * arguments,
                                int has_cells, USW_F(_acc) * partials) {
  if (usw_port_thread() == 0)
    *USW_F(_record)(partials, usw_port_team(), arguments) = *a;
  if (USW_F(_block_spans) > 0 && has_cells)
    USW_F(_publish_cells)(s);
}

/* Whether this team is the last to come here of `members`. Everything that the others wrote is seen then. */
USW_INLINE int USW_F(_is_last_of)(uint32_t members, uint32_t *ticket) {
  if (usw_port_thread() == 0)
    USW_F(_is_last) = usw_port_take_ticket(ticket) == members - 1;
  usw_port_barrier();
  const int is_last = USW_F(_is_last) != 0;
  if (is_last)
    usw_port_acquire();
  return is_last;
}

/* Fold the blocks of `count` records, `step` bytes apart, into the block of another. */
USW_INLINE void USW_F(_fold_records)(const USW_F(_arguments) * arguments, USW_F(_acc) * into_record,
                                     USW_F(_acc) * first, uint32_t count, uint64_t step) {
  USW_F(_spans) spans_into, spans_of_first;
  USW_F(_spans) *const into USW_UNUSED = &spans_into, *const s USW_UNUSED = &spans_of_first;
  USW_F(_place_spans)(into, arguments, into_record);
  USW_F(_place_spans)(s, arguments, first);
  (void)count;
  (void)step;
  USW_REDUCERS(USW_R_NOTHING, USW_S_FOLD_RECORDS)
}

/* The last of a group of teams folds its blocks, the last of the groups those of all groups, into the block behind *out.
 * 1 in the very last team. Tickets: one for the groups, then one per group. */
USW_INLINE int USW_F(_fold_blocks)(const USW_F(_arguments) * arguments, USW_F(_acc) * partials, uint32_t *ticket,
                                   USW_F(_acc) * out) {
  const uint32_t teams = usw_port_teams(), group = usw_port_team() / USW_BLOCK_GROUP, first = group * USW_BLOCK_GROUP;
  const uint32_t groups = (teams + USW_BLOCK_GROUP - 1) / USW_BLOCK_GROUP;
  const uint32_t members = teams - first < USW_BLOCK_GROUP ? teams - first : USW_BLOCK_GROUP;
  const uint64_t bytes = USW_F(_record_bytes)(arguments);
  USW_F(_acc) *record = USW_F(_record)(partials, first, arguments);
  usw_port_barrier();
  if (!USW_F(_is_last_of)(members, &ticket[1 + group]))
    return 0;
  USW_F(_fold_records)(arguments, record, record, members, bytes);
  usw_port_barrier();
  if (usw_port_thread() == 0)
    ticket[1 + group] = 0;
  if (!USW_F(_is_last_of)(groups, ticket))
    return 0;
  USW_F(_fold_records)(arguments, out, partials, groups, USW_BLOCK_GROUP * bytes);
  return 1;
}

/* One record into a thread's accumulator. */
USW_INLINE void USW_F(_merge_record)(USW_F(_acc) * a, USW_F(_spans) * s, USW_F(_acc) * record) {
  const USW_F(_acc) partial = *record;
  if (USW_F(_private)) {
    USW_F(_merge_variables)(a, &partial);
    USW_F(_join_own_cells)(record, s);
  } else {
    USW_F(_merge)(a, &partial);
  }
}

/* The last team's work: all partials into the accumulator of its thread 0. If it waits for them, its own is there already. */
USW_INLINE void USW_F(_fold_partials)(USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_arguments) * arguments,
                                      USW_F(_acc) * partials, int is_waiting) {
  const uint32_t thread = usw_port_thread(), teams = usw_port_teams() - (uint32_t)is_waiting;
  const uint32_t end = USW_F(_end_record)(0, teams, thread), step = USW_F(_ordered) ? 1 : USW_TEAM_SIZE;
  uint32_t k = USW_F(_first_record)(0, teams, thread);
  const int keeps_own = is_waiting && thread == 0;
  if (USW_F(_private))
    USW_F(_clear_own_cells)(s);
  if (!keeps_own)
    USW_F(_identity)(a);
  /* A thread's first record, mostly its only one, need not be merged; to copy a large one takes registers. */
  int is_first = !USW_F(_private) && sizeof *a <= USW_LARGE_VALUE_BYTES && !keeps_own;
#pragma nounroll
  for (; k < end; k += step) {
    if (USW_F(_private)) {
      USW_F(_merge_record)(a, s, USW_F(_record)(partials, k, arguments));
      continue;
    }
    USW_F(_acc) partial;
    if (is_waiting)
      USW_F(_receive)(&partial, (uint64_t *)(void *)partials, k);
    else
      partial = *USW_F(_record)(partials, k, arguments);
    if (is_first)
      *a = partial;
    else
      USW_F(_merge)(a, &partial);
    is_first = 0;
  }
  if (USW_F(_private))
    USW_F(_fold_copies)(s);
  USW_F(_fold_accumulators)(a);
  if (USW_F(_private) && thread == 0)
    USW_F(_take_short_spans)(a, s);
}

/* The team's accumulator into the cells, or that of each of its threads; whoever comes last takes them out, into *out. */
USW_INLINE void USW_F(_finish_by_atomics)(USW_F(_acc) * a, uint32_t finish, uint64_t *cells, uint32_t *ticket,
                                          USW_F(_acc) * out) {
  const uint32_t thread = usw_port_thread();
  if (finish == USW_FINISH_ATOMIC || thread == 0)
    USW_F(_all_atomics_in)(a, cells);
  usw_port_barrier();
  if (thread == 0 && usw_port_take_ticket(ticket) == usw_port_teams() - 1) {
    usw_port_acquire();
    USW_F(_all_atomics_out)(a, cells);
    *out = *a;
    *ticket = 0;
  }
}

/* Every team but the last one sends its accumulator and is done. That one goes on when its own fold has left team memory. */
USW_INLINE int USW_F(_waits)(const USW_F(_acc) * a, uint64_t *pairs) {
  if (usw_port_team() == usw_port_teams() - 1) {
    usw_port_barrier();
    return 1;
  }
  if (usw_port_thread() == 0)
    USW_F(_send)(a, pairs);
  return 0;
}

/* The team's partial to where `finish` wants it; the last team folds what all have published into *out. Blocks of cells are
 * folded by the last of every 32 teams first: one team would take long to read them all. */
USW_INLINE void USW_F(_finish_team)(USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_arguments) * arguments,
                                    uint32_t finish, int has_cells, USW_F(_acc) * partials, uint32_t *ticket,
                                    USW_F(_acc) * out) {
  const uint32_t thread = usw_port_thread(), teams = usw_port_teams();
  const int waits = USW_F(_awaits) && finish == USW_FINISH_AWAIT;
  if (USW_F(_atomic) && !waits && finish >= USW_FINISH_TREE_ATOMIC) {
    USW_F(_finish_by_atomics)(a, finish, (uint64_t *)(void *)partials, ticket, out);
    return;
  }
  if (teams == 1 && (finish == USW_FINISH_LAST_TEAM || waits) && USW_F(_block_spans) == 0) {
    if (thread == 0)
      *out = *a;
    return;
  }
  if (!waits)
    USW_F(_publish)(a, s, arguments, has_cells, partials);
  if (finish == USW_FINISH_HOST)
    return;
  if (waits) {
    if (!USW_F(_waits)(a, (uint64_t *)(void *)partials))
      return;
  } else if (USW_F(_block_spans) > 0) {
    if (!USW_F(_fold_blocks)(arguments, partials, ticket, out))
      return;
  } else if (!USW_F(_is_last_of)(teams, ticket)) {
    return;
  }
  USW_F(_fold_partials)(a, s, arguments, partials, waits);
  if (thread == 0) {
    *out = *a;
    if (!waits)
      *ticket = 0;
  }
}

/* A thread's share of n records (at most 65535, as teams), of which its team leaves one: what a later launch of multipass
 * does in place of visiting items. Cells of a block go where the team leaves them at once. */
USW_INLINE void USW_F(_accumulate_records)(USW_F(_acc) * a, USW_F(_spans) * s, uint32_t n,
                                           const USW_F(_arguments) * arguments, USW_F(_acc) * records,
                                           USW_F(_acc) * partials) {
  const uint32_t thread = usw_port_thread(), team = usw_port_team(), teams = usw_port_teams();
  const uint32_t first = n * team / teams, end = n * (team + 1) / teams;
#pragma nounroll
  for (uint32_t k = USW_F(_first_record)(first, end, thread); k < USW_F(_end_record)(first, end, thread);
       k += USW_F(_ordered) ? 1 : USW_TEAM_SIZE)
    USW_F(_merge_record)(a, s, USW_F(_record)(records, k, arguments));
  if (USW_F(_block_spans) > 0)
    USW_F(_fold_records)
  (arguments, USW_F(_record)(partials, team, arguments), USW_F(_record)(records, first, arguments), end - first,
   USW_F(_record_bytes)(arguments));
}

/* What every thread of a bare launch runs: n items, or n records that are not NULL. */
USW_INLINE void USW_F(_team_body)(USW_LAUNCH_WORDS(USW_WORD_PARAMETER, USW_F(_acc)) USW_F(_arguments) arguments) {
  USW_F(_acc) a;
  USW_F(_spans) s;
  const USW_F(_share) share = USW_F(_share_of)(n, usw_port_team(), usw_port_teams(), usw_port_thread(), USW_TEAM_SIZE);
  USW_F(_identity)(&a);
  s.usw_on_trial = USW_ASKS;
  if (USW_F(_span_count) > 0)
    USW_F(_open_team_spans)(&s, &arguments, partials);
  if (records)
    USW_F(_accumulate_records)(&a, &s, (uint32_t)n, &arguments, records, partials);
  else if (USW_F(_in_turns))
    USW_F(_accumulate_in_step)(&a, &s, n, share, &arguments, aligned != 0);
  else if (USW_F(_together))
    USW_F(_accumulate_together)(&a, &s, n, share, &arguments, aligned != 0);
  else
    USW_F(_accumulate)(&a, &s, n, share, &arguments, aligned != 0);
  if (USW_F(_span_count) > 0)
    USW_F(_close_team_spans)(&a, &s);
  if (USW_F(_columns) > 0 && finish == USW_FINISH_AWAIT && usw_port_teams() > 1 &&
      USW_F(_finish_in_columns)(&a, (uint64_t *)(void *)partials, out))
    return;
  if (!USW_F(_atomic) || finish != USW_FINISH_ATOMIC)
    USW_F(_fold_accumulators)(&a);
  if (USW_F(_private) && usw_port_thread() == 0)
    USW_F(_take_short_spans)(&a, &s);
  USW_F(_finish_team)(&a, &s, &arguments, finish, records == NULL, partials, ticket, out);
}
