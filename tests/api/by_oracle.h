/* Tests by chance of many results against the oracle: elements of its patterns, which are hard to add up, and results that must be within the
 * bounds of their level of accuracy or, where nothing rounds, exact. */
#ifndef USW_TESTS_BY_ORACLE_H
#define USW_TESTS_BY_ORACLE_H

#include "by_chance.h"
#include "oracle/oracle.h"

/* What is asked of each result. */
typedef struct {
  const row_t *row;
  usw_accuracy_t accuracy;
  usw_nan_t nan;
  int is_exact; /* all elements are small integers */
} question_t;

question_t question_of(const operation_t *operation, const type_t *type, const usw_options_t *options);

/* `count` elements of patterns by chance, one behind the other, for the caller to free; leaves is_exact where all are small integers. */
char *elements_of_patterns(question_t *question, size_t count);

/* Check one result of n items, contiguous, of one or two streams; chain is the most additions that an item goes through. */
void check_by_oracle(const question_t *question, char *const *items, size_t n, double chain, const char *found,
                     const char *note);

/* Whether a result has the same bits on every place, grid and layout: nothing rounds, or the level promises it. */
int has_one_answer(const question_t *question);

/* Check that results are the same, the signs of zeros included; every NaN counts as the same. */
void check_same_results(const question_t *question, size_t count, const char *expected, const char *found,
                        const char *note, const char *of_what);

/* Grids on which a case is repeated, in turn. */
enum { GRIDS = 6 };
static const uint32_t grids[GRIDS] = {1, 3, 50, 0, 17, 400};

#endif
