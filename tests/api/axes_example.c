/* Row sums, column maxima and their places, and a sum over the outer two of three dimensions. */
#include <stdio.h>
#include <upsweep/upsweep.h>

static int failed(usw_status_t status) {
  if (status != USW_OK)
    fprintf(stderr, "%s\n", usw_error_text());
  return status != USW_OK;
}

int main(void) {
  const double matrix[2][3] = {{1, 5, 3}, {4, 2, 6}};
  const float field[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
  const usw_array_t a = usw_array_2d(USW_F64, matrix, 2, 3), f = usw_array_3d(USW_F32, field, 2, 2, 2);
  double row_sums[2];
  usw_located_f64_t highest[3];
  float sums[2];
  if (failed(usw_reduce_axes(USW_PLUS, &a, USW_AXIS(1), row_sums, NULL)) ||
      failed(usw_reduce_axes(USW_ARGMAX, &a, USW_AXIS(0), highest, NULL)) ||
      failed(usw_reduce_axes(USW_PLUS, &f, USW_AXIS(0) | USW_AXIS(1), sums, NULL)))
    return 1;
  printf("row sums %g %g\n", row_sums[0], row_sums[1]);
  for (int column = 0; column < 3; column++)
    printf("column %d: %g in row %d\n", column, highest[column].value, (int)highest[column].index);
  printf("sums %g %g\n", sums[0], sums[1]);
  return row_sums[1] != 12 || highest[1].index != 0 || sums[1] != 20;
}
