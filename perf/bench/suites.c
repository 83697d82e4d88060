/* The suites: lists of rows, and a row is a command line of its own. */
#include "bench.h"

#include <stdio.h>
#include <string.h>

/* A list that is NULL takes what a command line without it would take; so does 0. */
typedef struct suite_row {
  const char *suites, *places; /* both separated by commas */
  const char *kernels, *types, *apps, *lengths, *strategies, *accuracies, *peers;
  int repetitions, keeps_rounds; /* of which also the kernels alone are timed, where that can be */
  int is_wide;
} suite_row_t;

#define GPU_LENGTHS "1,2^10,2^16,2^20,2^22,2^24,2^26,2^28"
#define MORE_GPU_LENGTHS "1,2^10,2^13,2^16,2^18,2^20,2^22,2^24,2^26,2^28"
#define HOST_LENGTHS "1,2^10,2^14,2^18,2^22,2^26"
#define MORE_HOST_LENGTHS "1,2^6,2^10,2^12,2^14,2^16,2^18,2^20,2^22,2^24,2^26"
#define LEVEL_LENGTHS "2^10,2^16,2^20,2^24,2^28"
#define LEVELS "fast,repeatable,compensated,reproducible"
#define SUM_LEVELS LEVELS ",exact"
#define STRATEGIES "auto,tree,host_finish,multipass,tree_atomic,atomic,clause"
#define LIBRARIES "read,copy,cub,cublas"
#define GPU_PEERS LIBRARIES ",cuda_read,cub_deterministic,babelstream,plain_clause,shaped_clause"
#define HOST_PEERS "read,copy,serial,libomp,libgomp,openblas,tbb"
#define GPU_APPS_PEERS "read,copy,library,plain_clause"
#define HOST_APPS_PEERS "read,library,libomp"
static const suite_row_t rows[] = {
    /* What a user wants to know, and what guards the speed: main kernels against everybody. */
    {"standard,full", "gpu", "sum", "f64", NULL, MORE_GPU_LENGTHS, STRATEGIES, NULL, GPU_PEERS, 51, 1},
    {"standard,full", "gpu", "dot,min,argmin,describe,norm2", "f64", NULL, GPU_LENGTHS, "auto", NULL, GPU_PEERS, 51, 1},
    {"standard,full", "gpu", "sum", "f32,i32,u8,f16,cf64", NULL, GPU_LENGTHS, "auto", NULL, GPU_PEERS, 51, 1},
    {"standard,full", "gpu", "min", "i32,u8", NULL, GPU_LENGTHS, "auto", NULL, GPU_PEERS, 51, 1},
    {"standard,full", "gpu", NULL, NULL, "dot,complex_sum,field_summary,describe,red_comb,red_sum_struct,HISTOGRAM",
     "2^20,2^28", "auto", NULL, GPU_APPS_PEERS, 21, 1},
    {"standard", "host", "sum", "f64", NULL, MORE_HOST_LENGTHS, "auto", NULL, HOST_PEERS, 21, 1},
    {"standard", "host", "dot,min,argmin,describe,norm2", "f64", NULL, HOST_LENGTHS, "auto", NULL, HOST_PEERS, 21, 1},
    {"standard", "host", "sum,min", "f32,i32,u8", NULL, HOST_LENGTHS, "auto", NULL, HOST_PEERS, 21, 1},
    {"standard", "x86_64", "sum,dot,min", "f64,i32", NULL, "1,2^10,2^16,2^20", "auto", NULL, "on", 21, 1},
    /* Every application, and every function with every type. */
    {"applications,full", "gpu", NULL, NULL, "all", "2^28", "auto", NULL, GPU_APPS_PEERS, 11, 0},
    {"applications", "host", NULL, NULL, "all", "2^22", "auto", NULL, HOST_APPS_PEERS, 11, 0},
    {"breadth,full", "gpu", NULL, NULL, NULL, "2^10,2^20,2^28", "auto", NULL, LIBRARIES, 0, 0},
    {"breadth", "host", NULL, NULL, NULL, "2^10,2^16,2^20", "auto", NULL, "read,libomp,openblas,tbb", 0, 0},
    /* How strategies and accuracies stand to each other. */
    {"strategies", "gpu", "sum,min", "f64,i64", NULL, "1,2^10,2^16,2^20,2^24,2^28", STRATEGIES, NULL, GPU_PEERS, 31, 0},
    {"strategies", "gpu", "dot", "f64", NULL, "1,2^10,2^16,2^20,2^24,2^28", "auto", "repeatable,fast", "read", 31, 0},
    /* Plans bound to data, beside CUB captured in a graph. */
    {"bound", "gpu", "sum,prod,min,max,argmin,argmax,minmax,count,any,norm2,dot,describe", "f64,f32,i32", NULL,
     MORE_GPU_LENGTHS, "auto", NULL, "bound,cub,cublas", 51, 0},
    /* What the levels of accuracy cost, over data of one magnitude and of all of them. */
    {"accuracy", "gpu", "sum,dot", "f64,f32", NULL, LEVEL_LENGTHS, "auto", SUM_LEVELS, "read,cub,cub_deterministic", 51,
     1},
    {"accuracy", "gpu", "sum,dot", "f64,f32", NULL, LEVEL_LENGTHS, "auto", SUM_LEVELS, "read,cub_deterministic", 51, 1,
     .is_wide = 1},
    {"accuracy", "gpu", "norm2,describe", "f64", NULL, LEVEL_LENGTHS, "auto", LEVELS, "read", 51, 1},
    {"accuracy", "gpu", "sum", "cf64", NULL, LEVEL_LENGTHS, "auto", SUM_LEVELS, "read", 51, 1},
    {"accuracy", "gpu", "norm2", "f64", NULL, LEVEL_LENGTHS, "auto", LEVELS, "read", 51, 1, .is_wide = 1},
    {"accuracy", "host", "sum,dot", "f64", NULL, "2^10,2^16,2^20,2^24,2^27", "auto", SUM_LEVELS, "read,libomp", 21, 1},
    {"accuracy", "host", "sum,dot", "f32", NULL, "2^10,2^16,2^20,2^24,2^28", "auto", SUM_LEVELS, "read,libomp", 21, 1},
    {"accuracy", "host", "sum,dot", "f64", NULL, "2^10,2^16,2^20,2^24,2^27", "auto", SUM_LEVELS, "read", 21, 1,
     .is_wide = 1},
    {"accuracy", "host", "sum,dot", "f32", NULL, "2^10,2^16,2^20,2^24,2^28", "auto", SUM_LEVELS, "read", 21, 1,
     .is_wide = 1},
    {"accuracy", "host", "norm2,describe", "f64", NULL, "2^10,2^20,2^27", "auto", LEVELS, "read", 21, 1},
    {"accuracy", "host", "sum", "cf64", NULL, "2^10,2^20,2^26", "auto", SUM_LEVELS, "read", 21, 1},
    {"accuracy", "x86_64", "sum,dot", "f64,f32", NULL, "2^10,2^20", "auto", "repeatable,compensated,reproducible",
     "read", 21, 0},
    /* Seconds: does everything work? */
    {"quick", "gpu,host,x86_64,simt", "sum,min,dot", "f64,i32", NULL, "1,1000,2^14", "auto", NULL, "on", 5, 1},
    {"quick", "gpu,host,x86_64,simt", "sum", "f64", NULL, "1000", "auto", LEVELS, "off", 5, 0, .is_wide = 1},
    {"quick", "gpu,host,x86_64,simt", NULL, NULL, "red_comb,describe", "1000", "auto", NULL, "on", 5, 1},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Is the word one of the list, which NULL is none of? */
static int is_listed(const char *list, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',')
    if (strcspn(at, ",") == length && strncmp(at, word, length) == 0)
      return 1;
  return 0;
}

