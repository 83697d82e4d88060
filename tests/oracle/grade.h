/* Grades of reductions: how far results are from the exact ones, beside what the library promises. */
#ifndef ORACLE_GRADE_H
#define ORACLE_GRADE_H

#include <upsweep/explain.h>

#include "oracle.h"

/* From best to worst. */
typedef enum verdict {
  VERDICT_UNSUPPORTED, /* and says so */
  VERDICT_EXACT,       /* every number is the exact one, rounded once */
  VERDICT_WITHIN,      /* within the bound */
  VERDICT_WRONG,
} verdict_t;
const char *verdict_name(verdict_t verdict);

/* One number of one result. */
typedef struct mark {
  verdict_t verdict;
  double ulp;       /* distance from the exact value, in units in the last place of that value, rounded */
  double bound_ulp; /* the bound in that unit */
  double share;     /* the distance as a share of the bound */
  int cancels;      /* what was added is more than ten times the result */
} mark_t;

/* promised is what usw_explain() says of the call; where it promises no bound, the oracle's holds. */
mark_t grade_number(const oracle_part_t *expected, long double got, const usw_explanation_t *promised);

enum { GRADE_TEXT = 400 };

/* All results of one function of one type, by one strategy on one place. */
typedef struct grade {
  const row_t *row;
  usw_strategy_t strategy;
  usw_accuracy_t accuracy; /* that was asked for: the best there is */
  verdict_t verdict;       /* the worst so far */
  long cases, wrong;       /* calls, and how many of them had a wrong result, status or bits */
  int changes;             /* results that had not the bits of the first run or layout, where they are promised */
  mark_t worst;            /* the largest distance of what does not cancel */
  double cancelling_ulp;   /* the largest distance of what does */
  double most_share;       /* of the bound, in any case */
  int has_bound;           /* usw_explain() promises one */
  char worst_case[GRADE_TEXT / 2];
  char why[GRADE_TEXT]; /* the first wrong result, or why it is not supported */
} grade_t;

/* Take a result into the grade. Returns whether it is right. */
int grade_result(grade_t *grade, const oracle_t *expected, const result_t *got, const usw_explanation_t *promised,
                 const char *note);
/* Take in that something else than a number is wrong. */
void grade_wrong(grade_t *grade, const char *note, const char *what);

#endif
