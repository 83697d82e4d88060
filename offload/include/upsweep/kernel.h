/** @defgroup kernels Kernels of your own
 *  <upsweep/kernel.h> opens a kernel. Define three macros, include it, write the body, include <upsweep/kernel_end.h>:
 *  @code{.c}
 *     #define USW_KERNEL residual
 *     #define USW_ARGS(IN, ARRAY, VALUE) IN(double, b) IN(double, ax) VALUE(double, tolerance)
 *     #define USW_REDUCERS(R, S) R(double, sum2, USW_PLUS) R(double, worst, USW_MAXIMUM) R(uint64_t, bad, USW_PLUS)
 *     #include <upsweep/kernel.h>
 *     USW_VISIT(i) {
 *       const double r = b - ax;
 *       usw_add(sum2, r * r);
 *       usw_combine(worst, fabs(r));
 *       if (fabs(r) > tolerance) usw_inc(bad);
 *     }
 *     #include <upsweep/kernel_end.h>
 *  @endcode
 * gives
 *  @code{.c}
 *     usw_status_t residual(size_t n, const double *b, const double *ax, double tolerance,
 *                           double *sum2, double *worst, uint64_t *bad, const usw_options_t *options);
 *  @endcode
 * which adds to what the variables hold, as OpenMP's clause does: initialize them, or call residual_fresh(), which is the same but begins
 * with the identity.
 *
 * **Arguments.** IN(T, x) is a stream; the body sees the element of its item (the engine loads it, 16 bytes at a time where
 * it can). ARRAY(T, a) is an address for random access. VALUE(T, v) is a scalar of at most 8 bytes.
 *
 * **Outputs.** With USW_OUTPUTS(OUT) defined before as a list of OUT(T, y), an array of one element per item each, the body
 * may write its item's element by usw_write(y, value), and the function takes the arrays behind the other arguments. They
 * are streams, with strides behind those of the inputs, in the memory that the kernel runs in, or staged. An output may be the
 * very array of an input, in place; else their elements are apart. Kernels with a span of more than 256 bytes, or of an
 * extent that comes with the call, are not for outputs in place (USW_ERROR_UNSUPPORTED), unless it is of sums or bits of
 * integers of 4 and 8 bytes. After an error what is in them is not defined.
 *
 * **The body** is a function of the item's index i. It may combine any number of times, also not at all, write its outputs,
 * and does nothing else: it may run more than once for an item.
 *
 * **Reducers.** R(type, name, operator [, identity]) is a variable; S(type, name, extent, operator [, identity]) a span,
 * an array of `extent` variables, whose parameter is the address of its first element. The extent is a constant or
 * #USW_DYNAMIC_EXTENT. The original values of the variables are part of the result, unless the entry ends with
 * #USW_INITIALIZE_TO_IDENTITY, options->initialize_to_identity says so, or the call is residual_fresh().
 * The types are those of the library's operators, usw_f16_t and usw_bf16_t among them (each step rounds to the type: for
 * a wider sum take R(float, ...) and usw_f16_to_float()), and for operators of your own any type that memcpy can copy.
 * Operators of your own that compare are fastest on the host without branches: (a < b) | (c & d), not a < b || (c && d).
 * In C++ a reducer is an object too, with SYCL's members: sum += x; worst.combine(x); bins[k]++; sum.identity().
 *
 * **Accurate sums.** USW_PLUS_COMPENSATED and USW_PLUS_REPRODUCIBLE in place of USW_PLUS, for float, double and complex
 * numbers: see @ref accuracy. The body uses usw_add() and usw_combine() as for USW_PLUS, and usw_add_product() for exact
 * products. What it adds is its own matter: to get the same bits at every place it must compute the same at every place
 * (Upsweep::kernels compiles without contraction). Not for USW_ORDERED, and not with -ffast-math, which does not compile.
 *
 * **Spans** may have any extent below 2^31, and be in a device's memory (usw_kernel_run()). Results have the same bits on every run, for every type and operator; at USW_FAST not those
 * of large spans on a GPU.
 * What an item costs beside its elements, on a GPU: next to nothing where all spans have at most 128 bytes, extents that
 * are constants; little for sums and bits of integers of 4 and 8 bytes; more for other types, whose threads take turns,
 * and most where keys alternate between few values. Runs of equal keys cost nothing. The page of results has times.
 * A span of at most 256 bytes whose indices are constants is as quick as variables. Large ones, of over 32 KiB in all, are combined in the GPU's
 * memory: types of 4 and 8 bytes by atomics, where the operator rounds nothing or at USW_FAST; sums of float and double as integers, exactly,
 * where there are many items, without outputs and mostly without runs of equal indices, whose numbers are within some 180 bits; other types by
 * few teams. A result that is one large span from the identity on, of a type of 4 or 8 bytes, is copied to where it belongs by the device.
 *
 * **Two and three dimensions.** With USW_DIMENSIONS defined as 2 or 3 before, the body is USW_VISIT(j, i) or
 * USW_VISIT(k, j, i), and the function takes an iteration space, `const usw_space_t *space`, in place of n (@ref space).
 *
 * **Order.** USW_ORDERED, defined as 1 before, combines in the order of the items, so that operators need not be
 * commutative; an item's elements are then loaded by fewer threads at once, which costs up to half of the speed. Items of
 * a space are in the order of its rows, the last index fastest; where it has tiles, tile after tile and so in each.
 * Spans of such a kernel have at most 256 bytes.
 *
 * **Collectives.** USW_IN_STEP, defined as 1 before, has all threads of a team visit items together, so that the body may use
 * <upsweep/team.h>: usw_kernel_team() is the team. Near the end of the items some threads have none left; they visit zeros
 * all the same, of index 0: usw_has_item() is 0 then, and what they combine is forgotten. Streams that are not contiguous and
 * aligned are read item by item. The items of one visit are not neighbours, and which they are depends on the sizes of the
 * elements: what threads combine among themselves must not rely on the order of the items. Spans of such a kernel have at
 * most 256 bytes, and it is not ordered.
 *
 * **Staging.** USW_NO_INDEX, defined as 1 before, is for a body that needs no index, in one dimension: it is USW_VISIT() then.
 * Streams of such a kernel may be staged (@ref staging): its items come in chunks, in each of which they count from 0.
 *
 * **Segments.** USW_SEGMENTS, defined as 1 before, gives a result for each of many segments of the items, whose lengths may differ: the
 * rows of a sparse matrix, particles by cell. The function takes `const usw_segments_t *segments` behind n (@ref segments), and an array of
 * as many results for each reducer; the body may ask for usw_segment(). Spans are not for such kernels. y = A x is
 *  @code{.c}
 *     #define USW_KERNEL spmv
 *     #define USW_SEGMENTS 1
 *     #define USW_ARGS(IN, ARRAY, VALUE) IN(double, a) IN(int32_t, column) ARRAY(double, x)
 *     #define USW_REDUCERS(R, S) R(double, y, USW_PLUS)
 *     #include <upsweep/kernel.h>
 *     USW_VISIT(i) { usw_add(y, a * x[column]); }
 *     #include <upsweep/kernel_end.h>
 *  @endcode
 *
 * **Parts.** USW_PARTS, defined as 1 before, is for items that lie in several places, GPUs of the node and the host: beside K() there are
 * K_part(), which takes a part's number of items and its arguments, and K_parts(), which runs over an array of parts (@ref parts). The
 * body's index counts on over them. In one dimension, without segments and scans.
 *  @code{.c}
 *     usw_kernel_part_t parts[] = {residual_part(n0, b0, ax0, 1e-6), residual_part(n1, b1, ax1, 1e-6)};
 *     status = residual_parts(parts, 2, &sum2, &worst, &bad, NULL);
 *  @endcode
 *
 * **Ranks.** USW_MPI, defined as 1 before, is for items that lie on the ranks of an MPI program: beside K() there is K_mpi(), which takes a
 * communicator before the options and gives every rank the result of all items (@ref mpi). All reducers travel in one message. It brings
 * what USW_PARTS does, and needs `<upsweep/mpi.h>` before and `libupsweep_mpi`.
 *  @code{.c}
 *     status = residual_mpi(n, b, ax, 1e-6, &sum2, &worst, &bad, MPI_COMM_WORLD, NULL);
 *  @endcode
 *
 * **Axes.** USW_AXES, defined as 1 before, with USW_DIMENSIONS 2 or 3, gives a result for each row, column or plane of the space. The function
 * takes `uint32_t axes` behind the space, the dimensions to reduce as bits USW_AXIS(k) (@ref axes), and for each reducer an array of results,
 * row-major over the dimensions that stay. The body may ask for usw_item(), which counts along the reduced dimensions. Spans, outputs,
 * USW_ORDERED, USW_IN_STEP and spaces with tiles are not for such kernels. Row norms of a matrix minus a vector are
 *  @code{.c}
 *     #define USW_KERNEL row_squares
 *     #define USW_AXES 1
 *     #define USW_DIMENSIONS 2
 *     #define USW_ARGS(IN, ARRAY, VALUE) IN(double, a) ARRAY(double, center)
 *     #define USW_REDUCERS(R, S) R(double, squares, USW_PLUS)
 *     #include <upsweep/kernel.h>
 *     USW_VISIT(row, column) { usw_add(squares, (a - center[row]) * (a - center[row])); }
 *     #include <upsweep/kernel_end.h>
 *
 *     row_squares_fresh(&space, USW_AXIS(1), a, center, squares, NULL);
 *  @endcode
 *
 * **Scans.** USW_SCAN, defined as 1 before, lets the body see what the items before its own have come to: usw_scanned(sum) is that, behind
 * the original value, usw_scanned_through(sum) the same with what this item has combined, once it has. What is combined must not depend on
 * either. usw_previous(x) is the element of the item before. Outputs are what such kernels are for; usw_write_at(y, k, value) writes an element
 * of the body's choice. After the call the variables hold what all items come to, as ever. Operators that do not commute need USW_ORDERED, as elsewhere; reproducible sums and
 * spans are not for scans. With USW_RESTARTS, defined as 1 too, usw_restart() makes a scan begin anew at an item: at each segment of a
 * notion of your own. Running sums, and the items that are greater than `least`, in order:
 *  @code{.c}
 *     #define USW_KERNEL select_above
 *     #define USW_SCAN 1
 *     #define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) VALUE(double, least)
 *     #define USW_OUTPUTS(OUT) OUT(double, running) OUT(double, above)
 *     #define USW_REDUCERS(R, S) R(double, sum, USW_PLUS) R(uint64_t, kept, USW_PLUS)
 *     #include <upsweep/kernel.h>
 *     USW_VISIT(i) {
 *       usw_add(sum, x);
 *       usw_write(running, usw_scanned_through(sum));
 *       if (x > least) {
 *         usw_write_at(above, usw_scanned(kept), x);
 *         usw_inc(kept);
 *       }
 *     }
 *     #include <upsweep/kernel_end.h>
 *  @endcode
 *
 * **Atomics.** The strategies tree_atomic and atomic have kernels whose reducers are variables, not spans, each of at most
 * 8 bytes, of at most 4 without an identity, or a sum of complex numbers; ordered kernels have none. Combining goes in any
 * order: with #USW_REPEATABLE only where all operators are the library's and round nothing.
 *
 * **The clause.** USW_NATIVE_CLAUSE, defined as 1 before, lets the strategy clause reduce by OpenMP's own operator: a
 * little faster, right for one reducer of an integer or floating type whose operator means in OpenMP what it means here
 * (min and max do not for floating types: NaN, -0). Spans of more than 256 bytes, ordered kernels and those with
 * USW_PLUS_REPRODUCIBLE have no clause; USW_NO_CLAUSE, defined as 1 before, spares the latter its code.
 * USW_OWN_FINISH, a header's name, replaces the tree's finish on GPUs, and USW_OWN_MAP gives a result to each of many ranges of
 * items: see @ref engine.
 *  @{ */
