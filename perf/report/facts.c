/* What a measurement says of a place: series, rivals, shares. */
#include "../bench_significance.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Series that everybody looks at first. */
static const struct {
  const char *kernel, *type;
} wanted[] = {{"sum", "f64"}, {"sum", "f32"}, {"dot", "f64"}, {"min", "f64"}, {"argmin", "f64"}, {"describe", "f64"}};

const char *report_kernel_name(const bench_entry_t *entry, char name_out[REPORT_NAME_BYTES]) {
  const int is_function = strcmp(entry->suite, "functions") == 0;
  snprintf(name_out, REPORT_NAME_BYTES, "%s%s%s%s%s", is_function ? "" : entry->suite, is_function ? "" : " ",
           entry->kernel, *entry->type ? " " : "", entry->type);
  return name_out;
}

const bench_entry_t *report_competitor(const bench_cell_t *cell, int position) {
  const bench_entry_t *entry = &cell->entries[position];
  for (int e = 0; e < position; e++)
    if (strcmp(cell->entries[e].competitor, entry->competitor) == 0)
      return NULL;
  const bench_entry_t *own = bench_cell_own(cell);
  if (entry->role == BENCH_OWN)
    return own && strcmp(own->competitor, entry->competitor) == 0 ? own : NULL;
  return bench_cell_best(cell, entry->competitor, NULL);
}

static int first_position(const report_series_t *series) {
  int first = series->cells[0].entries[0].position;
  for (int c = 1; c < series->count; c++)
    if (series->cells[c].entries[0].position < first)
      first = series->cells[c].entries[0].position;
  return first;
}

static int compare_series(const void *left, const void *right) { return first_position(left) - first_position(right); }

static int is_same_series(const bench_cell_t *left, const bench_cell_t *right) {
  return strcmp(left->entries->suite, right->entries->suite) == 0 &&
         strcmp(left->entries->kernel, right->entries->kernel) == 0 &&
         strcmp(left->entries->type, right->entries->type) == 0;
}

static void find_series(report_place_t *place) {
  const bench_cell_t *cells = place->measurement->cells;
  report_series_t *last = NULL;
  for (int c = 0; c < place->measurement->cell_count; c++) {
    if (strcmp(cells[c].entries->place, place->name) != 0 || !bench_cell_own(&cells[c]))
      continue;
    if (last && &last->cells[last->count] == &cells[c] && is_same_series(last->cells, &cells[c])) {
      last->count++;
      continue;
    }
    last = &place->series[place->series_count++];
    *last = (report_series_t){&cells[c], 1};
  }
  qsort(place->series, (size_t)place->series_count, sizeof *place->series, compare_series);
}

/* The wanted series that are there, then others until there are enough; all over two lengths at least. */
static void find_main(report_place_t *place) {
  enum { WANTED = sizeof wanted / sizeof *wanted };
  for (int pass = 0; pass <= WANTED; pass++) {
    for (int s = 0; s < place->series_count && place->main_count < REPORT_MAIN; s++) {
      const report_series_t *series = &place->series[s];
      const bench_entry_t *entry = series->cells->entries;
      int is_there = series->count < 2;
      for (int m = 0; m < place->main_count; m++)
        is_there |= place->main[m].cells == series->cells;
      if (is_there || (pass < WANTED && (strcmp(entry->kernel, wanted[pass].kernel) != 0 ||
                                         strcmp(entry->type, wanted[pass].type) != 0)))
        continue;
      place->main[place->main_count++] = *series;
    }
  }
}

static void find_share(report_place_t *place) {
  int with_read = 0;
  for (int s = 0; s < place->series_count; s++) {
    for (int c = 0; c < place->series[s].count; c++) {
      const bench_cell_t *cell = &place->series[s].cells[c];
      with_read += bench_cell_best(cell, "read", NULL) != NULL;
      place->best_gb_per_s = fmax(place->best_gb_per_s, bench_cell_own(cell)->gb_per_s);
    }
  }
  const int is_device = strcmp(place->name, "host") != 0;
  place->share = with_read                                                  ? REPORT_OF_READ
                 : is_device && bench_peak_gb_per_s(place->measurement) > 0 ? REPORT_OF_PEAK
                                                                            : REPORT_OF_BEST;
}

double report_share(const report_place_t *place, const bench_cell_t *cell) {
  const bench_entry_t *own = bench_cell_own(cell), *read = bench_cell_best(cell, "read", NULL);
  if (!own)
    return 0;
  if (place->share == REPORT_OF_READ)
    return read ? read->median_us / own->median_us : 0;
  const double all = place->share == REPORT_OF_PEAK ? bench_peak_gb_per_s(place->measurement) : place->best_gb_per_s;
  return all > 0 ? own->gb_per_s / all : 0;
}

