/* The plot, by gnuplot through a pipe: GB/s over the size of the team, each rung at its best k, and GB/s over k at the
 * best size, for the rungs that have one. Horizontal lines are the library's own kernels. */
#include "../gnuplot.h"
#include "ladder.h"

#include <errno.h>
#include <string.h>

/* Colours that those who do not see red or green can tell apart. */
static const char *const colours[LADDER_RUNGS] = {"#CC79A7", "#E69F00", "#009E73", "#0072B2",
                                                  "#D55E00", "#666666", "#000000", "#666666"};
static const int points[LADDER_KERNELS] = {4, 8, 10, 6, 5, 12};

static const ladder_entry_t *best_of(const ladder_results_t *results, int rung) {
  for (int e = 0; e < results->count; e++)
    if ((int)results->entries[e].rung == rung && results->entries[e].is_best)
      return &results->entries[e];
  return NULL; /* does not happen: every rung has a best entry */
}

/* Blocks of data: $size<rung> at the rung's best k, $items<rung> at its best size of team. */
static void send_data(FILE *gnuplot, const ladder_results_t *results) {
  for (int rung = 0; rung < LADDER_KERNELS; rung++) {
    const ladder_entry_t *best = best_of(results, rung);
    for (int over_items = 0; over_items <= ladder_facts[rung].has_items; over_items++) {
      fprintf(gnuplot, "$%s%d << end\n", over_items ? "items" : "size", rung);
      for (int e = 0; e < results->count; e++) {
        const ladder_entry_t *entry = &results->entries[e];
        if ((int)entry->rung == rung && (over_items ? entry->team_size == best->team_size : entry->k == best->k))
          fprintf(gnuplot, "%u %.3f\n", over_items ? entry->k : entry->team_size, entry->gb_per_s);
      }
      fputs("end\n", gnuplot);
    }
  }
}

static void send_head(FILE *gnuplot, const ladder_results_t *results, const char *file) {
  char title[512], length[32];
  int power = 0;
  while (results->n >> (power + 1))
    power++;
  if (results->n == (size_t)1 << power)
    snprintf(length, sizeof length, "2^%d", power);
  else
    snprintf(length, sizeof length, "%zu", results->n);
  snprintf(title, sizeof title, "The ladder on %s, n = %s doubles (commit %s)", results->device, length,
           results->commit);
  fprintf(gnuplot, "set terminal %s size 1600,700 background 'white' font 'DejaVu Sans,15' linewidth 1.5\n",
          strcmp(strrchr(file, '.'), ".png") == 0 ? "pngcairo" : "svg");
  fputs("set termoption noenhanced\nset output ", gnuplot);
  gnuplot_quoted(gnuplot, file);
  fputs("\nset multiplot layout 1,2 title ", gnuplot);
  gnuplot_quoted(gnuplot, title);
  fputs(" font ',18'\n", gnuplot);
  fputs("set tmargin at screen 0.90\nset bmargin at screen 0.30\n", gnuplot);
  fputs("set key left top Left reverse vertical maxrows 4 font ',13' samplen 3 width 0\n", gnuplot);
  fputs("set grid linecolor '#DDDDDD'\nset border 3\nset tics nomirror\nset logscale x 2\nset ylabel 'GB/s'\n",
        gnuplot);
  double most = 0;
  for (int rung = 0; rung < LADDER_RUNGS; rung++)
    most = best_of(results, rung)->gb_per_s > most ? best_of(results, rung)->gb_per_s : most;
  fprintf(gnuplot, "set yrange [0:%.3f]\n", most * 1.05);
}

static void send_curve(FILE *gnuplot, const ladder_results_t *results, int rung, int over_items) {
  const ladder_entry_t *best = best_of(results, rung);
  fprintf(gnuplot, "$%s%d with linespoints linecolor '%s' linewidth 2 pointtype %d pointsize 1.4 title '%s: %s",
          over_items ? "items" : "size", rung, colours[rung], points[rung], ladder_facts[rung].word,
          ladder_facts[rung].title);
  if (over_items)
    fprintf(gnuplot, ", teams of %u", best->team_size);
  else if (ladder_facts[rung].has_items)
    fprintf(gnuplot, ", k = %u", best->k);
  fputs("', ", gnuplot);
}

static void send_own(FILE *gnuplot, const ladder_results_t *results, int rung) {
  fprintf(gnuplot, "%.3f with lines linecolor '%s' linewidth 2 dashtype 2 title '%s'", best_of(results, rung)->gb_per_s,
          colours[rung], ladder_facts[rung].word);
}

static void send_panels(FILE *gnuplot, const ladder_results_t *results) {
  fputs("set lmargin at screen 0.075\nset rmargin at screen 0.56\nset key at screen 0.05,0.165\n", gnuplot);
  fputs("set xlabel 'work-items of a team'\nset xtics (32, 64, 128, 256, 512, 1024)\nset xrange [28:1170]\nplot ",
        gnuplot);
  for (int rung = 0; rung < LADDER_KERNELS; rung++)
    send_curve(gnuplot, results, rung, 0);
  send_own(gnuplot, results, LADDER_USW_SUM);
  fputs(", ", gnuplot);
  send_own(gnuplot, results, LADDER_USW_DOT);
  fputs("\nset lmargin at screen 0.64\nset rmargin at screen 0.98\nset key at screen 0.64,0.165\n", gnuplot);
  fputs("set xlabel 'k, items per work-item'\nset xtics autofreq\nset xrange [*:*]\nplot ", gnuplot);
  for (int rung = 0; rung < LADDER_KERNELS; rung++)
    if (ladder_facts[rung].has_items)
      send_curve(gnuplot, results, rung, 1);
  send_own(gnuplot, results, LADDER_USW_SUM);
  fputs("\nunset multiplot\nunset output\n", gnuplot);
}

int ladder_plot(const ladder_results_t *results, const char *file) {
  if (!gnuplot_is_there()) {
    fprintf(stderr, "usw-bench ladder: %s: no gnuplot here; --csv FILE here and --from-csv FILE elsewhere draw it\n",
            file);
    return -1;
  }
  if (!gnuplot_can_write(file)) {
    fprintf(stderr, "usw-bench ladder: %s cannot be written\n", file);
    return -1;
  }
  FILE *gnuplot = gnuplot_open();
  if (!gnuplot) {
    fprintf(stderr, "usw-bench ladder: gnuplot: %s\n", strerror(errno));
    return -1;
  }
  send_head(gnuplot, results, file);
  send_data(gnuplot, results);
  send_panels(gnuplot, results);
  if (gnuplot_close(gnuplot) == 0)
    return 0;
  fprintf(stderr, "usw-bench ladder: gnuplot could not make %s\n", file);
  return -1;
}
