/* The benchmark driver: what its files share.
 *
 * A case is a kernel, a type and a length. Competitors run it in turns, one call each, round after
 * round, so that no one of them meets a warmer or a colder machine than the others. A time is wall
 * clock from the call to a value that the host can read; every single result is checked. */
#ifndef BENCH_H
#define BENCH_H

#include "bench_statistics.h"

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>
#include <upsweep/upsweep.h>

enum { BENCH_MAX_LIST = 64, BENCH_MAX_PEERS = 12, BENCH_MAX_COMPETITORS = 4 * BENCH_MAX_LIST + BENCH_MAX_PEERS };

/* Where everything runs. */
typedef struct bench_place {
  const char *name; /* "host", "x86_64", "gpu" */
  int device;       /* OpenMP device number; -1 for the host */
} bench_place_t;

/* What the elements are. */
typedef enum bench_data {
  BENCH_GENERAL, /* of both signs where the type has them, zeros among them; x and y differ */
  BENCH_FACTORS, /* without zeros, so that products say something; one stream */
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

/* A result of any kernel. */
typedef union bench_value {
  unsigned char bytes[64];
  double f64;
  float f32;
  int64_t i64;
  int32_t i32;
  uint64_t u64;
  uint8_t u8;
  usw_describe_f64_t described;
} bench_value_t;

/* A result as numbers, in the order in which it stores them: a long double holds a 64-bit integer. */
typedef struct bench_numbers {
  int count;
  long double at[7];
} bench_numbers_t;

/* What a result has to be: each number within its tolerance. */
typedef struct bench_expected {
  bench_numbers_t numbers;
  long double tolerance[7];
} bench_expected_t;

/* One call of a competitor: the case and where its data is. */
typedef struct bench_call {
  const bench_kernel_t *kernel;
  const bench_type_t *type;
  size_t n;
  const void *x, *y;
  int device;
} bench_call_t;

/* What a peer does with a call: 0, or -1 where it has no such case. */
typedef int (*bench_peer_t)(const bench_call_t *call, bench_value_t *result_out);

/* Somebody who runs cases, and how it went with the present one. */
typedef struct bench_competitor {
  const char *name;
  usw_strategy_t strategy;          /* of Upsweep */
  uint32_t teams;                   /* of Upsweep; 0 = as the library chooses */
  bench_peer_t peer;                /* not Upsweep, but this function */
  const struct peer_plugin *plugin; /* not Upsweep, but this case of a plugin, called in this form */
  const struct peer_case *plugin_case;
  int plugin_form;
  usw_strategy_t strategy_used;
  uint32_t teams_used, team_size_used;
  const char *form; /* how a peer runs this case, or NULL */
  int wrong;        /* results that were not the expected one */
  double *seconds;
  bench_statistics_t times;
} bench_competitor_t;

/* The command line. Lists end where their count says. */
typedef struct bench_options {
  const char *place; /* NULL: the GPU if there is one, else the host */
  const bench_kernel_t *kernels[BENCH_MAX_LIST];
  const bench_type_t *types[BENCH_MAX_LIST];
  size_t lengths[BENCH_MAX_LIST];
  usw_strategy_t strategies[BENCH_MAX_LIST];
  uint32_t teams[BENCH_MAX_LIST];
  uint32_t peers; /* bit k: bench_peer_names[k] takes part */
  int kernel_count, type_count, length_count, strategy_count, team_count;
  int repetitions; /* 0: by length */
  int breadth, sweep, list;
  const char *json_file;
} bench_options_t;

/* bench_options.c. Returns 0, or the exit code of a command that is wrong. bench_parse_number() takes 1000 or 2^20, at
 * least 1 and at most `most`; it returns 0, or -1 where the text is no such number. */
int bench_parse(int argc, char **argv, bench_options_t *options_out);
int bench_parse_number(const char *text, uint64_t most, uint64_t *number_out);

/* bench_cases.c: what can be computed, and over which data. Lists end with a NULL name. bench_fill() writes elements of
 * stream `input` that repeat every BENCH_PERIOD; an element is what bench_element() says, times bench_unit(). */
enum { BENCH_PERIOD = 1000 };
typedef struct bench_element {
  int64_t real, imaginary;
} bench_element_t;
extern const bench_kernel_t bench_kernels[];
extern const bench_type_t bench_types[];
int bench_has(const bench_kernel_t *kernel, const bench_type_t *type);
bench_element_t bench_element(const bench_type_t *type, bench_data_t data, int input, size_t i);
double bench_unit(const bench_type_t *type, int input);
void bench_fill(const bench_type_t *type, bench_data_t data, int input, size_t n, void *elements_out);

/* bench_expected.c: what has to come out, from the period of the data alone. */
bench_expected_t bench_expect(const bench_kernel_t *kernel, const bench_type_t *type, size_t n);
bench_numbers_t bench_numbers(const bench_kernel_t *kernel, const bench_type_t *type, const bench_value_t *value);
int bench_is_right(const bench_expected_t *expected, const bench_numbers_t *found, int is_plain_loop);

/* bench_data.c: the place, memory there (NULL if there is none), and one buffer per input on it, filled up to n. */
int bench_find_place(const char *name, bench_place_t *place_out);
void *bench_allocate(const bench_place_t *place, size_t bytes);
void bench_free(const bench_place_t *place, void *memory);
int bench_make_data(const bench_place_t *place, const bench_type_t *type, bench_data_t data, size_t n, int inputs,
                    void *streams_out[2]);
void bench_free_data(const bench_place_t *place, void *streams[2]);

/* bench_competitors.c: who takes part in a case, and one call of one of them. Both lists return
 * their lengths; peers come second, when Upsweep has set the driver's wait mode, which is the whole
 * process's. bench_settle() is called after every call, untimed. */
extern const char *const bench_peer_names[];
const char *bench_strategy_name(usw_strategy_t strategy);
/* What every kernel can promise by the strategy: repeatable bits, or not where partials meet in any order. */
static inline usw_accuracy_t bench_accuracy(usw_strategy_t strategy) {
  const int any_order =
      strategy == USW_STRATEGY_CLAUSE || strategy == USW_STRATEGY_TREE_ATOMIC || strategy == USW_STRATEGY_ATOMIC;
  return any_order ? USW_FAST : USW_REPEATABLE;
}
int bench_enlist(const bench_options_t *options, const bench_place_t *place, bench_competitor_t *competitors);
int bench_enlist_peers(const bench_options_t *options, const bench_place_t *place, const bench_call_t *call,
                       bench_competitor_t *competitors);
void bench_add_peers(const bench_options_t *options, const bench_place_t *place, cJSON *context); /* their versions */
usw_status_t bench_run(const bench_competitor_t *competitor, const bench_call_t *call, usw_record_t *record,
                       bench_value_t *value_out);
void bench_settle(const bench_competitor_t *competitor);

/* bench_report.c: lines of text, entries of JSON, and the best number of teams of each strategy. */
void bench_print_heading(void);
void bench_print_line(const bench_call_t *call, const bench_competitor_t *competitor);
void bench_print_best(const bench_call_t *call, const bench_competitor_t *competitors, int count);
void bench_add_entry(cJSON *results, const bench_place_t *place, const bench_call_t *call,
                     const bench_competitor_t *competitor, int repetitions);
void bench_print_list(void);

#endif
