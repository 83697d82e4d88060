/** @addtogroup library
 *  @{ */
#ifndef UPSWEEP_EXPLAIN_H
#define UPSWEEP_EXPLAIN_H

#include <upsweep/axes.h>
#include <upsweep/export.h>
#include <upsweep/options.h>
#include <upsweep/parts.h>
#include <upsweep/segments.h>
#include <upsweep/status.h>
#include <upsweep/types.h>

enum { USW_MOST_ALTERNATIVES = 16 }; /**< entries of usw_explanation_t::rejected */

/** A way that a call does not take. */
typedef struct usw_alternative {
  usw_strategy_t strategy; /**< never USW_AUTO_STRATEGY */
  uint32_t teams;          /**< teams that the call would launch; on the host: chunks */
  double us;               /**< microseconds that it would take, by the times of the tuning file */
} usw_alternative_t;

/** What usw_explain() says of a call. Strings live for ever. */
typedef struct usw_explanation {
  size_t size;                     /**< USW_INIT(usw_explanation_t) */
  const char *kernel;              /**< the kernel that runs: "sum_f64" */
  usw_place_t place;               /**< USW_HOST or USW_DEVICE */
  int device;                      /**< OpenMP device number, -1 on the host */
  const char *target;              /**< "host", "nvptx", "amdgcn", "x86_64" */
  const char *image;               /**< the image that the device loads, "" on the host */
  const char *host_variant;        /**< version of the host's kernel: "base", "v2", "v3", "v4"; "" on a device */
  usw_strategy_t strategy;         /**< never USW_AUTO_STRATEGY */
  uint32_t teams;                  /**< teams to launch; on the host: chunks that threads share */
  uint32_t team_size;              /**< threads per team, 1 on the host */
  uint32_t threads;                /**< most threads of the host that the call takes; 0 on a device */
  const char *tuning_entry;        /**< the entry of the tuning table that was taken; "" where the options name teams */
  const char *tuning_source;       /**< where the entry comes from: a tuning file, or the measurement behind a built-in
                                        entry; "" with no entry, or one that nobody has measured */
  uint64_t bytes;                  /**< bytes of elements to read */
  uint64_t chain_length;           /**< most operations that one element takes part in, one after the other */
  double error_bound;              /**< see usw_explain(); NaN: no bound is promised */
  const char *error_relative;      /**< what the bound is a share of: "the sum of |x[i]|", "the largest |x[i]|",
                                        "the result", "" */
  uint32_t launches;               /**< on a device: 1, or more with USW_STRATEGY_MULTIPASS; 0 on the host */
  uint32_t recheck;                /**< one such call in that many runs twice (usw_options_t::recheck); 0: none does */
  usw_strategy_t recheck_strategy; /**< of the second run; USW_AUTO_STRATEGY where there is none */
  uint32_t recheck_teams;          /**< teams of the second run; on the host: chunks; 0 where there is none */
  double result_bound;             /**< what the last roundings add, as a share of the result; with error_bound 0 as
                                        well the result is exact */
  const char *backend;             /**< what launches go through: "driver", "openmp"; "" on the host */
  const char *backend_reason;      /**< why not through the driver; "" */
  uint32_t most_sweeps;            /**< most times that a call reads the elements: 1, or more for USW_EXACT and for a
                                        usw_options_t::fold beyond the default; bytes, chain_length, launches are of one */
  uint64_t measured_bytes;         /**< bytes of the calls by which the entry was measured; 0: nobody has */
  double measured_us;              /**< microseconds that they took (median), 0 with measured_bytes 0 */
  double instead_us;               /**< what they took by the entry that this one replaces; 0: it replaces none */
  double spread_us;                /**< between the quartiles of measured_us; 0 where it is not known */
  double expected_us;        /**< microseconds that this call would take, by the times of the tuning file; 0: there
                                        are none for it */
  uint32_t most_teams;       /**< more teams, on the host chunks, would find nothing to do; 0: not known */
  const char *tuning_header; /**< the lines that a tuning file for this place has to begin with: @ref tuning */
  uint32_t rejected_count;   /**< entries of rejected */
  /** Ways that the tuning file has times for, the fastest first. */
  usw_alternative_t rejected[USW_MOST_ALTERNATIVES];
  const char *threads_reason; /**< why threads are not more: "one for each core"; "" on a device */
  uint32_t nodes;             /**< NUMA nodes that so many threads sit on, one on each core; 0 on a device */
  int is_by_node; /**< 1: chunks go to threads of the node where their elements are, as far as that can be told */
  const char *
      topology; /**< what told of cores and nodes: "hwloc 2.9.0", "OpenMP, no hwloc"; "" on a device, with one thread */
  uint64_t staging_chunks;      /**< chunks that elements in host memory would come to the device in, each with launches
                                     of its own; 0: they would not be staged, and what follows is 0 as well */
  uint64_t staging_chunk_bytes; /**< bytes of elements in each but the last */
  uint32_t staging_buffers;     /**< pinned buffers of that size */
  uint32_t staging_threads;     /**< threads that fill and launch them */
  int staging_node;             /**< the system's number of the NUMA node that is near to the device; -1: not known, or
                                     all are */
} usw_explanation_t;