#if !defined(USW_KERNEL) || !defined(USW_ARGS) || !defined(USW_REDUCERS)
#error "define USW_KERNEL, USW_ARGS(IN, ARRAY, VALUE) and USW_REDUCERS(R, S) before <upsweep/kernel.h>"
#endif

#include <upsweep/engine/team.h>

#ifndef UPSWEEP_KERNEL_H
#define UPSWEEP_KERNEL_H
/** @cond */

/* A kernel has target regions when its file is compiled for at least one image. */
#if defined(USW_IMAGES) && defined(_OPENMP) && defined(__clang__)
#define USW_HAS_REGIONS 1
#else
#undef USW_IMAGES
#define USW_IMAGES ""
#define USW_HAS_REGIONS 0
#endif

/* Threads per team of the tree. 256 launches whatever the number of registers; more needs an audited kernel. Half of that
 * where only one sub-group of a team at a time may combine into its cells: the more teams, the more do so; and where team
 * memory then has room for a copy of the cells per thread. */
#ifndef USW_TEAM_SIZE
#define USW_TEAM_SIZE USW_F(_team_size)
#endif

#include <upsweep/sums.h>

#include <upsweep/engine/reducers.h>

#include <upsweep/engine/atomics.h>
#include <upsweep/engine/spans.h>
#include <upsweep/space.h>
#ifdef __cplusplus
#include <upsweep/engine/reducers_cxx.h>
#else
#define USW_R_PARAMETER(T, n, ...)
#define USW_S_PARAMETER(T, n, ...)
#define USW_R_PASS(T, n, ...)
#define USW_S_PASS(T, n, ...)
#endif

