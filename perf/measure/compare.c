#include "compare.h"

#include "significance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limits against the read kernel on devices, by the length of Upsweep's call: short calls are mostly launch and wait, whose
 * share in both times changes from run to run. `usw bench --compare --help` tells them. */
static const struct {
  double above_us, change;
} read_limits[] = {{100, 0.05}, {20, 0.08}, {0, 0.12}};
static const double peer_limit = 0.25; /* also of times themselves */
/* On a host whole processes are fast or slow: pages, neighbours on a core and threads that spin are not the same in each.
 * Factors of 2 were seen on 16 virtual cores. Finer is what the tests perf.counts see: instructions. */
static const double host_limit = 1;
static const double significant_p = 0.01;

double bench_limit(const char *place, const char *reference, double own_us) {
  size_t k = 0;
  if (strcmp(place, "host") == 0)
    return host_limit;
  if (!reference || strcmp(reference, "read") != 0)
    return peer_limit;
  while (own_us < read_limits[k].above_us)
    k++;
  return read_limits[k].change;
}

/* A comparison being made: room for shifts, and for the ratios of the longest rounds. */
typedef struct work {
  bench_comparison_t *comparison;
  double *least_p; /* what the test could say of each shift at least */
  int room;
  double *ratios[2];
  double limit_percent;
} work_t;

/* Ratios of the rounds that two entries share, or nothing where they were not called in the same rounds. */
static int ratios_of(const bench_entry_t *own, const bench_entry_t *reference, double *ratios_out) {
  if (reference && reference->round_count != own->round_count)
    return 0;
  for (int round = 0; round < own->round_count; round++)
    ratios_out[round] = own->rounds_us[round] / (reference ? reference->rounds_us[round] : 1);
  return own->round_count;
}

static int grow(work_t *work) {
  if (work->comparison->count < work->room)
    return 0;
  const int room = work->room ? 2 * work->room : 256;
  bench_shift_t *shifts = realloc(work->comparison->shifts, (size_t)room * sizeof *shifts);
  work->comparison->shifts = shifts ? shifts : work->comparison->shifts;
  double *least_p = realloc(work->least_p, (size_t)room * sizeof *least_p);
  work->least_p = least_p ? least_p : work->least_p;
  if (!shifts || !least_p)
    return -1;
  work->room = room;
  return 0;
}

/* Own entries and references are those before and after; references are NULL where times are judged. */
static int add_shift(work_t *work, const bench_entry_t *const own[2], const bench_entry_t *const reference[2]) {
  if (grow(work))
    return -1;
  double middle[2];
  int rounds[2];
  for (int k = 0; k < 2; k++) {
    rounds[k] = ratios_of(own[k], reference[k], work->ratios[k]);
    middle[k] = own[k]->median_us / (reference[k] ? reference[k]->median_us : 1);
  }
  bench_shift_t shift = {.place = own[1]->place, .suite = own[1]->suite, .kernel = own[1]->kernel, .n = own[1]->n};
  shift.type = own[1]->type;
  shift.competitor = own[1]->competitor;
  shift.accuracy = own[1]->accuracy;
  shift.reference = reference[1] ? reference[1]->competitor : NULL;
  shift.before_us = own[0]->median_us;
  shift.after_us = own[1]->median_us;
  shift.reference_before_us = reference[0] ? reference[0]->median_us : 0;
  shift.reference_after_us = reference[1] ? reference[1]->median_us : 0;
  shift.p = NAN;
  if (rounds[0] && rounds[1]) {
    shift.p = bench_mann_whitney(work->ratios[0], rounds[0], work->ratios[1], rounds[1]);
    for (int k = 0; k < 2; k++)
      middle[k] = bench_median(work->ratios[k], rounds[k]);
  }
  if (shift.p < 0)
    return -1;
  shift.before = middle[0];
  shift.after = middle[1];
  shift.change = middle[1] / middle[0] - 1;
  shift.limit =
      work->limit_percent > 0 ? work->limit_percent / 100 : bench_limit(shift.place, shift.reference, shift.before_us);
  const int at = work->comparison->count++;
  work->least_p[at] = rounds[0] && rounds[1] ? bench_mann_whitney_least(rounds[0], rounds[1]) : NAN;
  work->comparison->shifts[at] = shift;
  return 0;
}

