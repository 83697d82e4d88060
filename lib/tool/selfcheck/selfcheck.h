/* usw-selfcheck: what its files share.
 *
 * Every function of the library over every type, on every place of this machine, by every strategy there, and in calls with
 * many results and scans: how far the results are from exact sums (oracle/exact.h), beside the bounds that the library
 * documents (usw_explain()), over data that is likely to go wrong (oracle/pattern.h); and whether bits repeat, from run to
 * run and wherever the data lies. */
#ifndef SELFCHECK_H
#define SELFCHECK_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "oracle/grade.h"
#include "oracle/place.h"

enum {
  SELFCHECK_STRATEGIES = 8,
  SELFCHECK_LEVELS = 3,
  SELFCHECK_PLACES = 4,
  SELFCHECK_MOST_ITEMS = 100003 /* but for selfcheck_run_long() */
};

/* What is called. */
typedef enum selfcheck_family {
  SELFCHECK_SINGLE, /* usw_reduce(), usw_reduce_pair() */
  SELFCHECK_AXES,
  SELFCHECK_SEGMENTS,
  SELFCHECK_BY_KEY,
  SELFCHECK_SCAN,
  SELFCHECK_FAMILIES
} selfcheck_family_t;
enum { SELFCHECK_WAYS = (SELFCHECK_STRATEGIES + SELFCHECK_FAMILIES - 1) * SELFCHECK_LEVELS };

extern const char *const selfcheck_family_names[SELFCHECK_FAMILIES]; /* "single", "axes", ... */

/* The command line. */
typedef struct selfcheck_options {
  int is_place_wanted[SELFCHECK_PLACES]; /* by the number of selfcheck_place_names */
  int is_place_named;
  unsigned char is_selected[ROW_COUNT]; /* the rows of functions and types */
  uint32_t strategies;                  /* bit s: usw_strategy_t s */
  uint32_t families;                    /* bit f: selfcheck_family_t f */
  int quick, is_long, verbose;
  const char *json_file;
  const char *compiler, *flags, *levels, *offload, *only; /* for the compiler's own clause */
  double limit_s;
} selfcheck_options_t;

extern const char *const selfcheck_place_names[SELFCHECK_PLACES]; /* "host", "x86_64", "gpu", "simt" */

/* options.c. Returns 0, or the exit status of a command line that is wrong. */
int selfcheck_parse(int argc, char **argv, selfcheck_options_t *options_out);

/* How functions are called: by a strategy, and at USW_COMPENSATED, at USW_REPRODUCIBLE, or else (USW_REPEATABLE) at the
 * best of the lower levels that the strategy has. */
typedef struct selfcheck_way {
  selfcheck_family_t family;
  usw_strategy_t strategy; /* of single reductions; else the one that the library takes */
  usw_accuracy_t accuracy;
} selfcheck_way_t;

typedef struct selfcheck_room selfcheck_room_t;

/* A place, and the grades of what runs there: one for each way and row; at the upper levels only of functions that round,
 * and of families only of what they have. */
typedef struct selfcheck_place {
  const char *name;
  test_place_t place;
  selfcheck_way_t ways[SELFCHECK_WAYS];
  int way_count;
  grade_t (*grades)[ROW_COUNT];
  selfcheck_room_t *room; /* NULL without families */
} selfcheck_place_t;

/* run.c: everything on one place. */
void selfcheck_run(const selfcheck_options_t *options, selfcheck_place_t *place);
/* One call and its grade, by options that are ready but for strategy and accuracy, which are the grade's. Returns
 * whether there was a result. */
struct laid_out;
int selfcheck_call(const selfcheck_place_t *place, grade_t *grade, const struct laid_out *items,
                   const oracle_t *expected, usw_nan_t nan, const char *note, result_t *result_out);

/* families.c. Memory of the place for offsets, keys and results of families. */
selfcheck_room_t *selfcheck_room_get(const test_place_t *place);
void selfcheck_room_free(selfcheck_room_t *room);
/* The same as selfcheck_call() of a call with many results or a scan, one result of which is that of all items. */
int selfcheck_call_family(const selfcheck_place_t *place, selfcheck_family_t family, grade_t *grade,
                          const struct laid_out *items, const oracle_t *expected, usw_nan_t nan, const char *note,
                          result_t *result_out);
/* Whether the family does not refuse the function at the level. */
int selfcheck_has_family(const selfcheck_place_t *place, selfcheck_way_t way, const row_t *row);

/* long.c: more items than 2^31, all of them one element. */
void selfcheck_run_long(const selfcheck_options_t *options, selfcheck_place_t *place);

/* report.c. The table has a line for each way and group of types, and what is wrong; with details one for each
 * function and type. selfcheck_add_grades() returns how many grades are wrong. */
void selfcheck_print_context(const cJSON *context, FILE *stream);
void selfcheck_print_heading(FILE *stream);
void selfcheck_print_place(const selfcheck_place_t *place, int verbose, FILE *stream);
int selfcheck_add_grades(const selfcheck_place_t *place, cJSON *grades);

#endif
