/* usw explain: how a reduction would run, and its error bound. */
#include "call_options.h"
#include "json.h"
#include "tool.h"

#include <argp.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <upsweep/explain.h>

typedef struct command {
  const char *name;
  const char *operation; /* by name: dot and dotc are none of the tool's own */
  const tool_type_t *type;
  uint64_t n;
  usw_options_t options;
  int has_n, is_json;
} command_t;

static const struct argp_option options[] = {
    {"op", 'o', "NAME", 0, "the function: sum by default", 0},
    {"type", 't', "TYPE", 0, "type of the elements: f64 by default", 0},
    {"n", 'n', "COUNT", 0, "number of elements, as 1000000, 2^20 or 64M", 0},
    TOOL_CALL_OPTIONS,
    {"format", 'f', "FORMAT", 0, "text or json", 0},
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

static error_t read_call(command_t *command, int key, const char *text) {
  switch (key) {
  case 'o':
    command->operation = text;
    return operation_named(text) ? 0 : tool_refuse(command->name, "op", text, "a function of usw(1)");
  case 't':
    return tool_read_type(command->name, text, &command->type);
  default:
    command->has_n = tool_read_count(text, &command->n) && command->n <= SIZE_MAX;
    return command->has_n ? 0 : tool_refuse(command->name, "n", text, "a number such as 1000000, 2^20 or 64M");
  }
}

static error_t parse(int key, char *text, struct argp_state *state) {
  command_t *command = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    tool_one_line_per_error(state);
    return 0;
  case 'o':
  case 't':
  case 'n':
    return read_call(command, key, text);
  case 'f':
    command->is_json = strcmp(text, "json") == 0;
    return command->is_json || strcmp(text, "text") == 0 ? 0
                                                         : tool_refuse(command->name, "format", text, "text or json");
  case ARGP_KEY_ARG:
    tool_fail(command->name, text, "is not an option; `usw explain --help' lists them");
    return EINVAL;
  case ARGP_KEY_END:
    if (command->has_n)
      return 0;
    tool_fail(command->name, NULL, "--n is missing");
    return EINVAL;
  default:
    return tool_read_call_option(command->name, key, text, &command->options);
  }
}

static const struct argp parser = {options,
                                   parse,
                                   NULL,
                                   "Tells how a reduction would run, and how exact it would be, without running it.\v"
                                   "The data is taken to be where the reduction runs.",
                                   NULL,
                                   NULL,
                                   NULL};

static void print_recheck(const usw_explanation_t *e) {
  if (e->place == USW_DEVICE)
    printf("recheck        one call in %" PRIu32 " runs again: by %s with %" PRIu32 " teams\n", e->recheck,
           tool_strategy_word(e->recheck_strategy), e->recheck_teams);
  else
    printf("recheck        one call in %" PRIu32 " runs again: in %" PRIu32 " chunks\n", e->recheck, e->recheck_teams);
}

static void print_text(const usw_explanation_t *e) {
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
    printf("chunks         %" PRIu32 ", by at most %" PRIu32 " threads\n", e->teams, e->threads);
  if (*e->tuning_row)
    printf("tuning row     %s\nmeasured       %s\n", e->tuning_row, e->tuning_source);
  printf("bytes          %" PRIu64 "\n", e->bytes);
  printf("longest chain  %" PRIu64 " operations\n", e->chain_length);
  if (isnan(e->error_bound))
    printf("error bound    none is promised for the mean and the variance; the rest is exact\n");
  else if (e->error_bound == 0)
    printf("error bound    0: the result is exact\n");
  else
    printf("error bound    %.3g times %s\n", e->error_bound, e->error_relative);
  if (e->recheck)
    print_recheck(e);
}

static int print_json(const usw_explanation_t *e) {
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "kernel", e->kernel);
  cJSON_AddStringToObject(root, "target", e->target);
  cJSON_AddNumberToObject(root, "device", e->device);
  cJSON_AddStringToObject(root, "image", e->image);
  cJSON_AddStringToObject(root, "host_variant", e->host_variant);
  cJSON_AddStringToObject(root, "strategy", tool_strategy_word(e->strategy));
  cJSON_AddNumberToObject(root, e->place == USW_DEVICE ? "teams" : "chunks", e->teams);
  cJSON_AddNumberToObject(root, "team_size", e->team_size);
  cJSON_AddNumberToObject(root, "launches", e->launches);
  cJSON_AddNumberToObject(root, "threads", e->threads);
  cJSON_AddStringToObject(root, "tuning_row", e->tuning_row);
  cJSON_AddStringToObject(root, "tuning_source", e->tuning_source);
  cJSON_AddNumberToObject(root, "bytes", (double)e->bytes);
  cJSON_AddNumberToObject(root, "chain_length", (double)e->chain_length);
  cJSON_AddNumberToObject(root, "error_bound", e->error_bound); /* null: none is promised */
  cJSON_AddStringToObject(root, "error_relative_to", e->error_relative);
  cJSON_AddNumberToObject(root, "recheck", e->recheck);
  if (e->recheck) {
    cJSON_AddStringToObject(root, "recheck_strategy", tool_strategy_word(e->recheck_strategy));
    cJSON_AddNumberToObject(root, e->place == USW_DEVICE ? "recheck_teams" : "recheck_chunks", e->recheck_teams);
  }
  return tool_print_json(root) ? TOOL_FAILURE : TOOL_OK;
}

int tool_explain(int argc, char **argv) {
  command_t command = {.name = argv[0],
                       .operation = "sum",
                       .type = tool_type_named("f64"),
                       .options = {.size = USW_INIT(usw_options_t), .place = USW_HOST}};
  if (argp_parse(&parser, argc, argv, 0, NULL, &command) != 0)
    return TOOL_BAD_INPUT;
  usw_explanation_t explanation = {.size = USW_INIT(usw_explanation_t)};
  if (usw_explain(operation_named(command.operation), command.type->code, (size_t)command.n, &command.options,
                  &explanation) != USW_OK)
    return tool_fail(command.name, NULL, "%s", usw_error_text());
  if (command.is_json)
    return print_json(&explanation);
  print_text(&explanation);
  return TOOL_OK;
}
