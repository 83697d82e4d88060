/* usw explain of calls with many results and of scans: how they share their items out. */
#include "explain.h"
#include "json.h"
#include "tool.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <upsweep/explain.h>

static int refuse(const tool_explain_command_t *command, const char *option, const char *why) {
  tool_fail(command->name, option, "%s", why);
  return -1;
}

/* By key there may be a number of segments, that of runs. */
static int families_of(const tool_explain_command_t *command) {
  return command->axes.is_said + (command->has_segments || command->key_type) + command->is_scan +
         command->is_selection;
}

int tool_explains_shares(const tool_explain_command_t *command) { return families_of(command) > 0; }

int tool_explain_check(const tool_explain_command_t *command) {
  if (families_of(command) + (command->part_count > 0) > 1)
    return refuse(
        command, NULL,
        "a call goes along axes, by segments, by key, is a scan, a selection or of parts: name one of --axis, "
        "--segments, --by-key, --scan, --select, --parts");
  if (command->part_count > 0 && command->options.place != USW_HOST)
    return refuse(command, "--place", "--parts has the places: leave out --place");
  if (command->axes.is_said && command->dimensions == 0)
    return refuse(command, "--axis", "the array has no shape: name it by --shape");
  if (command->axes.is_said && command->dimensions > USW_MAX_RANK)
    return refuse(command, "--shape", "has more dimensions than --axis takes: at most 8");
  if (command->dimensions > 0 && !command->axes.is_said)
    return refuse(command, "--shape", "goes with --axis: add it, or leave out --shape");
  if (command->axes.is_said && command->has_n)
    return refuse(command, "--n", "--shape has the number of elements: leave out --n");
  if (!command->axes.is_said && !command->has_n)
    return refuse(command, NULL, "--n is missing");
  if (command->options.staging == USW_STAGING_ALWAYS && tool_explains_shares(command))
    return refuse(command, "--staging", "many results and scans are not staged: leave it out");
  return 0;
}

static usw_status_t explain_axes(const tool_explain_command_t *command, usw_operation_t operation, uint32_t axes,
                                 usw_shares_explanation_t *e) {
  size_t extents[USW_MAX_RANK];
  for (int d = 0; d < command->dimensions; d++)
    extents[d] = command->shape[d];
  const usw_array_t array = usw_array(command->type->code, NULL, (uint32_t)command->dimensions, extents, NULL);
  return usw_explain_axes(operation, &array, axes, &command->options, e);
}

/* By offsets, which nobody looks at. */
static usw_status_t explain_segments(const tool_explain_command_t *command, usw_operation_t operation,
                                     usw_shares_explanation_t *e) {
  static const int64_t offsets[2];
  const usw_segments_t segments = usw_segments_by_offsets(USW_I64, offsets, command->segments);
  return usw_explain_segments(operation, command->type->code, command->n, &segments, &command->options, e);
}

static usw_status_t explain_by_key(const tool_explain_command_t *command, usw_operation_t operation,
                                   usw_shares_explanation_t *e) {
  const uint64_t runs = command->has_segments ? command->segments : command->n;
  return usw_explain_by_key(operation, command->type->code, command->key_type->code, command->n, runs,
                            &command->options, e);
}

/* Who takes a share on a GPU. */
static void print_lanes(const usw_shares_explanation_t *e) {
  if (e->lanes == e->team_size)
    printf("each by        a team of %" PRIu32 " threads\n", e->lanes);
  else
    printf("each by        %" PRIu32 " thread%s of a team\n", e->lanes, e->lanes == 1 ? "" : "s");
}

