/** @defgroup descriptor Descriptors of kernels
 *  What the library knows of a kernel. Filled in by kernel_end.h, read by the library: user programs carry it, so its
 *  layout has a number (USW_DESCRIPTOR_ABI) that the library checks before it looks any further. Nobody writes one by
 *  hand.
 *  @{ */
#ifndef UPSWEEP_DESCRIPTOR_H
#define UPSWEEP_DESCRIPTOR_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/export.h>
#include <upsweep/options.h>
#include <upsweep/status.h>
#include <upsweep/types.h>

/** The number of this layout; a library that knows another one returns USW_ERROR_VERSION. */
#define USW_DESCRIPTOR_ABI 16u

/** Who folds the teams' partials of a launch. */
typedef enum usw_finish {
  USW_FINISH_LAST_TEAM = 0,   /**< the last team, in an order that their numbers decide; the result goes to
                                   accumulator_out */
  USW_FINISH_HOST = 1,        /**< nobody here: partials[team] is left for the host */
  USW_FINISH_CLAUSE = 2,      /**< the reduction clause (standard regions only) */
  USW_FINISH_TREE_ATOMIC = 3, /**< every team combines into the cells at `partials` by atomics; from them the last one
                                   fills accumulator_out */
  USW_FINISH_ATOMIC = 4,      /**< so does every thread, without a tree */
  USW_FINISH_AWAIT = 5,       /**< the last team waits for what the others send to `partials`;
                                   only of kernels with USW_FACT_AWAITS, where teams start in the order of their numbers */
  USW_FINISH_IN_ORDER = 6, /**< of scans, where teams start so: there are as many as tiles, and their numbers are those
                                   of the tiles. Else such teams take tickets (USW_FINISH_LAST_TEAM) */
  USW_FINISH_CLEAR = 7,    /**< no items: all cells in the records at `partials` become identities */
  USW_FINISH_COMMON =
      8, /**< the records at `partials` have blocks of cells for all teams, which combine into them by atomics; behind them
                              each team leaves its accumulator. Of `records`: such records, and n accumulators behind them, go to
                              accumulator_out. Both of kernels with USW_FACT_COMMON_CELLS, of spans that do not fit into team memory;
                              how many records there are, a power of two, is in the finish, from bit USW_FINISH_BITS on */
  /* Of kernels with USW_FACT_FIXED_POINT, whose sums of real numbers become integers of a fixed point. `partials`: one record for all teams,
     words for each such sum behind it, and each team's accumulator behind these. */
  USW_FINISH_MEASURE = 9,      /**< the numbers are measured, behind the tickets, which USW_FINISH_CLEAR cleared */
  USW_FINISH_CLEAR_WORDS = 10, /**< no items: all words become 0 */
  USW_FINISH_FIXED = 11,       /**< the numbers are added by atomics */
  USW_FINISH_ROUND = 12,       /**< `records`: such a record and n accumulators go to accumulator_out */
} usw_finish_t;
enum {
  USW_FINISH_BITS = 8,
  USW_FINISH_IF_FIXED = 1 << 30,      /**< a launch that does nothing unless what is measured fits a fixed point */
  USW_FINISH_UNLESS_FIXED = 1 << 29,  /**< and one that does nothing if it does */
  USW_FIXED_WORDS = 5,                /**< most words of a sum */
  USW_MEASURED_TICKET = (1 << 14) + 2 /**< behind which of the tickets it is, in 32 bytes */
};

/** How a stub is to launch its region. */
typedef struct usw_launch {
  int32_t device;           /**< OpenMP device number */
  uint32_t teams;           /**< teams to launch */
  uint64_t workers;         /**< of a standard region: who shares the items out */
  uint32_t finish;          /**< usw_finish_t */
  uint32_t aligned;         /**< 1: every stream is contiguous and starts on a 16-byte boundary */
  const void *records;      /**< NULL; or n records, which this launch folds in place of visiting n items */
  void *partials;           /**< device-accessible, one record per team (usw_kernel_t::identity); with atomics device
                                 memory for every reducer's atomic_bytes, with USW_FINISH_AWAIT for three accumulators
                                 per team, each up to 8 bytes longer: zero before and after every launch then */
  uint32_t *ticket;         /**< device memory, USW_MEASURED_TICKET + 8; the first 1 + 2^14 are zero before and after */
  const ptrdiff_t *strides; /**< one per stream, in elements */
  const uint64_t *extents;  /**< elements of each reducer's span; 1 for a variable; an array of results: its address */
} usw_launch_t;

