#include "by_oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_levels.h"
#include "oracle/pattern.h"
#include "support/check.h"

question_t question_of(const operation_t *operation, const type_t *type, const usw_options_t *options) {
  const question_t question = {row_find(operation->operation, type->type), options->accuracy, options->nan, 1};
  return question;
}

static pattern_t pattern_by_chance(usw_type_t type) {
  pattern_t pattern;
  do
    pattern = (pattern_t)chance(PATTERN_COUNT);
  while (!pattern_fits(pattern, type));
  return pattern;
}

char *elements_of_patterns(question_t *question, size_t count) {
  const usw_type_t type = question->row->type;
  const size_t bytes = type_bytes(type);
  char *const elements = (char *)malloc(count * bytes + 1);
  for (size_t first = 0, length; first < count; first += length) {
    const pattern_t pattern = pattern_by_chance(type);
    const size_t left = count - first;
    length = chance(2) ? left : 1 + chance(left);
    pattern_fill(pattern, type, elements + first * bytes, length, chance(1000));
    question->is_exact &= pattern_is_exact(pattern);
  }
  return elements;
}

/* The bound that usw_explain() tells is that of the host's chains. */
static usw_explanation_t explain(const question_t *q, size_t n, double chain) {
  const usw_options_t options = {
      .size = USW_INIT(usw_options_t), .place = USW_HOST, .accuracy = q->accuracy, .nan = q->nan};
  usw_explanation_t explained = {.size = USW_INIT(usw_explanation_t)};
  CHECK_STATUS(USW_OK, usw_explain(q->row->operation, q->row->type, n, &options, &explained));
  const double times = chain / (double)(explained.chain_length + 1);
  if (q->accuracy == USW_COMPENSATED && times > 1)
    explained.error_bound *= times * times;
  return explained;
}

void check_by_oracle(const question_t *q, char *const *items, size_t n, double chain, const char *found,
                     const char *note) {
  const rounding_t rounding = {chain, q->is_exact};
  number_t *numbers[2] = {NULL, NULL};
  result_t result;
  char why[640] = "";
  int is_right;
  for (int s = 0; s < q->row->streams; s++) {
    numbers[s] = (number_t *)malloc((n + 1) * sizeof *numbers[s]);
    numbers_of(q->row->type, items[s], n, numbers[s]);
  }
  memset(&result, 0, sizeof result);
  memcpy(&result, found, q->row->result_bytes);
  const oracle_t oracle = oracle_of(q->row, numbers[0], numbers[1], n, q->nan, rounding);
  if (level_is_upper(q->accuracy) && row_is_rounded(q->row)) {
    const usw_explanation_t explained = explain(q, n, chain);
    is_right = level_agrees(q->accuracy, &oracle, chain, &explained, &result, why, sizeof why);
  } else {
    is_right = oracle_agrees(&oracle, &result, why, sizeof why);
  }
  check_count(is_right, __FILE__, __LINE__, "%s: %zu items: %s", note, n, why);
  free(numbers[0]);
  free(numbers[1]);
}

/* The modulus of a complex number is rounded, by other functions on other places. */
int has_one_answer(const question_t *q) {
  const int has_moduli = q->row->result == RESULT_REAL && type_facts(q->row->type)->class_of == CLASS_COMPLEX;
  return q->accuracy == USW_REPRODUCIBLE ? !has_moduli || q->row->operation != USW_NORM_INF
                                         : !row_is_rounded(q->row) && !has_moduli;
}

void check_same_results(const question_t *q, size_t count, const char *expected, const char *found, const char *note,
                        const char *of_what) {
  const size_t bytes = q->row->result_bytes;
  for (size_t r = 0; r < count; r++) {
    result_t a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    memcpy(&a, expected + r * bytes, bytes);
    memcpy(&b, found + r * bytes, bytes);
    if (results_equal(q->row, &a, &b))
      continue;
    check_count(0, __FILE__, __LINE__, "%s: result %zu has not the bits of %s: 0x%llx, not 0x%llx", note, r, of_what,
                (unsigned long long)b.u64, (unsigned long long)a.u64);
    return;
  }
  check_count(1, __FILE__, __LINE__, "%s", note);
}
