/* The report: one page of HTML and its plots, for somebody who has five minutes. What its files share. */
#ifndef REPORT_H
#define REPORT_H

#include "../bench_compare.h"

#include <stdio.h>

/* A kernel and a type over lengths: cells of the measurement that lie beside each other. */
typedef struct report_series {
  const bench_cell_t *cells; /* by length */
  int count;
} report_series_t;

/* Cells that have one length. */
typedef struct report_length {
  uint64_t n;
  int cells, behind; /* cells with a peer; those where one is ahead beyond noise */
} report_length_t;

/* Upsweep's time by that of one peer, over the cells that both have. */
typedef struct report_rival {
  const char *name;
  int cells, ahead, level, behind;
  double median;
} report_rival_t;

/* What shares are of. */
typedef enum report_share {
  REPORT_OF_READ, /* the rate of the plain read of the same bytes */
  REPORT_OF_PEAK, /* the memory's rate by its data sheet */
  REPORT_OF_BEST, /* the highest rate in the file */
} report_share_t;

enum { REPORT_RIVALS = 16, REPORT_MAIN = 6 };

/* All that is said of one place. */
typedef struct report_place {
  const bench_measurement_t *measurement;
  const char *name;
  report_series_t *series; /* in the order of the file; series of Upsweep's own only */
  int series_count;
  report_series_t main[REPORT_MAIN]; /* those that are drawn over lengths */
  int main_count;
  report_share_t share;
  double best_gb_per_s;
  report_rival_t rivals[REPORT_RIVALS]; /* in the order of the file */
  int rival_count;
  report_length_t *lengths; /* that have peers, ascending */
  int length_count;
  report_rival_t all; /* against the fastest peer of each cell */
} report_place_t;

/* A plot that was drawn: <folder>/<name>.png, and .svg until the page has it. */
typedef struct report_chart {
  char name[128];
  const char *place;
  int group; /* a report_group_t */
} report_chart_t;

enum { REPORT_CHARTS = 32 };
typedef struct report_charts {
  const char *folder;
  report_chart_t at[REPORT_CHARTS];
  int count;
  FILE *gnuplot;
} report_charts_t;

/* facts.c. report_describe() returns 0, or -1 where there is no memory; the place has to be freed in both cases. */
int report_describe(const bench_measurement_t *measurement, const char *name, report_place_t *place_out);
void report_free(report_place_t *place);
/* Upsweep's share in a cell, 1 being all of it; 0 where there is none to be told. */
double report_share(const report_place_t *place, const bench_cell_t *cell);
const char *report_share_text(report_share_t share); /* "of the read kernel's rate" */
/* Whether a competitor is drawn and stands in tables beside Upsweep; one line for all forms of it. */
const bench_entry_t *report_competitor(const bench_cell_t *cell, int position);
/* The kernel as people call it: with its suite where that is not the library's own functions. */
enum { REPORT_NAME_BYTES = 128 };
const char *report_kernel_name(const bench_entry_t *entry, char name_out[REPORT_NAME_BYTES]);

/* sentences.c: how fast, against whom, where behind. Plain text, to be escaped; one sentence or more in a line. */
enum { REPORT_SENTENCES = 3, REPORT_SENTENCE_BYTES = 1024 };
void report_sentences(const report_place_t *place, char texts_out[REPORT_SENTENCES][REPORT_SENTENCE_BYTES]);

/* plots.c: the kinds of plots, in the order of the page, with a line that says how to read them; draws all of a place. */
typedef enum report_group { REPORT_TIME, REPORT_SMALL, REPORT_SHARES, REPORT_RATIOS, REPORT_GROUPS } report_group_t;
typedef struct report_group_text {
  const char *title, *how_to_read;
} report_group_text_t;
extern const report_group_text_t report_groups[REPORT_GROUPS];
void report_draw(const report_place_t *place, report_charts_t *charts);

/* charts.c: draws by gnuplot what commands say, as <folder>/<name>.svg and .png, the name made fit for a file. Opening
 * returns 0, or -1 where there is no gnuplot; closing 0, or -1 after a line on stderr. Charts that do not fit in are left
 * out. */
int report_charts_open(const char *folder, report_charts_t *charts_out);
int report_charts_close(report_charts_t *charts);
void report_chart_add(report_charts_t *charts, const report_place_t *place, int group, const char *name, int width,
                      int height, const char *commands);
/* The path of a chart's file; the caller frees it. NULL where there is no memory. */
char *report_file(const char *folder, const char *name, const char *ending);

/* tables.c: HTML of a place's tables. */
void report_text(FILE *html, const char *text); /* escaped */
void report_tables(FILE *html, const report_place_t *place);

/* page.c: writes <folder>/report.html. Returns 0, or -1 after a line on stderr. */
int report_page(const char *folder, const bench_measurement_t *measurement, const report_place_t *places, int count,
                const report_charts_t *charts);

/* report.c: the whole report of a measurement into a folder, which is made if it is not there. Returns 0, or -1 after a
 * line on stderr. Without gnuplot the page has no plots, which a line on stderr says. */
int report_write(const bench_measurement_t *measurement, const char *folder);

/* The command `usw bench --from FILE.json --report FOLDER`; arguments are those after --from. Returns the exit code. */
int bench_report_main(int argc, char **argv);

#endif
