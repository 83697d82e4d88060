/* y = A x of a sparse matrix by rows (CSR), for spmv.py: a shared library of kernels of segments. */
#include <upsweep/upsweep.h>

#define USW_KERNEL spmv
#define USW_SEGMENTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, a) IN(int32_t, column) ARRAY(double, x)
#define USW_REDUCERS(R, S) R(double, y, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_product(y, a, x[column]); }
#include <upsweep/kernel_end.h>

/* With reproducible sums: the same bits whatever the order of a row's elements. */
#define USW_KERNEL spmv_reproducible
#define USW_SEGMENTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, a) IN(int32_t, column) ARRAY(double, x)
#define USW_REDUCERS(R, S) R(double, y, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_product(y, a, x[column]); }
#include <upsweep/kernel_end.h>

/* For callers from other languages, who have the offsets of rows by their address. */
typedef usw_status_t spmv_t(size_t n, const usw_segments_t *rows, const double *a, const int32_t *column,
                            const double *x, double *y, const usw_options_t *options);
USW_API usw_status_t spmv_by_offsets(size_t rows, size_t n, const int32_t *offsets, const double *a,
                                     const int32_t *column, const double *x, double *y, int is_reproducible);
usw_status_t spmv_by_offsets(size_t rows, size_t n, const int32_t *offsets, const double *a, const int32_t *column,
                             const double *x, double *y, int is_reproducible) {
  const usw_segments_t segments = usw_segments_by_offsets(USW_I32, offsets, rows);
  spmv_t *const run = is_reproducible ? spmv_reproducible_fresh : spmv_fresh;
  return run(n, &segments, a, column, x, y, NULL);
}
