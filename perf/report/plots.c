/* What is plotted. Colours are Okabe and Ito's, which people who do not see red or green can tell apart, with shapes of
 * points beside them; black and grey follow the page's ink. */
#include "../bench_significance.h"
#include "../gnuplot.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const report_group_text_t report_groups[REPORT_GROUPS] = {
    {"Time by length",
     "Time of one call over the number of elements, on logarithmic scales: lower is better. Flat on the "
     "left, where launch and wait are all of it; straight on the right, where the memory is."},
    {"Short calls",
     "Time of one call up to n = 2^16: lower is better. Bars reach from the first to the third quartile."},
    {"Speed of long calls",
     "Each point is a kernel and a type at its largest n: further right is better. Shapes and colours "
     "tell the class of the type."},
    {"Against peers",
     "Each point is a kernel and a type: Upsweep's time by that of the peer's fastest form. Below 1 (left "
     "of it in rows of kernels) Upsweep is faster. Over n, squares are medians, and red points are more "
     "than 3 % behind."},
};

/* How a competitor is drawn. */
typedef struct style {
  const char *competitor, *colour;
  int point, dash;
} style_t;
static const style_t own_style = {"", "#0072B2", 7, 1};
static const style_t styles[] = {{"read", "black", 2, 2},
                                 {"copy", "black", 1, 3},
                                 {"cub", "#E69F00", 9, 1},
                                 {"cub+copy", "#D55E00", 8, 1},
                                 {"cub_gpu_only", "gray50", 8, 4},
                                 {"cublas", "#009E73", 5, 1},
                                 {"babelstream", "#56B4E9", 4, 1},
                                 {"plain_clause", "#CC79A7", 11, 1},
                                 {"shaped_clause", "#CC79A7", 10, 4},
                                 {"cuda_read", "gray50", 2, 2},
                                 {"cub_run_to_run", "#F0E442", 13, 1},
                                 {"cub_gpu_to_gpu", "#009E73", 12, 4},
                                 {"serial", "gray50", 6, 2},
                                 {"libomp", "#CC79A7", 11, 1},
                                 {"libgomp", "#E69F00", 9, 1},
                                 {"openblas", "#009E73", 5, 1},
                                 {"tbb", "#56B4E9", 4, 1}};
static const style_t others[] = {{"", "#E69F00", 13, 1},
                                 {"", "#009E73", 5, 1},
                                 {"", "#D55E00", 9, 1},
                                 {"", "#56B4E9", 4, 1},
                                 {"", "#CC79A7", 11, 1}};

static const style_t *style_of(const report_place_t *place, const bench_entry_t *entry) {
  if (entry->role == BENCH_OWN)
    return &own_style;
  for (size_t k = 0; k < sizeof styles / sizeof *styles; k++)
    if (strcmp(styles[k].competitor, entry->competitor) == 0)
      return &styles[k];
  size_t rival = 0;
  for (int r = 0; r < place->rival_count; r++)
    if (strcmp(place->rivals[r].name, entry->competitor) == 0)
      rival = (size_t)r;
  return &others[rival % (sizeof others / sizeof *others)];
}

/* Commands are collected first: each chart is drawn twice. */
typedef struct commands {
  FILE *stream;
  char *text;
  size_t bytes;
} commands_t;

static int begin(commands_t *commands) {
  *commands = (commands_t){.text = NULL};
  commands->stream = open_memstream(&commands->text, &commands->bytes);
  if (commands->stream)
    fputs("set border 3\nset tics nomirror\nset grid linewidth 0.5\n", commands->stream);
  return commands->stream ? 0 : -1;
}

static void end(commands_t *commands, report_charts_t *charts, const report_place_t *place, int group, const char *name,
                int width, int height) {
  if (fclose(commands->stream) == 0)
    report_chart_add(charts, place, group, name, width, height, commands->text);
  free(commands->text);
}

static void send_title(FILE *stream, const char *title) {
  fputs("set title ", stream);
  gnuplot_quoted(stream, title);
  fputc('\n', stream);
}

/* Names of competitors over a series, in the order in which they come first, that have a point up to `longest`. */
enum { MOST_CURVES = 14 };
static int find_curves(const report_series_t *series, uint64_t longest, const bench_entry_t *curves_out[MOST_CURVES]) {
  int count = 0;
  for (int c = 0; c < series->count; c++) {
    for (int e = 0; e < series->cells[c].count && series->cells[c].entries->n <= longest; e++) {
      const bench_entry_t *entry = report_competitor(&series->cells[c], e);
      int is_there = !entry || count == MOST_CURVES;
      for (int k = 0; k < count && !is_there; k++)
        is_there = entry->role == BENCH_OWN ? curves_out[k]->role == BENCH_OWN
                                            : strcmp(curves_out[k]->competitor, entry->competitor) == 0;
      if (is_there)
        continue;
      curves_out[count++] = entry;
      if (entry->role == BENCH_OWN) { /* first of all */
        curves_out[count - 1] = curves_out[0];
        curves_out[0] = entry;
      }
    }
  }
  return count;
}

