/* The benchmark driver: what its files share.
 *
 * A suite (suites.c) is a list of rows, a row a table of cases: kernels x types x lengths, or applications x lengths.
 * functions.c makes the cases of the library's functions, apps/apps.c those of applications; both give them to cell.c. */
#ifndef BENCH_H
#define BENCH_H

#include <upsweep/explain.h>

#include "cell.h"

enum { BENCH_MAX_LIST = 64, BENCH_MAX_PEERS = 24, BENCH_MAX_COMPETITORS = 4 * BENCH_MAX_LIST + BENCH_MAX_PEERS };

/* Where everything runs. */
typedef struct bench_place {
  const char *name; /* "host", "x86_64", "gpu" */
  int device;       /* OpenMP device number; -1 for the host */
} bench_place_t;

/* What the elements are. */
typedef enum bench_data {
  BENCH_GENERAL, /* of both signs where the type has them, zeros among them; x and y differ */
  BENCH_FACTORS, /* without zeros, so that products say something; one stream */
  BENCH_WIDE,    /* the whole range of exponents: wide.c */
  BENCH_DATA_COUNT,
} bench_data_t;

/* What a result is: the kinds of functions.def. */
typedef enum bench_result {
  BENCH_RESULT_SUM,
  BENCH_RESULT_ELEMENT,
  BENCH_RESULT_REAL,
  BENCH_RESULT_BOOL,
  BENCH_RESULT_COUNT,
  BENCH_RESULT_LOCATED,
  BENCH_RESULT_EXTREMES,
  BENCH_RESULT_DESCRIBE,
} bench_result_t;

/* A function of functions.def. */
typedef struct bench_kernel {
  const char *name;
  usw_operation_t operation;
  int inputs; /* 1 or 2 */
  bench_result_t result;
  bench_data_t data;
  uint32_t types; /* bit c: there is a function for the type of code c */
} bench_kernel_t;

/* How a type counts. */
typedef enum bench_class { BENCH_INTEGER, BENCH_HALF, BENCH_FLOATING, BENCH_COMPLEX, BENCH_BOOLEAN } bench_class_t;

/* An element type of types.def. */
typedef struct bench_type {
  const char *name;
  usw_type_t type;
  size_t bytes;
  bench_class_t class;
  int is_signed;
  usw_type_t sum, real;        /* types of its sums and of its norms */
  size_t describe_index_bytes; /* from the start of a description to its first index */
} bench_type_t;

/* A result as numbers, in the order in which it stores them: a long double holds a 64-bit integer. */
typedef struct bench_numbers {
  int count;
  long double at[7];
} bench_numbers_t;

/* What a result has to be: each number within its tolerance. At the upper levels of accuracy usw_explain() says what that
 * is, as shares of the others; 0 where a number has no such bound. */
typedef struct bench_expected {
  bench_numbers_t numbers;
  long double tolerance[7];
  long double absolute[7]; /* the sum of all absolute values */
  long double largest[7];  /* the largest of them */
} bench_expected_t;

/* One call of a function: what its peers have to know. */
typedef struct bench_call {
  const bench_kernel_t *kernel;
  const bench_type_t *type;
  size_t n;
  const void *x, *y; /* y: NULL for kernels of one stream */
  int device;
} bench_call_t;

/* The command line, or a row of a suite. Lists end where their count says. */
typedef struct bench_options {
  const char *place; /* NULL: the GPU if there is one, else the host */
  const char *suite; /* NULL: none */
  const bench_kernel_t *kernels[BENCH_MAX_LIST];
  const bench_type_t *types[BENCH_MAX_LIST];
  const struct apps_case *apps[BENCH_MAX_LIST];
  size_t lengths[BENCH_MAX_LIST];
  usw_strategy_t strategies[BENCH_MAX_LIST];
  usw_accuracy_t accuracies[BENCH_MAX_LIST];
  uint32_t teams[BENCH_MAX_LIST];
  uint32_t peers; /* bit k: bench_peer_names[k] takes part */
  int kernel_count, type_count, app_count, length_count, strategy_count, accuracy_count, team_count;
  int are_peers_given;
  int repetitions;               /* 0: by length */
  int is_wide;                   /* the data has the whole range of exponents */
  int keeps_rounds;              /* every time goes into the file, not only medians and quartiles */
  int sweep, list, kernel_times; /* a second pass for the time of kernels alone */
  const char *json_file;
  const char *baseline; /* a file or a folder to compare with, or NULL */
} bench_options_t;

