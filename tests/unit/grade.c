/* The grading of usw-selfcheck, with results put in that are right, nearly right and wrong. */
#include "selfcheck/grade.h"

#include <math.h>
#include <string.h>

#include "oracle/pattern.h"
#include "support/check.h"

static const double u = 0x1p-53;

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
  CHECK_I64(VERDICT_EXACT, grade_number(sum, 1 + 0x1p-52, 0).verdict);
  CHECK_I64(VERDICT_WITHIN, grade_number(sum, 1, 2 * u).verdict);
  CHECK_F64(0.75, grade_number(sum, 1, 2 * u).ulp);
  CHECK(fabs(grade_number(sum, 1, 2 * u).bound_ulp - 1) < 1e-9);
  CHECK(fabs(grade_number(sum, 1, 2 * u).share - 0.75) < 1e-9);
  CHECK_I64(VERDICT_WRONG, grade_number(sum, 1, u).verdict);
  CHECK_I64(VERDICT_WRONG, grade_number(sum, 1 + 0x1p-51, 2 * u).verdict);
  CHECK_I64(VERDICT_WITHIN, grade_number(sum, 1 + 0x1p-51, 3 * u).verdict);
  CHECK_I64(VERDICT_WRONG, grade_number(sum, NAN, 1e6 * u).verdict);
  CHECK_I64(VERDICT_WRONG, grade_number(sum, INFINITY, 1e6 * u).verdict);
  /* Where the library promises nothing, the oracle's tolerance holds: seven times twice u. */
  CHECK_I64(VERDICT_WITHIN, grade_number(sum, 1 + 7 * 0x1p-52, NAN).verdict);
  CHECK_I64(VERDICT_WRONG, grade_number(sum, 1 + 9 * 0x1p-52, NAN).verdict);
}

/* What has to be one value and no other. */
static void values(void) {
  const oracle_part_t zero = {.check = PART_SAME, .value = 0.0L, .rounded = 0.0L};
  const oracle_part_t nan = {.check = PART_SAME, .value = NAN, .rounded = NAN};
  const oracle_part_t open = {.check = PART_OPEN},
                      not_finite = {.check = PART_NOT_FINITE, .value = NAN, .rounded = NAN};
  CHECK_I64(VERDICT_EXACT, grade_number(&zero, 0.0L, 0).verdict);
  CHECK_I64(VERDICT_WRONG, grade_number(&zero, -0.0L, 0).verdict);
  CHECK_I64(VERDICT_WRONG, grade_number(&zero, 1, 1).verdict);
  CHECK_I64(VERDICT_EXACT, grade_number(&nan, -NAN, 0).verdict);
  CHECK_I64(VERDICT_WRONG, grade_number(&nan, 0, 1).verdict);
  CHECK_I64(VERDICT_EXACT, grade_number(&open, 17, 0).verdict);
  CHECK_I64(VERDICT_EXACT, grade_number(&not_finite, INFINITY, 0).verdict);
  CHECK_I64(VERDICT_WRONG, grade_number(&not_finite, 1e308L, 0).verdict);
}

/* Sums that cancel, and overflow. */
static void edges(void) {
  const double cancelling[] = {1e16, 1, -1e16}, large[] = {0x1.8p1023, 0x1.8p1023};
  const rounding_t rounding = {3, 0};
  number_t items[3];
  numbers_of(USW_F64, cancelling, 3, items);
  oracle_t o = oracle_of(row_find(USW_PLUS, USW_F64), items, NULL, 3, USW_NAN_PROPAGATE, rounding);
  const mark_t none = grade_number(&o.part[0], 0, 2 * u);
  CHECK(none.cancels && none.verdict == VERDICT_WITHIN && none.ulp == 0x1p52);
  CHECK_I64(VERDICT_WRONG, grade_number(&o.part[0], 6, 2 * u).verdict);
  numbers_of(USW_F64, large, 2, items);
  o = oracle_of(row_find(USW_PLUS, USW_F64), items, NULL, 2, USW_NAN_PROPAGATE, rounding);
  CHECK_I64(VERDICT_EXACT, grade_number(&o.part[0], INFINITY, u).verdict);
  CHECK_I64(VERDICT_WRONG, grade_number(&o.part[0], 0x1.fffffffffffffp1023L, u).verdict);
}

/* A grade keeps the worst, and where it was. */
static void grades(void) {
  const oracle_t o = sum_oracle();
  grade_t grade = {.row = o.row, .verdict = VERDICT_EXACT};
  result_t result;
  memset(&result, 0, sizeof result);
  result.f64 = 1 + 0x1p-52;
  CHECK(grade_result(&grade, &o, &result, 2 * u, "first") && grade.verdict == VERDICT_EXACT);
  result.f64 = 1;
  CHECK(grade_result(&grade, &o, &result, 2 * u, "second") && grade.verdict == VERDICT_WITHIN);
  result.f64 = 1 + 0x1p-52;
  CHECK(grade_result(&grade, &o, &result, 2 * u, "third") && grade.verdict == VERDICT_WITHIN);
  CHECK_TEXT_HAS(grade.worst_case, "second");
  CHECK_F64(0.75, grade.worst.ulp);
  result.f64 = 2;
  CHECK(!grade_result(&grade, &o, &result, 2 * u, "fourth") && grade.verdict == VERDICT_WRONG && grade.wrong == 1);
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
  usw_located_f32_t located = {-1, 1};
  grade_t grade = {.row = o.row, .verdict = VERDICT_EXACT};
  result_t result;
  memset(&result, 0, sizeof result);
  memcpy(&result, &located, sizeof located);
  CHECK(grade_result(&grade, &o, &result, 0, "right") && grade.verdict == VERDICT_EXACT);
  located.index = 2;
  memcpy(&result, &located, sizeof located);
  CHECK(!grade_result(&grade, &o, &result, 0, "wrong") && grade.verdict == VERDICT_WRONG);
}

int main(void) {
  numbers();
  values();
  edges();
  grades();
  indices();
  return check_report();
}