/** What usw_measure_staging() finds: GB/s of elements, of the longest calls that were measured. */
typedef struct usw_staging_rates {
  size_t size;         /**< USW_INIT(usw_staging_rates_t) */
  double staged_gbs;   /**< of the reduction by the device, staged from host memory */
  double host_gbs;     /**< of the same by the host */
  uint64_t pays_bytes; /**< bytes of elements from which on staging was faster; 0: at no length */
} usw_staging_rates_t;

/** How a call with many results or a scan shares its items out. A share is what one thread, sub-group, team or, on the host, one
 *  chunk takes. Strings live for ever. */
typedef struct usw_shares_explanation {
  size_t size;                /**< USW_INIT(usw_shares_explanation_t) */
  const char *kernel;         /**< the kernel that runs: "sum_f64" */
  usw_place_t place;          /**< USW_HOST or USW_DEVICE */
  int device;                 /**< OpenMP device number, -1 on the host */
  const char *target;         /**< "host", "nvptx", "amdgcn", "x86_64" */
  usw_strategy_t strategy;    /**< never USW_AUTO_STRATEGY */
  uint32_t teams;             /**< teams to launch; on the host: chunks that threads share */
  uint32_t team_size;         /**< threads per team, 1 on the host */
  uint32_t threads;           /**< most threads of the host that the call takes; 0 on a device */
  const char *threads_reason; /**< why threads are not more: "one for each core"; "" on a device */
  uint64_t items;             /**< elements to read of each array */
  uint64_t results;           /**< results; of a scan: one for each item */
  uint64_t bytes;             /**< bytes of elements to read; of a scan: and to write */
  const char
      *axes; /**< what is reduced, once neighbouring axes are one: "all", "none", "inner", "outer", "middle", "several";
                                   "" where there are no axes */
  const char *
      share; /**< what a share is: "a result", "a piece of a result", "a strip of columns", "a piece of a strip of columns", "a piece of all results",
                                   "a block of the path", "a segment", "a tile", "a tile by ticket", "a chunk"; "" without items */
  uint64_t shares;      /**< how many there are */
  uint64_t share_items; /**< items of each share but smaller ones at ends; 0: the lengths of segments decide */
  uint32_t
      lanes; /**< threads of a GPU that take a share together: 1, those of a part of a sub-group or of a whole one (32), or
                                   team_size; 1 elsewhere */
  double
      balance; /**< shares as a part of what all who take shares take in as many turns as the busiest: 1, all have as much to do;
                                   0: the lengths of segments decide, which are not looked at */
  const char *tuning_entry;  /**< the tuning table's entry that was taken; "" for scans, and where options name teams */
  const char *tuning_source; /**< where the entry comes from, as usw_explanation_t::tuning_source */
} usw_shares_explanation_t;

