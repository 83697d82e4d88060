/** @defgroup calls Reductions in one call
 *  Upsweep: reductions on the host and on OpenMP devices.
 *  @code{.c}
 *  double s;
 *  usw_status_t status = usw_sum(x, n, &s);
 *  @endcode
 * Every function here runs where its data is: device memory (omp_target_alloc, cudaMalloc, a mapped array) on that
 * device, host memory on the host's threads. usw_reduce() and usw_reduce_pair() are the same reductions with options.
 * All functions may be called from any number of threads at once, return a status, and leave results untouched unless
 * it is USW_OK. They read x and y during the call only, and keep no address.
 * A call sees work that has completed before it: it is not ordered after a `nowait` region, and after a CUDA stream only
 * with usw_options_t::stream.
 *
 * The one-word names (usw_sum) pick the typed function (usw_sum_f64) by the type of x: _Generic in C11, overloads in
 * C++. In C, long, long long, char and _Float16 count as the type of the same width and signedness. functions.def lists
 * them all, types.def the types: i8 to i64, u8 to u64, f16, bf16, f32, f64, cf32 and cf64 (complex), b8 (bool).
 * @ref function_table is the table of both.
 *  @{ */
#ifndef UPSWEEP_UPSWEEP_H
#define UPSWEEP_UPSWEEP_H

#include <upsweep/axes.h>
#include <upsweep/export.h>
#include <upsweep/gathering.h>
#include <upsweep/keys.h>
#include <upsweep/message.h>
#include <upsweep/options.h>
#include <upsweep/partial.h>
#include <upsweep/parts.h>
#include <upsweep/plan.h>
#include <upsweep/scan.h>
#include <upsweep/segments.h>
#include <upsweep/select.h>
#include <upsweep/set.h>
#include <upsweep/status.h>
#include <upsweep/types.h>
#include <upsweep/version.h>

/* The typed functions: usw_<name>_<tag>(x, [y,] n, result_out), for every function and every type of its group. */
/** @cond */
#define USW_PARAMETERS_1(tag, R) const usw_##tag##_t *x, size_t n, R(tag) * result_out
#define USW_PARAMETERS_2(tag, R) const usw_##tag##_t *x, const usw_##tag##_t *y, size_t n, R(tag) * result_out
#define USW_DECLARE_TYPED(tag, CODE, code, type, value, sum, real, key, class, name, streams, RESULT, GROUP)           \
  USW_HAS_##GROUP##_##class(                                                                                           \
      USW_API usw_status_t usw_##name##_##tag(USW_PARAMETERS_##streams(tag, USW_RESULT_##RESULT));)
#define USW_DECLARE(name, OPERATION, streams, RESULT, GROUP, what, ...)                                                \
  USW_TYPES(USW_DECLARE_TYPED, name, streams, RESULT, GROUP)
USW_BEGIN_C
USW_FUNCTIONS(USW_DECLARE, )
USW_END_C
/** @endcond */

#ifdef __cplusplus
#define USW_PASS_1 x, n, result_out
#define USW_PASS_2 x, y, n, result_out
#define USW_OVERLOAD_TYPED(tag, CODE, code, type, value, sum, real, key, class, name, streams, RESULT, GROUP)          \
  USW_HAS_##GROUP##_##class(static inline usw_status_t usw_##name(                                                     \
      USW_PARAMETERS_##streams(tag, USW_RESULT_##RESULT)) { return usw_##name##_##tag(USW_PASS_##streams); })
#define USW_OVERLOAD(name, OPERATION, streams, RESULT, GROUP, what, ...)                                               \
  USW_TYPES(USW_OVERLOAD_TYPED, name, streams, RESULT, GROUP)
USW_FUNCTIONS(USW_OVERLOAD, )
#else
#include <upsweep/standard_types.h>
/** @cond */
#define USW_ASSOCIATE(tag, CODE, code, type, value, sum, real, key, class, name, GROUP)                                \
  USW_HAS_##GROUP##_##class(, usw_##tag##_t * : name##_##tag, const usw_##tag##_t * : name##_##tag)
