/* Plots by one gnuplot for all of them. */
#include "../gnuplot.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

char *report_file(const char *folder, const char *name, const char *ending) {
  const size_t bytes = strlen(folder) + strlen(name) + strlen(ending) + 2;
  char *path = malloc(bytes);
  if (path)
    snprintf(path, bytes, "%s/%s%s", folder, name, ending);
  return path;
}

int report_charts_open(const char *folder, report_charts_t *charts_out) {
  *charts_out = (report_charts_t){.folder = folder};
  if (gnuplot_is_there())
    charts_out->gnuplot = gnuplot_open();
  return charts_out->gnuplot ? 0 : -1;
}

int report_charts_close(report_charts_t *charts) {
  if (!charts->gnuplot || gnuplot_close(charts->gnuplot) == 0)
    return 0;
  fprintf(stderr, "usw-bench: %s: gnuplot could not draw all plots\n", charts->folder);
  return -1;
}

static void send_output(FILE *gnuplot, const char *file) {
  fputs("set termoption noenhanced\nset output ", gnuplot);
  gnuplot_quoted(gnuplot, file);
  fputc('\n', gnuplot);
}

void report_chart_add(report_charts_t *charts, const report_place_t *place, int group, const char *name, int width,
                      int height, const char *commands) {
  if (charts->count == REPORT_CHARTS)
    return;
  report_chart_t *chart = &charts->at[charts->count];
  snprintf(chart->name, sizeof chart->name, "%s-%s", place->name, name);
  for (char *letter = chart->name; *letter; letter++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+", *letter))
      *letter = '_';
  chart->place = place->name;
  chart->group = group;
  char *svg = report_file(charts->folder, chart->name, ".svg"), *png = report_file(charts->folder, chart->name, ".png");
  if (svg && png && gnuplot_can_write(svg) && gnuplot_can_write(png)) {
    FILE *gnuplot = charts->gnuplot;
    charts->count++;
    fprintf(gnuplot, "reset\nset terminal svg size %d,%d font 'sans-serif,13'\n", width, height);
    send_output(gnuplot, svg);
    fputs(commands, gnuplot);
    fprintf(gnuplot,
            "set output\nreset\nset terminal pngcairo size %d,%d font 'DejaVu Sans,12' fontscale 1.5 linewidth 2 "
            "pointscale 2 background 'white'\n",
            2 * width, 2 * height);
    send_output(gnuplot, png);
    fputs(commands, gnuplot);
    fputs("set output\n", gnuplot);
  }
  free(svg);
  free(png);
}