/** What usw_explain_parts() and usw_explain_devices() say of a part. Strings live for ever. */
typedef struct usw_part_explanation {
  size_t size;            /**< USW_INIT(usw_part_explanation_t) */
  usw_explanation_t call; /**< the reduction of this part by itself, as usw_explain() tells it; its size is set */
  double share;           /**< of the elements of all parts, 0 to 1 */
  const char *path; /**< "launched": on a GPU, and waited for when all others are launched or done; "called": by the
                               calling thread and its team, while GPUs run what is launched; "staged": in chunks from host
                               memory; "launched and waited for": alone; "none": it has no elements. With #USW_EXACT each sweep
                               over all parts goes so */
  uint32_t turn;    /**< parts of one turn run at the same time, from 0 on; launched parts begin in turn 0 */
  size_t n;         /**< number of its elements */
} usw_part_explanation_t;

USW_BEGIN_C

/** Explain the call usw_reduce(operation, type, x, n, ..., options), or usw_reduce_pair(), for x in host memory or in
 *  memory of the device that the options name; in host memory, if the options name a GPU and ask for staging.
 *
 *  @param[in]  operation       operation of any function of functions.def.
 *  @param[in]  type            type of the elements.
 *  @param[in]  n               number of elements.
 *  @param[in]  options         NULL for the defaults.
 *  @param[out] explanation_out filled in; its size is set by the caller. Unchanged on failure.
 *  @return the error that the call would return for these codes and options; USW_ERROR_INVALID (explanation_out is NULL,
 *          n times the element's size overflows); USW_ERROR_VERSION (a structure of another size).
 *  @note Accuracy: the error is at most error_bound times what error_relative names, and result_bound times the result,
 *        to first order; of complex numbers that holds for the real and for the imaginary part.
 *        USW_FAST, USW_REPEATABLE: error_bound is chain_length times the unit roundoff of the type that accumulates
 *        (2^-24 for f16, bf16, f32, cf32; 2^-53 for f64, cf64) and what single products and roots add. A product's is
 *        n - 1 times that unit (times sqrt(5), complex): the errors of all its partial products add up. result_bound is 0.
 *        USW_COMPENSATED: f16, bf16, f32, cf32 have 2^-53 times chain_length; f64, cf64 twice the square of that.
 *        USW_REPRODUCIBLE: each number that is added loses at most 2^-40 (f16, bf16, f32, cf32) or 2^-80 (f64, cf64, norm2)
 *        of the largest; error_bound is n times that, and more for products, which are pairs of numbers.
 *        With usw_options_t::fold beyond the default the share is 2^-80 to the power of sweeps, ceil(fold / 3).
 *        USW_EXACT: error_bound is 0, and result_bound is the unit roundoff of the result.
 *        USW_DESCRIBE has no bound but with an accuracy of USW_COMPENSATED or USW_REPRODUCIBLE, and then it is that of the
 *        mean. @ref accuracy_bounds has the derivations, @ref accuracy the bound of the variance.
 *  @note Threads: safe from any number of threads at once.
 *  @note Cost: no launch; the first call may ask the OpenMP runtime for its devices, and the first one for a GPU may load the
 *        image of the kernel's program there.  @since 0.1
 *  @see tests/tool/library.c */
USW_API usw_status_t usw_explain(usw_operation_t operation, usw_type_t type, size_t n, const usw_options_t *options,
                                 usw_explanation_t *explanation_out);

/** Explain the call usw_reduce_axes(operation, array, axes, ..., options), or usw_reduce_axes_pair() with two such arrays.
 *
 *  @param[in]  operation       operation of any function of functions.def.
 *  @param[in]  array           what to reduce: its elements are not looked at, data may be NULL; read during the call only.
 *  @param[in]  axes            as usw_reduce_axes().
 *  @param[in]  options         NULL for the defaults.
 *  @param[out] explanation_out filled in; its size is set by the caller; owned by the caller. Unchanged on failure.
 *  @return the error that the call would return for these codes, axes and options, with elements in the memory of its place and on a boundary
 *          of 16 bytes; USW_ERROR_INVALID (explanation_out is NULL); USW_ERROR_VERSION (a structure of another size).
 *  @note Determinism: the same for the same arguments, but for threads, which depend on how long calls took. Threads: safe from any number
 *        of threads at once. Cost: as usw_explain().  @since 0.3
 *  @see tests/tool/library.c */
USW_API usw_status_t usw_explain_axes(usw_operation_t operation, const usw_array_t *array, uint32_t axes,
                                      const usw_options_t *options, usw_shares_explanation_t *explanation_out);

