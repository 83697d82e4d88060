/* The three sentences that matter. */
#include "../bench_significance.h"
#include "report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void add(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(char *text, const char *format, ...) {
  const size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, REPORT_SENTENCE_BYTES - used, format, arguments);
  va_end(arguments);
}

/* "sum f64 at n = 2^28" */
static void add_cell(char *text, const bench_entry_t *entry) {
  char name[REPORT_NAME_BYTES], length[BENCH_LENGTH_BYTES];
  add(text, "%s at n = %s", report_kernel_name(entry, name), bench_length_text(entry->n, length));
}

static const bench_cell_t *longest(const report_series_t *series) { return &series->cells[series->count - 1]; }

static void add_shares(const report_place_t *place, char *text) {
  double *shares = malloc((size_t)place->series_count * sizeof *shares + 1);
  const bench_cell_t *least = NULL;
  int count = 0;
  for (int s = 0; shares && s < place->series_count; s++) {
    const bench_cell_t *cell = longest(&place->series[s]);
    const double share = report_share(place, cell);
    if (share <= 0)
      continue;
    shares[count++] = share;
    if (!least || share < report_share(place, least))
      least = cell;
  }
  if (count > 1) {
    add(text, " At the largest n the median of its %d kernels and types reaches %.0f %% %s, the least %.0f %% (", count,
        100 * bench_median(shares, count), report_share_text(place->share), 100 * report_share(place, least));
    add_cell(text, least->entries);
    add(text, ").");
  } else if (count == 1) {
    add(text, " That is %.0f %% %s.", 100 * shares[0], report_share_text(place->share));
  }
  free(shares);
}

static void how_fast(const report_place_t *place, char *text) {
  const bench_entry_t *fastest = NULL, *shortest = NULL;
  for (int s = 0; s < place->series_count; s++) {
    for (int c = 0; c < place->series[s].count; c++) {
      const bench_entry_t *own = bench_cell_own(&place->series[s].cells[c]);
      if (!fastest || own->gb_per_s > fastest->gb_per_s)
        fastest = own;
      if (!shortest || own->median_us < shortest->median_us)
        shortest = own;
    }
  }
  if (!fastest) {
    add(text, "Nothing of Upsweep's was measured here.");
    return;
  }
  if (fastest->gb_per_s > 0) {
    add(text, "Upsweep reads up to %.4g GB/s (", fastest->gb_per_s);
    add_cell(text, fastest);
    add(text, ").");
  }
  if (place->share != REPORT_OF_BEST)
    add_shares(place, text);
  add(text, " Its shortest call takes %.3g us from the call to a value that the host can read (", shortest->median_us);
  add_cell(text, shortest);
  add(text, ").");
}

static void against_whom(const report_place_t *place, char *text) {
  if (place->all.cells == 0) {
    add(text, "There is no peer in this file: nothing else computed the same.");
    return;
  }
  add(text,
      "Against the fastest peer of each of %d cells (kernel, type and length) it is ahead in %d, level within %.0f %% "
      "in "
      "%d and behind in %d.",
      place->all.cells, place->all.ahead, 100 * (BENCH_NOISE - 1), place->all.level, place->all.behind);
  add(text, " Its time by theirs, in the median cell: ");
  for (int r = 0; r < place->rival_count; r++)
    add(text, "%s%s %.2f", r ? ", " : "", place->rivals[r].name, place->rivals[r].median);
  add(text, "; below 1 Upsweep is faster.");
}

static void where_behind(const report_place_t *place, char *text) {
  bench_behind_t *behind = NULL;
  const int count = bench_find_behind(place->measurement, &behind);
  int shown = 0;
  if (place->all.cells && place->all.behind == 0)
    add(text, "No peer is ahead by more than %.0f %% anywhere.", 100 * (BENCH_NOISE - 1));
  for (int k = 0; k < count && shown < 3; k++) {
    if (strcmp(behind[k].own->place, place->name) != 0)
      continue;
    add(text, "%s", shown++ ? ", " : "It is furthest behind in ");
    add_cell(text, behind[k].own);
    add(text, " (%.2f times the time of %s)", behind[k].factor, behind[k].peer->competitor);
  }
  if (shown) {
    add(text, ". Cells behind, by length: ");
    for (int k = 0; k < place->length_count; k++) {
      char length[BENCH_LENGTH_BYTES];
      add(text, "%s%d of %d at %s", k ? ", " : "", place->lengths[k].behind, place->lengths[k].cells,
          bench_length_text(place->lengths[k].n, length));
    }
    add(text, ".");
  }
  free(behind);
}

void report_sentences(const report_place_t *place, char texts_out[REPORT_SENTENCES][REPORT_SENTENCE_BYTES]) {
  for (int k = 0; k < REPORT_SENTENCES; k++)
    texts_out[k][0] = 0;
  how_fast(place, texts_out[0]);
  against_whom(place, texts_out[1]);
  where_behind(place, texts_out[2]);
}
