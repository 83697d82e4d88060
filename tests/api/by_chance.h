/* What tests by chance of many results share: every operation and type, elements of small numbers, so that sums are exact in any order, and
 * how results compare. */
#ifndef USW_TESTS_BY_CHANCE_H
#define USW_TESTS_BY_CHANCE_H

#include <upsweep/explain.h>
#include <upsweep/upsweep.h>

#include "support/place.h"

typedef struct {
  usw_operation_t operation;
  uint32_t streams;
  const char *name;
} operation_t;

typedef struct {
  usw_type_t type;
  uint32_t bytes;
  const char *name;
} type_t;

/* Begin with a seed, from which the turns of an emulated GPU follow, too; then a number below another. */
void chance_begin(uint64_t seed);
uint64_t chance(uint64_t below);

/* How a call is shared out on a device: mostly as the library chooses; its teams, at most so many, and the items of blocks of segments. */
void shares_by_chance(usw_options_t *options, uint32_t most_teams);

/* An operation and a type that it has, of which the place has kernels of many results. */
void choose_operation(const test_place_t *place, const operation_t **operation_out, const type_t **type_out);

/* `count` elements of small numbers, for the caller to free; some are NaNs where that is asked for. */
char *elements_by_chance(const operation_t *operation, const type_t *type, size_t count, int has_nans);

/* Whether results are alike: equal, but for what is rounded in another order. */
int results_are_alike(const operation_t *operation, const type_t *type, const char *expected, const char *found);

/* Check `count` results; the note says of what. */
void check_many_results(const operation_t *operation, const type_t *type, const char *note, size_t count,
                        const char *expected, const char *found);

/* Check what usw_explain_...() says of a call against the call's report. */
void check_explained(const char *note, usw_status_t status, const usw_shares_explanation_t *explanation,
                     const usw_report_t *report);

/* How many cases a program runs by itself: on an emulated GPU, in the quick tier, else. Under sanitizers the quick tier runs as many on the
 * host as on an emulated GPU: the same cases run there without sanitizers, too. */
typedef struct {
  uint64_t emulated, quick, full;
} case_counts_t;

/* Run cases: --runs of them, from --seed (1) on. A campaign is 100000 of them, each repeated 20 times:
 *   axes --runs 100000 --repeats 20 */
void run_by_chance(int argc, char **argv, const test_place_t *place, case_counts_t counts, void (*run)(uint64_t seed));

/* How often a case is repeated, for its bits: --repeats; by itself some cases are, a few times. */
uint64_t repeats_by_chance(void);

#endif