/* Whether an entry is the first one of its competitor and accuracy in its cell: others are forms of it. */
static int is_first(const bench_cell_t *cell, const bench_entry_t *entry, int by_accuracy) {
  for (const bench_entry_t *other = cell->entries; other < entry; other++)
    if (strcmp(other->competitor, entry->competitor) == 0 &&
        (!by_accuracy || strcmp(other->accuracy, entry->accuracy) == 0))
      return 0;
  return 1;
}

/* One competitor of Upsweep's own against every reference. Returns how many there were, or -1. */
static int compare_own(work_t *work, const bench_cell_t *before, const bench_cell_t *after,
                       const bench_entry_t *const own[2], int are_times_judged) {
  int count = 0;
  const bench_entry_t *const nobody[2] = {NULL, NULL};
  if (are_times_judged)
    return add_shift(work, own, nobody) ? -1 : 1;
  for (int e = 0; e < after->count; e++) {
    const bench_entry_t *entry = &after->entries[e];
    if (entry->role == BENCH_OWN || !is_first(after, entry, 0))
      continue;
    const bench_entry_t *const reference[2] = {bench_cell_best(before, entry->competitor, NULL),
                                               bench_cell_best(after, entry->competitor, NULL)};
    if (!reference[0])
      continue;
    if (add_shift(work, own, reference))
      return -1;
    count++;
  }
  return count;
}

static int compare_cells(work_t *work, const bench_cell_t *before, const bench_cell_t *after, int are_times_judged) {
  int owns = 0, shifts = 0;
  for (int e = 0; e < after->count; e++) {
    const bench_entry_t *entry = &after->entries[e];
    if (entry->role != BENCH_OWN || !is_first(after, entry, 1))
      continue;
    const bench_entry_t *const own[2] = {bench_cell_best(before, entry->competitor, entry->accuracy),
                                         bench_cell_best(after, entry->competitor, entry->accuracy)};
    if (!own[0] || own[0]->role != BENCH_OWN)
      continue;
    const int count = compare_own(work, before, after, own, are_times_judged);
    if (count < 0)
      return -1;
    owns++;
    shifts += count;
  }
  work->comparison->cells_compared += shifts > 0;
  work->comparison->cells_without_reference += owns > 0 && shifts == 0;
  return 0;
}

/* Both lists of cells are sorted: one pass over them finds the pairs. */
static int compare_all(work_t *work, const bench_measurement_t *before, const bench_measurement_t *after,
                       int are_times_judged) {
  bench_comparison_t *comparison = work->comparison;
  comparison->cells_compared = comparison->cells_without_reference = 0;
  comparison->cells_only_before = comparison->cells_only_after = 0;
  comparison->without_references = are_times_judged;
  for (int b = 0, a = 0; b < before->cell_count || a < after->cell_count;) {
    const int order = b == before->cell_count  ? 1
                      : a == after->cell_count ? -1
                                               : bench_cell_order(&before->cells[b], &after->cells[a]);
    if (order == 0 && compare_cells(work, &before->cells[b], &after->cells[a], are_times_judged))
      return -1;
    comparison->cells_only_before += order < 0;
    comparison->cells_only_after += order > 0;
    b += order <= 0;
    a += order >= 0;
  }
  return 0;
}

/* Holm's correction, and what follows from it. */
static int judge(work_t *work) {
  bench_comparison_t *comparison = work->comparison;
  int tests = 0;
  double *p = malloc((size_t)comparison->count * sizeof *p + 1);
  if (!p)
    return -1;
  for (int k = 0; k < comparison->count; k++) {
    p[k] = comparison->shifts[k].p;
    tests += !isnan(p[k]);
  }
  if (bench_holm(p, comparison->count)) {
    free(p);
    return -1;
  }
  for (int k = 0; k < comparison->count; k++) {
    bench_shift_t *shift = &comparison->shifts[k];
    shift->p = p[k];
    comparison->by_medians += isnan(p[k]);
    comparison->too_few_rounds += work->least_p[k] * tests >= significant_p;
    if (!isnan(p[k]) && p[k] >= significant_p)
      continue;
    if (shift->after > shift->before * (1 + shift->limit))
      shift->verdict = BENCH_REGRESSION;
    else if (shift->before > shift->after * (1 + shift->limit))
      shift->verdict = BENCH_IMPROVEMENT;
  }
  free(p);
  return 0;
}

static int is_same_own(const bench_shift_t *a, const bench_shift_t *b) {
  return a->n == b->n && strcmp(a->kernel, b->kernel) == 0 && strcmp(a->type, b->type) == 0 &&
         strcmp(a->competitor, b->competitor) == 0 && strcmp(a->accuracy, b->accuracy) == 0 &&
         strcmp(a->suite, b->suite) == 0 && strcmp(a->place, b->place) == 0;
}

