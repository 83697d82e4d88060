/** @defgroup options Options of a call
 *  Where, how and how exactly a reduction runs, and the report of what ran.
 *
 * Options are a structure whose first member is its own size; zero always means "the default":
 *  @code{.c}
 *  usw_options_t options = {USW_INIT(usw_options_t)};
 *  options.place = USW_DEVICE;
 *  @endcode
 * @ref support says which combinations there are, @ref accuracy what each level promises.
 *  @{ */
#ifndef UPSWEEP_OPTIONS_H
#define UPSWEEP_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/export.h>

/** Where a reduction runs. */
typedef enum usw_place {
  USW_AUTO_PLACE = 0, /**< where the data is: device memory there, host memory on the host */
  USW_HOST = 1,       /**< threads of this process */
  USW_DEVICE = 2,     /**< the OpenMP device number in usw_options_t::device */
} usw_place_t;

/** How a reduction runs. USW_HOST has one strategy, USW_STRATEGY_HOST; devices have the others. */
typedef enum usw_strategy {
  USW_AUTO_STRATEGY = 0,        /**< by the tuning table */
  USW_STRATEGY_HOST = 1,        /**< threads, each a chain of the same accumulate and merge */
  USW_STRATEGY_TREE = 2,        /**< team-local tree; the last team folds the partials; one launch, no copy */
  USW_STRATEGY_HOST_FINISH = 3, /**< team-local tree; the host folds one partial per team */
  USW_STRATEGY_CLAUSE = 4,      /**< the OpenMP reduction clause, shaped for bandwidth */
  USW_STRATEGY_TREE_ATOMIC = 5, /**< team-local tree; every team combines its partial by atomics */
  USW_STRATEGY_ATOMIC = 6,      /**< every thread combines what it accumulated by atomics; no tree */
  USW_STRATEGY_MULTIPASS = 7,   /**< team-local tree; launches that fold partials, until few are left for the host */
} usw_strategy_t;

/** What the result promises beyond being right: see @ref accuracy. Products of floating numbers have none of the upper
 *  levels (USW_ERROR_UNSUPPORTED); what rounds nothing gives the same bits at every level. */
typedef enum usw_accuracy {
  USW_REPEATABLE = 0,   /**< same bits on every run with the same build, place, device model, tuning file and
                             n (default) */
  USW_FAST = 1,         /**< a tree's error bound, no promise about bits */
  USW_COMPENSATED = 2,  /**< as if summed in twice the precision and rounded once; bits as USW_REPEATABLE */
  USW_REPRODUCIBLE = 3, /**< same bits on every place, grid and number of threads, for any order of the elements and
                             any parts; as exact as the bins are: usw_explain() */
  USW_EXACT = 4, /**< the exact sum, rounded once, so the same bits as well: sums, norm1 and dot of floating numbers,
                             not in parts; by one pass over the elements where sizes do not differ much, else typically by
                             two or three */
} usw_accuracy_t;

/** What a NaN does to sums, products, norms and dot products, to extremes, their indices and a description. */
typedef enum usw_nan {
  USW_NAN_PROPAGATE = 0, /**< any NaN gives NaN; the first one's index. Sums and products follow IEEE 754 */
  USW_NAN_IGNORE = 1, /**< NaNs are passed over, as by fmin, fmax and NumPy's nansum: as if their items were not there.
                              Of two streams a pair with a NaN is, of complex numbers one with a NaN part. To all, any
                              and count, which it does not change, a NaN is a number that is not zero */
} usw_nan_t;

/** Whether streams in host memory that the device cannot read come to it in chunks: see @ref staging. */
typedef enum usw_staging {
  USW_AUTO_STAGING = 0,   /**< as USW_STAGING of the environment says; never without it */
  USW_STAGING_ALWAYS = 1, /**< they are staged: chunks go through pinned buffers, copies and kernels overlap */
  USW_STAGING_NEVER = 2,  /**< they are an error, USW_ERROR_PLACE */
} usw_staging_t;

/** Most element streams that one kernel may read and write. */
#define USW_MAX_INPUTS 8

/** In usw_options_t::stride: every item reads the same element (stride 0 means "contiguous"). */
#define USW_STRIDE_NONE PTRDIFF_MIN

/** In usw_options_t::devices: every GPU of the node. */
#define USW_ALL_DEVICES UINT64_MAX

/** In usw_options_t::recheck: this call runs once, whatever the environment says. */
#define USW_RECHECK_NEVER UINT32_MAX

