/* Columns on processors, by the length of their lines: several lines at once, one at a time, far ones (engine/columns.h); rows, by their
 * own length: side by side, in lanes, by themselves (engine/rows_in_lanes.h); few of both, in pieces (engine/pieces.h); and columns whose results
 * lie apart. Every way gives the sums and the places of the greatest elements.
 *   axes_lines [--place NAME] */
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

/* are_rows: each column lies in memory as a row. */
static void fill(usw_type_t type, size_t rows, size_t columns, int are_rows, void *to) {
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < columns; c++) {
      const size_t at = are_rows ? c * rows + r : r * columns + c;
      const double value = element(r, c, rows);
      if (type == USW_F64)
        ((double *)to)[at] = value;
      else
        ((float *)to)[at] = (float)value;
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

static void check(usw_type_t type, size_t rows, size_t columns, int are_rows) {
  if (!place_has_families(&place, type))
    return;
  const usw_options_t options = place_options(&place);
  const size_t bytes = rows * columns * (type == USW_F64 ? sizeof(double) : sizeof(float));
  void *const elements = malloc(bytes), *const sums = malloc(columns * sizeof(double));
  void *const places = malloc(columns * sizeof(usw_located_f64_t));
  fill(type, rows, columns, are_rows, elements);
  place_memory_t x = memory_get(&place, elements, bytes, 0);
  const usw_array_t array = usw_array_2d(type, x.data, are_rows ? columns : rows, are_rows ? rows : columns);
  CHECK_STATUS(USW_OK, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(are_rows), sums, &options));
  CHECK_STATUS(USW_OK, usw_reduce_axes(USW_ARGMAX, &array, USW_AXIS(are_rows), places, &options));
  for (size_t c = 0; c < columns; c++)
    check_column(type, rows, c, sums, places);
  memory_free(&x);
  free(elements);
  free(sums);
  free(places);
}

/* Columns of an array whose first dimension is the fastest: results lie apart that are visited side by side. */
static void check_turned(size_t fast, size_t slow) {
  enum { ITEMS = 6, MOST = 4096 };
  static double elements[MOST], sums[MOST];
  const size_t extents[] = {fast, slow, ITEMS};
  const ptrdiff_t strides[] = {1, (ptrdiff_t)fast, (ptrdiff_t)(fast * slow)};
  const usw_options_t options = place_options(&place);
  for (size_t k = 0; k < fast * slow * ITEMS; k++)
    elements[k] = (double)k;
  place_memory_t x = memory_get(&place, elements, fast * slow * ITEMS * sizeof *elements, 0);
  const usw_array_t array = usw_array(USW_F64, x.data, 3, extents, strides);
  CHECK_STATUS(USW_OK, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(2), sums, &options));
  for (size_t f = 0; f < fast; f++)
    for (size_t s = 0; s < slow; s++) /* the item number k of the column is f + fast * s + fast * slow * k */
      CHECK_F64((double)(ITEMS * (f + fast * s) + fast * slow * (ITEMS * (ITEMS - 1) / 2)), sums[f * slow + s]);
  memory_free(&x);
}

int main(int argc, char **argv) {
  /* lines of a few elements; of long ones that a cache holds; of long ones that none holds; of far ones, in several strips */
  static const size_t shapes[][2] = {{301, 7},   {37, 130},    {1100, 130}, {2203, 260},
                                     {21, 1030}, {1030, 2050}, {13, 5003}};
  place = place_of_arguments(argc, argv);
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    check(USW_F64, shapes[s][0], shapes[s][1], 0);
    check(USW_F32, shapes[s][0], shapes[s][1], 0);
  }
  /* rows that fill no lanes; whole ones; halves of them and single items; the last rows of a batch; more than a cache holds; too long */
  static const size_t rows[][2] = {{5, 11}, {17, 9}, {64, 16}, {79, 13}, {301, 900}, {2048, 8}, {2051, 9}};
  for (size_t s = 0; s < sizeof rows / sizeof *rows; s++) {
    check(USW_F64, rows[s][0], rows[s][1], 1);
    check(USW_F32, rows[s][0], rows[s][1], 1);
  }
  /* few results of many items: columns, too few of them to be visited as such, and rows */
  static const size_t few[][2] = {{100003, 5}, {70001, 131}, {200001, 2}};
  for (size_t s = 0; s < sizeof few / sizeof *few; s++)
    for (int are_rows = 0; are_rows < 2; are_rows++) {
      check(USW_F64, few[s][0], few[s][1], are_rows);
      check(USW_F32, few[s][0], few[s][1], are_rows);
    }
  check_turned(5, 4);
  check_turned(40, 17);
  return check_report();
}