static int is_suite(const char *name) {
  for (int k = 0; k < ROWS; k++)
    if (is_listed(rows[k].suites, name))
      return 1;
  return 0;
}

/* What the command line has not said comes from the row. Returns 0, or -1 where the row has a word that is none. */
static int merge(bench_options_t *options, const suite_row_t *row) {
  const struct {
    bench_list_t list;
    int is_given;
    const char *words;
  } lists[] = {
      {BENCH_LIST_KERNELS, options->kernel_count, row->kernels},
      {BENCH_LIST_TYPES, options->type_count, row->types},
      {BENCH_LIST_APPS, options->app_count, row->apps},
      {BENCH_LIST_LENGTHS, options->length_count, row->lengths},
      {BENCH_LIST_STRATEGIES, options->strategy_count, row->strategies},
      {BENCH_LIST_ACCURACIES, options->accuracy_count, row->accuracies},
      {BENCH_LIST_PEERS, options->are_peers_given, row->peers},
  };
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
    if (!lists[k].is_given && lists[k].words && bench_parse_list(lists[k].list, lists[k].words, options))
      return -1;
  if (!options->repetitions)
    options->repetitions = row->repetitions;
  options->is_wide |= row->is_wide;
  options->keeps_rounds |= row->keeps_rounds;
  options->kernel_times |= row->keeps_rounds;
  return 0;
}

/* What nobody has said. */
static void fill_in(bench_options_t *options) {
  if (!options->kernel_count && !options->app_count)
    for (const bench_kernel_t *kernel = bench_kernels; kernel->name; kernel++)
      options->kernels[options->kernel_count++] = kernel;
  if (!options->type_count)
    for (const bench_type_t *type = bench_types; type->name; type++)
      options->types[options->type_count++] = type;
  if (!options->length_count)
    bench_parse_list(BENCH_LIST_LENGTHS, "1,2^10,2^16,2^20,2^22,2^24,2^26", options);
  if (!options->suite && !options->are_peers_given && !options->team_count)
    bench_parse_list(BENCH_LIST_PEERS, "on", options);
  if (!options->suite && !options->repetitions)
    options->repetitions = 21;
  if (!options->team_count)
    options->team_count = 1; /* one 0: as the library chooses */
}

/* Rows of functions say nothing to a command that names applications, and the other way round. */
static int fits(const suite_row_t *row, const bench_options_t *command, const bench_place_t *place) {
  return is_listed(row->suites, command->suite) && is_listed(row->places, place->name) &&
         !(row->apps ? command->kernel_count && !command->app_count : command->app_count && !command->kernel_count);
}

int bench_row(const bench_options_t *command, const bench_place_t *place, int k, bench_options_t *row_out) {
  *row_out = *command;
  if (command->suite && !is_suite(command->suite))
    return -1;
  if (!command->suite) {
    fill_in(row_out);
    return k == 0;
  }
  for (int row = 0; row < ROWS; row++) {
    if (!fits(&rows[row], command, place) || k-- > 0)
      continue;
    if (merge(row_out, &rows[row]))
      return -1;
    fill_in(row_out);
    return 1;
  }
  return 0;
}

int bench_print_suites(void) {
  int failed = 0;
  for (int k = 0; k < ROWS; k++) {
    bench_options_t options = {0};
    failed |= merge(&options, &rows[k]);
    printf("%-18s on %-22s %s, n = %s%s\n", rows[k].suites, rows[k].places,
           rows[k].apps      ? "applications"
           : rows[k].kernels ? rows[k].kernels
                             : "all functions",
           rows[k].lengths, rows[k].is_wide ? ", all exponents" : "");
  }
  return failed;
}