/* The arguments: those of the iteration space, then the kernel's own, its outputs behind the others, then how many results there
 * are. */
#define USW_OWN_ARGUMENTS(IN, ARRAY, VALUE, OUT) USW_ARGS(IN, ARRAY, VALUE) USW_OUTPUTS(OUT)
#define USW_EVERY_ARGUMENT(IN, ARRAY, VALUE, OUT)                                                                      \
  USW_SPACE_ARGUMENTS(VALUE) USW_OWN_ARGUMENTS(IN, ARRAY, VALUE, OUT) USW_RESULTS_ARGUMENTS(VALUE)
#define USW_SPACE_ARGUMENTS(VALUE) USW_CAT(USW_SPACE_ARGUMENTS_, USW_ITEM_DIMENSIONS)(VALUE)
#define USW_SPACE_ARGUMENTS_1(VALUE)
#define USW_SPACE_ARGUMENTS_2(VALUE) USW_SPACE_WORDS_2(VALUE)
#define USW_SPACE_ARGUMENTS_3(VALUE) USW_SPACE_WORDS_3(VALUE)

/* Visitors of the argument list. */
#define USW_PARAMETER_IN(T, n) , const T n USW_UNUSED
#define USW_PARAMETER_ARRAY(T, n) , const T *n USW_UNUSED
#define USW_PARAMETER_VALUE(T, n) , const T n USW_UNUSED
#define USW_PARAMETER_OUT(T, n) , T *usw_output_##n USW_UNUSED
#define USW_IS_OUTPUT(T, n) USW_OF(_is_output_, n),
/* The element of the item before, for a scan's body that asks for it. */
#define USW_PREVIOUS_IN(T, n) T usw_previous_of_##n;
#define USW_NO_PREVIOUS(T, n)
/* Where a whole output is, for a scan's body that chooses elements. */
#define USW_BASE_OUT(T, n)                                                                                             \
  T *usw_base_of_##n;                                                                                                  \
  ptrdiff_t usw_step_of_##n;

