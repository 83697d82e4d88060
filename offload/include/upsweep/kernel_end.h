/* Closes a kernel that kernel.h opened: its policies, what runs on devices, regions, the host's loop, descriptor and function. */
#ifndef USW_KERNEL
#error "<upsweep/kernel_end.h> closes what <upsweep/kernel.h> opened"
#endif

#include <upsweep/engine/policy.h>

#include <upsweep/engine/load.h>

#include <upsweep/engine/accumulate.h>

#include <upsweep/engine/blocks.h>

#include <upsweep/engine/chains.h>

#if USW_SUB_GROUP > 1
#include <upsweep/engine/in_step.h>

#include <upsweep/engine/together.h>

#include <upsweep/engine/team_cells.h>

#include <upsweep/engine/tree.h>

#include <upsweep/engine/hand_off.h>

#include <upsweep/engine/binned_exchange.h>
#endif

#include <upsweep/engine/finish.h>

#if defined(USW_OWN_FINISH) && USW_SUB_GROUP > 1
#include USW_OWN_FINISH
#endif

#include <upsweep/engine/map.h>

#include <upsweep/engine/results.h>

#include <upsweep/engine/scan.h>

#if USW_SCAN && USW_SUB_GROUP > 1
#include <upsweep/engine/team_scan.h>
#endif

#if USW_MANY_RESULTS && USW_SUB_GROUP > 1
#include <upsweep/engine/team_results.h>
#endif

#include <upsweep/engine/bodies.h>

#if USW_HAS_REGIONS
#pragma omp end declare target
#endif

#include <upsweep/engine/regions.h>

#include <upsweep/engine/host.h>

#include <upsweep/engine/descriptor.h>

#ifndef USW_RESULT
#include <upsweep/engine/function.h>
#if defined(USW_MPI) && USW_MPI
#ifndef USW_FUNCTIONS_OVER_RANKS
#error "USW_MPI needs #include <upsweep/mpi.h> before"
#endif
#include USW_FUNCTIONS_OVER_RANKS
#endif
#endif

#ifdef __clang__
#pragma clang diagnostic pop
#endif

/* What open.h left open. */
#ifdef __cplusplus
static inline void USW_F(_is_not_closed_include_upsweep_kernel_end_h)() {}
#else
struct USW_F(_is_not_closed_include_upsweep_kernel_end_h) {
  char unused;
};
#endif

#undef USW_KERNEL
#undef USW_KERNEL_IS_OPEN
#undef USW_DIMENSIONS
#undef USW_ARGS
#undef USW_OUTPUTS
#undef USW_REDUCERS
#undef USW_RESULT
#undef USW_ORDERED
#undef USW_IN_STEP
#undef USW_BY_BLOCKS
#undef USW_BY_RUNS
#undef USW_BY_STRIPS
#undef USW_BY_ROWS
#undef USW_SEES_AGAIN
#undef USW_STRIP_COLUMNS
#undef USW_BY_COLUMNS
#undef USW_BY_WORDS
#undef USW_WORD_ITEMS
#undef USW_ONE_CHAIN
#undef USW_AFTER_TILES
#undef USW_LOADS_AHEAD
#undef USW_HOST_RUN_ITEMS
#undef USW_HOST_BULK_ITEMS
#undef USW_FACTS
#undef USW_OPERATION
#undef USW_TYPE
#undef USW_NATIVE_CLAUSE
#undef USW_NO_CLAUSE
#undef USW_NO_INDEX
#undef USW_OWN_FINISH
#undef USW_OWN_MAP
#undef USW_AXES
#undef USW_AXES_OF_SPACE
#undef USW_ITEM_DIMENSIONS
#undef USW_SEGMENTS
#undef USW_PARTS
#undef USW_MPI
#undef USW_SCAN
#undef USW_RESTARTS
#undef USW_SELECTS
#undef USW_IS_CHOSEN
#undef USW_PUT_CHOSEN
#undef USW_COUNT_OF_CHOSEN
#undef USW_SCANS_BLOCKS
#undef USW_FINDS_RESTARTS
#undef USW_SCANS_BY_LANES
#undef USW_SCANS_ON_STAGE
#undef USW_SCANS_PAST_CACHES
#undef USW_MERGES_SLOWLY
#undef USW_COUNTS_FROM_RESTART
#undef USW_TAKES_INITIAL
#undef USW_EACH_RESULT
#undef USW_MANY_RESULTS
