/* The kernels: every rung with every size of team, and which form of them a place runs. */
#include "ladder.h"
#include "rungs.h"
#include "scan_rungs.h"

#include <string.h>

#ifdef __clang__
#pragma clang diagnostic ignored "-Wstatic-in-inline" /* as in upsweep/kernel.h: team memory is the file's own */
#endif

#define LADDER_RUNG rung_interleaved
#include "launches.h"
#define LADDER_RUNG rung_contiguous
#include "launches.h"
#define LADDER_RUNG rung_coalesced
#include "launches.h"
#define LADDER_RUNG rung_items
#include "launches.h"
#define LADDER_RUNG rung_unrolled
#include "launches.h"
#define LADDER_RUNG rung_lecture
#include "launches.h"
#define LADDER_RUNG scan_serial
#include "launches.h"
#define LADDER_RUNG scan_own_totals
#include "launches.h"
#define LADDER_RUNG scan_own_tiles
#include "launches.h"
#define LADDER_RUNG scan_tile_trees
#include "launches.h"
#define LADDER_RUNG scan_add_bases
#include "launches.h"
#define LADDER_RUNG scan_tile_totals
#include "launches.h"
#define LADDER_RUNG scan_tiles_behind
#include "launches.h"
#define LADDER_RUNG scan_clear
#include "launches.h"
#define LADDER_RUNG scan_looking_back
#include "launches.h"

typedef void (*launcher_t)(const ladder_launch_t *launch);
typedef const launcher_t launchers_t[LADDER_KERNELS][LADDER_SIZES];

#define SIZES(rung, form)                                                                                              \
  {rung##_32_##form, rung##_64_##form, rung##_128_##form, rung##_256_##form, rung##_512_##form, rung##_1024_##form}
#define RUNGS(form)                                                                                                    \
  {SIZES(rung_interleaved, form),  SIZES(rung_contiguous, form), SIZES(rung_coalesced, form),                          \
   SIZES(rung_items, form),        SIZES(rung_unrolled, form),   SIZES(rung_lecture, form),                            \
   SIZES(scan_serial, form),       SIZES(scan_own_totals, form), SIZES(scan_own_tiles, form),                          \
   SIZES(scan_tile_trees, form),   SIZES(scan_add_bases, form),  SIZES(scan_tile_totals, form),                        \
   SIZES(scan_tiles_behind, form), SIZES(scan_clear, form),      SIZES(scan_looking_back, form)}

#ifdef USW_PORT_SIMT
static launchers_t simt = RUNGS(simt);
#else
static launchers_t host = RUNGS(host);
#endif
#ifdef USW_IMAGES
static launchers_t bare = RUNGS(bare), standard = RUNGS(standard);
#endif

static launchers_t *launchers_of(const char *target) {
  (void)target;
#ifdef USW_IMAGES
  if (target)
    return strcmp(target, "x86_64") == 0 ? &standard : &bare;
#endif
#ifdef USW_PORT_SIMT
  return &simt;
#else
  return &host;
#endif
}

void ladder_launch(int kernel, const ladder_launch_t *launch) {
  const char *target = launch->device < 0 ? NULL : usw_device_target(launch->device);
  int size = 0;
  while (ladder_team_sizes[size] != launch->team_size)
    size++;
  (*launchers_of(target))[kernel][size](launch);
}
