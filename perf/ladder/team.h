/* How the rungs are written once, for GPUs and for CPUs.
 *
 * On a GPU every work-item is a thread: FOR_EACH_WORK_ITEM is this thread, and team_barrier() waits for the others. On a
 * CPU one thread runs a whole team: FOR_EACH_WORK_ITEM is a loop, and where it ends all work-items have come to the
 * barrier behind it. So both are right where, between two barriers, no work-item reads what another one writes. */
#ifndef LADDER_TEAM_H
#define LADDER_TEAM_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/port.h>

/* The team that this is, and the launch that it is in. */
typedef struct ladder_team {
  uint32_t number, count;
  uint32_t size;        /* work-items, as the launch says it: the compiler does not know it */
  uint32_t static_size; /* the same, but a constant where it is used */
} ladder_team_t;

#if USW_SUB_GROUP > 1
#define FOR_EACH_WORK_ITEM(local, team) for (uint32_t local = usw_port_thread(), visited = 0; !visited; visited = 1)
#define team_barrier() usw_port_barrier()
#else
#define FOR_EACH_WORK_ITEM(local, team) for (uint32_t local = 0; local < (team).size; local++)
#define team_barrier() ((void)0)
#endif

/* The work-item's number in the whole launch, and how many there are. */
#define GLOBAL_NUMBER(local, team) ((size_t)(team).number * (team).size + (local))
#define GLOBAL_SIZE(team) ((size_t)(team).count * (team).size)

#endif
