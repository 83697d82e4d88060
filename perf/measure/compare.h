/* Two measurements side by side, and where a peer is ahead in one.
 *
 * Clocks, temperatures and hosts differ from run to run, so that times of two runs are not judged. What holds is the ratio
 * of Upsweep's time to that of a reference that was called in the same rounds: the plain read of the same bytes, or a peer.
 * A shift is the change of one such ratio. It is a regression or an improvement where the ratios of the rounds differ by
 * more than chance (Mann-Whitney, p < 0.01 after Holm's correction over all shifts), their medians by more than a limit, and most
 * of the cell's references say so: one that has itself become faster or slower is no witness. */
#ifndef MEASURE_COMPARE_H
#define MEASURE_COMPARE_H

#include "measurement.h"

typedef enum bench_verdict { BENCH_SAME, BENCH_REGRESSION, BENCH_IMPROVEMENT } bench_verdict_t;

/* One competitor of Upsweep's own against one reference in one cell. Texts belong to the measurements. */
typedef struct bench_shift {
  const char *place, *suite, *kernel, *type;
  uint64_t n;
  const char *competitor, *accuracy;
  const char *reference; /* NULL where the files have none in common: then the times themselves are judged */
  double before_us, after_us;
  double reference_before_us, reference_after_us; /* 0 without a reference */
  double before, after;                           /* own by reference: medians over the rounds; times without one */
  double change;                                  /* after / before - 1: above 0 is slower */
  double p;                                       /* after Holm's correction; NaN where a file has no rounds */
  double limit;                                   /* as a change */
  bench_verdict_t verdict;
} bench_shift_t;

typedef struct bench_comparison {
  bench_shift_t *shifts; /* by place, suite, kernel, type and n */
  int count;
  int cells_compared, cells_without_reference, cells_only_before, cells_only_after;
  int by_medians;         /* shifts without rounds: judged by the limit alone */
  int too_few_rounds;     /* shifts that chance would explain whatever their rounds were: the files have too few */
  int without_references; /* the files have no reference in common: times are judged */
  int contradicted;       /* shifts beyond a limit that most references of the cell do not show */
  int regressions, improvements;
} bench_comparison_t;

/* Compares; limit_percent 0 means the table of limits. Returns 0, or -1 where there is no memory. Both measurements have to
 * outlive the comparison. */
int bench_compare(const bench_measurement_t *before, const bench_measurement_t *after, double limit_percent,
                  bench_comparison_t *comparison_out);
void bench_comparison_free(bench_comparison_t *comparison);

/* A cell where the best form of a peer is ahead of what a caller of Upsweep gets, by more than noise. */
typedef struct bench_behind {
  const bench_cell_t *cell;
  const bench_entry_t *own, *peer;
  double factor; /* own time by the peer's */
} bench_behind_t;

/* Own times up to so much above a peer's are level with it, and so are times as much below. */
#define BENCH_NOISE 1.03

/* Fills the list, worst first, one line for a cell and its fastest peer; the caller frees it. Returns how many there are, or
 * -1 where there is no memory. */
int bench_find_behind(const bench_measurement_t *measurement, bench_behind_t **behind_out);

/* The fastest form of the fastest peer of a cell, or NULL. */
const bench_entry_t *bench_cell_peer(const bench_cell_t *cell);

/* The limit for a shift against the read kernel whose own call takes so long, and against others, as a change. */
double bench_limit(const char *place, const char *reference, double own_us);

#endif
