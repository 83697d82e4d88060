/* Errors of the accuracy ladder over hard data: each level is as near to the exact result as it promises, and
 * USW_REPRODUCIBLE is never further from it than USW_REPEATABLE and one rounding.   accurate_errors [--place NAME] */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/explain.h>

#include "hard_data.h"
#include "oracle/oracle.h"
#include "support/check.h"
#include "support/place.h"

static const usw_accuracy_t levels[] = {USW_REPEATABLE, USW_FAST, USW_COMPENSATED, USW_REPRODUCIBLE};
static const char *const level_names[] = {"repeatable", "fast", "compensated", "reproducible"}; /* by code */
enum { LEVELS = sizeof levels / sizeof *levels };

static test_place_t place;

/* One call's data. */
typedef struct {
  const row_t *row;
  hard_set_t set;
  const items_t *items;
  oracle_t oracle;
  long double largest; /* |x[i]|, |x[i] * y[i]|, of parts of complex numbers */
} case_t;

static int is_double(const row_t *row) { return row->type == USW_F64 || row->type == USW_CF64; }
static int is_complex(const row_t *row) { return type_facts(row->type)->class_of == CLASS_COMPLEX; }

/* Half a unit in the last place of the exact value. */
static long double one_rounding(const oracle_part_t *part) {
  return ldexpl(fabsl(part->value), -part->format.bits) + ldexpl(1, part->format.least_bit - 1);
}

/* What the numbers below a window come to, of so many: half of the lowest unit each. The highest unit is at most 2^-38 of the
 * largest number, and the lowest 80 or 40 binary digits below it. */
static long double lost_below(const case_t *c, long double numbers) {
  const int is_wide = is_double(c->row) || c->row->result == RESULT_DESCRIBE;
  return numbers * c->largest * (is_wide ? 0x1p-80L : 0x1p-40L);
}

static long double allowed_reproducible(const case_t *c, int number) {
  const oracle_part_t *part = &c->oracle.part[number];
  const long double n = (long double)c->items->n, rounding = one_rounding(part);
  switch (c->row->operation) {
  case USW_DOT:
  case USW_DOTC: /* a product is two numbers, and a complex one twice as many */
    return lost_below(c, n * (is_complex(c->row) ? 4 : 2)) + part->underflow + rounding;
  case USW_NORM1:
    return lost_below(c, n) + rounding + (is_complex(c->row) ? 8 * rounding : 0);
  case USW_NORM2: /* roundings of squares' sum and root; of cf32's squares, in double */
    return 2 * rounding + fabsl(part->value) * n * (is_double(c->row) ? 0x1p-78L : 0x1p-38L);
  case USW_DESCRIBE: /* mean, and variance by a difference of exact sums */
    if (number < MOST_PARTS - 1)
      return lost_below(c, 1) + rounding;
    return fminl(lost_below(c, 4) * c->largest, n * 0x1p-76L * part->value) + rounding;
  default:
    return lost_below(c, n) + rounding;
  }
}

/* By the longest chain of additions: in double, or in twice its precision. */
static long double allowed_compensated(const case_t *c, int number, const usw_explanation_t *explained) {
  const oracle_part_t *part = &c->oracle.part[number];
  const long double chain = (long double)explained->chain_length + 4, once = chain * 0x1p-53L;
  const int is_widened = !is_double(c->row);
  if (c->row->operation == USW_NORM2 || c->row->operation == USW_DESCRIBE) /* which the reproducible kernels serve */
    return allowed_reproducible(c, number);
  const long double moduli = c->row->operation == USW_NORM1 && is_complex(c->row) ? 8 * one_rounding(part) : 0;
  return part->magnitude * (is_widened ? once : 4 * once * once) + part->underflow + one_rounding(part) + moduli;
}

static long double allowed_error(const case_t *c, int number, usw_accuracy_t level,
                                 const usw_explanation_t *explained) {
  const oracle_part_t *part = &c->oracle.part[number];
  if (level == USW_REPRODUCIBLE)
    return allowed_reproducible(c, number);
  if (level == USW_COMPENSATED)
    return allowed_compensated(c, number, explained);
  const double bound = explained->error_bound;
  return isnan(bound) || bound >= 1 ? part->error : bound / (1 - bound) * part->magnitude + part->underflow;
}

static result_t run(const case_t *c, const laid_out_t *laid_out, usw_accuracy_t level, usw_explanation_t *explained) {
  usw_options_t options = place_options(&place);
  result_t result;
  memset(&result, 0, sizeof result);
  options.accuracy = level;
  *explained = (usw_explanation_t){.size = USW_INIT(usw_explanation_t)};
  CHECK_STATUS(USW_OK, usw_explain(c->row->operation, c->row->type, c->items->n, &options, explained));
  CHECK_STATUS(USW_OK, laid_out_reduce(laid_out, c->row, &options, &result));
  return result;
}