#define USW_GENERIC(name, GROUP, x) _Generic(USW_FIXED(x) USW_TYPES(USW_ASSOCIATE, name, GROUP))
#define USW_CALL_1(name, GROUP, x, n, result_out) USW_GENERIC(name, GROUP, x)(USW_FIXED(x), n, USW_FIXED(result_out))
#define USW_CALL_2(name, GROUP, x, y, n, result_out)                                                                   \
  USW_GENERIC(name, GROUP, x)(USW_FIXED(x), USW_FIXED(y), n, USW_FIXED(result_out))
/** @endcond */

/** x[0] + x[1] + ... + x[n-1], over every arithmetic type.
 *
 *  Floats and complex numbers add in their own type, f16 and bf16 in float; integers widen to 64 bits of the same
 *  signedness and wrap modulo 2^64.
 *  @param[in]  x          n elements in host or device memory, aligned to their type; NULL only if n is 0.
 *  @param[in]  n          number of elements; 0 gives +0.
 *  @param[out] result_out host address of one usw_sum_<tag>_t (double, float, int64_t, uint64_t, ...); written on
 *                         USW_OK only.
 *  @return USW_OK; USW_ERROR_INVALID (NULL, misaligned, n times the element's size overflows); USW_ERROR_PLACE (x is on
 *          a device that cannot run the call); USW_ERROR_MEMORY (first call on a device: no scratch); USW_ERROR_STATE
 *          (after usw_finalize() or in a forked child).
 *  @note Determinism: same bits on every run with the same build, place, device model, tuning file and n; never
 *        dependent on alignment. On the host also for any number of threads. usw_reduce() with USW_REPRODUCIBLE gives the
 *        same bits everywhere: @ref accuracy.
 *  @note Accuracy: |error| <= c * eps * sum of |x[i]|, c the longest chain of additions, which usw_explain() tells;
 *        NaN and infinities follow IEEE 754. usw_reduce() has more exact sums: USW_COMPENSATED, USW_REPRODUCIBLE,
 *        USW_EXACT; with usw_options_t::nan = USW_NAN_IGNORE it passes over NaNs (as NumPy's nansum), at every level, and
 *        usw_report_t::kept tells how many elements it has added.
 *  @note Cost: one launch, no allocation, map or copy after the first call on a device; blocks.
 *  @since 0.1  @see usw_reduce() for options; tests/api/cases.c */
#define usw_sum(x, n, result_out) USW_CALL_1(usw_sum, ARITHMETIC, x, n, result_out)

/** x[0] * x[1] * ... * x[n-1], over every arithmetic type.
 *
 *  Types and NaN policies as for usw_sum(). A complex product is (ac - bd) + (ad + bc)i, without C's recovery of infinities.
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives 1.
 *  @param[out] result_out host address of one usw_sum_<tag>_t; written on USW_OK only.
 *  @return as usw_sum().
 *  @note Determinism: as usw_sum().
 *  @note Accuracy: relative error <= (n - 1) * eps without over- or underflow on the way (times sqrt(5), complex). There
 *        is no product of USW_COMPENSATED, USW_REPRODUCIBLE or USW_EXACT but of integers.
 *  @note Cost: as usw_sum().  @since 0.1 */
#define usw_prod(x, n, result_out) USW_CALL_1(usw_prod, ARITHMETIC, x, n, result_out)

/** The smallest of x[0..n-1], over integers, f16, bf16, f32, f64.
 *
 *  -0 is smaller than +0. Any NaN gives NaN; with usw_options_t::nan = USW_NAN_IGNORE only NaNs alone do.
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives the identity: +infinity or the type's largest value.
 *  @param[out] result_out host address of one element; written on USW_OK only.
 *  @return as usw_sum().
 *  @note Determinism: the same bits on every place, grid and order.
 *  @note Cost: as usw_sum().  @since 0.1  @see usw_argmin() */
#define usw_min(x, n, result_out) USW_CALL_1(usw_min, ORDERED, x, n, result_out)

/** The largest of x[0..n-1], over integers, f16, bf16, f32, f64.
 *
 *  +0 is larger than -0. NaN as for usw_min().
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives the identity: -infinity or the type's smallest value.
 *  @param[out] result_out host address of one element; written on USW_OK only.
 *  @return as usw_sum().
 *  @note Determinism: the same bits on every place, grid and order.
 *  @note Cost: as usw_sum().  @since 0.1 */