/** @endcond */

/** In a list: S(type, name, USW_DYNAMIC_EXTENT, operator) is a span whose extent comes with each call, as a size_t behind
 *  its address: 1 to 2^31 - 1. */
#define USW_DYNAMIC_EXTENT 0, USW_WORD_DYNAMIC
/** In a list, as last word of an entry: the original value of the variable, or of each element of the span, is not part
 *  of the result. Does not compile for an operator without identity. */
#define USW_INITIALIZE_TO_IDENTITY USW_WORD_FRESH, USW_WORD_END

#include <upsweep/body.h>

/* What can be asked about a kernel's reducers, behind <upsweep/kernel_end.h> too, at compile time. */

/** The type of a reducer's variable, or of a span's elements: SYCL's value_type. */
#define USW_REDUCER_TYPE(kernel, reducer) kernel##_type_##reducer
/** The operator of a reducer: its usw_operation_t, or USW_NO_OPERATION for the user's own. */
#define USW_REDUCER_OPERATION(kernel, reducer) ((int)kernel##_code_##reducer)
/** 0 for a variable, 1 for a span. */
#define USW_REDUCER_DIMENSIONS(kernel, reducer) ((int)kernel##_dimensions_##reducer)
/** The number of elements of a span, 0 if it comes with each call; 1 for a variable. */
#define USW_REDUCER_EXTENT(kernel, reducer) ((int)kernel##_extent_##reducer)
/** 1 if the reducer's operator has an identity, known or given; else 0. */
#define USW_REDUCER_HAS_IDENTITY(kernel, reducer) ((int)kernel##_has_identity_##reducer)