/* A finite number that is rounded; it may be one although a partial sum overflows, which bins do not. */
static int is_number(const oracle_part_t *part, usw_accuracy_t level) {
  return part->format.bits > 0 && isfinite(part->rounded) &&
         (part->check == PART_NEAR || (part->check == PART_OPEN && level == USW_REPRODUCIBLE));
}

/* Roundings behind the sum, or, of moduli, before it. */
static int last_roundings(const row_t *row) { return row->operation == USW_NORM1 && is_complex(row) ? 4 : 1; }

static void check_level(const case_t *c, usw_accuracy_t level, const result_t *result, const result_t *repeatable,
                        const usw_explanation_t *explained) {
  long double got[MOST_PARTS], plain[MOST_PARTS];
  const int count = result_parts(c->row, result, got);
  result_parts(c->row, repeatable, plain);
  for (int p = 0; p < count; p++) {
    const oracle_part_t *part = &c->oracle.part[p];
    const long double error = fabsl(got[p] - part->value), before = fabsl(plain[p] - part->value);
    const long double rounding = one_rounding(part) * last_roundings(c->row);
    const int has_others = c->set >= HARD_one_infinity && c->set <= HARD_one_nan; /* bounds are of sums without them */
    const int is_rounded = is_number(part, level) && !has_others;
    const long double allowed = is_rounded ? allowed_error(c, p, level, explained) : 0;
    check_count(is_rounded ? error <= allowed : oracle_part_agrees(part, got[p]), __FILE__, __LINE__,
                "%s_%s of %s, n=%zu, %s, number %d: %.20Lg is %.3Lg from %.20Lg, at most %.3Lg", c->row->name,
                type_name(c->row->type), hard_name(c->set), c->items->n, level_names[level], p, got[p], error,
                part->value, allowed);
    if (level == USW_REPRODUCIBLE && is_rounded && isfinite(before))
      check_count(error <= before + rounding + part->underflow, __FILE__, __LINE__,
                  "%s_%s of %s, n=%zu, number %d: reproducible is %.3Lg from the exact %.20Lg, repeatable %.3Lg",
                  c->row->name, type_name(c->row->type), hard_name(c->set), c->items->n, p, error, part->value, before);
  }
}

static long double part_of(number_t x, int imaginary) { return fabsl(imaginary ? x.im : x.re); }

/* The largest number that is added; a norm's is not asked for. */
static long double largest_of(const row_t *row, const items_t *items) {
  long double largest = 0;
  for (size_t i = 0; i < items->n; i++)
    for (int a = 0; a < 2; a++)
      for (int b = 0; b < (row->streams == 2 ? 2 : 1); b++) {
        const long double x = part_of(items->numbers_of_x[i], a),
                          size = row->streams == 2 ? x * part_of(items->numbers_of_y[i], b) : x;
        largest = size > largest ? size : largest;
      }
  return row->operation == USW_NORM1 ? 2 * largest : largest;
}

static void run_case(const row_t *row, hard_set_t set, const items_t *items, const laid_out_t *laid_out) {
  const number_t *y = row->streams == 2 ? items->numbers_of_y : NULL;
  const rounding_t rounding = {64 + (double)items->n, 0};
  case_t c = {.row = row, .set = set, .items = items, .largest = largest_of(row, items)};
  result_t repeatable;
  c.oracle = oracle_of(row, items->numbers_of_x, y, items->n, USW_NAN_PROPAGATE, rounding);
  for (int level = 0; level < LEVELS; level++) {
    usw_explanation_t explained;
    const result_t result = run(&c, laid_out, levels[level], &explained);
    if (level == 0)
      repeatable = result;
    check_level(&c, levels[level], &result, &repeatable, &explained);
  }
}

static void run_set(usw_type_t type, hard_set_t set, size_t n) {
  static const layout_t contiguous = {0, 1};
  items_t items = hard_items(set, type, n);
  hard_numbers(&items);
  laid_out_t laid_out = items_lay_out(&items, &place, contiguous);
  for (int r = 0; r < ROW_COUNT; r++)
    if (rows[r].type == type && row_is_rounded(&rows[r]) && rows[r].operation != USW_MULTIPLIES &&
        rows[r].operation != USW_NORM_INF && place_takes_next(&place, 3))
      run_case(&rows[r], set, &items, &laid_out);
  laid_out_free(&laid_out);
  items_free(&items);
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {1, 2, 65, 1000, 2049, 40009};
  place = place_of_arguments(argc, argv);
  const int is_emulated = strcmp(place.target, "simt") == 0;
  for (usw_type_t type = (usw_type_t)1; type_facts(type); type = (usw_type_t)(type + 1))
    for (int set = 0; set < HARD_COUNT; set++)
      for (size_t s = 0; s < sizeof sizes / sizeof *sizes - (size_t)is_emulated; s++)
        if (hard_fits((hard_set_t)set, type) && type_is_floating(type))
          run_set(type, (hard_set_t)set, sizes[s]);
  return check_report();
}
