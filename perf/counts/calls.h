/* Calls whose instructions are counted: what the files of perf/counts share. */
#ifndef COUNTS_CALLS_H
#define COUNTS_CALLS_H

#include "bench/bench.h"

enum { COUNTS_MOST_STREAMS = 2, COUNTS_CALLS = 4, COUNTS_TEAMS = 2, COUNTS_MOST_PARTS = 4 };

/* One way to reduce. Most are for every function of functions.def, the others for one function of doubles. */
typedef struct counts_form counts_form_t;

/* A case: what is called, and all that a call needs and that is made before. */
typedef struct counts_case {
  const counts_form_t *form;
  bench_call_t call;
  usw_options_t options;
  usw_report_t report;
  usw_partial_t *partial;
  usw_set_t *set;
  usw_plan_t *plan;
  bench_value_t value;
  double variables[COUNTS_MOST_STREAMS];
} counts_case_t;

struct counts_form {
  const char *name;
  usw_status_t (*prepare)(counts_case_t *counted); /* or NULL */
  usw_status_t (*run)(counts_case_t *counted);
  void (*clear)(counts_case_t *counted); /* or NULL */
  const char *only;                      /* the one function of the form, or NULL */
  int stride;                            /* elements of data per item */
  int parts;                             /* how many, of a form of parts */
};

/* forms.c: the forms, up to a NULL name. */
extern const counts_form_t counts_forms[];

/* counted.c: COUNTS_CALLS calls of a case, the last error of them. Valgrind collects while this runs and at no other time:
 * it knows the function by its name (counts.py). */
usw_status_t counted_calls(counts_case_t *counted);

/* residual.c: a user's kernel. */
usw_status_t counts_residual(size_t n, const double *b, const double *ax, double *sum, double *worst,
                             const usw_options_t *options);

#endif
