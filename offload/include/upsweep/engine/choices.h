/* What the file of a kernel may define before kernel.h, and what it is otherwise. */
#include <upsweep/axes.h>
#include <upsweep/scan.h>
#include <upsweep/segments.h>

#ifndef USW_DIMENSIONS
#define USW_DIMENSIONS 1
#elif USW_DIMENSIONS < 1 || USW_DIMENSIONS > 3
#error "USW_DIMENSIONS is 1, 2 or 3"
#endif
#ifndef USW_OUTPUTS
#define USW_OUTPUTS(OUT)
#endif
#ifndef USW_ORDERED
#define USW_ORDERED 0
#endif
#ifndef USW_IN_STEP
#define USW_IN_STEP 0
#endif
#ifndef USW_AXES
#define USW_AXES 0
#endif
/* Axes of a space: kernels of users, whose items are those of a result, in one dimension; the body sees indices of the space. */
#undef USW_AXES_OF_SPACE
#undef USW_ITEM_DIMENSIONS
#if USW_AXES && USW_DIMENSIONS > 1
#define USW_AXES_OF_SPACE 1
#define USW_ITEM_DIMENSIONS 1
#else
#define USW_AXES_OF_SPACE 0
#define USW_ITEM_DIMENSIONS USW_DIMENSIONS
#endif
#if USW_AXES && !USW_AXES_OF_SPACE && !defined(USW_RESULT)
#error "USW_AXES is for kernels of two or three dimensions: define USW_DIMENSIONS"
#endif
#if USW_AXES_OF_SPACE && (defined(USW_SEGMENTS) || defined(USW_OWN_MAP))
#error "USW_AXES excludes USW_SEGMENTS and USW_OWN_MAP: each says which items a result is of"
#endif
#if USW_AXES_OF_SPACE && USW_ORDERED
#error "USW_AXES and USW_ORDERED exclude each other: threads take columns in turn"
#endif
#ifndef USW_SEGMENTS
#if USW_AXES_OF_SPACE
#define USW_SEGMENTS 0
#else
#define USW_SEGMENTS USW_AXES /* the library's kernels have both */
#endif
#endif
#ifndef USW_TAKES_INITIAL
#define USW_TAKES_INITIAL 0 /* of the library's kernels: as scans they have USW_BEGIN (many_items.h) */
#endif
#ifndef USW_SCAN
#define USW_SCAN 0
#endif
#ifndef USW_RESTARTS
#define USW_RESTARTS 0
#endif
#if USW_SCAN && USW_RESTARTS && defined(USW_RESULT)
#define USW_FINDS_RESTARTS 1 /* the library's kernels are told where to begin anew */
#else
#define USW_FINDS_RESTARTS 0
#endif
#ifndef USW_SELECTS
#define USW_SELECTS 0 /* 1: the library's selection by flags, for which GPUs do not need the body (scan_select.h) */
#endif
#ifndef USW_MERGES_SLOWLY
#define USW_MERGES_SLOWLY                                                                                              \
  0 /* many steps for an item: what tells scan_lanes.h from scan_blocks.h, and how rows and columns are loaded */
#endif
#if USW_SCAN && defined(USW_RESULT) && (USW_RESTARTS || USW_MERGES_SLOWLY)
#define USW_SCANS_BY_LANES 1
#else
#define USW_SCANS_BY_LANES 0
#endif
/* Tiles of the library's kernels wait in team memory, where their elements come by copies (scan_stage.h). */
#if USW_SCAN && defined(USW_RESULT)
#define USW_SCANS_ON_STAGE 1
#else
#define USW_SCANS_ON_STAGE 0
#endif
/* Chunks of the host's whose outputs may go past the caches: of the library's kernels, whose results a block collects. */
#if USW_SCAN && defined(USW_RESULT) && !USW_RESTARTS && !defined(__NVPTX__) && !defined(__AMDGCN__)
#define USW_SCANS_PAST_CACHES 1
#else
#define USW_SCANS_PAST_CACHES 0
#endif
#ifndef USW_COUNTS_FROM_RESTART
#define USW_COUNTS_FROM_RESTART                                                                                        \
  0 /* of the library's kernels with USW_RESTARTS: results have an index, which counts from where the scan began */
#endif
#if USW_SCAN
#undef USW_NO_CLAUSE
#define USW_NO_CLAUSE 1 /* which has no order */
#endif
#if USW_AXES || USW_SEGMENTS || defined(USW_OWN_MAP)
#define USW_MANY_RESULTS 1
#undef USW_NO_CLAUSE
#define USW_NO_CLAUSE 1 /* which has one variable */
#else
#define USW_MANY_RESULTS 0
#endif
/* What there are many of: results of a type of the kernel's own, or its variables. */
#ifdef USW_RESULT
#define USW_EACH_RESULT(R, S) R(USW_RESULT, result, )
#else
#define USW_EACH_RESULT(R, S) USW_REDUCERS(R, S)
#endif
#ifndef USW_NO_CLAUSE
#define USW_NO_CLAUSE 0
#endif
#ifndef USW_NO_INDEX
#define USW_NO_INDEX 0
#elif USW_NO_INDEX && USW_DIMENSIONS > 1
#error "USW_NO_INDEX is for kernels of one dimension"
#endif
#if USW_AXES_OF_SPACE && (USW_IN_STEP || defined(USW_OWN_FINISH))
#error "USW_AXES excludes USW_IN_STEP and USW_OWN_FINISH"
#endif
#if USW_MANY_RESULTS && (USW_ITEM_DIMENSIONS > 1 || USW_IN_STEP || defined(USW_OWN_FINISH))
#error "USW_SEGMENTS and USW_OWN_MAP are for kernels of one dimension, without USW_IN_STEP and USW_OWN_FINISH"
#endif
#if USW_SEGMENTS && defined(USW_OWN_MAP)
#error "USW_SEGMENTS and USW_OWN_MAP exclude each other: each says which items a result is of"
#endif
#if USW_SCAN && (USW_MANY_RESULTS || USW_DIMENSIONS > 1 || USW_IN_STEP || USW_NO_INDEX || defined(USW_OWN_FINISH))
#error "USW_SCAN is for kernels of one dimension and one result, without USW_IN_STEP, USW_NO_INDEX and USW_OWN_FINISH"
#endif
#if USW_RESTARTS && !USW_SCAN
#error "USW_RESTARTS is for kernels with USW_SCAN"
#endif
/* Parts, those of MPI ranks too: the body's index counts on over them, from an argument that the library sets. */
#if defined(USW_MPI) && USW_MPI && !defined(USW_PARTS)
#define USW_PARTS 1
#endif
#ifndef USW_PARTS
#define USW_PARTS 0
#endif
#if USW_PARTS && (USW_DIMENSIONS > 1 || USW_MANY_RESULTS || USW_SCAN || defined(USW_RESULT))
#error "USW_PARTS is for kernels of one dimension, without USW_SEGMENTS, USW_AXES, USW_OWN_MAP and USW_SCAN"
#endif
#undef USW_COUNTS_ON
#if USW_PARTS && !USW_NO_INDEX
#define USW_COUNTS_ON 1
#if defined(USW_BY_BLOCKS) || defined(USW_BY_RUNS)
#error "USW_PARTS excludes USW_BY_BLOCKS and USW_BY_RUNS, unless USW_NO_INDEX is defined"
#endif
#else
#define USW_COUNTS_ON 0
#endif
#if USW_ORDERED && USW_IN_STEP
#error "USW_ORDERED and USW_IN_STEP exclude each other: in order, threads have unlike numbers of items"
#endif