/** Explain the call usw_reduce_segments(operation, type, x, n, segments, ..., options), or usw_reduce_segments_pair().
 *
 *  @param[in]  operation       operation of any function of functions.def.
 *  @param[in]  type            type of the elements.
 *  @param[in]  n               number of elements.
 *  @param[in]  segments        as usw_reduce_segments(); offsets are not looked at, but have to be addresses; read during the call only.
 *  @param[in]  options         NULL for the defaults.
 *  @param[out] explanation_out as usw_explain_axes().
 *  @return as usw_explain_axes(); USW_ERROR_INVALID also as usw_reduce_segments().
 *  @note Determinism, threads, cost: as usw_explain_axes().  @since 0.3
 *  @see tests/tool/library.c */
USW_API usw_status_t usw_explain_segments(usw_operation_t operation, usw_type_t type, size_t n,
                                          const usw_segments_t *segments, const usw_options_t *options,
                                          usw_shares_explanation_t *explanation_out);

/** Explain the call usw_scan_inclusive(operation, type, x, n, ..., options); usw_scan_exclusive() goes the same way, and so does the scan of
 *  usw_scan_segments() and usw_scan_by_key(), whose kernel is another one.
 *
 *  @param[in]  operation       as usw_scan_inclusive().
 *  @param[in]  type            type of the elements.
 *  @param[in]  n               number of elements.
 *  @param[in]  options         NULL for the defaults.
 *  @param[out] explanation_out as usw_explain_axes().
 *  @return as usw_explain_axes().
 *  @note Determinism, threads, cost: as usw_explain_axes().  @since 0.3
 *  @see tests/tool/library.c */
USW_API usw_status_t usw_explain_scan(usw_operation_t operation, usw_type_t type, size_t n,
                                      const usw_options_t *options, usw_shares_explanation_t *explanation_out);

/** Tell how usw_reduce_parts() would run, without running it: each part's place and path, and which parts run at the same time. What
 *  parts leave is merged by the calling thread in the order of the parts, when all have ended.
 *
 *  @param[in]  operation        as usw_reduce_parts().
 *  @param[in]  type             type of the elements.
 *  @param[in]  parts            `count` of them, read during the call only. Elements are not looked at; with #USW_AUTO_PLACE x[0] is
 *                               asked for its place, and NULL is the host. Data that x[0] names is staged if it has to be, other data
 *                               if options say #USW_STAGING_ALWAYS.
 *  @param[in]  count            number of parts.
 *  @param[in]  options          as usw_reduce_parts(); NULL for the defaults.
 *  @param[out] explanations_out `count` of them, filled in; their sizes are set by the caller; owned by the caller. Unchanged on
 *                               failure.
 *  @return the error that usw_explain() returns for a part, whose text begins with "part 2 of 3: "; USW_ERROR_INVALID (NULL; place,
 *          stride, stream or devices in the options; over 2^63 - 1 elements in all); USW_ERROR_VERSION (a structure of another size);
 *          USW_ERROR_UNSUPPORTED (as usw_reduce_parts()); USW_ERROR_MEMORY (no room for `count` explanations).
 *  @note Determinism: the same for the same arguments, but for threads, which depend on how long calls took. Threads: safe from any
 *        number of threads at once. Cost: as usw_explain() for each part.  @since 0.3
 *  @see tests/api/devices.c */
USW_API usw_status_t usw_explain_parts(usw_operation_t operation, usw_type_t type, const usw_part_t *parts,
                                       size_t count, const usw_options_t *options,
                                       usw_part_explanation_t *explanations_out);