#define usw_max(x, n, result_out) USW_CALL_1(usw_max, ORDERED, x, n, result_out)

/** x[0] & x[1] & ... & x[n-1], over integers.
 *
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives all ones.
 *  @param[out] result_out host address of one element; written on USW_OK only.
 *  @return as usw_sum().
 *  @note Determinism: exact.
 *  @note Cost: as usw_sum().  @since 0.1 */
#define usw_bit_and(x, n, result_out) USW_CALL_1(usw_bit_and, INTEGER, x, n, result_out)

/** x[0] | x[1] | ... | x[n-1], over integers.
 *
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives 0.
 *  @param[out] result_out host address of one element; written on USW_OK only.
 *  @return as usw_sum().
 *  @note Determinism: exact.
 *  @note Cost: as usw_sum().  @since 0.1 */
#define usw_bit_or(x, n, result_out) USW_CALL_1(usw_bit_or, INTEGER, x, n, result_out)

/** x[0] ^ x[1] ^ ... ^ x[n-1], over integers.
 *
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives 0.
 *  @param[out] result_out host address of one element; written on USW_OK only.
 *  @return as usw_sum().
 *  @note Determinism: exact.
 *  @note Cost: as usw_sum().  @since 0.1 */
#define usw_bit_xor(x, n, result_out) USW_CALL_1(usw_bit_xor, INTEGER, x, n, result_out)

/** Whether none of x[0..n-1] is zero, over every type. A NaN is not zero; -0 is.
 *
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives true.
 *  @param[out] result_out host address of one bool; written on USW_OK only.
 *  @return as usw_sum().
 *  @note Determinism: exact.
 *  @note Cost: as usw_sum(); reads all elements.  @since 0.1 */
#define usw_all(x, n, result_out) USW_CALL_1(usw_all, EVERY, x, n, result_out)

/** Whether one of x[0..n-1] is not zero, over every type. A NaN is not zero; -0 is.
 *
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives false.
 *  @param[out] result_out host address of one bool; written on USW_OK only.
 *  @return as usw_sum().
 *  @note Determinism: exact.
 *  @note Cost: as usw_sum(); reads all elements.  @since 0.1 */
#define usw_any(x, n, result_out) USW_CALL_1(usw_any, EVERY, x, n, result_out)

/** How many of x[0..n-1] are not zero, over every type. A NaN is not zero; -0 is.
 *
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives 0.
 *  @param[out] result_out host address of one uint64_t; written on USW_OK only.
 *  @return as usw_sum().
 *  @note Determinism: exact.
 *  @note Cost: as usw_sum().  @since 0.1 */
#define usw_count(x, n, result_out) USW_CALL_1(usw_count, EVERY, x, n, result_out)

/** The smallest of x[0..n-1] and its lowest index, over integers, f16, bf16, f32, f64.
 *
 *  It is the first of those that compare equal: -0 and +0 do, and the value is the element at the index, with its sign
 *  (usw_min() gives -0 if there is one).
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives the identity and index -1.
 *  @param[out] result_out host address of one usw_located_<tag>_t; written on USW_OK only. With a NaN in x: NaN and the
 *                         first NaN's index; with USW_NAN_IGNORE NaNs are passed over, and if there is nothing else:
 *                         NaN and index -1.
 *  @return as usw_sum().
 *  @note Determinism: the same bits on every place, grid and order.
 *  @note Cost: as usw_sum().  @since 0.1 */
#define usw_argmin(x, n, result_out) USW_CALL_1(usw_argmin, ORDERED, x, n, result_out)

/** The largest of x[0..n-1] and its lowest index, over integers, f16, bf16, f32, f64.
 *
 *  The first of those that compare equal, as usw_argmin().
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives the identity and index -1.
 *  @param[out] result_out host address of one usw_located_<tag>_t; NaNs as for usw_argmin(); written on USW_OK only.
 *  @return as usw_sum().
 *  @note Determinism: the same bits on every place, grid and order.
 *  @note Cost: as usw_sum().  @since 0.1 */
#define usw_argmax(x, n, result_out) USW_CALL_1(usw_argmax, ORDERED, x, n, result_out)