static void print_text(const usw_shares_explanation_t *e) {
  const int is_on_device = e->place == USW_DEVICE;
  printf("kernel         %s\n", e->kernel);
  if (is_on_device)
    printf("place          device %d (%s)\n", e->device, e->target);
  else
    puts("place          host");
  printf("strategy       %s\n", tool_strategy_word(e->strategy));
  printf("elements       %" PRIu64 "\nresults        %" PRIu64 "\nbytes          %" PRIu64 "\n", e->items, e->results,
         e->bytes);
  if (*e->axes)
    printf("reduced axes   %s\n", e->axes);
  if (e->shares > 0) {
    printf("shares         %" PRIu64 ": each %s", e->shares, e->share);
    if (e->share_items > 0)
      printf(", at most %" PRIu64 " elements", e->share_items);
    putchar('\n');
  }
  if (is_on_device) {
    print_lanes(e);
    printf("teams          %" PRIu32 " of %" PRIu32 " threads\n", e->teams, e->team_size);
  } else {
    printf("chunks         %" PRIu32 ", by at most %" PRIu32 " thread%s: %s\n", e->teams, e->threads,
           e->threads == 1 ? "" : "s", e->threads_reason);
  }
  if (e->balance > 0)
    printf("balance        %.2f\n", e->balance);
  else
    puts("balance        by the lengths of the segments");
  if (*e->tuning_entry)
    printf("tuning entry   %s\n", e->tuning_entry);
  if (*e->tuning_source)
    printf("source         %s\n", e->tuning_source);
}

static int print_json(const usw_shares_explanation_t *e) {
  char place[TOOL_PLACE_BYTES];
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "kernel", e->kernel);
  cJSON_AddStringToObject(root, "place", tool_place_word(e->place, e->device, place));
  cJSON_AddStringToObject(root, "target", e->target);
  cJSON_AddNumberToObject(root, "device", e->device);
  cJSON_AddStringToObject(root, "strategy", tool_strategy_word(e->strategy));
  cJSON_AddNumberToObject(root, "elements", (double)e->items);
  cJSON_AddNumberToObject(root, "results", (double)e->results);
  cJSON_AddNumberToObject(root, "bytes", (double)e->bytes);
  cJSON_AddStringToObject(root, "axes", e->axes);
  cJSON_AddStringToObject(root, "share", e->share);
  cJSON_AddNumberToObject(root, "shares", (double)e->shares);
  cJSON_AddNumberToObject(root, "share_elements", (double)e->share_items);
  cJSON_AddNumberToObject(root, "lanes", e->lanes);
  cJSON_AddNumberToObject(root, e->place == USW_DEVICE ? "teams" : "chunks", e->teams);
  cJSON_AddNumberToObject(root, "team_size", e->team_size);
  cJSON_AddNumberToObject(root, "threads", e->threads);
  cJSON_AddStringToObject(root, "threads_reason", e->threads_reason);
  cJSON_AddNumberToObject(root, "balance", e->balance); /* 0: lengths decide */
  cJSON_AddStringToObject(root, "tuning_entry", e->tuning_entry);
  cJSON_AddStringToObject(root, "tuning_source", e->tuning_source);
  return tool_print_json(root) ? TOOL_FAILURE : TOOL_OK;
}

int tool_explain_shares(const tool_explain_command_t *command, usw_operation_t operation) {
  usw_shares_explanation_t e = {.size = USW_INIT(usw_shares_explanation_t)};
  uint32_t axes = 0;
  const int *const wrong = tool_find_axes(&command->axes, command->dimensions, &axes);
  usw_status_t status;
  if (wrong) {
    tool_fail(command->name, "--axis", "there is no axis %d: the shape has %d dimensions", *wrong, command->dimensions);
    return TOOL_BAD_INPUT;
  }
  const int repeated = tool_find_repeated_axis(&command->axes, command->dimensions);
  if (repeated >= 0)
    return tool_fail(command->name, "--axis", "axis %d is named twice: name it once", repeated);
  if (command->is_scan)
    status = usw_explain_scan(operation, command->type->code, command->n, &command->options, &e);
  else if (command->is_selection)
    status = usw_explain_select(command->type->code, command->n, &command->options, &e);
  else if (command->key_type)
    status = explain_by_key(command, operation, &e);
  else if (command->has_segments)
    status = explain_segments(command, operation, &e);
  else
    status = explain_axes(command, operation, axes, &e);
  if (status != USW_OK)
    return tool_fail(command->name, NULL, "%s", usw_error_text());
  if (command->is_json)
    return print_json(&e);
  print_text(&e);
  return TOOL_OK;
}
