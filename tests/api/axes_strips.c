/* Extremes with their places, and descriptions, of columns side by side, which the host takes in vectors (engine/strips.h) and a GPU as numbers
 * (engine/team_columns.h), and of rows, which both take so, too (engine/side_by_side.h, engine/rows_in_lanes.h, engine/team_seen_rows.h): the
 * same as of each alone. NaNs, infinities, zeros of both signs, numbers that overflow and subnormal ones stand among usual columns.
 *   axes_strips [--place NAME] */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/half.h>
#include <upsweep/upsweep.h>

#include "by_chance.h"
#include "oracle/memory.h"
#include "support/check.h"
#include "support/flush.h"
#include "support/place.h"

enum { KINDS = 24 };

static test_place_t place;
static usw_options_t options;
static int is_simt;

/* Row r of a column of floats: more than half of the kinds of columns are usual ones. */
static double element(size_t r, size_t column, size_t rows, double least_normal) {
  const double usual = (double)((r * 29 + column * 5) % 97) - 40;
  switch (column % KINDS) {
  case 1: /* a NaN */
    return r == rows / 2 ? (double)NAN : usual;
  case 2: /* nothing else */
    return (double)NAN;
  case 5: /* zeros of both signs are the greatest, the negative one first */
    return r % 3 == 1 ? -0.0 : r % 3 == 2 ? 0.0 : -3;
  case 7: /* a NaN with a sign, beside a usual column */
    return r == rows / 2 ? -(double)NAN : usual;
  case 9: /* an infinity */
    return r == rows - 1 ? (double)-INFINITY : usual;
  case 11: /* zeros of both signs are the greatest */
    return r % 3 == 1 ? 0.0 : r % 3 == 2 ? -0.0 : -3;
  case 13: /* all the same */
    return 7;
  case 14: /* their sum overflows, if they are doubles */
    return r % 2 == 0 ? DBL_MAX : -DBL_MAX;
  case 15: /* subnormal numbers, the greatest but one first */
    return r == 0 ? least_normal / 4 : r == rows / 2 ? least_normal / 2 : -1;
  case 22: /* the greatest is the last */
    return (double)r;
  default:
    return usual;
  }
}

static void set_element(void *to, usw_type_t type, double value) {
  if (type == USW_F64)
    *(double *)to = value;
  else if (type == USW_F32)
    *(float *)to = (float)value;
  else if (type == USW_F16)
    ((usw_f16_t *)to)->bits =
        (uint16_t)(usw_float_to_f16((float)value).bits | (signbit(value) ? 0x8000 : 0)); /* NaNs, too */
  else if (type == USW_I64)
    *(int64_t *)to = (int64_t)value;
  else if (type == USW_I16)
    *(int16_t *)to = (int16_t)value;
  else
    *(uint8_t *)to = (uint8_t)((int)value + 100);
}

/* Integers are those of usual columns. are_rows: each column lies in memory as a row. */
static char *new_elements(const type_t *type, size_t rows, size_t columns, int are_rows) {
  const int is_float = type->type == USW_F64 || type->type == USW_F32 || type->type == USW_F16;
  char *const elements = malloc(rows * columns * type->bytes);
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < columns; c++)
      set_element(elements + (are_rows ? c * rows + r : r * columns + c) * type->bytes, type->type,
                  element(r, is_float ? c : c * KINDS, rows, type->type == USW_F64 ? DBL_MIN : (double)FLT_MIN));
  return elements;
}

