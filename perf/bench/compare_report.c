#include "compare_report.h"
#include "measure/arguments.h"
#include "measure/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 50 }; /* of a table for people; the JSON has all */

static const char *const verdict_names[] = {"same", "regression", "improvement"};

static void print_difference(FILE *stream, const char *key, const cJSON *before, const cJSON *after) {
  char *texts[2] = {before ? cJSON_PrintUnformatted(before) : NULL, after ? cJSON_PrintUnformatted(after) : NULL};
  if (strcmp(texts[0] ? texts[0] : "nothing", texts[1] ? texts[1] : "nothing") != 0)
    fprintf(stream, "  %s: %s before, %s after\n", key, texts[0] ? texts[0] : "nothing",
            texts[1] ? texts[1] : "nothing");
  cJSON_free(texts[0]);
  cJSON_free(texts[1]);
}

static void print_contexts(FILE *stream, const bench_measurement_t *before, const bench_measurement_t *after) {
  static const char *const keys[] = {"device",   "target", "driver", "host",  "host_threads", "upsweep", "commit",
                                     "compiler", "flags",  "wait",   "suite", "clocks",       "command", "peers"};
  fprintf(stream, "before: %s (%s)\nafter:  %s (%s)\n", before->name, bench_context_text(before, "date"), after->name,
          bench_context_text(after, "date"));
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    print_difference(stream, keys[k], cJSON_GetObjectItemCaseSensitive(before->context, keys[k]),
                     cJSON_GetObjectItemCaseSensitive(after->context, keys[k]));
}

static int compare_shifts(const void *left, const void *right) {
  const double a = fabs(log1p((*(const bench_shift_t *const *)left)->change));
  const double b = fabs(log1p((*(const bench_shift_t *const *)right)->change));
  return (a < b) - (a > b);
}

static void print_shift(FILE *stream, const bench_shift_t *shift) {
  char length[BENCH_LENGTH_BYTES], p[16] = "-", competitor[64];
  if (!isnan(shift->p))
    snprintf(p, sizeof p, "%.0e", shift->p);
  snprintf(competitor, sizeof competitor, "%s%s%s", shift->competitor, *shift->accuracy ? "/" : "", shift->accuracy);
  fprintf(stream, "%-6s %-16s %-4s %10s  %-16s %-13s %7.3f %7.3f %+7.1f %% %5.0f %% %6s %10.2f %10.2f\n", shift->place,
          shift->kernel, shift->type, bench_length_text(shift->n, length), competitor,
          shift->reference ? shift->reference : "(time)", shift->before, shift->after, 100 * shift->change,
          100 * shift->limit, p, shift->before_us, shift->after_us);
}

static void print_table(FILE *stream, const bench_comparison_t *comparison, bench_verdict_t verdict, int count) {
  if (count == 0)
    return;
  const bench_shift_t **sorted = malloc((size_t)count * sizeof *sorted);
  int found = 0;
  fprintf(stream, "\n%ss (%d):\n%-6s %-16s %-4s %10s  %-16s %-13s %7s %7s %9s %7s %6s %10s %10s\n",
          verdict_names[verdict], count, "place", "kernel", "type", "n", "competitor", "by", "before", "after",
          "change", "limit", "p", "us before", "us after");
  for (int k = 0; sorted && k < comparison->count; k++)
    if (comparison->shifts[k].verdict == verdict)
      sorted[found++] = &comparison->shifts[k];
  if (found)
    qsort(sorted, (size_t)found, sizeof(const bench_shift_t *), compare_shifts);
  for (int k = 0; k < found && k < MOST_LINES; k++)
    print_shift(stream, sorted[k]);
  if (found > MOST_LINES)
    fprintf(stream, "... and %d more, in the JSON\n", found - MOST_LINES);
  free(sorted);
}

void bench_print_comparison(FILE *stream, const bench_comparison_t *comparison, const bench_measurement_t *before,
                            const bench_measurement_t *after) {
  fprintf(stream, "%d regressions, %d improvements in %d cells (%d ratios)\n", comparison->regressions,
          comparison->improvements, comparison->cells_compared, comparison->count);
  print_contexts(stream, before, after);
  if (comparison->cells_only_before || comparison->cells_only_after)
    fprintf(stream, "cells only before: %d, only after: %d\n", comparison->cells_only_before,
            comparison->cells_only_after);
  if (comparison->cells_without_reference)
    fprintf(stream, "cells without a common reference, not judged: %d\n", comparison->cells_without_reference);
  if (comparison->without_references)
    fputs("the files have no reference in common: times are judged, which machines change, too\n", stream);
  if (comparison->by_medians)
    fprintf(stream, "without times of common rounds, so judged by medians and limit alone: %d ratios\n",
            comparison->by_medians);
  if (comparison->contradicted)
    fprintf(stream, "%d shifts beyond their limit are not borne out by most references of their cells\n",
            comparison->contradicted);
  if (comparison->too_few_rounds)
    fprintf(stream, "with too few rounds to be told from chance whatever they were: %d ratios; raise --repetitions\n",
            comparison->too_few_rounds);
  print_table(stream, comparison, BENCH_REGRESSION, comparison->regressions);
  print_table(stream, comparison, BENCH_IMPROVEMENT, comparison->improvements);
}

