/* What strategies and levels of accuracy promise, as the table of cases checks it. */
#ifndef USW_TESTS_CASE_LEVELS_H
#define USW_TESTS_CASE_LEVELS_H

#include <upsweep/explain.h>

#include "oracle/oracle.h"

/* By these strategies combining goes in any order: what rounds is for USW_FAST alone. */
int strategy_is_by_atomics(usw_strategy_t strategy);
int strategy_has_any_order(usw_strategy_t strategy);
/* Whether the strategy does not have the function, because what it accumulates is too large for atomics. */
int strategy_refuses(usw_strategy_t strategy, const row_t *row);

/* USW_COMPENSATED, USW_REPRODUCIBLE */
int level_is_upper(usw_accuracy_t accuracy);
/* "" of the lower levels, " compensated", " reproducible" */
const char *level_suffix(usw_accuracy_t accuracy);

/* Whether a strategy has a function at the upper levels. */
int strategy_has_level(usw_strategy_t strategy, const row_t *row);

/* Whether a result of an upper level is as near to the exact one as usw_explain() says and, of a compensated sum, as the
 * contract does: as if in twice the precision, over a chain of that many additions, and rounded once. If not, why says in
 * a line what was expected and what came. */
int level_agrees(usw_accuracy_t accuracy, const oracle_t *oracle, double chain, const usw_explanation_t *explained,
                 const result_t *got, char *why, size_t why_bytes);

/* Whether a reproducible sum, norm or moment is no further from the exact one than a repeatable one and its last roundings. */
int level_is_as_near(const oracle_t *oracle, const result_t *repeatable, const result_t *got, char *why,
                     size_t why_bytes);

#endif