/* A block of data: n, median, quartiles of the competitor that a curve shows. */
static void send_curve(FILE *stream, const report_series_t *series, const bench_entry_t *curve, int number,
                       uint64_t longest) {
  fprintf(stream, "$curve%d << end\n", number);
  for (int c = 0; c < series->count; c++) {
    const bench_cell_t *cell = &series->cells[c];
    const bench_entry_t *entry =
        curve->role == BENCH_OWN ? bench_cell_own(cell) : bench_cell_best(cell, curve->competitor, NULL);
    if (entry && entry->n > 0 && entry->n <= longest)
      fprintf(stream, "%llu %.6g %.6g %.6g\n", (unsigned long long)entry->n, entry->median_us, entry->first_quartile_us,
              entry->third_quartile_us);
  }
  fputs("end\n", stream);
}

/* Labels at powers of two among the lengths, or at all of them where there is none, as many as have room. */
static void send_lengths(FILE *stream, const uint64_t *lengths, int count) {
  enum { MOST_LABELS = 8 };
  int powers = 0, sent = 0;
  double last = -INFINITY;
  for (int k = 0; k < count; k++)
    powers += lengths[k] > 1 && (lengths[k] & (lengths[k] - 1)) == 0;
  const double apart = count && lengths[0] ? log2((double)lengths[count - 1] / (double)lengths[0]) / MOST_LABELS : 0;
  fputs("set logscale x 2\nset xtics (", stream);
  for (int k = 0; k < count; k++) {
    char text[BENCH_LENGTH_BYTES];
    const double at = log2((double)lengths[k]);
    if (lengths[k] == 0 || (powers && (lengths[k] & (lengths[k] - 1)) != 0) || at - last < apart)
      continue;
    fprintf(stream, "%s'%s' %llu", sent++ ? ", " : "", bench_length_text(lengths[k], text),
            (unsigned long long)lengths[k]);
    last = at;
  }
  fputs(")\n", stream);
  if (count && lengths[0])
    fprintf(stream, "set xrange [%.8g:%.8g]\n", (double)lengths[0] / 1.6, (double)lengths[count - 1] * 1.6);
}

static void send_series_lengths(FILE *stream, const report_series_t *series, uint64_t longest) {
  uint64_t *lengths = malloc((size_t)series->count * sizeof *lengths);
  int count = 0;
  for (int c = 0; lengths && c < series->count; c++)
    if (series->cells[c].entries->n > 0 && series->cells[c].entries->n <= longest)
      lengths[count++] = series->cells[c].entries->n;
  if (lengths)
    send_lengths(stream, lengths, count);
  free(lengths);
}

/* Whether times lie so far apart that a linear scale would hide the short ones. */
static int is_wide(const report_series_t *series, uint64_t longest) {
  double least = INFINITY, most = 0;
  for (int c = 0; c < series->count; c++)
    for (int e = 0; e < series->cells[c].count && series->cells[c].entries->n <= longest; e++) {
      least = fmin(least, series->cells[c].entries[e].median_us);
      most = fmax(most, series->cells[c].entries[e].median_us);
    }
  return most > 20 * least;
}

/* What plots a curve. */
static void send_plot(FILE *stream, const style_t *style, const bench_entry_t *curve, int number, int has_quartiles,
                      int is_again) {
  const int is_own = curve->role == BENCH_OWN;
  if (is_again && !is_own)
    return;
  fputs(number || is_again ? ", " : "", stream);
  if (has_quartiles)
    fprintf(stream, "$curve%d using 1:2:3:4 with yerrorbars linecolor '%s' linewidth 1 pointtype 0 notitle, ", number,
            style->colour);
  fprintf(stream,
          "$curve%d using 1:2 with linespoints linecolor '%s' linewidth %.1f pointtype %d pointsize 0.8 dashtype %d ",
          number, style->colour, is_own ? 2.5 : 1.5, style->point, style->dash);
  fputs(is_again ? "notitle" : "title ", stream);
  if (!is_again)
    gnuplot_quoted(stream, is_own ? "Upsweep" : curve->competitor);
}