/* Cells that have to be measured again: guard.c. */
typedef struct bench_suspects bench_suspects_t;

/* A run of the program. */
typedef struct bench_session {
  const bench_options_t *options; /* of the present row */
  bench_place_t place;
  cJSON *results;
  cJSON *wrong_peers;               /* what peers got wrong, a line for each and cell */
  const bench_suspects_t *suspects; /* NULL: everything is measured */
  int is_timing_kernels;            /* the second pass, under a clock of the device's kernels alone */
} bench_session_t;

/* options.c. Returns 0, or the exit code of a command that is wrong. */
int bench_parse(int argc, char **argv, bench_options_t *options_out);

/* lists.c: puts the words of a list, separated by commas, into a list of the options. Returns 0, or an error after a
 * line on stderr. */
typedef enum bench_list {
  BENCH_LIST_KERNELS,
  BENCH_LIST_TYPES,
  BENCH_LIST_APPS,
  BENCH_LIST_LENGTHS,
  BENCH_LIST_STRATEGIES,
  BENCH_LIST_ACCURACIES,
  BENCH_LIST_TEAMS,
  BENCH_LIST_PEERS,
} bench_list_t;
int bench_parse_list(bench_list_t list, const char *text, bench_options_t *options);

/* suites.c: the k-th row of the suite that the options name, for the place, where the command line has not said
 * something else; without a suite the command line is the only row. Returns 0 behind the last row, -1 where there is no
 * such suite. bench_print_suites() returns -1 where a row has a word that is none. */
int bench_row(const bench_options_t *command, const bench_place_t *place, int k, bench_options_t *row_out);
int bench_print_suites(void);

/* cases.c: what can be computed, and over which data. Lists end with a NULL name. bench_fill() writes elements of
 * stream `input` that repeat every BENCH_PERIOD; an element is what bench_element() says, times bench_unit(). */
enum { BENCH_PERIOD = 1000 };
typedef struct bench_element {
  int64_t real, imaginary;
} bench_element_t;
extern const bench_kernel_t bench_kernels[];
extern const bench_type_t bench_types[];
static inline int bench_has(const bench_kernel_t *kernel, const bench_type_t *type) {
  return kernel->types >> type->type & 1;
}
bench_element_t bench_element(const bench_type_t *type, bench_data_t data, int input, size_t i);
double bench_unit(const bench_type_t *type, int input);
void bench_fill(const bench_type_t *type, bench_data_t data, int input, size_t n, void *elements_out);

/* expected.c: what has to come out, from the period of the data alone. */
bench_expected_t bench_expect(const bench_kernel_t *kernel, const bench_type_t *type, size_t n);
bench_numbers_t bench_numbers(const bench_kernel_t *kernel, const bench_type_t *type, const bench_value_t *value);
int bench_is_right(const bench_expected_t *expected, const bench_numbers_t *found, int is_plain_loop);
/* What a call of an upper level is allowed, in place of the tolerances: usw_explanation_t's bounds, and what long doubles
 * cannot tell apart. */
void bench_allow(bench_expected_t *expected, const usw_explanation_t *promised);

/* wide.c: data of the whole range of exponents, for the sums that have it. */
int bench_has_wide(const bench_kernel_t *kernel, const bench_type_t *type);
void bench_fill_wide(const bench_type_t *type, int input, size_t n, void *elements_out);
bench_expected_t bench_expect_wide(const bench_kernel_t *kernel, const bench_type_t *type, size_t n);

