/* usw explain: how a reduction would run, and its error bound. */
#include "explain.h"
#include "file_options.h"
#include "json.h"
#include "measure/arguments.h"
#include "measure/number.h"
#include "tool.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <upsweep/explain.h>

enum { KEY_AXIS = TOOL_FIRST_OWN_KEY, KEY_SHAPE, KEY_SEGMENTS, KEY_BY_KEY, KEY_SCAN, KEY_SELECT, KEY_PARTS };

static const struct argp_option options[] = {
    {"op", 'o', "NAME", 0, "the function: an operation of usw reduce, dot or dotc; sum by default", 0},
    {"type", 't', "TYPE", 0, "type of the elements: " TOOL_TYPES "; f64 by default", 0},
    {"n", 'n', "COUNT", 0, "number of elements, written as " NUMBER_FORMS "; needed but with --axis", 0},
    {"axis", KEY_AXIS, "AXES", 0,
     "how a reduction along these axes shares its elements out: numbers from 0 on, separated by commas, -1 for the "
     "last axis; needs --shape",
     0},
    {"shape", KEY_SHAPE, "NxM...", 0, "with --axis: the shape of the array, slowest dimension first", 0},
    {"segments", KEY_SEGMENTS, "COUNT", 0, "how a reduction of so many segments by offsets shares its elements out", 0},
    {"by-key", KEY_BY_KEY, "TYPE", 0,
     "how a reduction by keys of this type shares its elements out; --segments is the number of runs then, one for "
     "each "
     "element by default",
     0},
    {"scan", KEY_SCAN, NULL, 0, "how a scan shares its elements out", 0},
    {"select", KEY_SELECT, NULL, 0, "how a selection by flags shares its elements out", 0},
    {"parts", KEY_PARTS, "PLACES", 0,
     "how a reduction of parts runs that share the elements evenly, one at each of these places, separated by commas; "
     "with --staging and devices in the order of their numbers, the parts of a call with options.devices",
     0},
    TOOL_CALL_OPTIONS,
    {"staging", 's', NULL, 0,
     "the data is in host memory, and comes to the GPU that --place names in chunks; measures what that brings beside "
     "a reduction by the host, in some tenths of a second",
     0},
    {"format", 'f', "FORMAT", 0, "text or json; text by default", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

/* Functions of two streams are no operations of `usw reduce`, but they can be explained. */
static usw_operation_t operation_named(const char *name) {
#define ROW(function, OPERATION, streams, RESULT, GROUP, what, ...)                                                    \
  if (strcmp(name, #function) == 0)                                                                                    \
    return USW_##OPERATION;
  USW_FUNCTIONS(ROW, )
#undef ROW
  const tool_operation_t *operation = tool_operation_named(name);
  return operation ? operation->code : USW_NO_OPERATION;
}

static error_t read_call(tool_explain_command_t *command, int key, const char *text) {
  switch (key) {
  case 'o':
    command->operation = text;
    return operation_named(text) ? 0 : tool_refuse(command->name, "op", text, "dot, dotc, " TOOL_OPERATIONS);
  case 't':
    return tool_read_type(command->name, text, &command->type);
  default:
    command->has_n = number_parse(text, 0, SIZE_MAX, &command->n) == 0;
    return command->has_n ? 0 : tool_refuse(command->name, "n", text, "a number of elements, written as " NUMBER_FORMS);
  }
}

/* Options of calls with many results and of scans. */
static error_t read_family(tool_explain_command_t *command, int key, const char *text) {
  switch (key) {
  case KEY_AXIS:
    return tool_parse_axes(text, &command->axes) == 0
               ? 0
               : tool_refuse(command->name, "axis", text, "axes separated by commas, for example 0 or 0,-1");
  case KEY_SHAPE:
    return tool_read_shape(command->name, text, command->shape, &command->dimensions);
  case KEY_SEGMENTS:
    command->has_segments = number_parse(text, 0, SIZE_MAX, &command->segments) == 0;
    return command->has_segments
               ? 0
               : tool_refuse(command->name, "segments", text, "a number of segments, written as " NUMBER_FORMS);
  case KEY_BY_KEY:
    return tool_read_type(command->name, text, &command->key_type);
  case KEY_SELECT:
    command->is_selection = 1;
    return 0;
  case KEY_PARTS:
    return tool_read_parts(command, text) == 0
               ? 0
               : tool_refuse(command->name, "parts", text,
                             "up to 64 places that are here, separated by commas: " TOOL_PLACES);
  default:
    command->is_scan = 1;
    return 0;
  }
}

static error_t parse(int key, char *text, struct argp_state *state) {
  tool_explain_command_t *command = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    arguments_one_line_per_error(state);
    return 0;
  case 'o':
  case 't':
  case 'n':
    return read_call(command, key, text);
  case KEY_AXIS:
  case KEY_SHAPE:
  case KEY_SEGMENTS:
  case KEY_BY_KEY:
  case KEY_SCAN:
  case KEY_SELECT:
  case KEY_PARTS:
    return read_family(command, key, text);
  case 's':
    command->options.staging = USW_STAGING_ALWAYS;
    return 0;
  case 'f':
    command->is_json = strcmp(text, "json") == 0;
    return command->is_json || strcmp(text, "text") == 0 ? 0
                                                         : tool_refuse(command->name, "format", text, "text or json");
  case ARGP_KEY_ARG:
    tool_fail(command->name, text, "is not an option; `usw explain --help' lists them");
    return EINVAL;
  case ARGP_KEY_END:
    return tool_explain_check(command) ? EINVAL : 0;
  default:
    return tool_read_call_option(command->name, key, text, &command->options);
  }
}

static const struct argp parser = {
    options,
    parse,
    NULL,
    "Tells how a reduction or a scan would run, and how exact a reduction would be, without running it.\v"
    "The data is taken to be where the reduction runs, unless --staging says otherwise.",
    NULL,
    NULL,
    NULL};

/* ---- the levels of accuracy ---- */

enum { LEVELS = 5, BOUND_BYTES = 160 };

/* What each level promises of the same call; an empty kernel: why says why not. */
typedef struct level {
  usw_accuracy_t accuracy;
  usw_explanation_t explanation;
  char why[256];
} level_t;

static void explain_levels(const tool_explain_command_t *command, level_t *levels) {
  static const usw_accuracy_t accuracies[LEVELS] = {USW_FAST, USW_REPEATABLE, USW_COMPENSATED, USW_REPRODUCIBLE,
                                                    USW_EXACT};
  for (int k = 0; k < LEVELS; k++) {
    usw_options_t of_level = command->options;
    level_t *level = &levels[k];
    of_level.accuracy = level->accuracy = accuracies[k];
    if (accuracies[k] != USW_REPRODUCIBLE)
      of_level.fold = 0;
    level->explanation = (usw_explanation_t){.size = USW_INIT(usw_explanation_t), .kernel = ""};
    *level->why = 0;
    if (usw_explain(operation_named(command->operation), command->type->code, (size_t)command->n, &of_level,
                    &level->explanation) != USW_OK)
      snprintf(level->why, sizeof level->why, "%s", usw_error_text());
  }
}

static int is_exact(const usw_explanation_t *e) { return e->error_bound == 0 && e->result_bound == 0; }

/* Where the same elements give the same bits. No order of operations shows in what is exact, or picked: a modulus is
 * rounded before it is. */
static const char *same_bits(const tool_explain_command_t *command, const level_t *level) {
  if (level->accuracy >= USW_REPRODUCIBLE || is_exact(&level->explanation) ||
      operation_named(command->operation) == USW_NORM_INF)
    return "everywhere";
  return level->accuracy == USW_FAST ? "not promised" : "every run here";
}

static const char *bound_text(const tool_explain_command_t *command, const usw_explanation_t *e, char *text) {
  const char *of = operation_named(command->operation) == USW_DESCRIBE ? " (of the mean)" : "";
  if (isnan(e->error_bound))
    snprintf(text, BOUND_BYTES, "none is promised for the mean and the variance; the rest is exact");
  else if (is_exact(e))
    snprintf(text, BOUND_BYTES, "0: the result is exact");
  else if (e->result_bound == 0)
    snprintf(text, BOUND_BYTES, "%.3g times %s", e->error_bound, e->error_relative);
  else if (e->error_bound == 0)
    snprintf(text, BOUND_BYTES, "%.3g times the result%s", e->result_bound, of);
  else
    snprintf(text, BOUND_BYTES, "%.3g times %s and %.3g times the result%s", e->error_bound, e->error_relative,
             e->result_bound, of);
  return text;
}

static void print_levels(const tool_explain_command_t *command, const level_t *levels) {
  char text[BOUND_BYTES];
  printf("\n  %-13s %-26s %-14s error at most\n", "accuracy", "kernel", "same bits");
  for (int k = 0; k < LEVELS; k++) {
    const level_t *level = &levels[k];
    const char mark = level->accuracy == command->options.accuracy ? '*' : ' ';
    const char *word = tool_accuracy_word(level->accuracy);
    if (*level->why)
      printf("%c %-13s %s\n", mark, word, level->why);
    else
      printf("%c %-13s %-26s %-14s %s\n", mark, word, level->explanation.kernel, same_bits(command, level),
             bound_text(command, &level->explanation, text));
  }
}

static void add_levels(cJSON *root, const tool_explain_command_t *command, const level_t *levels) {
  cJSON *list = cJSON_AddArrayToObject(root, "levels");
  for (int k = 0; k < LEVELS; k++) {
    const usw_explanation_t *e = &levels[k].explanation;
    cJSON *entry = cJSON_CreateObject();
    cJSON_AddItemToArray(list, entry);
    cJSON_AddStringToObject(entry, "accuracy", tool_accuracy_word(levels[k].accuracy));
    if (*levels[k].why) {
      cJSON_AddStringToObject(entry, "unsupported", levels[k].why);
      continue;
    }
    cJSON_AddStringToObject(entry, "kernel", e->kernel);
    cJSON_AddStringToObject(entry, "same_bits", same_bits(command, &levels[k]));
    cJSON_AddNumberToObject(entry, "chain_length", (double)e->chain_length);
    cJSON_AddNumberToObject(entry, "error_bound", e->error_bound); /* null: none is promised */
    cJSON_AddStringToObject(entry, "error_relative_to", e->error_relative);
    cJSON_AddNumberToObject(entry, "result_bound", e->result_bound);
  }
}

/* ---- the call ---- */

static void print_recheck(const usw_explanation_t *e) {
  if (e->place == USW_DEVICE)
    printf("recheck        one call in %" PRIu32 " runs again: by %s with %" PRIu32 " teams\n", e->recheck,
           tool_strategy_word(e->recheck_strategy), e->recheck_teams);
  else
    printf("recheck        one call in %" PRIu32 " runs again: in %" PRIu32 " chunks\n", e->recheck, e->recheck_teams);
}

/* What e->teams counts. */
static const char *parts_of(const usw_explanation_t *e) { return e->place == USW_DEVICE ? "teams" : "chunks"; }

/* The tuning entry that was taken, what it was measured by, and what else was tried. */
static void print_tuning(const usw_explanation_t *e) {
  if (*e->tuning_entry)
    printf("tuning entry   %s\n", e->tuning_entry);
  if (e->measured_us > 0)
    printf("measured       %.3f us at %" PRIu64 " bytes", e->measured_us, e->measured_bytes);
  if (e->instead_us > 0)
    printf(", %.3f us between quartiles, in place of %.3f us", e->spread_us, e->instead_us);
  if (e->measured_us > 0)
    putchar('\n');
  if (*e->tuning_source)
    printf("source         %s\n", e->tuning_source);
  if (e->expected_us > 0)
    printf("expected       %.3f us\n", e->expected_us);
  for (uint32_t r = 0; r < e->rejected_count; r++)
    printf("rejected       %.3f us: %s, %" PRIu32 " %s\n", e->rejected[r].us,
           tool_strategy_word(e->rejected[r].strategy), e->rejected[r].teams, parts_of(e));
}

/* Chunks and who takes them. */
static void print_threads(const usw_explanation_t *e) {
  printf("chunks         %" PRIu32 ", by at most %" PRIu32 " thread%s: %s\n", e->teams, e->threads,
         e->threads == 1 ? "" : "s", e->threads_reason);
  if (*e->topology)
    printf("NUMA nodes     %" PRIu32 " (%s); chunks go to threads %s\n", e->nodes, e->topology,
           e->is_by_node ? "of the node where they lie" : "in order");
}

/* Chunks of data in host memory, and whether they are worth it here. */
static void print_staging(const usw_explanation_t *e, const usw_staging_rates_t *rates) {
  printf("staging        %" PRIu64 " chunks of %" PRIu64 " bytes, through %" PRIu32 " pinned buffers, by %" PRIu32
         " thread%s\n",
         e->staging_chunks, e->staging_chunk_bytes, e->staging_buffers, e->staging_threads,
         e->staging_threads == 1 ? "" : "s");
  if (e->staging_node >= 0)
    printf("NUMA node      %d: buffers are there, and threads there copy first\n", e->staging_node);
  else
    puts("NUMA node      not known, or all are as near");
  printf("measured       staged %.1f GB/s, the host itself %.1f GB/s: ", rates->staged_gbs, rates->host_gbs);
  if (rates->pays_bytes)
    printf("staging pays from %" PRIu64 " bytes on\n", rates->pays_bytes);
  else
    puts("staging pays only where the host has other work to do");
}

static void print_text(const tool_explain_command_t *command, const usw_explanation_t *e,
                       const usw_staging_rates_t *rates, const level_t *levels) {
  printf("kernel         %s\n", e->kernel);
  if (e->place == USW_DEVICE)
    printf("place          device %d (%s, image %s)\n", e->device, e->target, e->image);
  else
    printf("place          host (kernel version %s)\n", e->host_variant);
  printf("strategy       %s\n", tool_strategy_word(e->strategy));
  if (e->place == USW_DEVICE)
    printf("teams          %" PRIu32 " of %" PRIu32 " threads\nlaunches       %" PRIu32 "\n", e->teams, e->team_size,
           e->launches);
  else
    print_threads(e);
  if (*e->backend)
    printf("launched by    %s%s%s\n", strcmp(e->backend, "driver") == 0 ? "the driver" : "the OpenMP runtime",
           *e->backend_reason ? ": " : "", e->backend_reason);
  if (e->staging_chunks)
    print_staging(e, rates);
  print_tuning(e);
  printf("bytes          %" PRIu64 "\n", e->bytes);
  printf("longest chain  %" PRIu64 " operations\n", e->chain_length);
  if (e->most_sweeps > 1)
    printf("sweeps         at most %" PRIu32 " over the elements; the lines above are of one\n", e->most_sweeps);
  if (e->recheck)
    print_recheck(e);
  print_levels(command, levels);
}

static void add_tuning(cJSON *root, const usw_explanation_t *e) {
  cJSON_AddStringToObject(root, "tuning_entry", e->tuning_entry);
  cJSON_AddStringToObject(root, "tuning_source", e->tuning_source);
  cJSON_AddNumberToObject(root, "measured_bytes", (double)e->measured_bytes);
  cJSON_AddNumberToObject(root, "measured_us", e->measured_us);
  cJSON_AddNumberToObject(root, "instead_us", e->instead_us);
  cJSON_AddNumberToObject(root, "spread_us", e->spread_us);
  cJSON_AddNumberToObject(root, "expected_us", e->expected_us);
  cJSON_AddNumberToObject(root, "most_teams", e->most_teams);
  cJSON_AddStringToObject(root, "tuning_header", e->tuning_header);
  cJSON *rejected = cJSON_AddArrayToObject(root, "rejected");
  for (uint32_t r = 0; r < e->rejected_count; r++) {
    cJSON *way = cJSON_CreateObject();
    cJSON_AddItemToArray(rejected, way);
    cJSON_AddStringToObject(way, "strategy", tool_strategy_word(e->rejected[r].strategy));
    cJSON_AddNumberToObject(way, parts_of(e), e->rejected[r].teams);
    cJSON_AddNumberToObject(way, "us", e->rejected[r].us);
  }
}

static void add_staging(cJSON *root, const usw_explanation_t *e, const usw_staging_rates_t *rates) {
  cJSON *staging = cJSON_AddObjectToObject(root, "staging");
  cJSON_AddNumberToObject(staging, "chunks", (double)e->staging_chunks);
  cJSON_AddNumberToObject(staging, "chunk_bytes", (double)e->staging_chunk_bytes);
  cJSON_AddNumberToObject(staging, "buffers", e->staging_buffers);
  cJSON_AddNumberToObject(staging, "threads", e->staging_threads);
  cJSON_AddNumberToObject(staging, "node", e->staging_node);
  cJSON_AddNumberToObject(staging, "staged_gb_per_s", rates->staged_gbs);
  cJSON_AddNumberToObject(staging, "host_gb_per_s", rates->host_gbs);
  cJSON_AddNumberToObject(staging, "pays_bytes", (double)rates->pays_bytes);
}

static int print_json(const tool_explain_command_t *command, const usw_explanation_t *e,
                      const usw_staging_rates_t *rates, const level_t *levels) {
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "kernel", e->kernel);
  char place[TOOL_PLACE_BYTES];
  cJSON_AddStringToObject(root, "place", tool_place_word(e->place, e->device, place));
  cJSON_AddStringToObject(root, "target", e->target);
  cJSON_AddNumberToObject(root, "device", e->device);
  cJSON_AddStringToObject(root, "image", e->image);
  cJSON_AddStringToObject(root, "host_variant", e->host_variant);
  cJSON_AddStringToObject(root, "strategy", tool_strategy_word(e->strategy));
  cJSON_AddNumberToObject(root, e->place == USW_DEVICE ? "teams" : "chunks", e->teams);
  cJSON_AddNumberToObject(root, "team_size", e->team_size);
  cJSON_AddNumberToObject(root, "launches", e->launches);
  cJSON_AddNumberToObject(root, "threads", e->threads);
  cJSON_AddStringToObject(root, "threads_reason", e->threads_reason);
  cJSON_AddNumberToObject(root, "nodes", e->nodes);
  cJSON_AddBoolToObject(root, "is_by_node", e->is_by_node);
  cJSON_AddStringToObject(root, "topology", e->topology);
  cJSON_AddStringToObject(root, "backend", e->backend);
  cJSON_AddStringToObject(root, "backend_reason", e->backend_reason);
  cJSON_AddNumberToObject(root, "bytes", (double)e->bytes);
  cJSON_AddNumberToObject(root, "chain_length", (double)e->chain_length);
  cJSON_AddNumberToObject(root, "error_bound", e->error_bound); /* null: none is promised */
  cJSON_AddStringToObject(root, "error_relative_to", e->error_relative);
  cJSON_AddNumberToObject(root, "result_bound", e->result_bound);
  cJSON_AddNumberToObject(root, "most_sweeps", e->most_sweeps);
  cJSON_AddStringToObject(root, "accuracy", tool_accuracy_word(command->options.accuracy));
  add_tuning(root, e);
  if (e->staging_chunks)
    add_staging(root, e, rates);
  cJSON_AddNumberToObject(root, "recheck", e->recheck);
  if (e->recheck) {
    cJSON_AddStringToObject(root, "recheck_strategy", tool_strategy_word(e->recheck_strategy));
    cJSON_AddNumberToObject(root, e->place == USW_DEVICE ? "recheck_teams" : "recheck_chunks", e->recheck_teams);
  }
  add_levels(root, command, levels);
  return tool_print_json(root) ? TOOL_FAILURE : TOOL_OK;
}

int tool_explain(int argc, char **argv) {
  tool_explain_command_t command = {.name = argv[0],
                                    .operation = "sum",
                                    .type = tool_type_named("f64"),
                                    .options = {.size = USW_INIT(usw_options_t), .place = USW_HOST}};
  if (arguments_parse(&parser, argc, argv, &command))
    return TOOL_BAD_INPUT;
  if (command.part_count > 0)
    return tool_explain_parts(&command, operation_named(command.operation));
  if (tool_explains_shares(&command))
    return tool_explain_shares(&command, operation_named(command.operation));
  usw_explanation_t explanation = {.size = USW_INIT(usw_explanation_t)};
  if (usw_explain(operation_named(command.operation), command.type->code, (size_t)command.n, &command.options,
                  &explanation) != USW_OK)
    return tool_fail(command.name, NULL, "%s", usw_error_text());
  usw_staging_rates_t rates = {.size = USW_INIT(usw_staging_rates_t)};
  if (explanation.staging_chunks &&
      usw_measure_staging(operation_named(command.operation), command.type->code, &command.options, &rates) != USW_OK)
    return tool_fail(command.name, NULL, "%s", usw_error_text());
  level_t levels[LEVELS];
  explain_levels(&command, levels);
  if (command.is_json)
    return print_json(&command, &explanation, &rates, levels);
  print_text(&command, &explanation, &rates, levels);
  return TOOL_OK;
}
