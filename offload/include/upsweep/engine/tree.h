/* The team-local tree: the accumulators of a team's threads into that of its thread 0. For ports whose threads form sub-groups.
 * Shuffles fold a sub-group, team memory the sub-groups of a team (collectives.h). */

USW_ASSERT(USW_TEAM_SIZE % USW_SUB_GROUP == 0 && USW_SUB_GROUPS <= USW_SUB_GROUP, "a team is whole sub-groups");
/* Words that shuffles move: not those of cells that are folded in team memory. */
enum {
  USW_F(_words) =
      USW_F(_private) ? (__builtin_offsetof(USW_F(_variable_fields), usw_end) + 3) / 4 : sizeof(USW_F(_acc)) / 4
};

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

/* Fold the accumulators of a team into that of its thread 0. Holds one barrier. */
USW_INLINE void USW_F(_fold_accumulators)(USW_F(_acc) * a) { USW_F(_fold_team)(a, usw_bare_team_of(USW_TEAM_SIZE)); }
