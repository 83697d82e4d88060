/* The ladders of reductions and of scans: what their files share. rungs.h and scan_rungs.h have the kernels, reduction.c and scan.c the
 * launches; the rest measures.
 *
 * A rung at a size of team and a k is an entry. Entries take turns, one reduction each, round after round; every result
 * is checked. A time is wall clock from the first launch to the sum on the host. */
#ifndef LADDER_H
#define LADDER_H

#include "bench/bench.h"

#include <stdio.h>

typedef enum ladder_rung {
  LADDER_INTERLEAVED,
  LADDER_CONTIGUOUS,
  LADDER_COALESCED,
  LADDER_ITEMS,
  LADDER_UNROLLED,
  LADDER_LECTURE,
  LADDER_USW_SUM,
  LADDER_USW_DOT, /* the library's own, as it chooses to run them */
  LADDER_SCAN_SERIAL,
  LADDER_SCAN_OWN_TILES,
  LADDER_SCAN_TREES,
  LADDER_SCAN_TWO_PASSES,
  LADDER_SCAN_ITEMS,
  LADDER_SCAN_LOOKS_BACK,
  LADDER_USW_SCAN,
  LADDER_RUNGS,
} ladder_rung_t;

/* The kernels: one for each rung of reductions, with its number, and those of scans. */
typedef enum ladder_kernel {
  LADDER_SCAN_SERIALLY = LADDER_USW_SUM,
  LADDER_SCAN_OWN_TOTALS,
  LADDER_SCAN_OWN,
  LADDER_SCAN_TILE_TREES,
  LADDER_SCAN_ADD_BASES,
  LADDER_SCAN_TILE_TOTALS,
  LADDER_SCAN_TILES_BEHIND,
  LADDER_SCAN_CLEAR,
  LADDER_SCAN_LOOKING_BACK,
  LADDER_KERNELS,
} ladder_kernel_t;

/* What a rung is called in files, and by people; how many arrays it has to read and write; whether it has a k, whether it is the library's own,
 * and whether it is of the scans. */
typedef struct ladder_fact {
  const char *word, *title;
  int arrays, has_items, is_own, is_scan;
} ladder_fact_t;
extern const ladder_fact_t ladder_facts[LADDER_RUNGS];

enum { LADDER_SIZES = 6, LADDER_MAX_ITEMS = 16, LADDER_MAX_ENTRIES = 256 };
extern const uint32_t ladder_team_sizes[LADDER_SIZES]; /* 32, 64, ... 1024 */

/* The elements, and room for partials, at a place. All sums are exact in any order: elements are 1 to 256. Scans write to y. */
typedef struct ladder_data {
  const bench_place_t *place;
  size_t n;
  double *x, *y;
  double *partials[2];      /* launches write one and read the other */
  double *host_partials;    /* the last ones, for the host's loop */
  size_t partial_count;     /* room in each */
  double sum, dot;          /* what has to come out */
  uint32_t work_group_load; /* so many partials are left to the host */
} ladder_data_t;

/* One launch of a kernel. */
typedef struct ladder_launch {
  const double *x;
  double *y;
  size_t n;
  double *partials; /* one for each team; of scans what scan_rungs.h says */
  uint32_t team_size, teams;
  int device; /* -1: the host */
} ladder_launch_t;

/* A rung at a size of team and a k, and how it went. */
typedef struct ladder_entry {
  ladder_rung_t rung;
  uint32_t team_size, k;    /* k is 1 where a rung has none */
  uint32_t teams, launches; /* teams of the first launch */
  int wrong, is_best;       /* results that were not the expected one; whether it is its rung's fastest */
  double *seconds;
  double median_us, first_quartile_us, third_quartile_us, gb_per_s;
  double share; /* of the GB/s of the library's own kernel */
} ladder_entry_t;

/* All of a measurement. */
typedef struct ladder_results {
  char device[256], place[16];
  size_t n;
  uint32_t work_group_load;
  int repetitions, count, are_scans;
  ladder_entry_t entries[LADDER_MAX_ENTRIES];
} ladder_results_t;

/* The command line. */
typedef struct ladder_options {
  const char *place; /* NULL: the GPU if there is one, else the host */
  size_t n;          /* 0: by the place */
  uint32_t team_sizes[LADDER_SIZES], items[LADDER_MAX_ITEMS], work_group_load;
  int size_count, item_count, are_scans;
  int repetitions; /* 0: as many as fit the time */
  const char *csv_file, *json_file;
} ladder_options_t;

/* Exit codes. */
enum { LADDER_OK, LADDER_FAILED, LADDER_NO_PLACE = 77 };

/* ladder.c: `usw-bench ladder`; argv[0] is the word. */
int ladder_main(int argc, char **argv);

/* options.c. Returns 0, or the exit code of a command line that is wrong. */
int ladder_parse(int argc, char **argv, ladder_options_t *options_out);

/* data.c. ladder_make_data() returns 0, or -1 after a line on stderr; data has to be freed in both cases.
 * ladder_poison() makes all partials NaN, and the output of scans, so that a sum of ones that nobody wrote is wrong. */
int ladder_make_data(const bench_place_t *place, size_t n, uint32_t work_group_load, ladder_data_t *data_out);
void ladder_free_data(ladder_data_t *data);
void ladder_poison(const ladder_data_t *data, int are_scans);

/* kernels.c: one launch, which has ended when this returns. */
void ladder_launch(int kernel, const ladder_launch_t *launch);

/* reduction.c: the whole sum. Says in the entry how many teams and launches it took. */
double ladder_reduce(ladder_entry_t *entry, const ladder_data_t *data);

/* scan.c: all running sums; returns the last one. Whether all of them are what they have to be. */
double ladder_scan(ladder_entry_t *entry, const ladder_data_t *data);
double ladder_last_output(const ladder_data_t *data);
int ladder_outputs_are_right(const ladder_data_t *data);

/* report.c. Writers return 0, or -1 after a line on stderr. */
void ladder_describe(ladder_results_t *results); /* times to GB/s, shares, and who is best */
void ladder_print(const ladder_results_t *results);
int ladder_write_csv(const ladder_results_t *results, const cJSON *context, const char *file);
void ladder_add_entries(const ladder_results_t *results, cJSON *array);

#endif
