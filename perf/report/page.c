/* The page: HTML that stands alone, for screens of any width, light or dark, and for paper. */
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char style[] =
    "<style>\n"
    ":root{color-scheme:light dark;--ink:#1a1a1a;--soft:#5c5c5c;--rule:#c9c9c9;--paper:#fff;--mark:#a33b00}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e8e8e8;--soft:#a8a8a8;--rule:#4a4a4a;--paper:#161616;--mark:#"
    "ff9c5c}}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}\n"
    "main{max-width:1100px;margin:auto;padding:1rem}\n"
    "h1{font-size:1.6rem;margin:.5rem 0}h2{font-size:1.25rem;margin:2rem 0 .3rem}\n"
    "p,li,dd{overflow-wrap:anywhere}.soft,figcaption{color:var(--soft)}\n"
    "ol.facts{padding-left:1.3rem;font-size:1.1rem}ol.facts li{margin:.5rem 0}\n"
    ".charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr));gap:.5rem}\n"
    ".charts.one{display:block;max-width:760px}\n"
    "figure{margin:0;break-inside:avoid}figure svg{width:100%;height:auto;display:block}\n"
    "figure svg [color=\"black\"]{color:var(--ink)}figure svg [fill=\"black\"]{fill:var(--ink)}\n"
    "figure svg [color=\"gray\"]{color:var(--rule)}figure svg [stroke*=\"rgb(  0,   0,   0)\"]{stroke:var(--ink)}\n"
    "details{margin:.5rem 0}summary{cursor:pointer;font-weight:600}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.15rem .6rem;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}\n"
    "th:first-child,td:first-child{text-align:left}td.behind{color:var(--mark);font-weight:600}\n"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--rule);padding:.6rem}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem}dt{color:var(--soft)}dd{margin:0}\n"
    "@media print{main{max-width:none;padding:0}body{font-size:11pt}\n"
    ".charts{grid-template-columns:1fr 1fr}.wide{overflow:visible}table{font-size:7pt}th,td{padding:0 2pt}}\n"
    "</style>\n";

/* Words of gnuplot's SVG that name things: unique in a file, but not among those of one page. Each gets the chart's number
 * in place of its first letter. */
static const char *const names[] = {"gpDot", "gpPt", "gnuplot_canvas", "gnuplot_plot_", "'textbox'", "'greybox'"};

/* Copies what is from <svg on. */
static void copy_svg(FILE *html, const char *text, int number) {
  static int panels = 0; /* plots within a chart have names as well */
  while (*text) {
    size_t k = 0;
    while (k < sizeof names / sizeof *names && strncmp(text, names[k], strlen(names[k])) != 0)
      k++;
    if (k == sizeof names / sizeof *names) {
      fputc(*text++, html);
      continue;
    }
    const int is_quoted = *names[k] == '\'';
    fprintf(html, "%sc%d-", is_quoted ? "'" : "",
            strcmp(names[k], "gnuplot_plot_") == 0 ? ++panels + 1000 * number : number);
    text += is_quoted;
    fwrite(text, 1, strlen(names[k]) - (size_t)is_quoted, html);
    text += strlen(names[k]) - (size_t)is_quoted;
  }
}

static char *read_chart(const char *path) {
  FILE *stream = fopen(path, "r");
  char *text = NULL;
  size_t room = 0;
  if (!stream)
    return NULL;
  const ssize_t used = getdelim(&text, &room, 0, stream); /* SVG is text: there is no 0 in it */
  fclose(stream);
  if (used > 0)
    return text;
  free(text);
  return NULL;
}

/* The plot in the page; its SVG file is removed, the PNG stays. */
static void chart(FILE *html, const report_charts_t *charts, int number) {
  char *path = report_file(charts->folder, charts->at[number].name, ".svg");
  char *text = path ? read_chart(path) : NULL;
  const char *svg = text ? strstr(text, "<svg") : NULL;
  if (svg) {
    fputs("<figure>", html);
    copy_svg(html, svg, number);
    fputs("</figure>\n", html);
  }
  if (path)
    unlink(path);
  free(text);
  free(path);
}

static void group(FILE *html, const report_place_t *place, const report_charts_t *charts, int group) {
  int count = 0;
  for (int k = 0; k < charts->count; k++)
    count += charts->at[k].group == group && strcmp(charts->at[k].place, place->name) == 0;
  if (count == 0)
    return;
  fprintf(html, "<section><h2>%s</h2>\n<p class=\"soft\">%s</p>\n<div class=\"charts%s\">\n",
          report_groups[group].title, report_groups[group].how_to_read, count == 1 ? " one" : "");
  for (int k = 0; k < charts->count; k++)
    if (charts->at[k].group == group && strcmp(charts->at[k].place, place->name) == 0)
      chart(html, charts, k);
  fputs("</div></section>\n", html);
}

