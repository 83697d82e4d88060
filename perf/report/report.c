/* The report of a measurement, and its command. */
#include "report.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_PLACES = 8 };

/* The names of the places, in the order of the file's cells. */
static int find_places(const bench_measurement_t *measurement, const char *names_out[MOST_PLACES]) {
  int count = 0;
  for (int c = 0; c < measurement->cell_count && count < MOST_PLACES; c++)
    if (count == 0 || strcmp(names_out[count - 1], measurement->cells[c].entries->place) != 0)
      names_out[count++] = measurement->cells[c].entries->place;
  return count;
}

static int make_folder(const char *folder) {
  if (mkdir(folder, 0777) == 0 || errno == EEXIST)
    return 0;
  fprintf(stderr, "usw-bench: %s: %s\n", folder, strerror(errno));
  return -1;
}

int report_write(const bench_measurement_t *measurement, const char *folder) {
  const char *names[MOST_PLACES];
  report_place_t places[MOST_PLACES];
  report_charts_t charts;
  const int count = find_places(measurement, names);
  int failed = 0, made = 0;
  if (make_folder(folder))
    return -1;
  for (; made < count && !failed; made++)
    failed = report_describe(measurement, names[made], &places[made]);
  if (failed) {
    fputs("usw-bench: no memory for a report\n", stderr);
  } else {
    if (report_charts_open(folder, &charts))
      fprintf(stderr, "usw-bench: %s: no gnuplot here: the report has no plots\n", folder);
    for (int p = 0; charts.gnuplot && p < count; p++)
      report_draw(&places[p], &charts);
    failed = report_charts_close(&charts);
    failed |= report_page(folder, measurement, places, count, &charts);
  }
  for (int p = 0; p < made; p++)
    report_free(&places[p]);
  return failed ? -1 : 0;
}

int bench_report_main(int argc, char **argv) {
  bench_measurement_t measurement;
  if (argc != 3 || strcmp(argv[1], "--report") != 0 || argv[0][0] == '-') {
    fputs(
        "usage: usw bench --from FILE.json --report FOLDER\n"
        "  writes report.html, a page that stands alone, and its plots as PNG files, of a measurement made by --json\n",
        stderr);
    return 2;
  }
  if (bench_measurement_read(argv[0], &measurement))
    return 2;
  const int failed = report_write(&measurement, argv[2]);
  bench_measurement_free(&measurement);
  return failed ? 1 : 0;
}
