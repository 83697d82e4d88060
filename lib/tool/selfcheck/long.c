/* More than 2^31 items: one element again and again, of which everything is known. */
#include "oracle/items.h"
#include "selfcheck.h"

/* What of n equal items is what it is of one, times n or not. */
typedef enum { NOT_KNOWN, THE_SAME, TIMES_N } of_many_t;

static of_many_t of_many(usw_operation_t operation) {
  switch (operation) {
  case USW_PLUS:
  case USW_COUNT:
  case USW_NORM1:
  case USW_DOT:
    return TIMES_N;
  case USW_MINIMUM:
  case USW_MAXIMUM:
  case USW_ARGMIN:
  case USW_MINMAX:
  case USW_BIT_AND:
  case USW_LOGICAL_OR:
  case USW_NORM_INF:
    return THE_SAME;
  default:
    return NOT_KNOWN;
  }
}

/* Of one item that is a small whole number. */
static oracle_t expected_of(const row_t *row, const items_t *one, size_t n) {
  const rounding_t rounding = {(double)n, 0};
  oracle_t o =
      oracle_of(row, one->numbers_of_x, row->streams == 2 ? one->numbers_of_x : NULL, 1, USW_NAN_PROPAGATE, rounding);
  for (int p = 0; p < o.count && of_many(row->operation) == TIMES_N; p++) {
    oracle_part_t *part = &o.part[p];
    exact_t sum = {0};
    exact_add_product(&sum, (double)part->value, (double)n);
    part->value *= (long double)n;
    part->rounded = part->format.bits ? exact_rounded(&sum, part->format) : part->value;
    part->magnitude *= (long double)n;
    part->error *= (long double)n;
  }
  return o;
}

static void run_type(const selfcheck_options_t *options, selfcheck_place_t *place, usw_type_t type) {
  static const size_t n = ((size_t)1 << 31) + 12345;
  items_t one = items_make(type, PATTERN_equal, 1, 0);
  const layout_t layout = {0, USW_STRIDE_NONE};
  laid_out_t items = items_lay_out(&one, &place->place, layout);
  items.n = n;
  items.y = items.x;
  items.strides[1] = USW_STRIDE_NONE;
  for (int r = 0; r < ROW_COUNT; r++) {
    if (rows[r].type != type || !options->is_selected[r] || of_many(rows[r].operation) == NOT_KNOWN)
      continue;
    const oracle_t expected = expected_of(&rows[r], &one, n);
    for (int s = 0; s < place->way_count; s++) {
      grade_t *grade = &place->grades[s][r];
      result_t result;
      if (place->ways[s].family == SELFCHECK_SINGLE && grade->row && grade->verdict != VERDICT_UNSUPPORTED)
        selfcheck_call(place, grade, &items, &expected, USW_NAN_PROPAGATE, "n=2^31+12345, all one element", &result);
    }
  }
  laid_out_free(&items);
  items_free(&one);
}

void selfcheck_run_long(const selfcheck_options_t *options, selfcheck_place_t *place) {
  static const usw_type_t types[] = {USW_U8, USW_I32, USW_F32, USW_F64};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    run_type(options, place, types[t]);
}