/** The smallest and the largest of x[0..n-1] in one pass, over integers, f16, bf16, f32, f64.
 *
 *  Each as by usw_min() and usw_max().
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives the two identities.
 *  @param[out] result_out host address of one usw_extremes_<tag>_t; written on USW_OK only.
 *  @return as usw_sum().
 *  @note Determinism: the same bits on every place, grid and order.
 *  @note Cost: as usw_sum().  @since 0.1 */
#define usw_minmax(x, n, result_out) USW_CALL_1(usw_minmax, ORDERED, x, n, result_out)

/** |x[0]| + ... + |x[n-1]|, over f16, bf16, f32, f64, cf32, cf64.
 *
 *  The absolute value of a complex number is its modulus, which neither over- nor underflows on the way. NaN policies as for
 *  usw_sum().
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives +0.
 *  @param[out] result_out host address of one usw_real_<tag>_t (float or double); written on USW_OK only.
 *  @return as usw_sum().
 *  @note Determinism, accuracy, cost: as usw_sum().  @since 0.1 */
#define usw_norm1(x, n, result_out) USW_CALL_1(usw_norm1, CONTINUOUS, x, n, result_out)

/** sqrt(|x[0]|^2 + ... + |x[n-1]|^2), over f16, bf16, f32, f64, cf32, cf64.
 *
 *  No square over- or underflows: 16- and 32-bit types are squared in double, 64-bit ones scaled by size (the method of
 *  Blue, ACM TOMS 4, 1978, with the constants of Anderson, ACM TOMS 44, 2017).
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives +0.
 *  @param[out] result_out host address of one usw_real_<tag>_t; written on USW_OK only. A NaN gives NaN (with
 *                         USW_NAN_IGNORE it is passed over), otherwise an infinity gives +infinity.
 *  @return as usw_sum().
 *  @note Determinism: as usw_sum().
 *  @note Accuracy: relative error <= (c/2 + 2) * eps with c as for usw_sum(). With USW_REPRODUCIBLE (and USW_COMPENSATED)
 *        from a sum of exact squares: @ref accuracy.
 *  @note Cost: as usw_sum().  @since 0.1 */
#define usw_norm2(x, n, result_out) USW_CALL_1(usw_norm2, CONTINUOUS, x, n, result_out)

/** The largest |x[i]|, over f16, bf16, f32, f64, cf32, cf64.
 *
 *  Any NaN gives NaN; with usw_options_t::nan = USW_NAN_IGNORE only NaNs alone do.
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives +0.
 *  @param[out] result_out host address of one usw_real_<tag>_t; written on USW_OK only.
 *  @return as usw_sum().
 *  @note Determinism: the same bits on every place, grid and order.
 *  @note Cost: as usw_sum().  @since 0.1 */
#define usw_norm_inf(x, n, result_out) USW_CALL_1(usw_norm_inf, CONTINUOUS, x, n, result_out)

/** Count, mean, variance, minimum, maximum and their indices in one pass, over integers, f16, bf16, f32, f64.
 *
 *  The extremes are those of usw_argmin() and usw_argmax(): elements, and where they were found first.
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives count 0, NaNs, the identities and indices -1.
 *  @param[out] result_out host address of one usw_describe_<tag>_t; written on USW_OK only. With USW_NAN_IGNORE NaNs
 *                         count for nothing.
 *  @return as usw_sum().
 *  @note Determinism: count and extremes as usw_min(); mean and variance as usw_sum().
 *  @note Accuracy: mean and deviations are doubles, from sums of distances to an element, merged pairwise (Chan), so that
 *        large means do not cancel; 64-bit integers are rounded to double first. Where n times the elements' range, of the
 *        variance n times its square, is over the largest double, mean and variance may be infinite or NaN. With
 *        USW_REPRODUCIBLE (and USW_COMPENSATED) both come from exact sums of elements and squares and are rounded once:
 *        @ref accuracy.
 *  @note Cost: one pass, otherwise as usw_sum().  @since 0.1 */
#define usw_describe(x, n, result_out) USW_CALL_1(usw_describe, ORDERED, x, n, result_out)