/** What ran. Filled on success when usw_options_t::report points to one; clocks are read only then. */
typedef struct usw_report {
  size_t size;             /**< USW_INIT(usw_report_t) */
  usw_place_t place;       /**< USW_HOST or USW_DEVICE */
  int device;              /**< OpenMP device number, -1 on the host */
  usw_strategy_t strategy; /**< never USW_AUTO_STRATEGY */
  uint32_t teams;          /**< teams launched; on the host: threads used */
  uint32_t team_size;      /**< threads per team */
  uint64_t bytes;          /**< bytes of elements read */
  uint64_t time_ns;        /**< from the call to the value, nanoseconds of wall clock */
  const char *target;      /**< "host", "nvptx", "amdgcn", "x86_64"; lives for ever */
  uint64_t kept;           /**< items that count: n, but with USW_NAN_IGNORE those without a NaN, of sums, products, dot
                                products, norm1 and norm2; UINT64_MAX where nobody counts them: extremes and norm_inf of
                                floating numbers with USW_NAN_IGNORE, describe (whose result has the count), sets, calls for
                                many results, scans of segments and by key */
} usw_report_t;

/** Options of one call. */
typedef struct usw_options {
  size_t size;                      /**< USW_INIT(usw_options_t) */
  usw_place_t place;                /**< where to run */
  int device;                       /**< OpenMP device number, used when place is USW_DEVICE */
  usw_strategy_t strategy;          /**< how to run */
  usw_accuracy_t accuracy;          /**< what to promise */
  usw_nan_t nan;                    /**< what a NaN does (ignored by user kernels) */
  uint32_t teams;                   /**< teams to launch, 0 = by the tuning table; at most 65535, of which
                                         USW_STRATEGY_CLAUSE launches 512 at most: the report says how many ran. On the
                                         host: chunks that threads share, at most 256 and at most one for 64 items */
  uint64_t initialize_to_identity;  /**< user kernels: bit r set = reducer r ignores its variable's original value */
  ptrdiff_t stride[USW_MAX_INPUTS]; /**< elements from one item to the next, by input, then by output; 0 = contiguous
                                         (1) */
  usw_report_t *report;             /**< filled with what ran, or NULL */
  uint32_t work_group_load; /**< USW_STRATEGY_MULTIPASS: most partials that are left for the host, and what a team
                                         of the launches after the first folds; 0 = USW_WORK_GROUP_LOAD of the environment,
                                         or 256. Segments by offsets, on a GPU: the items and segments of a block at
                                         least, on which the bits of sums depend; 0 = by their numbers, and where there are
                                         few items no blocks */
  uint32_t recheck;         /**< 1: run this call a second time, and return USW_ERROR_MISMATCH if both results are not
                                         the same; N: one call in N of the process; 0 = USW_RECHECK of the environment,
                                         or never; USW_RECHECK_NEVER: whatever the environment says. See @ref recheck */
  uint32_t fold;         /**< USW_REPRODUCIBLE: bins of 40 binary digits that a result keeps, for a smaller error; 0 to
                                         60. 0: 3 of doubles, 2 of floats, which one pass over the elements finds; more is
                                         rounded up to whole sweeps of three, which those reductions have that have
                                         USW_EXACT */
  usw_staging_t staging; /**< devices: what becomes of streams in host memory that the device cannot read; see
                                         @ref staging. Calls with a stream, arrays, sets, USW_EXACT, scans of segments,
                                         reductions by key, selections, and user kernels of many results, of scans or
                                         without USW_NO_INDEX have no staging (USW_ERROR_UNSUPPORTED) */
  void *stream; /**< NVIDIA's GPUs: a CUDA stream (cudaStream_t, CUstream) of the program's that the call runs in, after
                                         what is there; cudaStreamLegacy and cudaStreamPerThread name the default ones.
                                         NULL: a stream of the library's, after what has completed. Such calls go through
                                         the driver, or are USW_ERROR_UNSUPPORTED */
  uint64_t devices; /**< usw_reduce(), usw_reduce_pair() and kernels of one result: devices that share the items of
                                         streams in host memory. Bit d is OpenMP device d; USW_ALL_DEVICES: every GPU; 0:
                                         one place. place is USW_AUTO_PLACE then. A device reads its part where it has the
                                         part mapped as a whole; sections that devices have mapped are the parts if they
                                         cover the items. What is not mapped is staged, unless staging is
                                         USW_STAGING_NEVER. See @ref staging_devices */
} usw_options_t;

/** @} */
#endif
