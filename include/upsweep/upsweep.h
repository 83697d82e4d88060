/* Upsweep: reductions on the host and on OpenMP devices.
 *
 *     double s;
 *     usw_status_t status = usw_sum(x, n, &s);
 *
 * Every function here runs where its data is: device memory (omp_target_alloc, cudaMalloc, a mapped
 * array) on that device, host memory on the host's threads. usw_reduce() and usw_reduce_pair() are
 * the same reductions with options. All functions may be called from any number of threads at once,
 * return a status, and leave results untouched unless it is USW_OK. A call sees work that has
 * completed before it: it is not ordered after a stream or a `nowait` region.
 *
 * The one-word names (usw_sum) pick the typed function (usw_sum_f64) by the type of x: _Generic in
 * C11, overloads in C++.
 */
#ifndef UPSWEEP_UPSWEEP_H
#define UPSWEEP_UPSWEEP_H

#include <upsweep/export.h>
#include <upsweep/options.h>
#include <upsweep/status.h>
#include <upsweep/types.h>
#include <upsweep/version.h>

/* usw_<name>_<type>(x, n, result_out) for every type; R picks the result's type from a row of
 * types.def. */
#define USW_DECLARE_ROW(name, R, tag, type, sum)                                                                       \
  USW_API usw_status_t usw_##name##_##tag(const type *x, size_t n, R(type, sum) * result_out);
#ifdef __cplusplus
#define USW_OVERLOAD_ROW(name, R, tag, type, sum)                                                                      \
  static inline usw_status_t usw_##name(const type *x, size_t n, R(type, sum) * result_out) {                          \
    return usw_##name##_##tag(x, n, result_out);                                                                       \
  }
#else
#define USW_OVERLOAD_ROW(name, R, tag, type, sum)
#endif
#define USW_EACH_TYPE(ROW, name, R)                                                                                    \
  ROW(name, R, f64, double, double)                                                                                    \
  ROW(name, R, f32, float, float)                                                                                      \
  ROW(name, R, i64, int64_t, int64_t)                                                                                  \
  ROW(name, R, i32, int32_t, int64_t)                                                                                  \
  ROW(name, R, u8, uint8_t, uint64_t)
#define USW_RESULT_SUM(type, sum) sum
#define USW_RESULT_ELEMENT(type, sum) type
#define USW_RESULT_COUNT(type, sum) uint64_t
#define USW_DECLARE(name, R)                                                                                           \
  USW_BEGIN_C USW_EACH_TYPE(USW_DECLARE_ROW, name, R)                                                                  \
  USW_END_C USW_EACH_TYPE(USW_OVERLOAD_ROW, name, R)
