/* Columns on processors, by the length of their lines: several lines at once, one at a time, far ones (engine/columns.h). Every way gives the
 * sums and the places of the greatest elements.   axes_lines [--place NAME] */
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

static test_place_t place;

/* Integers, whose sums round nothing; column c has its greatest element in one row alone. */
static double element(size_t row, size_t column, size_t rows) {
  return row == (column * 7 + 3) % rows ? 1000 : (double)((row * 13 + column * 5) % 101) - 50;
}

static void fill(usw_type_t type, size_t rows, size_t columns, void *to) {
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < columns; c++) {
      const double value = element(r, c, rows);
      if (type == USW_F64)
        ((double *)to)[r * columns + c] = value;
      else
        ((float *)to)[r * columns + c] = (float)value;
    }
}

static void check_column(usw_type_t type, size_t rows, size_t c, const void *sums, const void *places) {
  double expected = 0;
  for (size_t r = 0; r < rows; r++)
    expected += element(r, c, rows);
  CHECK_F64(expected, type == USW_F64 ? ((const double *)sums)[c] : (double)((const float *)sums)[c]);
  CHECK_I64((int64_t)((c * 7 + 3) % rows), type == USW_F64 ? ((const usw_located_f64_t *)places)[c].index
                                                           : ((const usw_located_f32_t *)places)[c].index);
}

static void check(usw_type_t type, size_t rows, size_t columns) {
  const usw_options_t options = place_options(&place);
  const size_t bytes = rows * columns * (type == USW_F64 ? sizeof(double) : sizeof(float));
  void *const elements = malloc(bytes), *const sums = malloc(columns * sizeof(double));
  void *const places = malloc(columns * sizeof(usw_located_f64_t));
  fill(type, rows, columns, elements);
  place_memory_t x = memory_get(&place, elements, bytes, 0);
  const usw_array_t array = usw_array_2d(type, x.data, rows, columns);
  CHECK_STATUS(USW_OK, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(0), sums, &options));
  CHECK_STATUS(USW_OK, usw_reduce_axes(USW_ARGMAX, &array, USW_AXIS(0), places, &options));
  for (size_t c = 0; c < columns; c++)
    check_column(type, rows, c, sums, places);
  memory_free(&x);
  free(elements);
  free(sums);
  free(places);
}

int main(int argc, char **argv) {
  /* lines of a few elements; of long ones that a cache holds; of long ones that none holds; of far ones, in several strips */
  static const size_t shapes[][2] = {{301, 7},   {37, 130},    {1100, 130}, {2203, 260},
                                     {21, 1030}, {1030, 2050}, {13, 5003}};
  place = place_of_arguments(argc, argv);
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    check(USW_F64, shapes[s][0], shapes[s][1]);
    check(USW_F32, shapes[s][0], shapes[s][1]);
  }
  return check_report();
}