/** x[0]*y[0] + ... + x[n-1]*y[n-1], over every arithmetic type.
 *
 *  Products and sum are of the type that usw_sum() returns; each product is rounded once, never contracted; with
 *  USW_COMPENSATED, USW_REPRODUCIBLE and USW_EXACT it is exact. With USW_NAN_IGNORE a pair with a NaN is passed over.
 *  @param[in]  x, y       n elements each, in the same place; they may be the same or overlap.
 *  @param[in]  n          number of pairs; 0 gives +0.
 *  @param[out] result_out host address of one usw_sum_<tag>_t; written on USW_OK only.
 *  @return as usw_sum(); USW_ERROR_PLACE also if x and y are in different places.
 *  @note Determinism, accuracy, cost: as usw_sum(), with |x[i]*y[i]| in the bound.  @since 0.1 */
#define usw_dot(x, y, n, result_out) USW_CALL_2(usw_dot, ARITHMETIC, x, y, n, result_out)

/** conj(x[0])*y[0] + ... + conj(x[n-1])*y[n-1], over cf32 and cf64.
 *
 *  @param[in]  x, y       n elements each, in the same place; they may be the same or overlap.
 *  @param[in]  n          number of pairs; 0 gives +0.
 *  @param[out] result_out host address of one element; written on USW_OK only.
 *  @return as usw_dot().
 *  @note Determinism, accuracy, cost: as usw_dot().  @since 0.1 */
#define usw_dotc(x, y, n, result_out) USW_CALL_2(usw_dotc, COMPLEX, x, y, n, result_out)
#endif
/** @} */

USW_BEGIN_C

/** @defgroup codes Reductions by codes, with options
 *  The same reductions where operation or type are known at run time only, and where a call needs other options than
 *  the default ones.
 *  @{ */

/** A reduction of one stream, by codes and with options.
 *
 *  @param[in]  operation  operation of a function that reads one stream (@ref function_table).
 *  @param[in]  type       type of the elements.
 *  @param[in]  x          n elements, options->stride[0] elements apart; NULL only if n is 0.
 *  @param[in]  n          number of elements; 0 gives what the typed function gives.
 *  @param[out] result_out host address of what the typed function writes, usw_result_bytes() long; written on USW_OK
 *                         only.
 *  @param[in]  options    NULL for the defaults; read during the call only.
 *  @return USW_OK; USW_ERROR_INVALID (NULL, misaligned, overflow, option out of range); USW_ERROR_UNSUPPORTED (no such
 *          operation for the type, no such strategy on the place, an accuracy that the operation or the strategy does
 *          not have);
 *          USW_ERROR_DEVICE (no such device, no image for it, no driver); USW_ERROR_PLACE (x cannot be read from the
 *          place that was named); USW_ERROR_MEMORY; USW_ERROR_VERSION (options of another size); USW_ERROR_STATE;
 *          USW_ERROR_MISMATCH (a rechecked call whose two runs differ: @ref recheck). usw_error_text() says which and
 *          why.
 *  @note Determinism: as usw_options_t::accuracy says.
 *  @note Accuracy: as usw_options_t::accuracy says, USW_REPEATABLE as of the typed function; usw_explain() has the bound.
 *  @note Threads: safe from any number of threads at once.
 *  @note Cost: with USW_STRATEGY_TREE one launch and nothing else after the first call; USW_STRATEGY_CLAUSE copies its
 *        variable in and out. USW_EXACT, and a usw_options_t::fold beyond the default, run several times over the elements.
 *        @since 0.1  @see tests/api/cases.c; tests/api/exact.c */
USW_API usw_status_t usw_reduce(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *result_out,
                                const usw_options_t *options);

/** A reduction of two streams, by codes and with options: USW_DOT, USW_DOTC.
 *
 *  @param[in]  operation  operation of a function that reads two streams.
 *  @param[in]  type       type of the elements of both.
 *  @param[in]  x, y       n elements each, options->stride[0] and options->stride[1] apart.
 *  @param[in]  n          number of pairs; 0 gives +0.
 *  @param[out] result_out host address of what the typed function writes; written on USW_OK only.
 *  @param[in]  options    NULL for the defaults.
 *  @return as usw_reduce(); USW_ERROR_PLACE also if x and y are in different places.
 *  @note Determinism, accuracy, threads, cost: as usw_reduce().  @since 0.1  @see usw_dot() */