static void place_part(FILE *html, const report_place_t *place, const report_charts_t *charts) {
  char sentences[REPORT_SENTENCES][REPORT_SENTENCE_BYTES];
  fputs("<p class=\"soft\">Place: ", html);
  report_text(html, place->name);
  fputs("</p>\n<ol class=\"facts\">\n", html);
  report_sentences(place, sentences);
  for (int k = 0; k < REPORT_SENTENCES; k++) {
    if (!*sentences[k])
      continue;
    fputs("<li>", html);
    report_text(html, sentences[k]);
    fputs("</li>\n", html);
  }
  fputs("</ol>\n", html);
  for (int g = 0; g < REPORT_GROUPS; g++)
    group(html, place, charts, g);
  fputs(
      "<section><h2>Tables</h2>\n<p class=\"soft\">Times are medians; a ratio is Upsweep's time by the other's, by its "
      "fastest form. Share: ",
      html);
  fprintf(html, "%s.</p>\n", report_share_text(place->share));
  report_tables(html, place);
  fputs("</section>\n", html);
}

static void context_value(FILE *html, const cJSON *item) {
  if (cJSON_IsString(item)) {
    report_text(html, item->valuestring);
    return;
  }
  char *text = cJSON_PrintUnformatted(item);
  report_text(html, text ? text : "");
  cJSON_free(text);
}

static void context_part(FILE *html, const bench_measurement_t *measurement) {
  const cJSON *item;
  fputs(
      "<section><h2>How it was measured</h2>\n"
      "<p>A time is wall clock from the call to a value that the host can read, the median over rounds; in a round "
      "everybody was called once, so that a change of clocks meets all of them. Every result was checked, and none was "
      "wrong.</p>\n<dl>\n",
      html);
  cJSON_ArrayForEach(item, measurement->context) {
    if (strcmp(item->string, "command") == 0)
      continue;
    fputs("<dt>", html);
    report_text(html, item->string);
    fputs("</dt><dd>", html);
    context_value(html, item);
    fputs("</dd>\n", html);
  }
  fputs("</dl>\n<p>To repeat it:</p>\n<pre>", html);
  report_text(html, bench_context_text(measurement, "command"));
  fputs("</pre></section>\n", html);
}

static void machine_line(FILE *html, const bench_measurement_t *measurement) {
  static const struct {
    const char *before, *key, *after;
  } parts[] = {{"", "device", ""},
               {"driver ", "driver", ""},
               {"host ", "host", ""},
               {"commit ", "commit", ""},
               {"", "date", ""}};
  int count = 0;
  fputs("<p class=\"soft\">", html);
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    const char *text = bench_context_text(measurement, parts[k].key);
    if (!*text || strcmp(text, "unknown") == 0)
      continue;
    fprintf(html, "%s%s", count++ ? "; " : "", parts[k].before);
    report_text(html, text);
  }
  fputs("</p>\n", html);
}

static void write_page(FILE *html, const bench_measurement_t *measurement, const report_place_t *places, int count,
                       const report_charts_t *charts) {
  const char *device = bench_context_text(measurement, "device");
  fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Upsweep on ",
        html);
  report_text(html, device);
  fprintf(html, "</title>\n%s</head>\n<body><main>\n<h1>Upsweep on ", style);
  report_text(html, device);
  fputs("</h1>\n", html);
  machine_line(html, measurement);
  if (charts->count == 0)
    fputs("<p>There are no plots: no gnuplot was found where this page was made.</p>\n", html);
  for (int p = 0; p < count; p++)
    place_part(html, &places[p], charts);
  context_part(html, measurement);
  fputs("</main></body></html>\n", html);
}

int report_page(const char *folder, const bench_measurement_t *measurement, const report_place_t *places, int count,
                const report_charts_t *charts) {
  char *path = report_file(folder, "report", ".html");
  FILE *html = path ? fopen(path, "w") : NULL;
  int failed = !html;
  if (html) {
    write_page(html, measurement, places, count, charts);
    failed = ferror(html);
    failed |= fclose(html) != 0;
  }
  if (failed)
    fprintf(stderr, "usw-bench: %s/report.html cannot be written\n", folder);
  free(path);
  return failed ? -1 : 0;
}
