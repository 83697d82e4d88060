/* Calls in a loop of C for axes/host.py: a call from Python takes longer than a short reduction. Functions of the library return the first status
 * that is not USW_OK. */
#include <stdint.h>
#include <upsweep/upsweep.h>

enum { ROW_MAJOR = 101, AS_IT_IS = 111, TRANSPOSED = 112 }; /* of cblas.h */

USW_API usw_status_t repeat_axes(__typeof__(usw_reduce_axes) *reduce_axes, int64_t times, usw_operation_t operation,
                                 const usw_array_t *x, uint32_t axes, void *results) {
  usw_status_t status = USW_OK;
  for (int64_t i = 0; i < times && status == USW_OK; i++)
    status = reduce_axes(operation, x, axes, results, NULL);
  return status;
}

/* One read of n doubles: their sum. */
USW_API usw_status_t repeat_read(__typeof__(usw_reduce) *reduce, int64_t times, const double *x, size_t n) {
  usw_status_t status = USW_OK;
  double sum;
  for (int64_t i = 0; i < times && status == USW_OK; i++)
    status = reduce(USW_PLUS, USW_F64, x, n, &sum, NULL);
  return status;
}

/* Matrices that follow each other, each times ones: sums of its rows, or of its columns. `gemv` is cblas_dgemv() or cblas_sgemv() of an OpenBLAS
 * whose integers have 64 bits. */
#define DEFINE_REPEAT(gemv, element_t)                                                                                 \
  typedef void gemv##_function_t(int order, int way, int64_t rows, int64_t columns, element_t alpha,                   \
                                 const element_t *x, int64_t from_row_to_row, const element_t *ones, int64_t one,      \
                                 element_t beta, element_t *results, int64_t from_result_to_result);                   \
  USW_API void repeat_##gemv(gemv##_function_t *gemv, int64_t times, int is_transposed, int64_t matrices,              \
                             int64_t rows, int64_t columns, const element_t *x, const element_t *ones,                 \
                             element_t *results) {                                                                     \
    const int64_t of_each = is_transposed ? columns : rows;                                                            \
    for (int64_t i = 0; i < times; i++)                                                                                \
      for (int64_t m = 0; m < matrices; m++)                                                                           \
        gemv(ROW_MAJOR, is_transposed ? TRANSPOSED : AS_IT_IS, rows, columns, 1, x + m * rows * columns, columns,      \
             ones, 1, 0, results + m * of_each, 1);                                                                    \
  }
DEFINE_REPEAT(dgemv, double)
DEFINE_REPEAT(sgemv, float)
