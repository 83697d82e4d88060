/* Tables of HTML. */
#include "report.h"

#include <stdlib.h>
#include <string.h>

void report_text(FILE *html, const char *text) {
  for (; *text; text++) {
    switch (*text) {
    case '&':
      fputs("&amp;", html);
      break;
    case '<':
      fputs("&lt;", html);
      break;
    case '>':
      fputs("&gt;", html);
      break;
    case '"':
      fputs("&quot;", html);
      break;
    default:
      if ((unsigned char)*text >= ' ' || *text == '\n' || *text == '\t')
        fputc(*text, html);
    }
  }
}

static void cell_of_text(FILE *html, const char *text) {
  fputs("<td>", html);
  report_text(html, text);
  fputs("</td>", html);
}

static void begin_table(FILE *html, const char *summary, int is_open) {
  fprintf(html, "<details%s><summary>", is_open ? " open" : "");
  report_text(html, summary);
  fputs("</summary>\n<div class=\"wide\"><table>\n", html);
}

static void end_table(FILE *html) { fputs("</table></div></details>\n", html); }

static void rivals_table(FILE *html, const report_place_t *place) {
  if (place->rival_count == 0)
    return;
  begin_table(html, "Peers: how many cells, and the median ratio of times", 1);
  fputs("<tr><th>peer<th>cells<th>Upsweep ahead<th>level<th>behind<th>median ratio</tr>\n", html);
  for (int r = 0; r < place->rival_count; r++) {
    const report_rival_t *rival = &place->rivals[r];
    fputs("<tr>", html);
    cell_of_text(html, rival->name);
    fprintf(html, "<td>%d<td>%d<td>%d<td>%d<td>%.3f</tr>\n", rival->cells, rival->ahead, rival->level, rival->behind,
            rival->median);
  }
  end_table(html);
}

static void behind_table(FILE *html, const report_place_t *place) {
  bench_behind_t *behind = NULL;
  const int count = bench_find_behind(place->measurement, &behind);
  char summary[128];
  snprintf(summary, sizeof summary, "Where a peer is ahead: %d cells, worst first", place->all.behind);
  if (count > 0 && place->all.behind) {
    begin_table(html, summary, 0);
    fputs("<tr><th>kernel<th>n<th>Upsweep, us<th>ratio<th>peer<th>its time, us<th>its form</tr>\n", html);
    for (int k = 0; k < count; k++) {
      const bench_behind_t *here = &behind[k];
      char name[REPORT_NAME_BYTES], length[BENCH_LENGTH_BYTES];
      if (strcmp(here->own->place, place->name) != 0)
        continue;
      fputs("<tr>", html);
      cell_of_text(html, report_kernel_name(here->own, name));
      fprintf(html, "<td>%s<td>%.2f<td>%.3f", bench_length_text(here->own->n, length), here->own->median_us,
              here->factor);
      cell_of_text(html, here->peer->competitor);
      fprintf(html, "<td>%.2f", here->peer->median_us);
      cell_of_text(html, here->peer->form);
      fputs("</tr>\n", html);
    }
    end_table(html);
  }
  free(behind);
}

/* Columns: everybody who is not Upsweep, in the order of the file. */
enum { MOST_COLUMNS = 24 };
static int find_columns(const report_place_t *place, const char *columns_out[MOST_COLUMNS]) {
  int count = 0;
  for (int s = 0; s < place->series_count; s++)
    for (int c = 0; c < place->series[s].count; c++)
      for (int e = 0; e < place->series[s].cells[c].count; e++) {
        const bench_entry_t *entry = &place->series[s].cells[c].entries[e];
        int is_there = entry->role == BENCH_OWN || count == MOST_COLUMNS;
        for (int k = 0; k < count && !is_there; k++)
          is_there = strcmp(columns_out[k], entry->competitor) == 0;
        if (!is_there)
          columns_out[count++] = entry->competitor;
      }
  return count;
}

static void cell_row(FILE *html, const report_place_t *place, const bench_cell_t *cell, const char *const *columns,
                     int column_count) {
  const bench_entry_t *own = bench_cell_own(cell);
  char name[REPORT_NAME_BYTES], length[BENCH_LENGTH_BYTES];
  const double share = report_share(place, cell);
  fputs("<tr>", html);
  cell_of_text(html, report_kernel_name(own, name));
  fprintf(html, "<td>%s<td>%.2f<td>%.4g<td>", bench_length_text(own->n, length), own->median_us, own->gb_per_s);
  if (share > 0)
    fprintf(html, "%.0f %%", 100 * share);
  for (int k = 0; k < column_count; k++) {
    const bench_entry_t *other = bench_cell_best(cell, columns[k], NULL);
    if (!other) {
      fputs("<td><td>", html);
      continue;
    }
    const double ratio = own->median_us / other->median_us;
    fprintf(html, "<td>%.2f<td%s>%.3f", other->median_us,
            other->role == BENCH_PEER && ratio > BENCH_NOISE ? " class=\"behind\"" : "", ratio);
  }
  fputs("</tr>\n", html);
}

/* Series in a table: all cells of them. */
static void cells_table(FILE *html, const report_place_t *place, const report_series_t *series, int count,
                        const char *summary) {
  const char *columns[MOST_COLUMNS];
  const int column_count = find_columns(place, columns);
  begin_table(html, summary, 0);
  fputs("<tr><th>kernel<th>n<th>Upsweep, us<th>GB/s<th>share", html);
  for (int k = 0; k < column_count; k++) {
    fputs("<th>", html);
    report_text(html, columns[k]);
    fputs(", us<th>ratio", html);
  }
  fputs("</tr>\n", html);
  for (int s = 0; s < count; s++)
    for (int c = 0; c < series[s].count; c++)
      cell_row(html, place, &series[s].cells[c], columns, column_count);
  end_table(html);
}

void report_tables(FILE *html, const report_place_t *place) {
  char summary[128];
  rivals_table(html, place);
  behind_table(html, place);
  if (place->main_count)
    cells_table(html, place, place->main, place->main_count, "The kernels of the plots: times in us, and ratios");
  snprintf(summary, sizeof summary, "All %d kernels and types: times in us, and ratios", place->series_count);
  cells_table(html, place, place->series, place->series_count, summary);
}