/** What a bare region captures of its launch, in this order: ITEM(type, name), where RECORD is the kernel's accumulator. An
 *  entry has the runtime's pointer before them; behind them the kernel's arguments, each stream with its stride, the extents
 *  of its spans or the addresses of its arrays of results, and the number of teams. Regions are written from this list, and
 *  so is what launches their entries without the OpenMP runtime. */
#define USW_LAUNCH_WORDS(ITEM, RECORD)                                                                                 \
  ITEM(size_t, n)                                                                                                      \
  ITEM(uint32_t, finish)                                                                                               \
  ITEM(uint32_t, aligned)                                                                                              \
  ITEM(RECORD *, records)                                                                                              \
  ITEM(RECORD *, partials)                                                                                             \
  ITEM(uint32_t *, ticket)                                                                                             \
  ITEM(RECORD *, out)

/** Runs one target region and waits for it. Arguments are in list order: addresses or the bits of a value.
 *  accumulator_out is device-accessible host memory, or plain host memory with USW_FINISH_CLAUSE. */
typedef void (*usw_stub_t)(const usw_launch_t *how, size_t n, const uint64_t *arguments, void *accumulator_out);

/** Accumulates items [first, last) on the host, in the calling thread, into a record. first is a multiple of 64. With
 *  USW_FACT_MANY_RESULTS these are results, and the record stays empty. */
typedef void (*usw_host_function_t)(size_t first, size_t last, const uint64_t *arguments, const ptrdiff_t *strides,
                                    const uint64_t *extents, void *record_out);

/** One device entry. A backend that needs its symbol looks for the one that ends in `_<stub_name>_l<digits>`. */
typedef struct usw_entry {
  const char *stub_name; /**< name of the host function around the region */
  usw_stub_t stub;       /**< that function, or NULL where it was not compiled */
  uint32_t team_size;    /**< threads per team, fixed when the entry was compiled */
} usw_entry_t;

/** Kinds of kernel arguments. */
typedef enum usw_argument_kind {
  USW_ARGUMENT_IN,    /**< a stream: the body sees its item's element */
  USW_ARGUMENT_ARRAY, /**< an address for random access */
  USW_ARGUMENT_VALUE, /**< a scalar of at most 8 bytes */
  USW_ARGUMENT_OUT,   /**< a stream whose elements the body writes; behind all that are read */
} usw_argument_kind_t;

/** One kernel argument. */
typedef struct usw_argument {
  const char *name;         /**< as in the kernel's list */
  uint32_t kind;            /**< usw_argument_kind_t */
  uint32_t bytes;           /**< of one element or of the value */
  uint32_t alignment_bytes; /**< of one element */
} usw_argument_t;

/** One reducer of a kernel, bound to one reduction variable or to a span of them. */
typedef struct usw_reducer {
  const char *name;         /**< as in the kernel's list */
  uint32_t operation;       /**< usw_operation_t of a library operator, USW_NO_OPERATION for the user's own */
  uint32_t bytes;           /**< of the variable, or of one element of the span */
  uint32_t alignment_bytes; /**< of the variable */
  uint32_t has_identity;    /**< 0 or 1 */
  uint32_t dimensions;      /**< 0: a variable, 1: a span */
  uint64_t extent;          /**< elements of the span, 0: given with each call; 1 for a variable */
  uint32_t cell_bytes;      /**< of an element in a record's block; 0: it is in the accumulator */
  uint32_t is_fresh;        /**< 1: the list says USW_INITIALIZE_TO_IDENTITY */
  uint32_t atomic_bytes;    /**< of what atomics combine it into; 0: they cannot */
} usw_reducer_t;

/** Numbers of one width one after the other, of which accumulators consist: what leaves a process of them (partial.h). */
typedef struct usw_member {
  uint32_t offset_bytes; /**< from the start of the accumulator */
  uint16_t bytes;        /**< of one number: 1, 2, 4 or 8 */
  uint16_t count;        /**< how many */
  uint32_t is_index;     /**< 1: indices of items, of which those of the upper half are none */
} usw_member_t;

/** A reduction variable: where the result lands. */
typedef struct usw_variable {
  void *
      address; /**< address of the variable, in host memory, or of the span's first element, in the host's or any device's; the
                      caller's */
  size_t
      extent; /**< elements of the span, read only where the kernel's list says USW_DYNAMIC_EXTENT; or how many results
                      a kernel of many has, the same for all variables */
} usw_variable_t;