/** The body: USW_VISIT(i) { ... }, a function that runs once per item. USW_VISIT(j, i) and USW_VISIT(k, j, i) with
 *  USW_DIMENSIONS 2 and 3; another number of names does not compile.
 *
 *  @param[in] ... name of the item's index in the body, a size_t; in two and three dimensions of its indices, each a
 *                 ptrdiff_t, the fastest in memory last. None with USW_NO_INDEX.
 *  @since 0.1 */
#define USW_VISIT(...)                                                                                                 \
  USW_ASSERT(USW_COUNT_NAMES(__VA_ARGS__) == USW_DIMENSIONS, "USW_VISIT: as many index names as USW_DIMENSIONS");      \
  USW_ASSERT((sizeof #__VA_ARGS__ == 1) == USW_NO_INDEX, "USW_VISIT: no index name with USW_NO_INDEX, else one");      \
  USW_INLINE void USW_F(_visit)(                                                                                       \
      USW_F(_acc) * usw_accumulator USW_UNUSED, USW_F(_spans) * usw_spans USW_UNUSED,                                  \
      USW_CAT(USW_CAT(USW_NAMES_, USW_DIMENSIONS), USW_NO_INDEX)(__VA_ARGS__, usw_no_name2, usw_no_name3)              \
          USW_CAT(USW_NAME_OF_ITEM_, USW_AXES_OF_SPACE)                                                                \
              USW_OWN_ARGUMENTS(USW_PARAMETER_IN, USW_PARAMETER_ARRAY, USW_PARAMETER_VALUE, USW_PARAMETER_OUT)         \
                  USW_REDUCERS(USW_R_PARAMETER, USW_S_PARAMETER))
/** @cond */
#define USW_COUNT_NAMES(...) USW_COUNT_NAMES_(__VA_ARGS__, 5, 4, 3, 2, 1, 0)
#define USW_COUNT_NAMES_(a, b, c, d, e, count, ...) count
#define USW_NAME_OF_ITEM_0
#define USW_NAME_OF_ITEM_1 , const size_t usw_item_of_result USW_UNUSED
#define USW_NAMES_11(...) const size_t usw_no_index USW_UNUSED
#define USW_NAMES_10(i, ...) const size_t i USW_UNUSED
#define USW_NAMES_20(j, i, ...) const ptrdiff_t j USW_UNUSED, const ptrdiff_t i USW_UNUSED
#define USW_NAMES_30(k, j, i, ...)                                                                                     \
  const ptrdiff_t k USW_UNUSED, const ptrdiff_t j USW_UNUSED, const ptrdiff_t i USW_UNUSED
/** @endcond */
#endif
/** @} */
/** @cond */

#include <upsweep/engine/choices.h>
#include <upsweep/engine/open.h>

#ifdef __clang__ /* USW_INLINE says why these are not static; what a body calls may be */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wstatic-in-inline"
#endif

#if USW_HAS_REGIONS
#pragma omp begin declare target
#endif

USW_REDUCERS(USW_R_NOTHING, USW_S_SHAPE)
#if USW_NO_CLAUSE
enum { USW_F(_no_clause) = 1 };
#else
enum { USW_F(_no_clause) = 0 };
#endif
#include <upsweep/engine/many_items.h>
enum {
  USW_F(_scans) = USW_SCAN,
  USW_F(_has_segments) = USW_SEGMENTS,
  USW_F(_restarts) = USW_RESTARTS,
  USW_F(_has_axes_of_space) = USW_AXES_OF_SPACE,
  USW_F(_ordered) = USW_ORDERED,
  USW_F(_together) = USW_IN_STEP,
  USW_F(_span_count) = 0 USW_REDUCERS(USW_R_ZERO, USW_S_ONE),
  USW_F(_block_spans) = 0 USW_REDUCERS(USW_R_ZERO, USW_S_IN_BLOCK),
  USW_F(_dynamic_spans) = 0 USW_REDUCERS(USW_R_ZERO, USW_S_DYNAMIC)
};
enum { USW_OUTPUTS(USW_IS_OUTPUT) USW_F(_outputs) };

/* A span in the block has an array of no cell here. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
/* The accumulator is moved as words of 4 bytes; where it is larger, LLVM's clause copies it in words of 8, also in arrays. */
#if USW_RESTARTS /* the first word: the library asks for it */
#define USW_RESTART_FIELDS uint32_t usw_restarts;
#else
#define USW_RESTART_FIELDS
#endif
#if USW_COUNTS_FROM_RESTART
#define USW_BEGIN_FIELD uint64_t usw_begin;
#else
#define USW_BEGIN_FIELD
#endif
typedef struct {
  USW_RESTART_FIELDS
  USW_REDUCERS(USW_R_FIELD, USW_R_NOTHING)
  USW_BEGIN_FIELD
  USW_CHECKED_FIELDS
  char usw_end;
} USW_F(_variable_fields);
typedef struct {
  USW_RESTART_FIELDS
  USW_REDUCERS(USW_R_FIELD, USW_R_NOTHING)
  USW_BEGIN_FIELD
  USW_CHECKED_FIELDS
  USW_REDUCERS(USW_R_NOTHING, USW_S_FIELD)
} USW_F(_fields);
typedef struct __attribute__((aligned(sizeof(USW_F(_fields)) > 4 ? 8 : 4))) {
  USW_RESTART_FIELDS
  USW_REDUCERS(USW_R_FIELD, USW_R_NOTHING)
  USW_BEGIN_FIELD
  USW_CHECKED_FIELDS
  USW_REDUCERS(USW_R_NOTHING, USW_S_FIELD)
} USW_F(_acc);
#pragma GCC diagnostic pop
#undef USW_RESTART_FIELDS
#undef USW_BEGIN_FIELD

enum { USW_REDUCERS(USW_R_POSITION, USW_S_POSITION) USW_F(_variables) };
enum { USW_EACH_RESULT(USW_R_RESULT_NUMBER, USW_S_RESULT_NUMBER) USW_F(_results_in_all) };
USW_REDUCERS(USW_R_TRAITS, USW_S_TRAITS)
USW_REDUCERS(USW_R_NOTHING, USW_S_CELLS)
enum {
  USW_REDUCERS(USW_R_WORDS, USW_S_WORDS) USW_F(_atomic) = !USW_ORDERED USW_REDUCERS(USW_R_AND_WORDS, USW_R_AND_WORDS)
};
enum {
  USW_F(_common) = USW_F(_block_spans) > 0 USW_REDUCERS(USW_R_NOTHING, USW_S_AND_COMMON),
  USW_F(_fixed) = USW_F(_common) USW_REDUCERS(USW_R_NOTHING, USW_S_AND_FIXED) &&
                  !(1 USW_REDUCERS(USW_R_NOTHING, USW_S_AND_EXACT_CELLS)),
  USW_F(_in_turns) = (0 USW_REDUCERS(USW_R_ZERO, USW_S_IN_TURNS)) > 0,
  USW_F(_cell_bytes) = 0 USW_REDUCERS(USW_R_ZERO, USW_S_BYTES),
  USW_F(_shares_a_copy) = USW_F(_in_turns) && (USW_F(_dynamic_spans) > 0 ||
                                               (0 USW_REDUCERS(USW_R_ZERO, USW_S_FIXED_BYTES)) > USW_POOL_BYTES / 8),
  USW_F(_fits_by_half) = USW_F(_block_spans) == 0 && !USW_F(_ordered) && !USW_F(_together) &&
                         USW_F(_cell_bytes) > USW_POOL_BYTES / 256 && USW_F(_cell_bytes) <= USW_POOL_BYTES / 128,
  USW_F(_team_size) = USW_F(_shares_a_copy) || USW_F(_fits_by_half) ? 128 : 256
};
#if USW_SUB_GROUP > 1
#include <upsweep/engine/fixed_point.h>
#include <upsweep/engine/team_spans.h>
#endif
/* The spans as a body sees them. */
typedef struct {
  USW_REDUCERS(USW_R_NOTHING, USW_S_PLACE)
  uint32_t usw_home;      /* USW_CELLS_... */
  uint32_t usw_copies;    /* that a team has of them */
  uint32_t usw_sharing;   /* threads to a copy; like copies, a power of two */
  uint32_t usw_is_common; /* 1: several teams have a block of cells in common */
#if USW_SUB_GROUP > 1
  uint32_t usw_fixed; /* USW_MEASURES_SUMS, USW_ADDS_INTEGERS: sums go by a fixed point; else 0 */
  usw_fixed_point_t usw_point;
  usw_measured_t usw_measured;
  uint32_t usw_in_runs;
#endif
  uint32_t usw_wanted;      /* which of an item's values is to be left: 0 at first */
  uint32_t usw_compared;    /* 1: something was combined into cells of the accumulator by comparison */
  uint32_t usw_in_team;     /* of kernels with USW_IN_STEP, 1: all threads of the team visit; 0: this one alone */
  uint32_t usw_has_no_item; /* 1: but this one has none */
  uint32_t usw_on_trial;    /* USW_ASKS, USW_TRIES, ...: what accurate sums do with numbers (bins.h) */
  uint32_t usw_is_mute;     /* 1: the body will run again, and writes its outputs then */
#if USW_SEGMENTS
  size_t usw_segment; /* which one the item is in */
#endif
#if USW_SCAN
  USW_F(_acc) usw_before; /* what the items before this one have, behind the original values */
  USW_OUTPUTS(USW_BASE_OUT)
  USW_ARGS(USW_PREVIOUS_IN, USW_NO_PREVIOUS, USW_NO_PREVIOUS)
#endif
} USW_F(_spans);
USW_REDUCERS(USW_R_COMBINE, USW_S_COMBINE)
#if USW_SUB_GROUP > 1
USW_REDUCERS(USW_R_NOTHING, USW_S_SETTLE)
#endif
#ifdef __cplusplus
USW_REDUCERS(USW_R_CXX, USW_S_CXX)
#endif

USW_INLINE void USW_F(_identity)(USW_F(_acc) * a) {
  __builtin_memset((void *)a, 0, sizeof *a); /* padding too: accumulators are moved as words */
  USW_REDUCERS(USW_R_START, USW_S_START)
}
USW_INLINE void USW_F(_merge_variables)(USW_F(_acc) * a, const USW_F(_acc) * b) {
  (void)a, (void)b;
  USW_REDUCERS(USW_R_MERGE, USW_R_NOTHING)
  USW_CHECKED_MERGE
}
USW_INLINE void USW_F(_merge)(USW_F(_acc) * a, const USW_F(_acc) * b) {
#if USW_RESTARTS
  if (b->usw_restarts > 0) { /* of what was before, their number is left */
    const uint32_t restarts = a->usw_restarts + b->usw_restarts;
    *a = *b;
    a->usw_restarts = restarts < b->usw_restarts ? UINT32_MAX : restarts;
    return;
  }
#endif
  USW_F(_merge_variables)(a, b);
  USW_REDUCERS(USW_R_NOTHING, USW_S_MERGE)
}
#if USW_RESTARTS
/* Forget what is before this item. */
USW_INLINE void USW_F(_restart)(USW_F(_acc) * a, USW_F(_spans) * s) {
  const uint32_t restarts = a->usw_restarts;
  USW_F(_identity)(a);
  a->usw_restarts = restarts + 1;
  s->usw_before = *a;
}
#endif

#include <upsweep/engine/trials.h>

USW_REDUCERS(USW_R_TOTAL, USW_R_NOTHING)

/* The accumulator into the cells of atomics.h, which others do at the same time; and, when all have, out of them again.
 * For kernels with USW_F(_atomic) alone. */
#if USW_SUB_GROUP > 1 || USW_HAS_REGIONS
USW_REDUCERS(USW_R_ATOMIC, USW_R_NOTHING)
USW_INLINE void USW_F(_all_atomics_in)(const USW_F(_acc) * a, uint64_t *cells) {
  (void)a, (void)cells;
  USW_REDUCERS(USW_R_INTO_CELL, USW_R_NOTHING)
}
USW_INLINE void USW_F(_all_atomics_out)(USW_F(_acc) * a, uint64_t *cells) {
  (void)cells;
  USW_F(_identity)(a);
  USW_REDUCERS(USW_R_FROM_CELL, USW_R_NOTHING)
}
#endif
/** @endcond */
