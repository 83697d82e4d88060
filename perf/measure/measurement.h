/* A JSON file of usw-bench, read: entries, sorted into cells. */
#ifndef MEASURE_MEASUREMENT_H
#define MEASURE_MEASUREMENT_H

#include <cjson/cJSON.h>
#include <stdint.h>

/* What a competitor is to the others. */
typedef enum bench_role {
  BENCH_OWN,       /* Upsweep */
  BENCH_REFERENCE, /* a plain read or a copy of the same bytes: no reduction */
  BENCH_PEER,      /* computes the same, and the host can read the answer at the end of the time */
  BENCH_PEER_PART, /* computes the same, but the time ends elsewhere: on the device, by a clock of its own */
} bench_role_t;

/* One competitor in one cell. Texts belong to the measurement; one that an entry lacks is "". Times in microseconds. */
typedef struct bench_entry {
  const char *place, *suite, *kernel, *type, *competitor, *form, *strategy, *accuracy;
  uint64_t n;
  bench_role_t role;
  double bytes; /* read by one call */
  double least_us, first_quartile_us, median_us, third_quartile_us;
  double gb_per_s; /* of elements read, at the median */
  int teams, repetitions;
  int round_count;         /* 0 where the file has no times of single rounds */
  const double *rounds_us; /* in the order of the rounds */
  int position;            /* of the entry in the file */
} bench_entry_t;

/* The competitors of one place, suite, kernel, type and n: entries of the measurement, in the order of the file. */
typedef struct bench_cell {
  const bench_entry_t *entries;
  int count;
} bench_cell_t;

typedef struct bench_measurement {
  char *name;           /* of the file */
  const cJSON *context; /* an object */
  bench_entry_t *entries;
  bench_cell_t *cells; /* sorted by place, suite, kernel, type and n */
  int entry_count, cell_count;
  double *rounds_us; /* all rounds of all entries */
  cJSON *owned;      /* what has to be freed, or NULL */
} bench_measurement_t;

/* Reads a file. Returns 0, or -1 after one line on stderr that starts with the program's name and names the file: one
 * that cannot be read, is no JSON of this form, or holds wrong results. Free it in the first case only. */
int bench_measurement_read(const char *file, bench_measurement_t *measurement_out);

/* The same for what a run has just made; `root` stays the caller's and has to outlive the measurement. */
int bench_measurement_of(const cJSON *root, const char *name, bench_measurement_t *measurement_out);
void bench_measurement_free(bench_measurement_t *measurement);

/* Orders cells by place, suite, kernel, type and n. */
int bench_cell_order(const bench_cell_t *left, const bench_cell_t *right);

/* The fastest entry of that competitor and accuracy (NULL: any) by median, or NULL. */
const bench_entry_t *bench_cell_best(const bench_cell_t *cell, const char *competitor, const char *accuracy);

/* What a caller who says nothing gets: `auto` at no particular accuracy, or else the fastest of Upsweep's own whose
 * accuracy is no dearer than the default; NULL where there is none. */
const bench_entry_t *bench_cell_own(const bench_cell_t *cell);

/* A text of the context, "" where it has none. */
const char *bench_context_text(const bench_measurement_t *measurement, const char *key);

/* The rate at which the device's memory can be read at most, in GB/s: from the context, or known by the device's name; 0
 * where nobody knows. */
double bench_peak_gb_per_s(const bench_measurement_t *measurement);

/* "2^20", "1000": powers of two from 2^10 on as powers. */
enum { BENCH_LENGTH_BYTES = 24 };
const char *bench_length_text(uint64_t n, char text_out[BENCH_LENGTH_BYTES]);

#endif