/* Time over n up to `longest`, of all competitors; of short calls with quartiles. */
static void draw_times(const report_place_t *place, const report_series_t *series, report_charts_t *charts,
                       uint64_t longest, int group) {
  const bench_entry_t *curves[MOST_CURVES];
  const int count = find_curves(series, longest, curves), is_small = group == REPORT_SMALL;
  char kernel[REPORT_NAME_BYTES], text[REPORT_NAME_BYTES + 16];
  commands_t commands;
  if (count == 0 || begin(&commands))
    return;
  FILE *stream = commands.stream;
  report_kernel_name(series->cells->entries, kernel);
  snprintf(text, sizeof text, "%s: us over n", kernel);
  send_title(stream, text);
  for (int k = 0; k < count; k++)
    send_curve(stream, series, curves[k], k, longest);
  send_series_lengths(stream, series, longest);
  fputs("set key below Left reverse samplen 2.5\nset xlabel ' '\n", stream);
  fputs(is_small && !is_wide(series, longest) ? "set yrange [0:*]\n" : "set logscale y 10\nset format y '%g'\n",
        stream);
  fputs("plot ", stream);
  for (int k = 0; k <= count; k++) /* Upsweep, the first in the key, once more on top of the others */
    send_plot(stream, style_of(place, curves[k % count]), curves[k % count], k % count, is_small, k == count);
  fputc('\n', stream);
  snprintf(text, sizeof text, "%s-%s", is_small ? "short" : "time", kernel);
  end(&commands, charts, place, group, text, 480, 330 + 20 * ((count + 1) / 2));
}

/* Classes of types. */
enum { CLASSES = 5, MIDDLE_CLASS = 2 };
static const struct {
  const char *title, *letters, *colour;
  int point;
} classes[CLASSES] = {{"integers", "iu", "#0072B2", 4},
                      {"f32, f64", "f", "#E69F00", 7},
                      {"f16, bf16", "", "#D55E00", 9},
                      {"complex", "c", "#009E73", 13},
                      {"bool, other", "", "#CC79A7", 11}};

static int class_of(const char *type) {
  if (strcmp(type, "f16") == 0 || strcmp(type, "bf16") == 0)
    return 2;
  for (int k = 0; k < CLASSES; k++)
    if (*type && strchr(classes[k].letters, *type))
      return k;
  return CLASSES - 1;
}

/* A kernel of any type. */
static const char *row_name(const report_series_t *series, char name_out[REPORT_NAME_BYTES]) {
  bench_entry_t untyped = *series->cells->entries;
  untyped.type = "";
  return report_kernel_name(&untyped, name_out);
}

/* What is shown of a series at its largest n: the share in percent or, with a peer, the ratio of times; 0 where there is
 * no such. */
static double value_of(const report_place_t *place, const report_series_t *series, const char *peer) {
  const bench_cell_t *cell = &series->cells[series->count - 1];
  const bench_entry_t *other = peer ? bench_cell_best(cell, peer, NULL) : NULL;
  if (!peer)
    return 100 * report_share(place, cell);
  return other ? bench_cell_own(cell)->median_us / other->median_us : 0;
}

/* A plot with a row for each kernel. */
typedef struct rows {
  int *row; /* of each series; -1 where it has no value */
  int count;
  unsigned classes; /* bit c: there are points of this class */
  double least, most;
} rows_t;

static int find_rows(const report_place_t *place, const char *peer, rows_t *rows_out) {
  *rows_out = (rows_t){.row = malloc((size_t)place->series_count * sizeof(int) + 1), .least = INFINITY};
  for (int s = 0; rows_out->row && s < place->series_count; s++) {
    const double value = value_of(place, &place->series[s], peer);
    char name[REPORT_NAME_BYTES], other[REPORT_NAME_BYTES];
    rows_out->row[s] = -1;
    if (value <= 0)
      continue;
    row_name(&place->series[s], name);
    for (int before = 0; before < s && rows_out->row[s] < 0; before++)
      if (rows_out->row[before] >= 0 && strcmp(row_name(&place->series[before], other), name) == 0)
        rows_out->row[s] = rows_out->row[before];
    if (rows_out->row[s] < 0)
      rows_out->row[s] = rows_out->count++;
    rows_out->classes |= 1u << class_of(place->series[s].cells->entries->type);
    rows_out->least = fmin(rows_out->least, value);
    rows_out->most = fmax(rows_out->most, value);
  }
  return rows_out->count > 0 ? 0 : -1;
}

