/* The mean and the extremes of each plane of a field in one pass, and the norms of a matrix's rows minus a vector. */
#include <math.h>
#include <stdio.h>
#include <upsweep/upsweep.h>

#define USW_KERNEL plane_statistics
#define USW_AXES 1
#define USW_DIMENSIONS 3
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, t)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS) R(double, least, USW_MINIMUM) R(double, most, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(plane, row, column) {
  usw_add(sum, t);
  usw_combine(least, t);
  usw_combine(most, t);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL row_squares
#define USW_AXES 1
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, a) ARRAY(double, center)
#define USW_REDUCERS(R, S) R(double, squares, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(row, column) { usw_add(squares, (a - center[row]) * (a - center[row])); }
#include <upsweep/kernel_end.h>

int main(void) {
  const double field[2][2][2] = {{{1, 2}, {3, 6}}, {{5, 6}, {-7, 8}}}, matrix[2][2] = {{4, 5}, {1, 13}};
  const double center[2] = {1, 1};
  const usw_space_t planes = usw_space_3d(2, 2, 2), rows = usw_space_2d(2, 2);
  double sum[2], least[2], most[2], squares[2];
  if (plane_statistics_fresh(&planes, USW_AXIS(1) | USW_AXIS(2), field[0][0], sum, least, most, NULL) != USW_OK ||
      row_squares_fresh(&rows, USW_AXIS(1), matrix[0], center, squares, NULL) != USW_OK) {
    fprintf(stderr, "%s\n", usw_error_text());
    return 1;
  }
  for (int k = 0; k < 2; k++)
    printf("plane %d: mean %g, %g to %g; row %d: %g\n", k, sum[k] / 4, least[k], most[k], k, sqrt(squares[k]));
  return sum[0] != 12 || least[1] != -7 || most[1] != 8 || sqrt(squares[0]) != 5 || sqrt(squares[1]) != 12;
}