static cJSON *shift_json(const bench_shift_t *shift) {
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "place", shift->place);
  cJSON_AddStringToObject(json, "suite", shift->suite);
  cJSON_AddStringToObject(json, "kernel", shift->kernel);
  if (*shift->type)
    cJSON_AddStringToObject(json, "type", shift->type);
  cJSON_AddNumberToObject(json, "n", (double)shift->n);
  cJSON_AddStringToObject(json, "competitor", shift->competitor);
  if (*shift->accuracy)
    cJSON_AddStringToObject(json, "accuracy", shift->accuracy);
  if (shift->reference)
    cJSON_AddStringToObject(json, "reference", shift->reference);
  cJSON_AddNumberToObject(json, "before_us", shift->before_us);
  cJSON_AddNumberToObject(json, "after_us", shift->after_us);
  if (shift->reference) {
    cJSON_AddNumberToObject(json, "reference_before_us", shift->reference_before_us);
    cJSON_AddNumberToObject(json, "reference_after_us", shift->reference_after_us);
  }
  cJSON_AddNumberToObject(json, "ratio_before", shift->before);
  cJSON_AddNumberToObject(json, "ratio_after", shift->after);
  cJSON_AddNumberToObject(json, "change", shift->change);
  if (!isnan(shift->p))
    cJSON_AddNumberToObject(json, "p", shift->p);
  cJSON_AddNumberToObject(json, "limit", shift->limit);
  cJSON_AddStringToObject(json, "verdict", verdict_names[shift->verdict]);
  return json;
}

static cJSON *comparison_json(const bench_comparison_t *comparison, const bench_measurement_t *before,
                              const bench_measurement_t *after) {
  cJSON *root = cJSON_CreateObject(), *summary = cJSON_CreateObject();
  cJSON_AddItemToObject(root, "before", cJSON_Duplicate(before->context, 1));
  cJSON_AddItemToObject(root, "after", cJSON_Duplicate(after->context, 1));
  cJSON_AddItemToObject(root, "summary", summary);
  cJSON_AddNumberToObject(summary, "regressions", comparison->regressions);
  cJSON_AddNumberToObject(summary, "improvements", comparison->improvements);
  cJSON_AddNumberToObject(summary, "cells_compared", comparison->cells_compared);
  cJSON_AddNumberToObject(summary, "cells_without_reference", comparison->cells_without_reference);
  cJSON_AddNumberToObject(summary, "cells_only_before", comparison->cells_only_before);
  cJSON_AddNumberToObject(summary, "cells_only_after", comparison->cells_only_after);
  cJSON_AddNumberToObject(summary, "by_medians", comparison->by_medians);
  cJSON_AddNumberToObject(summary, "contradicted", comparison->contradicted);
  cJSON_AddNumberToObject(summary, "too_few_rounds", comparison->too_few_rounds);
  cJSON_AddBoolToObject(summary, "without_references", comparison->without_references);
  cJSON *shifts = cJSON_AddArrayToObject(root, "shifts");
  for (int k = 0; k < comparison->count; k++)
    cJSON_AddItemToArray(shifts, shift_json(&comparison->shifts[k]));
  return root;
}

static void print_behind(FILE *stream, const bench_measurement_t *measurement, const bench_behind_t *behind,
                         int count) {
  int cells = 0;
  for (int c = 0; c < measurement->cell_count; c++)
    cells += bench_cell_own(&measurement->cells[c]) && bench_cell_peer(&measurement->cells[c]);
  fprintf(stream, "%d of %d cells with a peer: a peer is ahead by more than %.0f %%\n", count, cells,
          100 * (BENCH_NOISE - 1));
  for (int k = 0; k < count; k++) {
    const bench_behind_t *cell = &behind[k];
    char length[BENCH_LENGTH_BYTES];
    if (k == 0)
      fprintf(stream, "%-6s %-16s %-4s %10s  %6s  %-12s %10s  %-12s %10s  %s\n", "place", "kernel", "type", "n",
              "factor", "own", "us", "peer", "us", "form");
    fprintf(stream, "%-6s %-16s %-4s %10s  %6.3f  %-12s %10.2f  %-12s %10.2f  %s\n", cell->own->place,
            cell->own->kernel, cell->own->type, bench_length_text(cell->own->n, length), cell->factor,
            cell->own->competitor, cell->own->median_us, cell->peer->competitor, cell->peer->median_us,
            cell->peer->form);
  }
}

