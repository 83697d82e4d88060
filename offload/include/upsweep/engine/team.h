/* A team's thread, as the collectives know it: documented in <upsweep/team.h>. */
#ifndef UPSWEEP_ENGINE_TEAM_H
#define UPSWEEP_ENGINE_TEAM_H

#include <upsweep/port.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* The emulated GPU's team memory is a thread's own, which no target region may use: it has none. */
#if defined(_OPENMP) && defined(__clang__) && !defined(USW_PORT_SIMT)
#define USW_DECLARES_TARGET 1
#else
#define USW_DECLARES_TARGET 0
#endif

/* How the threads of a team wait for each other. */
enum {
  USW_TEAM_ALONE, /* there is one */
  USW_TEAM_BARE,  /* by the port's barrier */
  USW_TEAM_OPENMP /* by OpenMP's: the threads of a parallel region */
};

/** @addtogroup team
 *  @{ */
/** A team as one of its threads sees it. */
typedef struct {
  uint32_t thread;  /**< number of this thread in its team */
  uint32_t threads; /**< threads of the team */
  uint32_t number;  /**< number of this team among those that the target region started */
  uint32_t teams;   /**< how many it started */
  uint32_t kind;    /**< belongs to the library */
} usw_team_t;

/** The sub-group of a thread: threads of a team that run in step, 32 or 64 on a GPU, one elsewhere. The last sub-group of
 *  a team has fewer where the team's size is no multiple of that. */
typedef struct {
  uint32_t lane;  /**< number of this thread in its sub-group */
  uint32_t lanes; /**< threads of the sub-group */
} usw_sub_group_t;
/** @} */

#if USW_DECLARES_TARGET
#pragma omp begin declare target
#endif

USW_INLINE usw_team_t usw_team_alone(void) {
  usw_team_t team;
  team.thread = team.number = 0;
  team.threads = team.teams = 1;
  team.kind = USW_TEAM_ALONE;
  return team;
}
USW_INLINE usw_team_t usw_bare_team_of(uint32_t threads) {
#if USW_SUB_GROUP > 1
  usw_team_t team;
  team.thread = usw_port_thread();
  team.threads = threads;
  team.number = usw_port_team();
  team.teams = usw_port_teams();
  team.kind = USW_TEAM_BARE;
  return team;
#else
  (void)threads;
  return usw_team_alone();
#endif
}

/** @addtogroup team
 *  @{ */
/** The sub-group of this thread.
 *  @param[in] team as usw_openmp_team(), usw_bare_team() or usw_kernel_team() gave it.
 *  @return the sub-group as this thread sees it.
 *  @since 0.1 */
USW_INLINE usw_sub_group_t usw_sub_group_of(usw_team_t team) {
  usw_sub_group_t group;
#if USW_SUB_GROUP > 1
  const uint32_t before = team.thread / USW_SUB_GROUP * USW_SUB_GROUP, left = team.threads - before;
  group.lane = team.thread - before;
  group.lanes = team.threads % USW_SUB_GROUP == 0 || left > USW_SUB_GROUP ? USW_SUB_GROUP : left; /* often a constant */
#else
  (void)team;
  group.lane = 0;
  group.lanes = 1;
#endif
  return group;
}
/** @} */

/* Every thread of the team has come here, and sees what the others wrote before. */
USW_INLINE void usw_wait_for_team(usw_team_t team) {
  if (team.threads == 1)
    return;
#if USW_SUB_GROUP > 1
  if (team.kind == USW_TEAM_BARE)
    usw_port_barrier();
#endif
  if (team.kind == USW_TEAM_OPENMP)
    usw_port_parallel_barrier(team.threads);
}

#if USW_DECLARES_TARGET
#pragma omp end declare target
#endif
#endif
