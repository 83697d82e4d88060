#include "grade.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *verdict_name(verdict_t verdict) {
  static const char *const names[] = {"unsupported", "exact", "within", "wrong"};
  return names[verdict];
}

/* The unit in the last place of a number of the format. */
static long double unit_of(format_t format, long double rounded) {
  const int least = format.least_bit, last = rounded == 0 ? least : ilogbl(rounded) - format.bits + 1;
  return ldexpl(1, last > least ? last : least);
}

/* A bound to first order, b, is at most b / (1 - b) with all others. */
static long double all_orders(double bound) {
  return bound < 1 ? (long double)bound / (1 - (long double)bound) : INFINITY;
}

/* A variance from reproducible sums may lose 2^-78 of the largest square, but of n items at most n * 2^-76 of itself, and is
 * rounded once (@ref accuracy); our own one is not exact either. */
static long double allowed_of_variance(const oracle_part_t *e) {
  const long double lost = fminl(0x1p-78L * e->largest * e->largest, 0x1p-76L * e->variance_of * e->value);
  return lost + (0x1p-53L + 0x1p-60L) * e->value + e->underflow;
}

/* How far from the exact value the number may be. */
static long double allowed_of(const oracle_part_t *e, const usw_explanation_t *promised) {
  if (isnan(promised->error_bound))
    return e->error;
  if (e->variance_of > 0)
    return allowed_of_variance(e);
  const int is_of_largest = strncmp(promised->error_relative, "the largest", strlen("the largest")) == 0;
  const long double lost = all_orders(promised->error_bound) * (is_of_largest ? e->largest : e->magnitude);
  return lost + all_orders(promised->result_bound) * (fabsl(e->value) + lost) + e->underflow;
}

mark_t grade_number(const oracle_part_t *expected, long double got, const usw_explanation_t *promised) {
  const oracle_part_t *e = expected;
  mark_t mark = {.verdict = VERDICT_EXACT};
  if (e->check != PART_NEAR || !isfinite(e->rounded) || e->format.bits == 0) {
    mark.verdict = oracle_part_agrees(e, got) ? VERDICT_EXACT : VERDICT_WRONG;
    mark.ulp = mark.share = mark.verdict == VERDICT_WRONG ? INFINITY : 0;
    return mark;
  }
  const long double unit = unit_of(e->format, e->rounded), distance = fabsl(got - e->value);
  const long double allowed = allowed_of(e, promised);
  mark.ulp = (double)(distance / unit);
  mark.bound_ulp = (double)(allowed / unit);
  mark.share = distance == 0 || got == e->rounded ? 0 : (double)(distance / allowed);
  mark.cancels = e->magnitude > 10 * fabsl(e->value);
  if (got != e->rounded)
    mark.verdict = distance <= allowed ? VERDICT_WITHIN : VERDICT_WRONG; /* a NaN is no distance */
  if (mark.verdict == VERDICT_WRONG && isnan(got))
    mark.ulp = mark.share = INFINITY;
  return mark;
}

void grade_wrong(grade_t *grade, const char *note, const char *what) {
  grade->verdict = VERDICT_WRONG;
  if (grade->wrong++ == 0)
    snprintf(grade->why, sizeof grade->why, "%.190s: %.200s", note, what);
}

static void take_in(grade_t *grade, const mark_t *mark, const char *note) {
  if (mark->verdict > grade->verdict)
    grade->verdict = mark->verdict;
  if (mark->share > grade->most_share)
    grade->most_share = mark->share;
  if (mark->cancels) {
    grade->cancelling_ulp = fmax(grade->cancelling_ulp, mark->ulp);
  } else if (mark->ulp > grade->worst.ulp) {
    grade->worst = *mark;
    snprintf(grade->worst_case, sizeof grade->worst_case, "%s", note);
  }
}

int grade_result(grade_t *grade, const oracle_t *expected, const result_t *got, const usw_explanation_t *promised,
                 const char *note) {
  long double parts[MOST_PARTS];
  const int count = result_parts(grade->row, got, parts);
  grade->has_bound |= !isnan(promised->error_bound);
  for (int p = 0; p < count; p++) {
    const oracle_part_t *e = &expected->part[p];
    const mark_t mark = grade_number(e, parts[p], promised);
    take_in(grade, &mark, note);
    if (mark.verdict != VERDICT_WRONG)
      continue;
    char what[GRADE_TEXT];
    snprintf(what, sizeof what, "number %d of %d: expected %s%.20Lg, got %.20Lg, %.3g ulp where %.3g are allowed",
             p + 1, count, e->check == PART_NOT_FINITE ? "no finite number, as " : "", e->rounded, parts[p], mark.ulp,
             mark.bound_ulp);
    grade_wrong(grade, note, what);
    return 0;
  }
  return 1;
}