static void check_columns(const operation_t *operation, const type_t *type, const char *x, size_t rows, size_t columns,
                          int are_rows) {
  const size_t of_result = usw_result_bytes(operation->operation, type->type);
  char *const found = malloc(columns * of_result), *const expected = malloc(columns * of_result), note[64];
  const usw_array_t array =
      usw_array_2d(type->type, (void *)(uintptr_t)x, are_rows ? columns : rows, are_rows ? rows : columns);
  const size_t from_column_to_column = (are_rows ? rows : 1) * type->bytes;
  usw_options_t alone = options;
  if (is_simt && is_quick_tier()) /* launches would take most of the time */
    alone.place = USW_HOST;
  alone.stride[0] = are_rows ? 1 : (ptrdiff_t)columns;
  feclearexcept(FE_INVALID);
  CHECK_STATUS(USW_OK, usw_reduce_axes(operation->operation, &array, USW_AXIS(are_rows), found, &options));
  if (!is_simt) /* whose GPU compares NaNs by the processor */
    CHECK(operation->operation == USW_DESCRIBE || options.nan != USW_NAN_IGNORE || !fetestexcept(FE_INVALID));
  for (size_t c = 0; c < columns; c++)
    CHECK_STATUS(USW_OK, usw_reduce(operation->operation, type->type, x + c * from_column_to_column, rows,
                                    expected + c * of_result, &alone));
  snprintf(note, sizeof note, "%s of %zu, NaNs %d", are_rows ? "rows" : "columns", rows, (int)options.nan);
  check_many_results(operation, type, note, columns, expected, found);
  free(expected);
  free(found);
}

static void check(const type_t *type, size_t rows, size_t columns, int are_rows, int flushes) {
  if (!place_has_families(&place, type->type))
    return;
  static const operation_t operations[] = {{USW_MINIMUM, 1, "min"},
                                           {USW_MAXIMUM, 1, "max"},
                                           {USW_ARGMIN, 1, "argmin"},
                                           {USW_ARGMAX, 1, "argmax"},
                                           {USW_DESCRIBE, 1, "describe"}};
  char *const elements = new_elements(type, rows, columns, are_rows);
  place_memory_t x = memory_get(&place, elements, rows * columns * type->bytes, 0);
  flush(flushes);
  for (int ignores = 0; ignores < 2; ignores++) {
    options.nan = ignores ? USW_NAN_IGNORE : USW_NAN_PROPAGATE;
    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++)
      check_columns(&operations[k], type, x.data, rows, columns, are_rows);
  }
  flush(0);
  memory_free(&x);
  free(elements);
}

/* Rows that are `runs` runs of `length` elements each, those of all rows after each other: a row's accumulator sees one after the other. */
static void check_runs(const type_t *type, size_t runs, size_t rows, size_t length) {
  if (!place_has_families(&place, type->type))
    return;
  static const operation_t operations[] = {
      {USW_MAXIMUM, 1, "max"}, {USW_ARGMAX, 1, "argmax"}, {USW_DESCRIBE, 1, "describe"}};
  const size_t of_run = length * type->bytes, of_row = runs * of_run;
  char *const by_rows = new_elements(type, runs * length, rows, 1), *const by_runs = malloc(rows * of_row);
  for (size_t r = 0; r < rows; r++)
    for (size_t k = 0; k < runs; k++)
      memcpy(by_runs + (k * rows + r) * of_run, by_rows + r * of_row + k * of_run, of_run);
  place_memory_t x = memory_get(&place, by_runs, rows * of_row, 0);
  const usw_array_t array = usw_array_3d(type->type, x.data, runs, rows, length);
  options.nan = USW_NAN_PROPAGATE;
  for (size_t o = 0; o < sizeof operations / sizeof *operations; o++) {
    const usw_operation_t operation = operations[o].operation;
    const size_t of_result = usw_result_bytes(operation, type->type);
    char *const found = malloc(rows * of_result), *const expected = malloc(rows * of_result);
    CHECK_STATUS(USW_OK, usw_reduce_axes(operation, &array, USW_AXIS(0) | USW_AXIS(2), found, &options));
    for (size_t r = 0; r < rows; r++)
      CHECK_STATUS(USW_OK, usw_reduce(operation, type->type, by_rows + r * of_row, runs * length,
                                      expected + r * of_result, NULL));
    check_many_results(&operations[o], type, "rows of several runs", rows, expected, found);
    free(expected);
    free(found);
  }
  memory_free(&x);
  free(by_runs);
  free(by_rows);
}