/* A reference that has changed itself shows the same shift as a change of ours. A verdict stands if more than half of the
 * references bear witness: by half the limit of the read kernel at least. The shifts of one competitor stand together. */
static void hear_witnesses(bench_comparison_t *comparison, double limit_percent) {
  for (int first = 0, next; first < comparison->count; first = next) {
    bench_shift_t *group = &comparison->shifts[first];
    int slower = 0, faster = 0;
    const double enough =
        (limit_percent > 0 ? limit_percent / 100 : bench_limit(group->place, "read", group->before_us)) / 2;
    for (next = first; next < comparison->count && is_same_own(group, &comparison->shifts[next]); next++) {
      slower += comparison->shifts[next].after > comparison->shifts[next].before * (1 + enough);
      faster += comparison->shifts[next].before > comparison->shifts[next].after * (1 + enough);
    }
    for (int k = first; k < next; k++) {
      bench_shift_t *shift = &comparison->shifts[k];
      const int witnesses = shift->verdict == BENCH_REGRESSION ? slower : faster;
      if (shift->verdict != BENCH_SAME && 2 * witnesses <= next - first) {
        shift->verdict = BENCH_SAME;
        comparison->contradicted++;
      }
    }
  }
}

static int most_rounds(const bench_measurement_t *measurement) {
  int most = 0;
  for (int e = 0; e < measurement->entry_count; e++)
    most = measurement->entries[e].round_count > most ? measurement->entries[e].round_count : most;
  return most;
}

int bench_compare(const bench_measurement_t *before, const bench_measurement_t *after, double limit_percent,
                  bench_comparison_t *comparison_out) {
  *comparison_out = (bench_comparison_t){.shifts = NULL};
  work_t work = {.comparison = comparison_out, .limit_percent = limit_percent};
  work.ratios[0] = malloc((size_t)most_rounds(before) * sizeof(double) + 1);
  work.ratios[1] = malloc((size_t)most_rounds(after) * sizeof(double) + 1);
  int failed = !work.ratios[0] || !work.ratios[1] || compare_all(&work, before, after, 0);
  if (!failed && comparison_out->count == 0)
    failed = compare_all(&work, before, after, 1);
  failed = failed || judge(&work);
  if (!failed)
    hear_witnesses(comparison_out, limit_percent);
  for (int k = 0; k < comparison_out->count && !failed; k++) {
    comparison_out->regressions += comparison_out->shifts[k].verdict == BENCH_REGRESSION;
    comparison_out->improvements += comparison_out->shifts[k].verdict == BENCH_IMPROVEMENT;
  }
  free(work.ratios[0]);
  free(work.ratios[1]);
  free(work.least_p);
  if (failed)
    bench_comparison_free(comparison_out);
  return failed ? -1 : 0;
}

void bench_comparison_free(bench_comparison_t *comparison) {
  free(comparison->shifts);
  *comparison = (bench_comparison_t){.shifts = NULL};
}

const bench_entry_t *bench_cell_peer(const bench_cell_t *cell) {
  const bench_entry_t *best = NULL;
  for (int e = 0; e < cell->count; e++)
    if (cell->entries[e].role == BENCH_PEER && (!best || cell->entries[e].median_us < best->median_us))
      best = &cell->entries[e];
  return best;
}

static int compare_behind(const void *left, const void *right) {
  const bench_behind_t *a = left, *b = right;
  const int order = (a->factor < b->factor) - (a->factor > b->factor);
  return order ? order : a->own->position - b->own->position;
}

int bench_find_behind(const bench_measurement_t *measurement, bench_behind_t **behind_out) {
  int count = 0;
  bench_behind_t *behind = malloc((size_t)measurement->cell_count * sizeof *behind);
  if (!behind)
    return -1;
  for (int c = 0; c < measurement->cell_count; c++) {
    const bench_cell_t *cell = &measurement->cells[c];
    const bench_entry_t *own = bench_cell_own(cell), *peer = bench_cell_peer(cell);
    if (own && peer && own->median_us > BENCH_NOISE * peer->median_us)
      behind[count++] = (bench_behind_t){cell, own, peer, own->median_us / peer->median_us};
  }
  qsort(behind, (size_t)count, sizeof *behind, compare_behind);
  *behind_out = behind;
  return count;
}
