/* A sparse matrix by rows: y = A x and the diagonal, in one pass. */
#include <stdio.h>
#include <upsweep/upsweep.h>

#define USW_KERNEL spmv
#define USW_SEGMENTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, a) IN(int32_t, column) ARRAY(double, x)
#define USW_REDUCERS(R, S) R(double, y, USW_PLUS) R(double, diagonal, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(y, a * x[column]);
  if ((size_t)column == usw_segment())
    usw_add(diagonal, a);
}
#include <upsweep/kernel_end.h>

int main(void) {
  enum { ROWS = 4, ELEMENTS = 7 };
  const double a[ELEMENTS] = {2, -1, -1, 2, -1, 4, 3}, x[ROWS] = {1, 3, 2, 4};
  const int32_t columns[ELEMENTS] = {0, 1, 0, 1, 2, 0, 3}, offsets[ROWS + 1] = {0, 2, 5, 5, 7}; /* row 2 is empty */
  const usw_segments_t rows = usw_segments_by_offsets(USW_I32, offsets, ROWS);
  double y[ROWS], diagonal[ROWS];
  usw_status_t status = spmv_fresh(ELEMENTS, &rows, a, columns, x, y, diagonal, NULL); /* y = A x */
  if (status == USW_OK)
    status = spmv(ELEMENTS, &rows, a, columns, x, y, diagonal, NULL); /* y += A x */
  if (status != USW_OK)
    fprintf(stderr, "%s\n", usw_error_text());
  printf("y = %g %g %g %g\n", y[0], y[1], y[2], y[3]);
  return status != USW_OK || y[0] != -2 || y[1] != 6 || y[2] != 0 || y[3] != 32 || diagonal[0] != 4 || diagonal[2] != 0;
}