/* So many bytes that threads of a GPU see four columns by one word (policy/result_shares.c), against the host. */
static void check_many_bytes(const type_t *type) {
  enum { ROWS = 1 << 14, COLUMNS = 1 << 12 };
  static const operation_t describe = {USW_DESCRIBE, 1, "describe"};
  if (!place_has_families(&place, type->type))
    return;
  const size_t of_result = usw_result_bytes(USW_DESCRIBE, type->type);
  char *const elements = malloc((size_t)ROWS * COLUMNS), *const found = malloc(COLUMNS * of_result),
              *const expected = malloc(COLUMNS * of_result);
  for (size_t r = 0; r < ROWS; r++)
    for (size_t c = 0; c < COLUMNS; c++)
      elements[r * COLUMNS + c] = (char)((r * 29 + c * 5 + r / 97 * c) % 253);
  place_memory_t x = memory_get(&place, elements, (size_t)ROWS * COLUMNS, 0);
  usw_options_t on_host = {USW_INIT(usw_options_t)};
  on_host.place = USW_HOST;
  const usw_array_t array = usw_array_2d(type->type, x.data, ROWS, COLUMNS);
  const usw_array_t of_host = usw_array_2d(type->type, elements, ROWS, COLUMNS);
  options.nan = USW_NAN_PROPAGATE;
  CHECK_STATUS(USW_OK, usw_reduce_axes(USW_DESCRIBE, &array, USW_AXIS(0), found, &options));
  CHECK_STATUS(USW_OK, usw_reduce_axes(USW_DESCRIBE, &of_host, USW_AXIS(0), expected, &on_host));
  check_many_results(&describe, type, "columns of many bytes", COLUMNS, expected, found);
  memory_free(&x);
  free(expected);
  free(found);
  free(elements);
}

int main(int argc, char **argv) {
  /* no strip; one; one and a rest; more than a chunk of items; several strips of a line; vectors of a GPU's threads; results that are more than
   * the items, some of which a team writes at once */
  static const size_t shapes[][2] = {{9, 7}, {1, 8}, {255, 26}, {257, 49}, {600, 130}, {130, 96}, {3, 520}};
  static const type_t types[] = {{USW_F64, 8, "f64"}, {USW_F32, 4, "f32"}, {USW_F16, 2, "f16"},
                                 {USW_I64, 8, "i64"}, {USW_I16, 2, "i16"}, {USW_U8, 1, "u8"}};
  place = place_of_arguments(argc, argv);
  options = place_options(&place);
  is_simt = strcmp(place.target, "simt") == 0;
  const size_t first_shape = is_simt ? 5 : 0; /* which takes long */
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    for (size_t s = first_shape; s < sizeof shapes / sizeof *shapes; s++)
      check(&types[t], shapes[s][0], shapes[s][1], 0, 0);
  /* rows of an item; of no square; of some, in several batches; of more items than vectors have rows; in vectors along them, with a rest, and
   * with a part of a few items */
  static const size_t rows[][2] = {{1, 9},   {3, 1201}, {7, 1003}, {16, 41}, {48, 70},
                                   {96, 26}, {128, 49}, {101, 26}, {2051, 9}};
  for (size_t t = 0; !is_simt && t < sizeof types / sizeof *types; t++)
    for (size_t s = 0; s < sizeof rows / sizeof *rows; s++)
      check(&types[t], rows[s][0], rows[s][1], 1, 0);
  options.teams = 1; /* whose threads take one row after the other */
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    check(&types[t], 48, 70, 1, 0);  /* whole blocks, which the threads of a row share unevenly */
    check(&types[t], 400, 26, 1, 0); /* several tiles of them */
  }
  options.teams = 0;
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    check_runs(&types[t], 40, 26, 64);
  check(&types[0], 257, 49, 0, 1);
  check(&types[1], 257, 49, 0, 1);
  if (place.place == USW_DEVICE && strcmp(place.target, "x86_64") != 0)
    check_many_bytes(&types[5]);
  return check_report();
}