/** Tell how usw_reduce(operation, type, x, n, ..., options), or usw_reduce_pair() of such arrays, shares its elements out to the devices that
 *  usw_options_t::devices names, and how their parts would run, without running them.
 *
 *  @param[in]  operation        as usw_reduce().
 *  @param[in]  type             type of the elements.
 *  @param[in]  x                NULL: the elements are in plain host memory. Else only where they are mapped is looked at.
 *  @param[in]  n                number of elements; 0 gives one part without elements.
 *  @param[in]  options          as usw_reduce(); their devices are not 0.
 *  @param[in]  most             number of explanations that there is room for; no call has over 64 parts.
 *  @param[out] explanations_out filled in, one for each part, in the order of the elements; the sizes of all `most` are set by the caller;
 *                               owned by the caller. Unchanged on failure.
 *  @param[out] count_out        number of parts. Unchanged on failure.
 *  @return the error that usw_reduce() would return for these codes and options, or usw_explain() for a part; USW_ERROR_INVALID (NULL; no
 *          devices in the options; more than `most` parts); USW_ERROR_VERSION (a structure of another size).
 *  @note Determinism, accuracy, threads, cost: as usw_explain_parts().  @since 0.3
 *  @see tests/api/mapped_sections.c */
USW_API usw_status_t usw_explain_devices(usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                                         const usw_options_t *options, size_t most,
                                         usw_part_explanation_t *explanations_out, size_t *count_out);

/** Explain the call usw_select(type, x, flags, n, ...). Selections by a kernel of a user's share their elements out the same way, but in tiles
 *  of that kernel's size.
 *
 *  @param[in]  type            type of the elements.
 *  @param[in]  n               number of elements.
 *  @param[in]  options         NULL for the defaults.
 *  @param[out] explanation_out as usw_explain_axes(); results is n, the most that can be kept, and bytes are those of elements and flags to read
 *                              and of n elements to write.
 *  @return as usw_explain_axes().
 *  @note Determinism, threads, cost: as usw_explain_axes().  @since 0.3
 *  @see tests/tool/library.c */
USW_API usw_status_t usw_explain_select(usw_type_t type, size_t n, const usw_options_t *options,
                                        usw_shares_explanation_t *explanation_out);

/** Explain the call usw_reduce_by_key(operation, type, x, key_type, keys, n, ..., options) with all arrays in the memory of its place.
 *
 *  A GPU does it in one launch, a scan that begins anew at each run, where the operation has such a scan at that accuracy; a share is then
 *  "a tile". Elsewhere a first launch finds where runs begin, and a second one reduces them as segments by offsets: this tells of the
 *  second one, as usw_explain_segments().
 *
 *  @param[in]  operation       as usw_reduce_by_key().
 *  @param[in]  type            type of the elements.
 *  @param[in]  key_type        type of the keys, an integer.
 *  @param[in]  n               number of elements.
 *  @param[in]  runs            number of runs of equal keys to expect, 1 to n; 0 for no elements.
 *  @param[in]  options         NULL for the defaults.
 *  @param[out] explanation_out as usw_explain_axes(); results is runs, and bytes are those of elements and keys to read once.
 *  @return as usw_explain_axes(); USW_ERROR_UNSUPPORTED (keys that are no integers); USW_ERROR_INVALID (a number of runs that n elements
 *          cannot have).
 *  @note Determinism, threads, cost: as usw_explain_axes().  @since 0.3
 *  @see tests/tool/library.c */
USW_API usw_status_t usw_explain_by_key(usw_operation_t operation, usw_type_t type, usw_type_t key_type, size_t n,
                                        size_t runs, const usw_options_t *options,
                                        usw_shares_explanation_t *explanation_out);

/** Measure what staging brings on this machine: the reduction over the same elements in host memory, staged and by the host
 *  in turns, at lengths from 64 KiB to 256 MiB of elements.
 *
 *  @param[in]  operation operation of any function of functions.def.
 *  @param[in]  type      type of the elements.
 *  @param[in]  options   name the GPU; staging and strides are not looked at.
 *  @param[out] rates_out filled in; its size is set by the caller. Unchanged on failure.
 *  @return the error that such a staged call would return; USW_ERROR_PLACE (the options name no device that needs
 *          staging); USW_ERROR_INVALID (an address is NULL); USW_ERROR_MEMORY (no room for the elements); USW_ERROR_VERSION (a structure of another size).
 *  @note Threads: safe from any number of threads at once, which slow each other down.
 *  @note Cost: some tenths of a second, and 256 MiB.  @since 0.1  @see tests/api/staging.c */
USW_API usw_status_t usw_measure_staging(usw_operation_t operation, usw_type_t type, const usw_options_t *options,
                                         usw_staging_rates_t *rates_out);

USW_END_C

/** @} */
#endif