#define USW_GENERIC(name, x)                                                                                           \
  _Generic((x),                                                                                                        \
      double *: name##_f64,                                                                                            \
      const double *: name##_f64,                                                                                      \
      float *: name##_f32,                                                                                             \
      const float *: name##_f32,                                                                                       \
      int64_t *: name##_i64,                                                                                           \
      const int64_t *: name##_i64,                                                                                     \
      int32_t *: name##_i32,                                                                                           \
      const int32_t *: name##_i32,                                                                                     \
      uint8_t *: name##_u8,                                                                                            \
      const uint8_t *: name##_u8)

/** x[0] + x[1] + ... + x[n-1], over f64, f32, i64, i32, u8.
 *
 *  Floats add in their own type; integers widen to 64 bits of the same signedness and wrap modulo
 * 2^64.
 *  @param[in]  x          n elements in host or device memory, aligned to their type; NULL only if
 * n is 0.
 *  @param[in]  n          number of elements; 0 gives +0.
 *  @param[out] result_out host address of one double, float, int64_t or uint64_t; written on USW_OK
 * only.
 *  @return USW_OK; USW_ERROR_INVALID (NULL, misaligned, n times the element's size overflows);
 * USW_ERROR_PLACE (x is on a device that cannot run the call); USW_ERROR_MEMORY (first call on a
 * device: no scratch); USW_ERROR_STATE (after usw_finalize() or in a forked child).
 *  @note Determinism: same bits on every run with the same build, place, device model and n; never
 * dependent on alignment. On the host also for any number of threads.
 *  @note Accuracy: |error| <= c * eps * sum of |x[i]| with c the longest chain of additions, about
 *        n / (threads of the grid) + 20; NaN and infinities follow IEEE 754.
 *  @note Cost: one launch, no allocation, map or copy after the first call on a device; blocks.
 *  @since 0.1  @see usw_reduce() for options; tests/api/cases.c */
USW_DECLARE(sum, USW_RESULT_SUM)
#ifndef __cplusplus
#define usw_sum(x, n, result_out) USW_GENERIC(usw_sum, x)(x, n, result_out)
#endif

/** The smallest of x[0..n-1], over f64, f32, i64, i32, u8.
 *
 *  -0 is smaller than +0. Any NaN gives NaN; with usw_options_t::nan = USW_NAN_IGNORE only NaNs
 * alone do.
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives the identity: +infinity or the type's largest
 * value.
 *  @param[out] result_out host address of one element; written on USW_OK only.
 *  @return as usw_sum().
 *  @note Determinism: the same bits on every place, grid and order.
 *  @note Cost: as usw_sum().  @since 0.1  @see usw_argmin() */
USW_DECLARE(min, USW_RESULT_ELEMENT)
#ifndef __cplusplus
#define usw_min(x, n, result_out) USW_GENERIC(usw_min, x)(x, n, result_out)
#endif

/** The largest of x[0..n-1], over f64, f32, i64, i32, u8.
 *
 *  +0 is larger than -0. NaN as for usw_min().
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives the identity: -infinity or the type's
 * smallest value.
 *  @param[out] result_out host address of one element; written on USW_OK only.
 *  @return as usw_sum().
 *  @note Determinism: the same bits on every place, grid and order.
 *  @note Cost: as usw_sum().  @since 0.1 */
USW_DECLARE(max, USW_RESULT_ELEMENT)
#ifndef __cplusplus
#define usw_max(x, n, result_out) USW_GENERIC(usw_max, x)(x, n, result_out)
#endif

/** How many of x[0..n-1] are not zero, over f64, f32, i64, i32, u8. A NaN is not zero; -0 is.
 *
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives 0.
 *  @param[out] result_out host address of one uint64_t; written on USW_OK only.
 *  @return as usw_sum().
 *  @note Determinism: exact.
 *  @note Cost: as usw_sum().  @since 0.1 */
USW_DECLARE(count, USW_RESULT_COUNT)
#ifndef __cplusplus
#define usw_count(x, n, result_out) USW_GENERIC(usw_count, x)(x, n, result_out)
#endif

USW_BEGIN_C

/** x[0]*y[0] + ... + x[n-1]*y[n-1]. Each product is rounded once, then added as in usw_sum(); never
 * contracted.
 *
 *  @param[in]  x, y       n elements each, in the same place; they may be the same or overlap.
 *  @param[in]  n          number of pairs; 0 gives +0.
 *  @param[out] result_out host address; written on USW_OK only.
 *  @return as usw_sum(); USW_ERROR_PLACE also if x and y are in different places.
 *  @note Determinism, accuracy, cost: as usw_sum(), with |x[i]*y[i]| in the bound.  @since 0.1 */
USW_API usw_status_t usw_dot_f64(const double *x, const double *y, size_t n, double *result_out);

/** The smallest of x[0..n-1] and the lowest index that has it.
 *
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives +infinity and index -1.
 *  @param[out] result_out host address; written on USW_OK only. With a NaN in x: NaN and the first
 * NaN's index; with USW_NAN_IGNORE NaNs are passed over, and if there is nothing else: NaN and
 * index -1.
 *  @return as usw_sum().
 *  @note Determinism: the same bits on every place, grid and order.
 *  @note Cost: as usw_sum().  @since 0.1 */
USW_API usw_status_t usw_argmin_f64(const double *x, size_t n, usw_located_f64_t *result_out);

/** Count, mean, variance, minimum, maximum and their indices in one pass over x[0..n-1].
 *
 *  @param[in]  x          as for usw_sum().
 *  @param[in]  n          number of elements; 0 gives count 0, NaNs, the identities and indices -1.
 *  @param[out] result_out host address; written on USW_OK only. With USW_NAN_IGNORE NaNs count for
 * nothing.
 *  @return as usw_sum().
 *  @note Determinism: count and extremes as usw_min(); mean and variance as usw_sum().
 *  @note Accuracy: mean and deviations are updated item by item and merged pairwise, so that large
 * means do not cancel.
 *  @note Cost: one pass, otherwise as usw_sum().  @since 0.1 */
USW_API usw_status_t usw_describe_f64(const double *x, size_t n, usw_describe_f64_t *result_out);

/** A reduction of one stream, by codes and with options.
 *
 *  @param[in]  operation USW_PLUS, USW_MINIMUM, USW_MAXIMUM, USW_COUNT, USW_ARGMIN or USW_DESCRIBE.
 *  @param[in]  type      type of the elements; USW_ARGMIN and USW_DESCRIBE have USW_F64 only.
 *  @param[in]  x         n elements, options->stride[0] elements apart; NULL only if n is 0.
 *  @param[in]  n         number of elements.
 *  @param[out] result_out host address of what the typed function writes; written on USW_OK only.
 *  @param[in]  options   NULL for the defaults; read during the call only.
 *  @return USW_OK; USW_ERROR_INVALID (NULL, misaligned, overflow, option out of range);
 * USW_ERROR_UNSUPPORTED (no such operation for the type, no such strategy on the place, an accuracy
 * that this version does not have); USW_ERROR_DEVICE (no such device, no image for it, no driver);
 * USW_ERROR_PLACE (x cannot be read from the place that was named); USW_ERROR_MEMORY;
 * USW_ERROR_VERSION (options of another size); USW_ERROR_STATE. usw_error_text() says which and
 * why.
 *  @note Determinism: as usw_options_t::accuracy says.
 *  @note Threads: safe from any number of threads at once.
 *  @note Cost: with USW_STRATEGY_TREE one launch and nothing else after the first call;
 * USW_STRATEGY_CLAUSE copies its variable in and out.  @since 0.1  @see tests/api/cases.c */
USW_API usw_status_t usw_reduce(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *result_out,
                                const usw_options_t *options);

/** A reduction of two streams, by codes and with options: USW_DOT.
 *
 *  @param[in]  operation  USW_DOT.
 *  @param[in]  type       USW_F64.
 *  @param[in]  x, y       n elements each, options->stride[0] and options->stride[1] apart.
 *  @param[in]  n          number of pairs.
 *  @param[out] result_out host address of the sum; written on USW_OK only.
 *  @param[in]  options    NULL for the defaults.
 *  @return as usw_reduce().  @since 0.1 */
USW_API usw_status_t usw_reduce_pair(usw_operation_t operation, usw_type_t type, const void *x, const void *y, size_t n,
                                     void *result_out, const usw_options_t *options);

/** The identity of an operator for a type, by code.
 *
 *  @param[in]  operation    an operator.
 *  @param[in]  type         an element type.
 *  @param[out] identity_out host address of one element of that type, or NULL just to ask whether there is one.
 *  @return USW_OK; USW_ERROR_UNSUPPORTED (the type does not have the operator, or a code is unknown).
 *  @since 0.1 */
USW_API usw_status_t usw_identity(usw_operation_t operation, usw_type_t type, void *identity_out);

/** The version of the library that is loaded, as USW_VERSION is built.
 *  @return major * 10000 + minor * 100 + patch.  @since 0.1 */
USW_API int usw_version(void);

/** How many GPUs the library can run on: devices of the OpenMP runtime that it has an image for.
 *
 *  @param[out] device_out OpenMP number of the first one, or NULL; untouched if there is none.
 *  @return their number; 0 without GPUs, without a driver, or in a library that was built without
 * GPU images.
 *  @note Cost: the first call asks the OpenMP runtime and the driver.  @since 0.1 */
USW_API int usw_gpu_count(int *device_out);

/** What kind of device an OpenMP device number is.
 *
 *  @param[in] device OpenMP device number.
 *  @return "nvptx", "amdgcn", "x86_64", or NULL if there is no such device or no image for it.
 * @since 0.1 */
USW_API const char *usw_device_target(int device);

/** The environment variables that the library reads, their values now, defaults and meaning, as
 * text.
 *
 *  @param[out] buffer       receives the text, always ended by 0, cut off if it does not fit; NULL
 * with 0 to ask.
 *  @param[in]  buffer_bytes its size.
 *  @return bytes needed for the whole text and its final 0.  @since 0.1 */
USW_API size_t usw_environment_help(char *buffer, size_t buffer_bytes);

/** Give back what the library holds: scratch memory, pinned results, the driver's wait mode.
 * Optional.
 *
 *  @return USW_OK; USW_ERROR_BUSY (a call is under way on a device: nothing was given back);
 *          USW_ERROR_STATE (already finalized). Every later call returns USW_ERROR_STATE.  @since
 * 0.1 */
USW_API usw_status_t usw_finalize(void);

USW_END_C

#ifdef __cplusplus
static inline usw_status_t usw_dot(const double *x, const double *y, size_t n, double *result_out) {
  return usw_dot_f64(x, y, n, result_out);
}
static inline usw_status_t usw_argmin(const double *x, size_t n, usw_located_f64_t *result_out) {
  return usw_argmin_f64(x, n, result_out);
}
static inline usw_status_t usw_describe(const double *x, size_t n, usw_describe_f64_t *result_out) {
  return usw_describe_f64(x, n, result_out);
}
#else
#define USW_GENERIC_F64(name, x) _Generic((x), double *: name##_f64, const double *: name##_f64)
#define usw_dot(x, y, n, result_out) USW_GENERIC_F64(usw_dot, x)(x, y, n, result_out)
#define usw_argmin(x, n, result_out) USW_GENERIC_F64(usw_argmin, x)(x, n, result_out)
#define usw_describe(x, n, result_out) USW_GENERIC_F64(usw_describe, x)(x, n, result_out)
#endif

#endif