/** Facts about a kernel, as bits. */
enum {
  USW_FACT_EXACT = 1u, /**< any order of combination gives the same bits, NaNs counting as one; the list of reducers
                               says so itself where all operators are the library's and round nothing */
  USW_FACT_NAN_POLICY = 2u,      /**< the last argument is the call's usw_nan_t */
  USW_FACT_INDEX = 4u,           /**< the argument before it is the index of the first item */
  USW_FACT_ORDERED = 8u,         /**< combined in the items' order: operators need not be commutative */
  USW_FACT_SPANS = 16u,          /**< teams hold cells of spans in their memory */
  USW_FACT_NO_CLAUSE = 32u,      /**< has no clause: its sums are reproducible, or its file says USW_NO_CLAUSE */
  USW_FACT_AWAITS = 64u,         /**< has USW_FINISH_AWAIT: small accumulators, without spans, in any order; or a
                                 reproducible sum of real numbers and nothing else */
  USW_FACT_NO_INDEX = 128u,      /**< a user kernel whose file says USW_NO_INDEX: its items may come in chunks */
  USW_FACT_OUTPUTS = 256u,       /**< it writes streams */
  USW_FACT_SPACE = 512u,         /**< its first arguments are the words of an iteration space; with USW_FACT_AXES it has
                                      those of the axes of one (usw_axes_of_space_words_t) in their place */
  USW_FACT_REVISITS = 1024u,     /**< on GPUs its body may run again for an item after it has written */
  USW_FACT_MANY_RESULTS = 2048u, /**< variables are arrays, which it writes itself; the last four arguments are n, how
                                      many results there are, as bits which reducers do not take original values, and how
                                      many threads of a GPU take the items of a result */
  USW_FACT_AXES =
      8192u, /**< results along axes: before these four come the words of the axes; the library's kernels have segments, too */
  USW_FACT_SEGMENTS = 16384u, /**< segments have results: right before these four come the words of the segments */
  USW_FACT_SCAN = 32768u, /**< bodies see what is before their item: see usw_scan_memory_t, and usw_host_function_t */
  USW_FACT_RESTARTS =
      65536u, /**< one of the library's whose scan begins anew: before the words of scans come usw_restart_words_t, and its
                                   accumulator begins with the number of restarts, of 4 bytes */
  USW_FACT_COUNTS_ON =
      131072u, /**< with USW_FACT_INDEX, a user kernel whose file says USW_PARTS and whose body has an index:
                                     its last argument is that of the first item */
  USW_FACT_COMMON_CELLS = 262144u, /**< has USW_FINISH_COMMON: cells of 4 or 8 bytes that are values and nothing else */
  USW_FACT_EXACT_CELLS = 524288u,  /**< and any order of combination gives them the same bits */
  USW_FACT_FIXED_POINT =
      1048576u, /**< has USW_FINISH_FIXED: its spans with USW_FACT_COMMON_CELLS are sums of real numbers, or exact */
  USW_FACT_PASSES_NANS =
      4096u, /**< one of the library's that passes over NaNs; the last number of its accumulator, of 8
                                      bytes, is how many items it did not pass over */
};

/** Bytes of a team's memory that are for cells of spans. */
enum { USW_TEAM_CELLS_BYTES = 32 << 10 };

/** Versions of a kernel's host function: the compiler's own target, then x86-64-v2, v3 and v4. */
enum { USW_HOST_VARIANTS = 4 };

