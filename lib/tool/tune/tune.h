/* `usw tune`: measures the ways that calls of the library can run, and writes a tuning file with those that are faster than
 * the built-in ones. A cell is a class of kernels at a length. Every way of a cell takes turns with the others in each
 * round; the fastest then takes turns with the one in use alone, and becomes an entry if that second measurement, which did not
 * choose it, finds it faster by more than chance as well, and it is slower neither for the other kernels of the class nor
 * for the shortest and the longest calls that the entry is for. Kernels with many results are classes of their own, whose
 * other kernels are other shapes. */
#ifndef TUNE_H
#define TUNE_H

#include "bench/bench.h"
#include "tune/links.h"

enum { TUNE_MAX_WAYS = 32, TUNE_MAX_CELLS = 128, TUNE_MAX_ENTRIES = 4 * TUNE_MAX_CELLS, TUNE_KERNELS = 4 };

/* What a call reduces to: one result, or many, of `length` items each, of segments on average. */
typedef enum tune_shape { TUNE_ONE_RESULT, TUNE_ROWS, TUNE_COLUMNS, TUNE_SEGMENTS } tune_shape_t;

/* Kernels that an entry is for, as the library tells them apart, and functions that are of them; the first one is swept. */
typedef struct tune_kernel {
  const char *function, *type;
  usw_accuracy_t accuracy;
  tune_shape_t shape;
  size_t length;
} tune_kernel_t;

typedef struct tune_class {
  uint32_t item_bytes;
  const char *accumulator; /* "small" or "large" */
  const char *results;     /* "one", "axes" or "segments" */
  tune_kernel_t kernels[TUNE_KERNELS];
} tune_class_t;

/* A share is a number of teams for each multiprocessor, on the host the bytes of a chunk; it makes so many teams, or chunks,
 * of a call. */
typedef struct tune_way {
  usw_strategy_t strategy;
  uint32_t share, teams;
} tune_way_t;

typedef struct tune_time {
  double median_us, spread_us;
  double *rounds_us;
  int rounds;
} tune_time_t;

/* How a call runs by the table, and the most teams, or chunks, that an entry makes of it (0: any). */
typedef struct tune_use {
  usw_strategy_t strategy;
  uint32_t teams, most_teams;
} tune_use_t;

/* A length of a class, and what the sweep found. */
typedef struct tune_cell {
  const tune_class_t *class;
  uint64_t bytes, least_bytes, most_bytes; /* measured; an entry of it is for */
  int way_count;
  tune_way_t ways[TUNE_MAX_WAYS];
  tune_time_t times[TUNE_MAX_WAYS];
} tune_cell_t;

/* An entry, if p stays small enough. */
typedef struct tune_entry {
  const tune_cell_t *cell;
  usw_strategy_t asked;
  tune_way_t way, instead;
  double us, instead_us, spread_us; /* of the measurement that finds less of a gain */
  double p;                         /* of the first kernel's two samples; 1 where it is no entry */
  int is_confirmed;                 /* the second measurement took place */
} tune_entry_t;

/* One run of the program. */
typedef struct tune_run {
  bench_place_t place;
  uint32_t multiprocessors;
  double start, seconds;
  tune_cell_t cells[TUNE_MAX_CELLS];
  int cell_count, measured_count; /* that there are, that the time was enough for */
  tune_entry_t entries[TUNE_MAX_ENTRIES];
  int entry_count;
  tune_links_t links;
  int wrong; /* results */
} tune_run_t;

/* cells.c: what is measured on a place, which ways a cell has, and how many teams, or chunks, a share makes of its call, at
 * most so many (0: any). */
void tune_make_cells(tune_run_t *run);
int tune_find_ways(const tune_run_t *run, tune_cell_t *cell);
uint32_t tune_parts_of(const tune_run_t *run, const tune_cell_t *cell, uint32_t share, uint32_t most);
int tune_explain(const tune_run_t *run, const tune_cell_t *cell, const tune_kernel_t *kernel, usw_strategy_t asked,
                 tune_use_t *use_out);

/* many.c: the same of n items of a kernel with many results; and the entries of such a call in turns, as
 * bench_run_functions() has them of others. */
int tune_explain_many(const tune_kernel_t *kernel, const bench_options_t *names, size_t n, const usw_options_t *options,
                      tune_use_t *use_out);
int tune_run_many(bench_session_t *session, const tune_kernel_t *kernel);
enum { TUNE_TEXT_BYTES = 64 };
static inline int tune_has_many(const tune_class_t *class) { return class->kernels[0].shape != TUNE_ONE_RESULT; }
const char *tune_shape_text(const tune_kernel_t *kernel, char text[TUNE_TEXT_BYTES]);

/* sweep.c: the two measurements. */
void tune_sweep(tune_run_t *run);
void tune_confirm(tune_run_t *run);
void tune_free_times(tune_run_t *run);

/* table.c: the file, and what it says in words. Returns 0, or -1 after a line on stderr. */
int tune_write(const tune_run_t *run, const char *file, int argc, char **argv);
void tune_print(const tune_run_t *run);

int tune_main(int argc, char **argv);

#endif
