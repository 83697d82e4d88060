#include "case_levels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "oracle/grade.h"
#include "oracle/pattern.h"

int strategy_is_by_atomics(usw_strategy_t strategy) {
  return strategy == USW_STRATEGY_TREE_ATOMIC || strategy == USW_STRATEGY_ATOMIC;
}

int strategy_has_any_order(usw_strategy_t strategy) {
  return strategy == USW_STRATEGY_CLAUSE || strategy_is_by_atomics(strategy);
}

int strategy_refuses(usw_strategy_t strategy, const row_t *row) {
  const int is_f64 = row->type == USW_F64 || row->type == USW_CF64;
  switch (strategy_is_by_atomics(strategy) ? row->operation : USW_NO_OPERATION) {
  case USW_ARGMIN:
  case USW_ARGMAX:
  case USW_DESCRIBE:
    return 1;
  case USW_NORM2:
    return is_f64;
  case USW_MULTIPLIES:
    return row->type == USW_CF64;
  default:
    return 0;
  }
}

int level_is_upper(usw_accuracy_t accuracy) { return accuracy == USW_COMPENSATED || accuracy == USW_REPRODUCIBLE; }

const char *level_suffix(usw_accuracy_t accuracy) {
  return accuracy == USW_COMPENSATED ? " compensated" : accuracy == USW_REPRODUCIBLE ? " reproducible" : "";
}

/* What rounds nothing is the same at all levels. A product has no upper level; atomics and clauses cannot combine what sums
 * need there. */
int strategy_has_level(usw_strategy_t strategy, const row_t *row) {
  const int is_one_order = !strategy_has_any_order(strategy) && row->operation != USW_MULTIPLIES;
  return !strategy_refuses(strategy, row) && (is_one_order || !row_is_rounded(row));
}

/* Sums of what is not rounded before. */
static int is_plain_sum(const row_t *row) {
  const int is_complex = type_facts(row->type)->class_of == CLASS_COMPLEX;
  return row->operation == USW_PLUS || row->operation == USW_DOT || row->operation == USW_DOTC ||
         (row->operation == USW_NORM1 && !is_complex);
}

/* Half a unit in the last place of a number of the part's format, at most. */
static long double rounding_of(const oracle_part_t *part) {
  return ldexpl(fabsl(part->value), -part->format.bits) + ldexpl(1, part->format.least_bit - 1);
}

/* A finite number that is rounded. */
static int is_number(const oracle_part_t *part) {
  return part->check == PART_NEAR && part->format.bits > 0 && isfinite(part->rounded);
}

int level_agrees(usw_accuracy_t accuracy, const oracle_t *oracle, double chain, const usw_explanation_t *explained,
                 const result_t *got, char *why, size_t why_bytes) {
  long double parts[MOST_PARTS];
  const int count = result_parts(oracle->row, got, parts);
  const int is_promised = accuracy == USW_COMPENSATED && is_plain_sum(oracle->row);
  for (int p = 0; p < count; p++) {
    const oracle_part_t part = oracle->part[p];
    const long double twice = (long double)chain * ldexpl(1, 1 - part.format.bits),
                      distance = fabsl(parts[p] - part.value);
    const long double allowed = rounding_of(&part) + twice * twice * part.magnitude + part.underflow;
    const mark_t mark = grade_number(&part, parts[p], explained);
    if (mark.verdict == VERDICT_WRONG) {
      snprintf(why, why_bytes, "number %d of %d: expected %s%.20Lg, got %.20Lg, %.3g ulp where %.3g are allowed", p + 1,
               count, part.check == PART_NOT_FINITE ? "no finite number, as " : "", part.rounded, parts[p], mark.ulp,
               mark.bound_ulp);
      return 0;
    }
    if (is_promised && is_number(&part) && parts[p] != part.rounded && !(distance <= allowed)) {
      snprintf(why, why_bytes, "number %d of %d: %.20Lg is %.3Lg from %.20Lg; in twice the precision at most %.3Lg",
               p + 1, count, parts[p], distance, part.value, allowed);
      return 0;
    }
  }
  return 1;
}

int level_is_as_near(const oracle_t *oracle, const result_t *repeatable, const result_t *got, char *why,
                     size_t why_bytes) {
  long double of_got[MOST_PARTS], of_repeatable[MOST_PARTS];
  const int count = result_parts(oracle->row, got, of_got);
  const int is_rounded_once = is_plain_sum(oracle->row) || oracle->row->operation == USW_DESCRIBE;
  const int roundings = is_rounded_once ? 1 : 2; /* of a root, or of moduli */
  result_parts(oracle->row, repeatable, of_repeatable);
  for (int p = 0; p < count; p++) {
    const oracle_part_t *part = &oracle->part[p];
    const long double before = fabsl(of_repeatable[p] - part->value), now = fabsl(of_got[p] - part->value);
    if (is_number(part) && isfinite(before) && !(now <= before + roundings * rounding_of(part))) {
      snprintf(why, why_bytes, "number %d of %d: %.20Lg is %.3Lg from %.20Lg, the repeatable result %.3Lg", p + 1,
               count, of_got[p], now, part->value, before);
      return 0;
    }
  }
  return 1;
}
