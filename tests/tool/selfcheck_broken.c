/* A library with mistakes, for usw-selfcheck to find: its program is linked with this in front of usw_reduce() and
 * usw_reduce_pair(). */
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
