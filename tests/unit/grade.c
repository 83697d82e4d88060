/* The grading of usw-selfcheck, with results put in that are right, nearly right and wrong. */
#include "oracle/grade.h"

#include <math.h>
#include <string.h>

#include "oracle/pattern.h"
#include "support/check.h"

static const double u = 0x1p-53;

/* What usw_explain() says of a call with that bound. */
static usw_explanation_t promised(double bound) {
  return (usw_explanation_t){.error_bound = bound, .error_relative = "the sum of |x[i]|"};
}
static mark_t mark_of(const oracle_part_t *expected, long double got, double bound) {
  const usw_explanation_t explained = promised(bound);
  return grade_number(expected, got, &explained);
}

/* sum_f64 of three items, whose exact sum is not a double: 1 + 2^-54 + 2^-53. */
static oracle_t sum_oracle(void) {
  const double x[] = {1, 0x1p-54, 0x1p-53};
  number_t numbers[3];
  const rounding_t rounding = {3, 0};
  numbers_of(USW_F64, x, 3, numbers);
  return oracle_of(row_find(USW_PLUS, USW_F64), numbers, NULL, 3, USW_NAN_PROPAGATE, rounding);
}

static void numbers(void) {
  const oracle_t o = sum_oracle();
  const oracle_part_t *sum = &o.part[0];
  CHECK_F64(1 + 0x1p-52, (double)sum->rounded);
  CHECK_I64(VERDICT_EXACT, mark_of(sum, 1 + 0x1p-52, 0).verdict);
  CHECK_I64(VERDICT_WITHIN, mark_of(sum, 1, 2 * u).verdict);
  CHECK_F64(0.75, mark_of(sum, 1, 2 * u).ulp);
  CHECK(fabs(mark_of(sum, 1, 2 * u).bound_ulp - 1) < 1e-9);
  CHECK(fabs(mark_of(sum, 1, 2 * u).share - 0.75) < 1e-9);
  CHECK_I64(VERDICT_WRONG, mark_of(sum, 1, u).verdict);
  CHECK_I64(VERDICT_WRONG, mark_of(sum, 1 + 0x1p-51, 2 * u).verdict);
  CHECK_I64(VERDICT_WITHIN, mark_of(sum, 1 + 0x1p-51, 3 * u).verdict);
  CHECK_I64(VERDICT_WRONG, mark_of(sum, NAN, 1e6 * u).verdict);
  CHECK_I64(VERDICT_WRONG, mark_of(sum, INFINITY, 1e6 * u).verdict);
  /* Where the library promises nothing, the oracle's tolerance holds: seven times twice u. */
  CHECK_I64(VERDICT_WITHIN, mark_of(sum, 1 + 7 * 0x1p-52, NAN).verdict);
  CHECK_I64(VERDICT_WRONG, mark_of(sum, 1 + 9 * 0x1p-52, NAN).verdict);
}

/* What has to be one value and no other. */
static void values(void) {
  const oracle_part_t zero = {.check = PART_SAME, .value = 0.0L, .rounded = 0.0L};
  const oracle_part_t nan = {.check = PART_SAME, .value = NAN, .rounded = NAN};
  const oracle_part_t open = {.check = PART_OPEN},
                      not_finite = {.check = PART_NOT_FINITE, .value = NAN, .rounded = NAN};
  CHECK_I64(VERDICT_EXACT, mark_of(&zero, 0.0L, 0).verdict);
  CHECK_I64(VERDICT_WRONG, mark_of(&zero, -0.0L, 0).verdict);
  CHECK_I64(VERDICT_WRONG, mark_of(&zero, 1, 1).verdict);
  CHECK_I64(VERDICT_EXACT, mark_of(&nan, -NAN, 0).verdict);
  CHECK_I64(VERDICT_WRONG, mark_of(&nan, 0, 1).verdict);
  CHECK_I64(VERDICT_EXACT, mark_of(&open, 17, 0).verdict);
  CHECK_I64(VERDICT_EXACT, mark_of(&not_finite, INFINITY, 0).verdict);
  CHECK_I64(VERDICT_WRONG, mark_of(&not_finite, 1e308L, 0).verdict);
}

