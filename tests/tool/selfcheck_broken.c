/* A library with mistakes, for usw-selfcheck to find: its program is linked with this in front of what it calls. */
#include <string.h>
#include <upsweep/upsweep.h>

usw_status_t __real_usw_reduce(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *result,
                               const usw_options_t *options);
usw_status_t __wrap_usw_reduce(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *result,
                               const usw_options_t *options);
usw_status_t __real_usw_reduce_pair(usw_operation_t operation, usw_type_t type, const void *x, const void *y, size_t n,
                                    void *result, const usw_options_t *options);
usw_status_t __wrap_usw_reduce_pair(usw_operation_t operation, usw_type_t type, const void *x, const void *y, size_t n,
                                    void *result, const usw_options_t *options);

usw_status_t __wrap_usw_reduce(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *result,
                               const usw_options_t *options) {
  static unsigned calls;
  const usw_status_t status = __real_usw_reduce(operation, type, x, n, result, options);
  if (status != USW_OK)
    return status;
  if (operation == USW_PLUS && type == USW_F64 && n == 4096)
    *(double *)result += 1e-9; /* more than any order of 4096 additions can make */
  if (operation == USW_MAXIMUM && type == USW_I32 && n == 33)
    --*(int32_t *)result;
  if (operation == USW_MINIMUM && type == USW_F64 && n == 0)
    ((char *)result)[8] = 0; /* behind it */
  if (operation == USW_NORM1 && type == USW_F32 && n == 1025 && ++calls % 3 == 0)
    ++*(uint32_t *)result; /* other last bits on every third call */
  if (operation == USW_BIT_XOR && type == USW_U8 && options->stride[0] == 2)
    *(uint8_t *)result ^= 1;
  return status;
}

usw_status_t __wrap_usw_reduce_pair(usw_operation_t operation, usw_type_t type, const void *x, const void *y, size_t n,
                                    void *result, const usw_options_t *options) {
  if (operation == USW_DOT && type == USW_U8 && n == 2)
    return usw_error_set(USW_ERROR_MEMORY, "no memory for nothing at all");
  return __real_usw_reduce_pair(operation, type, x, y, n, result, options);
}

/* ---- families ---- */

usw_status_t __real_usw_reduce_axes(usw_operation_t operation, const usw_array_t *array, uint32_t axes, void *results,
                                    const usw_options_t *options);
usw_status_t __wrap_usw_reduce_axes(usw_operation_t operation, const usw_array_t *array, uint32_t axes, void *results,
                                    const usw_options_t *options);
usw_status_t __real_usw_reduce_segments(usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                                        const usw_segments_t *segments, void *results, const usw_options_t *options);
usw_status_t __wrap_usw_reduce_segments(usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                                        const usw_segments_t *segments, void *results, const usw_options_t *options);
usw_status_t __real_usw_reduce_by_key(usw_operation_t operation, usw_type_t type, const void *x, usw_type_t key_type,
                                      const void *keys, size_t n, void *unique_out, void *results_out, size_t *runs_out,
                                      const usw_options_t *options);
usw_status_t __wrap_usw_reduce_by_key(usw_operation_t operation, usw_type_t type, const void *x, usw_type_t key_type,
                                      const void *keys, size_t n, void *unique_out, void *results_out, size_t *runs_out,
                                      const usw_options_t *options);
usw_status_t __real_usw_scan_inclusive(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *out,
                                       const usw_options_t *options);
usw_status_t __wrap_usw_scan_inclusive(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *out,
                                       const usw_options_t *options);

usw_status_t __wrap_usw_reduce_axes(usw_operation_t operation, const usw_array_t *array, uint32_t axes, void *results,
                                    const usw_options_t *options) {
  const usw_status_t status = __real_usw_reduce_axes(operation, array, axes, results, options);
  const size_t n = array->extent[1];
  if (status != USW_OK)
    return status;
  if (operation == USW_PLUS && array->type == USW_F64 && n == 8191) /* which the lower level may be wrong by */
    *(double *)results += options->accuracy == USW_COMPENSATED ? 1e-11 : 0;
  if (operation == USW_NORM1 && array->type == USW_F64 && n == 8191 && options->accuracy == USW_REPEATABLE)
    for (int row = 0; row < 3; row++)
      ((double *)results)[row] += 1e-6;
  if (operation == USW_MAXIMUM && array->type == USW_U8 && n == 1025)
    ((uint8_t *)results)[2] ^= 1; /* the last of equal rows */
  return status;
}

usw_status_t __wrap_usw_reduce_segments(usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                                        const usw_segments_t *segments, void *results, const usw_options_t *options) {
  const usw_status_t status = __real_usw_reduce_segments(operation, type, x, n, segments, results, options);
  if (status != USW_OK || segments->count != 2)
    return status;
  if (operation == USW_MINIMUM && type == USW_I32 && n == 8191)
    ++*(int32_t *)results;
  if (operation == USW_MAXIMUM && type == USW_I32 && n == 1000)
    ((int32_t *)results)[1] = 0; /* of the empty one */
  return status;
}

usw_status_t __wrap_usw_reduce_by_key(usw_operation_t operation, usw_type_t type, const void *x, usw_type_t key_type,
                                      const void *keys, size_t n, void *unique_out, void *results_out, size_t *runs_out,
                                      const usw_options_t *options) {
  if (operation == USW_NORM2 && type == USW_F64 && n == 1025)
    return usw_error_set(USW_ERROR_MEMORY, "no memory for nothing at all");
  const usw_status_t status =
      __real_usw_reduce_by_key(operation, type, x, key_type, keys, n, unique_out, results_out, runs_out, options);
  if (status != USW_OK || n < 2)
    return status;
  if (operation == USW_BIT_OR && type == USW_U8)
    *runs_out = 2;
  if (operation == USW_BIT_AND && type == USW_U8)
    ++*(int32_t *)unique_out;
  if (operation == USW_MAXIMUM && type == USW_F64)
    ((char *)results_out)[8] = 0; /* behind it */
  return status;
}

usw_status_t __wrap_usw_scan_inclusive(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *out,
                                       const usw_options_t *options) {
  static unsigned calls;
  const usw_status_t status = __real_usw_scan_inclusive(operation, type, x, n, out, options);
  if (status != USW_OK)
    return status;
  if (operation == USW_PLUS && type == USW_F32 && n == 1025 && options->accuracy == USW_REPEATABLE && ++calls % 2 == 0)
    ++((uint32_t *)out)[n - 1]; /* other last bits on every second call */
  if (operation == USW_MAXIMUM && type == USW_U8 && options->stride[0] == 2)
    ((uint8_t *)out)[n - 1] ^= 1;
  if (operation == USW_BIT_XOR && type == USW_U8 && n == 0)
    *(uint64_t *)out = 0; /* an element that is not there */
  return status;
}