const char *report_share_text(report_share_t share) {
  static const char *const texts[] = {"of the rate of a plain read of the same bytes", "of the memory's peak rate",
                                      "of the highest rate in this file"};
  return texts[share];
}

static void count_ratio(report_rival_t *rival, double ratio) {
  rival->cells++;
  rival->behind += ratio > BENCH_NOISE;
  rival->ahead += ratio < 1 / BENCH_NOISE;
  rival->level += ratio <= BENCH_NOISE && ratio >= 1 / BENCH_NOISE;
}

/* Counts a cell against one peer, or against the fastest one for a rival without a name. Returns the ratio, or 0. */
static double ratio_in(const bench_cell_t *cell, report_rival_t *rival) {
  const bench_entry_t *own = bench_cell_own(cell);
  const bench_entry_t *peer = rival->name ? bench_cell_best(cell, rival->name, NULL) : bench_cell_peer(cell);
  if (!own || !peer)
    return 0;
  count_ratio(rival, own->median_us / peer->median_us);
  return own->median_us / peer->median_us;
}

static void measure_rival(const report_place_t *place, report_rival_t *rival, double *ratios) {
  int count = 0;
  for (int s = 0; s < place->series_count; s++)
    for (int c = 0; c < place->series[s].count; c++) {
      const double ratio = ratio_in(&place->series[s].cells[c], rival);
      if (ratio > 0)
        ratios[count++] = ratio;
    }
  if (count)
    rival->median = bench_median(ratios, count);
}

static void find_rivals(report_place_t *place, const bench_cell_t *cell) {
  for (int e = 0; e < cell->count; e++) {
    int is_known = cell->entries[e].role != BENCH_PEER || place->rival_count == REPORT_RIVALS;
    for (int r = 0; r < place->rival_count && !is_known; r++)
      is_known = strcmp(place->rivals[r].name, cell->entries[e].competitor) == 0;
    if (!is_known)
      place->rivals[place->rival_count++] = (report_rival_t){.name = cell->entries[e].competitor};
  }
}

static int compare_lengths(const void *left, const void *right) {
  const report_length_t *a = left, *b = right;
  return (a->n > b->n) - (a->n < b->n);
}

/* Counts the lengths of cells that have a peer. */
static void find_lengths(report_place_t *place) {
  int count = 0;
  for (int s = 0; s < place->series_count; s++)
    for (int c = 0; c < place->series[s].count; c++) {
      const bench_cell_t *cell = &place->series[s].cells[c];
      const bench_entry_t *own = bench_cell_own(cell), *peer = bench_cell_peer(cell);
      if (peer)
        place->lengths[count++] = (report_length_t){own->n, 1, own->median_us > BENCH_NOISE * peer->median_us};
    }
  qsort(place->lengths, (size_t)count, sizeof *place->lengths, compare_lengths);
  for (int k = 0; k < count; k++) {
    report_length_t *last = place->length_count ? &place->lengths[place->length_count - 1] : NULL;
    if (last && last->n == place->lengths[k].n) {
      last->cells++;
      last->behind += place->lengths[k].behind;
    } else {
      place->lengths[place->length_count++] = place->lengths[k];
    }
  }
}

int report_describe(const bench_measurement_t *measurement, const char *name, report_place_t *place_out) {
  const size_t most = (size_t)measurement->cell_count;
  double *ratios = malloc(most * sizeof *ratios);
  *place_out = (report_place_t){.measurement = measurement, .name = name};
  place_out->series = malloc(most * sizeof *place_out->series);
  place_out->lengths = malloc(most * sizeof *place_out->lengths);
  const int failed = !ratios || !place_out->series || !place_out->lengths;
  if (!failed) {
    find_series(place_out);
    find_main(place_out);
    find_share(place_out);
    find_lengths(place_out);
    for (int s = 0; s < place_out->series_count; s++)
      for (int c = 0; c < place_out->series[s].count; c++)
        find_rivals(place_out, &place_out->series[s].cells[c]);
    for (int r = 0; r < place_out->rival_count; r++)
      measure_rival(place_out, &place_out->rivals[r], ratios);
    measure_rival(place_out, &place_out->all, ratios);
  }
  free(ratios);
  return failed ? -1 : 0;
}

void report_free(report_place_t *place) {
  free(place->series);
  free(place->lengths);
}