static void send_rows(FILE *stream, const report_place_t *place, const rows_t *rows) {
  int named = 0;
  fputs("set ytics (", stream);
  for (int s = 0; s < place->series_count; s++) {
    char name[REPORT_NAME_BYTES];
    if (rows->row[s] != named)
      continue;
    fputs(named++ ? ", " : "", stream);
    gnuplot_quoted(stream, row_name(&place->series[s], name));
    fprintf(stream, " %d", rows->row[s]);
  }
  fprintf(stream, ")\nset yrange [%.1f:-0.5]\n", rows->count - 0.5);
}

/* Blocks of data: value and row, a block for each class, and the command that plots them. */
static void send_row_points(FILE *stream, const report_place_t *place, const rows_t *rows, const char *peer) {
  const int is_one_class = (rows->classes & (rows->classes - 1)) == 0;
  for (int class = 0; class < CLASSES; class ++) {
    fprintf(stream, "$class%d << end\n", class);
    for (int s = 0; s < place->series_count; s++)
      if (rows->row[s] >= 0 && class_of(place->series[s].cells->entries->type) == class)
        fprintf(stream, "%.6g %.2f\n", value_of(place, &place->series[s], peer),
                rows->row[s] + (is_one_class ? 0 : 0.14 * (class - MIDDLE_CLASS)));
    fputs("end\n", stream);
  }
  fputs(is_one_class ? "unset key\nplot " : "set key below samplen 0.5\nset xlabel ' '\nplot ", stream);
  for (int class = 0; class < CLASSES; class ++)
    if (rows->classes >> class & 1)
      fprintf(stream, "%s$class%d using 1:2 with points linecolor '%s' pointtype %d pointsize 0.8 title '%s'",
              rows->classes & ((1u << class) - 1) ? ", " : "", class, classes[class].colour, classes[class].point,
              classes[class].title);
  fputc('\n', stream);
}

/* Shares or, with a peer, ratios. */
static void draw_rows(const report_place_t *place, const char *peer, report_charts_t *charts) {
  rows_t rows;
  commands_t commands;
  char text[REPORT_NAME_BYTES];
  if (find_rows(place, peer, &rows) || begin(&commands)) {
    free(rows.row);
    return;
  }
  FILE *stream = commands.stream;
  if (peer) {
    snprintf(text, sizeof text, "Upsweep's time by that of %s, at the largest n", peer);
    fprintf(stream, "set logscale x 2\nset xtics %d format '%%g'\nset xrange [%.6g:%.6g]\n", rows.least < 0.1 ? 4 : 2,
            fmin(0.5, rows.least / 1.1), fmax(2, rows.most * 1.1));
  } else {
    snprintf(text, sizeof text, "%% %s", report_share_text(place->share));
    fprintf(stream, "set xrange [0:%.6g]\n", fmax(102, 1.02 * rows.most));
  }
  send_title(stream, text);
  fprintf(stream, "set arrow from first %d, graph 0 to first %d, graph 1 nohead linecolor 'black' dashtype 2\n",
          peer ? 1 : 100, peer ? 1 : 100);
  send_rows(stream, place, &rows);
  send_row_points(stream, place, &rows, peer);
  free(rows.row);
  snprintf(text, sizeof text, peer ? "against %s" : "share", peer);
  end(&commands, charts, place, peer ? REPORT_RATIOS : REPORT_SHARES, text, 720, 130 + 24 * rows.count);
}

/* A block of data with a point for each cell that is behind, or for each other one, moved aside a little. */
static int send_points(FILE *stream, const report_place_t *place, const char *peer, int is_behind) {
  int count = 0;
  fprintf(stream, "%s << end\n", is_behind ? "$behind" : "$near");
  for (int s = 0; s < place->series_count; s++)
    for (int c = 0; c < place->series[s].count; c++) {
      const bench_entry_t *own = bench_cell_own(&place->series[s].cells[c]);
      const bench_entry_t *other = bench_cell_best(&place->series[s].cells[c], peer, NULL);
      if (!other || own->n == 0 || (own->median_us > BENCH_NOISE * other->median_us) != is_behind)
        continue;
      const double aside = 0.7 * (s % 16 / 15.0 - 0.5);
      fprintf(stream, "%.8g %.6g\n", (double)own->n * exp2(aside), own->median_us / other->median_us);
      count++;
    }
  fputs("end\n", stream);
  return count;
}