/* data.c: the words for places; the place, memory there (NULL if there is none), and one buffer per input on it, filled up to n. */
int bench_is_place(const char *name);
int bench_find_place(const char *name, bench_place_t *place_out);
void *bench_allocate(const bench_place_t *place, size_t bytes);
void bench_free(const bench_place_t *place, void *memory);
int bench_make_data(const bench_place_t *place, const bench_type_t *type, bench_data_t data, size_t n, int inputs,
                    void *streams_out[2]);
void bench_free_data(const bench_place_t *place, void *streams[2]);

/* functions.c: all cases of a row that are the library's functions. Returns how many failed. */
int bench_run_functions(bench_session_t *session);

/* competitors.c: who takes part in a case of the library's functions. */
extern const char *const bench_peer_names[];
int bench_enlist(const bench_options_t *options, const bench_place_t *place, bench_competitor_t *competitors);
int bench_enlist_peers(const bench_session_t *session, const bench_case_t *what, bench_competitor_t *competitors);
int bench_is_peer_wanted(const bench_options_t *options, const char *name);
void bench_add_peers(cJSON *context); /* the versions of those that were opened */

/* What every kernel can promise by the strategy: repeatable bits, or not where partials meet in any order. */
static inline usw_accuracy_t bench_accuracy(usw_strategy_t strategy) {
  const int any_order =
      strategy == USW_STRATEGY_CLAUSE || strategy == USW_STRATEGY_TREE_ATOMIC || strategy == USW_STRATEGY_ATOMIC;
  return any_order ? USW_FAST : USW_REPEATABLE;
}
usw_options_t bench_call_options(const bench_competitor_t *competitor, int device, usw_report_t *report);

/* references.c: who reads or copies the same bytes. bench_wake_up() lets the device work until its clocks are up;
 * bench_free_references() gives back the target of the copies. */
int bench_enlist_references(const bench_session_t *session, const bench_case_t *what, bench_competitor_t *competitors);
void bench_wake_up(const bench_place_t *place);
void bench_free_references(void);

/* kernel_times.c: adds the time of the device's kernels alone to the entries of those who have just been found to
 * run the case; nothing where there is no clock for it. */
void bench_time_kernels(const bench_session_t *session, const bench_case_t *what, const bench_competitor_t *competitors,
                        int count);

/* guard.c: compares the results of a run with a baseline of the same device and suite, and with limits against peers.
 * What looks slower is measured again, twice at most: a regression is what stays. Prints what it found; returns how many
 * cells are slower. bench_is_wanted() says whether a cell has to be measured in this pass. */
int bench_guard(bench_session_t *session, const bench_options_t *command, cJSON *root,
                int (*run_rows)(bench_session_t *session, const bench_options_t *command));
int bench_is_wanted(const bench_session_t *session, const char *suite, const char *kernel, const char *type, size_t n);

/* words.c: names of strategies and accuracies, as --help has them; bench_find_*() return -1 for other words. */
const char *bench_strategy_name(usw_strategy_t strategy);
const char *bench_accuracy_name(usw_accuracy_t accuracy);
int bench_find_strategy(const char *word);
int bench_find_accuracy(const char *word);

/* report.c: lines of text, entries of JSON, and the best number of teams of each strategy. */
void bench_print_heading(void);
void bench_print_line(const bench_case_t *what, const bench_competitor_t *competitor);
void bench_print_best(const bench_case_t *what, const bench_competitor_t *competitors, int count);
void bench_add_entry(const bench_session_t *session, const bench_case_t *what, const bench_competitor_t *competitor,
                     int repetitions);
cJSON *bench_find_entry(cJSON *results, const bench_case_t *what, const char *place,
                        const bench_competitor_t *competitor);

/* list.c. 0, or -1: see bench_print_suites(). */
int bench_print_list(void);

#endif