USW_API usw_status_t usw_reduce_pair(usw_operation_t operation, usw_type_t type, const void *x, const void *y, size_t n,
                                     void *result_out, const usw_options_t *options);

/** How many bytes the result of an operation over a type has.
 *
 *  @param[in] operation  any code of usw_operation_t.
 *  @param[in] type       any code of usw_type_t.
 *  @return bytes; 0 if there is no such reduction.
 *  @note Threads: safe from any number of threads at once.  @since 0.1 */
USW_API size_t usw_result_bytes(usw_operation_t operation, usw_type_t type);

/** The identity of an operator for a type, by code.
 *
 *  @param[in]  operation    an operator.
 *  @param[in]  type         an element type.
 *  @param[out] identity_out host address of one element of that type, or NULL just to ask whether there is one.
 *  @return USW_OK; USW_ERROR_UNSUPPORTED (the type does not have the operator, or a code is unknown); USW_ERROR_STATE
 *          (after usw_finalize() or in a forked child).
 *  @note Threads: safe from any number of threads at once.  @since 0.1  @see USW_IDENTITY(), tests/api/queries.c */
USW_API usw_status_t usw_identity(usw_operation_t operation, usw_type_t type, void *identity_out);
/** @} */

/** @defgroup library The library itself
 *  What is loaded, what it found on this machine, what it would do, and how to be rid of it.
 *  @{ */

/** The version of the library that is loaded, as USW_VERSION is built.
 *
 *  @return major * 10000 + minor * 100 + patch.
 *  @note Threads: safe from any number of threads at once.  @since 0.1 */
USW_API int usw_version(void);

/** How many GPUs the library can run on: devices of the OpenMP runtime that it has an image for.
 *
 *  @param[out] device_out OpenMP number of the first one, or NULL; untouched if there is none.
 *  @return their number; 0 without GPUs, without a driver, in a library that was built without GPU images, after
 *          usw_finalize() or in a forked child.
 *  @note Threads: safe from any number of threads at once.
 *  @note Cost: the first call asks the OpenMP runtime and the driver.  @since 0.1  @see usw_info() */
USW_API int usw_gpu_count(int *device_out);

/** What kind of device an OpenMP device number is.
 *
 *  @param[in] device OpenMP device number.
 *  @return "nvptx", "amdgcn", "x86_64", a string that lives for ever; NULL if there is no such device or no image for
 *          it.
 *  @note Threads: safe from any number of threads at once.  @since 0.1  @see usw_device_info() */
USW_API const char *usw_device_target(int device);

/** The environment variables that the library reads, their values now, defaults and meaning, as text.
 *
 *  @ref environment is this text as a table.
 *  @param[out] buffer       receives the text, always ended by 0, cut off if it does not fit; NULL with 0 to ask.
 *  @param[in]  buffer_bytes its size.
 *  @return bytes needed for the whole text and its final 0.
 *  @note Threads: safe while no thread changes the environment.  @since 0.1 */
USW_API size_t usw_environment_help(char *buffer, size_t buffer_bytes);

/** How many calls of this process were rechecked (usw_options_t::recheck, USW_RECHECK), and in how many of them the two
 *  runs gave different results.
 *
 *  @param[out] checked_out   calls that ran twice; NULL if nobody wants to know.
 *  @param[out] differing_out those of them that returned USW_ERROR_MISMATCH; NULL if nobody wants to know.
 *  @note Threads: safe from any number of threads at once.  @since 0.1  @see tests/api/recheck.c */
USW_API void usw_recheck_counts(uint64_t *checked_out, uint64_t *differing_out);

/** Give back what the library holds: scratch memory, memory kept for large records, pinned results, the driver's wait mode. Optional.
 *
 *  Every later call returns USW_ERROR_STATE.
 *  @return USW_OK; USW_ERROR_BUSY (a call is under way on a device, or a plan has scratch of its own:
 *          nothing was given back); USW_ERROR_STATE (already
 *          finalized, or a forked child).
 *  @note Threads: safe at any time; of several calls one gives back.  @since 0.1 */
USW_API usw_status_t usw_finalize(void);
/** @} */

USW_END_C

#endif
