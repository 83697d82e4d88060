/* What is said of a measurement. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void bench_print_heading(void) {
  printf("%-15s %-4s %11s  %-13s %6s %5s %11s %11s %11s %8s\n", "kernel", "type", "n", "competitor", "teams", "size",
         "median, us", "quartile 1", "quartile 3", "GB/s");
}

static double rate(const bench_case_t *what, const bench_competitor_t *competitor) {
  return what->bytes * 1e-9 / competitor->times.median;
}

void bench_print_line(const bench_case_t *what, const bench_competitor_t *competitor) {
  const bench_statistics_t *times = &competitor->times;
  const char *level = competitor->is_peer || competitor->accuracy == bench_accuracy(competitor->strategy)
                          ? NULL
                          : bench_accuracy_name(competitor->accuracy);
  const char *form = competitor->form ? competitor->form : level;
  printf("%-15s %-4s %11zu  %-13s %6u %5u %11.3f %11.3f %11.3f %8.1f%s%s%s%s\n", what->kernel,
         what->type ? what->type : "-", what->n, competitor->name, competitor->teams_used, competitor->team_size_used,
         times->median * 1e6, times->first_quartile * 1e6, times->third_quartile * 1e6, rate(what, competitor),
         form ? "  " : "", form ? form : "", strcmp(what->suite, "wide") == 0 ? "  wide" : "",
         competitor->wrong ? "  WRONG" : "");
}

void bench_print_best(const bench_case_t *what, const bench_competitor_t *competitors, int count) {
  for (int k = 0; k < count; k++) {
    const bench_competitor_t *best = &competitors[k];
    int is_first = 1;
    for (int other = 0; other < k; other++)
      is_first &= strcmp(competitors[other].name, best->name) != 0;
    if (!is_first)
      continue;
    for (int other = k + 1; other < count; other++)
      if (strcmp(competitors[other].name, best->name) == 0 && competitors[other].times.median < best->times.median)
        best = &competitors[other];
    bench_print_line(what, best);
  }
}

/* Nanoseconds are digits enough, and short ones in the file. */
static double microseconds(double seconds) { return round(seconds * 1e9) / 1e3; }

static void add_times(cJSON *entry, const bench_case_t *what, const bench_competitor_t *competitor, int repetitions,
                      int keeps_rounds) {
  const bench_statistics_t *times = &competitor->times;
  cJSON_AddNumberToObject(entry, "repetitions", repetitions);
  if (competitor->calls > 1)
    cJSON_AddNumberToObject(entry, "calls", competitor->calls);
  cJSON_AddNumberToObject(entry, "least_us", microseconds(times->least));
  cJSON_AddNumberToObject(entry, "first_quartile_us", microseconds(times->first_quartile));
  cJSON_AddNumberToObject(entry, "median_us", microseconds(times->median));
  cJSON_AddNumberToObject(entry, "third_quartile_us", microseconds(times->third_quartile));
  cJSON_AddNumberToObject(entry, "gb_per_s", round(rate(what, competitor) * 1e3) / 1e3);
  cJSON *rounds = keeps_rounds ? cJSON_AddArrayToObject(entry, "rounds_us") : NULL;
  for (int round = 0; rounds && round < repetitions; round++)
    cJSON_AddItemToArray(rounds, cJSON_CreateNumber(microseconds(competitor->seconds[round])));
}

void bench_add_entry(const bench_session_t *session, const bench_case_t *what, const bench_competitor_t *competitor,
                     int repetitions) {
  cJSON *entry = cJSON_CreateObject();
  cJSON_AddItemToArray(session->results, entry);
  cJSON_AddStringToObject(entry, "place", session->place.name);
  cJSON_AddStringToObject(entry, "suite", what->suite);
  cJSON_AddStringToObject(entry, "kernel", what->kernel);
  if (what->type)
    cJSON_AddStringToObject(entry, "type", what->type);
  cJSON_AddNumberToObject(entry, "n", (double)what->n);
  cJSON_AddNumberToObject(entry, "bytes", what->bytes);
  cJSON_AddStringToObject(entry, "competitor", competitor->name);
  cJSON_AddBoolToObject(entry, "peer", competitor->is_peer);
  if (competitor->form)
    cJSON_AddStringToObject(entry, "form", competitor->form);
  if (!competitor->is_peer) {
    cJSON_AddStringToObject(entry, "strategy", bench_strategy_name(competitor->strategy_used));
    cJSON_AddStringToObject(entry, "accuracy", bench_accuracy_name(competitor->accuracy));
    cJSON_AddNumberToObject(entry, "teams", competitor->teams_used);
    cJSON_AddNumberToObject(entry, "team_size", competitor->team_size_used);
  }
  add_times(entry, what, competitor, repetitions, session->options->keeps_rounds);
  cJSON_AddNumberToObject(entry, "wrong_results", competitor->wrong);
}

static int has_text(const cJSON *entry, const char *key, const char *text) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(entry, key);
  return text ? cJSON_IsString(item) && strcmp(item->valuestring, text) == 0 : item == NULL;
}

cJSON *bench_find_entry(cJSON *results, const bench_case_t *what, const char *place,
                        const bench_competitor_t *competitor) {
  cJSON *entry;
  cJSON_ArrayForEach(entry, results) {
    if (has_text(entry, "kernel", what->kernel) && has_text(entry, "type", what->type) &&
        cJSON_GetObjectItemCaseSensitive(entry, "n")->valuedouble == (double)what->n &&
        has_text(entry, "suite", what->suite) && has_text(entry, "place", place) &&
        has_text(entry, "competitor", competitor->name) && has_text(entry, "form", competitor->form) &&
        (competitor->is_peer || has_text(entry, "accuracy", bench_accuracy_name(competitor->accuracy))))
      return entry;
  }
  return NULL;
}