/* A block of data with the median at each length. */
static int send_middle(FILE *stream, const report_place_t *place, const char *peer, double *ratios) {
  int lengths = 0;
  fputs("$middle << end\n", stream);
  for (int l = 0; l < place->length_count; l++) {
    int count = 0;
    for (int s = 0; s < place->series_count; s++)
      for (int c = 0; c < place->series[s].count; c++) {
        const bench_entry_t *own = bench_cell_own(&place->series[s].cells[c]);
        const bench_entry_t *other = bench_cell_best(&place->series[s].cells[c], peer, NULL);
        if (other && own->n == place->lengths[l].n)
          ratios[count++] = own->median_us / other->median_us;
      }
    if (count == 0 || place->lengths[l].n == 0)
      continue;
    fprintf(stream, "%llu %.6g\n", (unsigned long long)place->lengths[l].n, bench_median(ratios, count));
    lengths++;
  }
  fputs("end\n", stream);
  return lengths;
}

/* The least and the largest ratio to a peer. */
static void find_range(const report_place_t *place, const char *peer, double *least_out, double *most_out) {
  *least_out = INFINITY;
  *most_out = 0;
  for (int s = 0; s < place->series_count; s++)
    for (int c = 0; c < place->series[s].count; c++) {
      const bench_entry_t *own = bench_cell_own(&place->series[s].cells[c]);
      const bench_entry_t *other = bench_cell_best(&place->series[s].cells[c], peer, NULL);
      if (!other)
        continue;
      *least_out = fmin(*least_out, own->median_us / other->median_us);
      *most_out = fmax(*most_out, own->median_us / other->median_us);
    }
}

static void send_ratio_axes(FILE *stream, const report_place_t *place, const char *peer, uint64_t *lengths) {
  double least, most;
  int count = 0;
  for (int l = 0; l < place->length_count; l++)
    if (place->lengths[l].n)
      lengths[count++] = place->lengths[l].n;
  find_range(place, peer, &least, &most);
  send_lengths(stream, lengths, count);
  fprintf(stream, "unset key\nset logscale y 2\nset format y '%%g'\nset yrange [%.6g:%.6g]\n", fmin(0.5, least / 1.1),
          fmax(2, most * 1.1));
}

static void draw_ratios(const report_place_t *place, const char *peer, report_charts_t *charts) {
  const size_t most = (size_t)place->measurement->cell_count;
  double *ratios = malloc(most * sizeof *ratios);
  uint64_t *lengths = malloc(most * sizeof *lengths);
  char text[REPORT_NAME_BYTES];
  commands_t commands;
  if (!ratios || !lengths || begin(&commands)) {
    free(ratios);
    free(lengths);
    return;
  }
  FILE *stream = commands.stream;
  snprintf(text, sizeof text, "Upsweep's time by that of %s, over n", peer);
  send_title(stream, text);
  send_ratio_axes(stream, place, peer, lengths);
  const int near = send_points(stream, place, peer, 0), behind = send_points(stream, place, peer, 1);
  const int middle = send_middle(stream, place, peer, ratios);
  free(ratios);
  free(lengths);
  fputs("plot 1 with lines linecolor 'black' linewidth 1", stream);
  if (near)
    fputs(", $near with points linecolor '#56B4E9' pointtype 7 pointsize 0.4", stream);
  if (behind)
    fputs(", $behind with points linecolor '#D55E00' pointtype 9 pointsize 0.5", stream);
  if (middle)
    fputs(", $middle with linespoints linecolor 'black' linewidth 1.5 pointtype 5 pointsize 0.8", stream);
  fputc('\n', stream);
  snprintf(text, sizeof text, "against %s", peer);
  end(&commands, charts, place, REPORT_RATIOS, text, 480, 360);
}

static int lengths_up_to(const report_series_t *series, uint64_t longest) {
  int count = 0;
  for (int c = 0; c < series->count; c++)
    count += series->cells[c].entries->n <= longest;
  return count;
}

void report_draw(const report_place_t *place, report_charts_t *charts) {
  enum { SHORT = 1 << 16, MOST_SHORT = 3, MOST_RIVALS = 8 };
  for (int m = 0; m < place->main_count; m++)
    draw_times(place, &place->main[m], charts, UINT64_MAX, REPORT_TIME);
  for (int m = 0, drawn = 0; m < place->main_count && drawn < MOST_SHORT; m++) {
    if (lengths_up_to(&place->main[m], SHORT) < 2)
      continue;
    draw_times(place, &place->main[m], charts, SHORT, REPORT_SMALL);
    drawn++;
  }
  draw_rows(place, NULL, charts);
  const int has_lengths = place->length_count > 0 && place->lengths[place->length_count - 1].n > 0;
  for (int r = 0; has_lengths && r < place->rival_count && r < MOST_RIVALS; r++) {
    if (place->main_count)
      draw_ratios(place, place->rivals[r].name, charts);
    else
      draw_rows(place, place->rivals[r].name, charts); /* nothing has lengths */
  }
}