/* Sums that cancel, and overflow. */
static void edges(void) {
  const double cancelling[] = {1e16, 1, -1e16}, large[] = {0x1.8p1023, 0x1.8p1023};
  const rounding_t rounding = {3, 0};
  number_t items[3];
  numbers_of(USW_F64, cancelling, 3, items);
  oracle_t o = oracle_of(row_find(USW_PLUS, USW_F64), items, NULL, 3, USW_NAN_PROPAGATE, rounding);
  const mark_t none = mark_of(&o.part[0], 0, 2 * u);
  CHECK(none.cancels && none.verdict == VERDICT_WITHIN && none.ulp == 0x1p52);
  CHECK_I64(VERDICT_WRONG, mark_of(&o.part[0], 6, 2 * u).verdict);
  numbers_of(USW_F64, large, 2, items);
  o = oracle_of(row_find(USW_PLUS, USW_F64), items, NULL, 2, USW_NAN_PROPAGATE, rounding);
  CHECK_I64(VERDICT_EXACT, mark_of(&o.part[0], INFINITY, u).verdict);
  CHECK_I64(VERDICT_WRONG, mark_of(&o.part[0], 0x1.fffffffffffffp1023L, u).verdict);
}

/* Bounds of the upper levels: a share of the largest item, and the last rounding. */
static void upper_levels(void) {
  const oracle_t o = sum_oracle();
  const oracle_part_t *sum = &o.part[0];
  usw_explanation_t e = {.error_bound = 0x1p-80, .error_relative = "the largest |x[i]|", .result_bound = u};
  CHECK_F64(1, (double)sum->largest);
  CHECK_I64(VERDICT_EXACT, grade_number(sum, 1 + 0x1p-52, &e).verdict);
  CHECK_I64(VERDICT_WRONG, grade_number(sum, 1, &e).verdict);
  e.error_bound = 0x1p-54;
  CHECK_I64(VERDICT_WITHIN, grade_number(sum, 1, &e).verdict);
  e.result_bound = 0;
  CHECK_I64(VERDICT_WRONG, grade_number(sum, 1, &e).verdict);
}

/* A grade keeps the worst, and where it was. */
static void grades(void) {
  const oracle_t o = sum_oracle();
  const usw_explanation_t bound = promised(2 * u);
  grade_t grade = {.row = o.row, .verdict = VERDICT_EXACT};
  result_t result;
  memset(&result, 0, sizeof result);
  result.f64 = 1 + 0x1p-52;
  CHECK(grade_result(&grade, &o, &result, &bound, "first") && grade.verdict == VERDICT_EXACT);
  result.f64 = 1;
  CHECK(grade_result(&grade, &o, &result, &bound, "second") && grade.verdict == VERDICT_WITHIN);
  result.f64 = 1 + 0x1p-52;
  CHECK(grade_result(&grade, &o, &result, &bound, "third") && grade.verdict == VERDICT_WITHIN);
  CHECK_TEXT_HAS(grade.worst_case, "second");
  CHECK_F64(0.75, grade.worst.ulp);
  result.f64 = 2;
  CHECK(!grade_result(&grade, &o, &result, &bound, "fourth") && grade.verdict == VERDICT_WRONG && grade.wrong == 1);
  CHECK_TEXT_HAS(grade.why, "fourth: number 1 of 1: expected 1.0000000000000002");
  grade_wrong(&grade, "fifth", "other bits");
  CHECK(grade.wrong == 2 && strstr(grade.why, "fourth"));
}

/* An index that is off by one. */
static void indices(void) {
  const float x[] = {3, -1, 2};
  const rounding_t rounding = {3, 1};
  number_t items[3];
  numbers_of(USW_F32, x, 3, items);
  const oracle_t o = oracle_of(row_find(USW_ARGMIN, USW_F32), items, NULL, 3, USW_NAN_PROPAGATE, rounding);
  const usw_explanation_t bound = promised(0);
  usw_located_f32_t located = {-1, 1};
  grade_t grade = {.row = o.row, .verdict = VERDICT_EXACT};
  result_t result;
  memset(&result, 0, sizeof result);
  memcpy(&result, &located, sizeof located);
  CHECK(grade_result(&grade, &o, &result, &bound, "right") && grade.verdict == VERDICT_EXACT);
  located.index = 2;
  memcpy(&result, &located, sizeof located);
  CHECK(!grade_result(&grade, &o, &result, &bound, "wrong") && grade.verdict == VERDICT_WRONG);
}

int main(void) {
  numbers();
  values();
  edges();
  upper_levels();
  grades();
  indices();
  return check_report();
}