static int compare_files(const char *before_file, const char *after_file, double limit_percent, const char *json_file) {
  bench_measurement_t before, after;
  bench_comparison_t comparison;
  if (bench_measurement_read(before_file, &before))
    return BENCH_COMPARE_BAD_INPUT;
  if (bench_measurement_read(after_file, &after)) {
    bench_measurement_free(&before);
    return BENCH_COMPARE_BAD_INPUT;
  }
  int code = BENCH_COMPARE_BAD_INPUT;
  if (bench_compare(&before, &after, limit_percent, &comparison)) {
    fputs("usw-bench: no memory to compare\n", stderr);
  } else {
    code = comparison.regressions ? BENCH_COMPARE_REGRESSIONS : BENCH_COMPARE_SAME;
    if (comparison.count == 0 && comparison.cells_without_reference == 0) {
      fprintf(stderr, "usw-bench: %s and %s measure nothing of Upsweep's in common\n", before_file, after_file);
      code = BENCH_COMPARE_BAD_INPUT;
    } else {
      bench_print_comparison(stdout, &comparison, &before, &after);
      if (json_file && bench_write_json(comparison_json(&comparison, &before, &after), json_file))
        code = BENCH_COMPARE_BAD_INPUT;
    }
    bench_comparison_free(&comparison);
  }
  bench_measurement_free(&before);
  bench_measurement_free(&after);
  return code;
}

/* What a command line asks for. */
typedef struct request {
  const char *program, *files[2], *json_file;
  int wanted, count; /* files */
  double limit_percent;
} request_t;

enum { KEY_LIMIT = 256, KEY_JSON };

static error_t parse(int key, char *text, struct argp_state *state) {
  request_t *request = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    arguments_one_line_per_error(state);
    return 0;
  case KEY_LIMIT:
    return arguments_positive(request->program, "limit", text, "percentage above 0", &request->limit_percent);
  case KEY_JSON:
    request->json_file = text;
    return 0;
  case ARGP_KEY_ARG:
    if (request->count == request->wanted)
      return arguments_refuse_argument(request->program, text);
    request->files[request->count++] = text;
    return 0;
  case ARGP_KEY_END:
    if (request->count == request->wanted)
      return 0;
    fprintf(stderr, "%s: a file is missing; --help says more\n", request->program);
    return EINVAL;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option compare_options[] = {
    {"limit", KEY_LIMIT, "PERCENT", 0, "one limit for all", 0},
    {"json", KEY_JSON, "FILE", 0, "write every ratio to FILE", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static const struct argp compare_parser = {
    compare_options,
    parse,
    "BEFORE.json AFTER.json",
    "Tells what became slower or faster: Upsweep's time by that of the plain read, and of peers, called in the same "
    "rounds.\v"
    "A shift counts where p < 0.01 (Mann-Whitney over rounds, Holm over all cells) and it is beyond the limit: against "
    "the read 5 % for calls of 100 us and more, 8 % from 20 us on, 12 % below; against peers 25 %, and as much for "
    "times where there is no reference; on the host 100 %. Most references of a cell have to show it. Exit status 1: "
    "something became slower; 2: a file is bad.",
    NULL,
    NULL,
    NULL};

static const struct argp behind_parser = {
    NULL, parse, "FILE.json", "Lists where a peer is ahead by more than 3 %, worst first.", NULL, NULL, NULL};

int bench_compare_main(int argc, char **argv) {
  static char name[] = "usw-bench --compare";
  request_t request = {.program = name, .wanted = 2};
  argv[0] = name;
  if (arguments_parse(&compare_parser, argc, argv, &request))
    return BENCH_COMPARE_BAD_INPUT;
  return compare_files(request.files[0], request.files[1], request.limit_percent, request.json_file);
}

int bench_behind_main(int argc, char **argv) {
  static char name[] = "usw-bench --behind";
  request_t request = {.program = name, .wanted = 1};
  bench_measurement_t measurement;
  bench_behind_t *behind;
  argv[0] = name;
  if (arguments_parse(&behind_parser, argc, argv, &request) || bench_measurement_read(request.files[0], &measurement))
    return BENCH_COMPARE_BAD_INPUT;
  const int count = bench_find_behind(&measurement, &behind);
  if (count < 0) {
    fputs("usw-bench: no memory to compare\n", stderr);
  } else {
    print_behind(stdout, &measurement, behind, count);
    free(behind);
  }
  bench_measurement_free(&measurement);
  return count < 0 ? BENCH_COMPARE_BAD_INPUT : 0;
}