/** A kernel. */
typedef struct usw_kernel {
  uint32_t abi;                    /**< USW_DESCRIPTOR_ABI; stays first for ever */
  uint32_t llvm_major;             /**< of the compiler that made the regions; 0 without regions */
  const char *name;                /**< USW_KERNEL as text */
  const char *images;              /**< what its regions were compiled for: "x86_64 sm_90"; "" without regions */
  uint32_t operation;              /**< usw_operation_t of the library's own kernels */
  uint32_t type;                   /**< usw_type_t of the library's own kernels */
  uint32_t facts;                  /**< USW_FACT_... */
  uint32_t accuracy;               /**< the highest usw_accuracy_t that its reducers promise */
  uint32_t accumulator_bytes;      /**< of all reducers of one thread; a multiple of 4 */
  uint32_t item_bytes;             /**< bytes of elements that one item reads */
  uint32_t items_per_thread;       /**< items that a thread takes per tile */
  uint32_t argument_count,         /**< length of `arguments` */
      stream_count,                /**< those of them that have an element for each item */
      reducer_count;               /**< length of `reducers` */
  const usw_argument_t *arguments; /**< in list order */
  const usw_reducer_t *reducers;   /**< in list order */
  /** Start a record: an accumulator and, if a reducer has cell_bytes, behind the next multiple of 16 bytes a block of
   *  cells, those of each such reducer on a multiple of 16 bytes too. */
  void (*identity)(void *record, const uint64_t *extents);
  /** Fold one record into another; into comes before from in index order. */
  void (*merge)(void *into, const void *from, const uint64_t *extents);
  /** Combine the original values of the variables in, before every item; bit r of skip set: not that of reducer r.
   *  is_empty: there was no item, so the values stay as they are, bit by bit. NULL: never. */
  void (*absorb)(void *record, const usw_variable_t *variables, const uint64_t *extents, uint64_t skip, int is_empty);
  /** Write the result; returns the bits of reducers that have neither a value nor an identity, and writes none then. */
  uint64_t (*finish)(const void *record, const usw_variable_t *variables, const uint64_t *extents);
  /** In checked builds: 1 + the number of the reducer whose body named an index outside its span, and that index; else 0.
   *  NULL in others. */
  uint64_t (*bad_index)(const void *accumulator, uint64_t *index_out);
  usw_host_function_t host[USW_HOST_VARIANTS]; /**< NULL where this processor family has no such version */
  uint32_t host_chains; /**< accumulators that the items of a block are dealt to; 1 where order does not matter */
  uint32_t
      host_few_chains; /**< those that take the items behind the last whole group of all chains; 0: the same as the others */
  uint32_t host_block_items;   /**< items after which the host folds its chains; 0: only at the end */
  usw_entry_t bare;            /**< stub NULL: not compiled for a GPU */
  usw_entry_t standard;        /**< stub NULL: compiled without offload */
  void **cache;                /**< one pointer that starts as NULL; belongs to the library from then on */
  const usw_member_t *members; /**< every number of an accumulator of the library's own kernels; NULL for others */
  uint32_t member_count;       /**< length of `members` */
} usw_kernel_t;

/** A reduction that the kernel of another type does, because for this operation both types have the same bits. */
typedef struct usw_alias {
  uint32_t operation;         /**< usw_operation_t */
  uint32_t type;              /**< usw_type_t of the elements; the kernel's own type is another */
  const char *name;           /**< as a kernel's name: "sum_u64" */
  const usw_kernel_t *kernel; /**< the kernel that does it: of one result, along axes, of scans */
  usw_kernel_t own;           /**< that kernel under this name and these codes; filled in by the library */
} usw_alias_t;

USW_BEGIN_C

/** Run a kernel over n items: what the function made by kernel_end.h calls.
 *
 *  @param[in]     kernel    its descriptor; must live as long as the program.
 *  @param[in]     n         number of items; 0 leaves original values, or gives identities.
 *  @param[in]     arguments     the arguments in list order.
 *  @param[in,out] variables the reduction variables, one per reducer (one result object for the library's own kernels);
 *                           unchanged on failure. Spans may be in any device's memory. A large one that is the only variable, in the memory of
 *                           the GPU that the call runs on, is written by that, others are copied from the host; a launch or a copy that fails
 *                           may leave such a span with other values.
 *  @param[in]     options   NULL for the defaults.
 *  @return as usw_reduce(); USW_ERROR_EMPTY (a reducer without identity got no value, and no original one);
 *          USW_ERROR_NO_IDENTITY (options ask such a reducer to start from its identity); USW_ERROR_VERSION also for a
 *          descriptor of another layout.
 *  @note Determinism, accuracy, threads, cost: as usw_reduce().  @since 0.1  @see tests/api/user_kernel.c */
USW_API usw_status_t usw_kernel_run(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                    const usw_variable_t *variables, const usw_options_t *options);

struct usw_segments_t;
/** Run a kernel with USW_SEGMENTS over segments of n items: what the function made by kernel_end.h calls.
 *
 *  @param[in]     kernel    its descriptor; must live as long as the program.
 *  @param[in]     n         number of items.
 *  @param[in]     segments  of the items; read during the call only.
 *  @param[in]     arguments the arguments in list order.
 *  @param[in,out] variables for each reducer an array of as many results as there are segments; unchanged on failure, if they are in host
 *                           memory.
 *  @param[in]     options   NULL for the defaults.
 *  @return as usw_reduce_segments() and usw_kernel_run(); USW_ERROR_UNSUPPORTED also for a kernel without USW_SEGMENTS.
 *  @note Determinism, accuracy, threads, cost: as usw_reduce_segments().  @since 0.3  @see tests/api/segment_kernels.c */
USW_API usw_status_t usw_kernel_run_segments(const usw_kernel_t *kernel, size_t n,
                                             const struct usw_segments_t *segments, const uint64_t *arguments,
                                             const usw_variable_t *variables, const usw_options_t *options);

USW_END_C
/** @} */
#endif
