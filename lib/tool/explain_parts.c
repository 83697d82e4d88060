/* usw explain --parts: which parts of a call run where, how, and at the same time as which. */
#include "explain.h"
#include "json.h"
#include "tool.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <upsweep/explain.h>

enum { LINE_ITEMS = 64, PLACE_BYTES = 64 };

int tool_read_parts(tool_explain_command_t *command, const char *text) {
  for (const char *at = text; command->part_count < TOOL_MOST_PARTS; at++) {
    char place[PLACE_BYTES];
    usw_options_t options = {.size = USW_INIT(usw_options_t)};
    const size_t length = strcspn(at, ",");
    if (length >= sizeof place)
      return -1;
    memcpy(place, at, length);
    place[length] = 0;
    if (!tool_place_named(place, &options) || (options.place == USW_DEVICE && options.device == TOOL_NO_DEVICE))
      return -1;
    command->parts[command->part_count++] =
        (usw_part_t){.size = USW_INIT(usw_part_t), .place = options.place, .device = options.device};
    at += length;
    if (*at == 0)
      return 0;
  }
  return -1;
}

/* Whether the parts are those of a call with usw_options_t::devices, which has them in the order of their numbers: the devices, else 0. */
static uint64_t devices_of(const tool_explain_command_t *command) {
  uint64_t devices = 0;
  for (int k = 0; k < command->part_count; k++) {
    const usw_part_t *part = &command->parts[k];
    if (part->place != USW_DEVICE || part->device < 0 || part->device >= 64 || devices >> part->device)
      return 0;
    devices |= UINT64_C(1) << part->device;
  }
  return command->options.staging == USW_STAGING_ALWAYS ? devices : 0;
}

static void share_out_evenly(tool_explain_command_t *command) {
  const uint64_t part = command->n / (uint64_t)command->part_count / LINE_ITEMS * LINE_ITEMS;
  uint64_t rest = command->n;
  for (int k = 0; k < command->part_count; k++) {
    command->parts[k].n = k + 1 < command->part_count ? part : rest;
    rest -= part;
  }
}

static void print_part(int k, const usw_part_explanation_t *e) {
  char place[TOOL_PLACE_BYTES], expected[32] = "not known";
  if (e->call.expected_us > 0)
    snprintf(expected, sizeof expected, "%.3f us", e->call.expected_us);
  printf("%4d  %-12s %5" PRIu32 "  %-24s %14zu %6.1f %%  %-12s %9" PRIu32 "  %s\n", k + 1,
         tool_place_word(e->call.place, e->call.device, place), e->turn, e->path, e->n, 100 * e->share,
         tool_strategy_word(e->call.strategy), e->call.teams, expected);
}

static void print_text(const usw_part_explanation_t *e, int count, int are_of_devices) {
  printf("kernel         %s\n", e->call.kernel);
  printf("parts          %s\n",
         are_of_devices ? "as options.devices shares elements in host memory out" : "of equal length");
  puts("merged by      the calling thread, in the order of the parts, when all have ended");
  printf("\n%4s  %-12s %5s  %-24s %14s %8s  %-12s %9s  %s\n", "part", "place", "turn", "path", "elements", "share",
         "strategy", "teams", "expected");
  for (int k = 0; k < count; k++)
    print_part(k, &e[k]);
}

static int print_json(const usw_part_explanation_t *e, int count) {
  char place[TOOL_PLACE_BYTES];
  cJSON *root = cJSON_CreateObject(), *list;
  cJSON_AddStringToObject(root, "kernel", e->call.kernel);
  list = cJSON_AddArrayToObject(root, "parts");
  for (int k = 0; k < count; k++) {
    cJSON *part = cJSON_CreateObject();
    cJSON_AddItemToArray(list, part);
    cJSON_AddStringToObject(part, "place", tool_place_word(e[k].call.place, e[k].call.device, place));
    cJSON_AddStringToObject(part, "target", e[k].call.target);
    cJSON_AddNumberToObject(part, "turn", e[k].turn);
    cJSON_AddStringToObject(part, "path", e[k].path);
    cJSON_AddNumberToObject(part, "elements", (double)e[k].n);
    cJSON_AddNumberToObject(part, "share", e[k].share);
    cJSON_AddStringToObject(part, "strategy", tool_strategy_word(e[k].call.strategy));
    cJSON_AddNumberToObject(part, e[k].call.place == USW_DEVICE ? "teams" : "chunks", e[k].call.teams);
    cJSON_AddNumberToObject(part, "expected_us", e[k].call.expected_us); /* 0: not known */
  }
  return tool_print_json(root) ? TOOL_FAILURE : TOOL_OK;
}

static usw_status_t explain(tool_explain_command_t *command, usw_operation_t operation, usw_part_explanation_t *e,
                            size_t *count_out) {
  usw_options_t options = command->options;
  options.place = USW_AUTO_PLACE; /* parts have their own */
  options.devices = devices_of(command);
  if (options.devices)
    return usw_explain_devices(operation, command->type->code, NULL, command->n, &options, TOOL_MOST_PARTS, e,
                               count_out);
  share_out_evenly(command);
  *count_out = (size_t)command->part_count;
  return usw_explain_parts(operation, command->type->code, command->parts, *count_out, &options, e);
}

int tool_explain_parts(tool_explain_command_t *command, usw_operation_t operation) {
  usw_part_explanation_t e[TOOL_MOST_PARTS];
  size_t count;
  for (int k = 0; k < TOOL_MOST_PARTS; k++)
    e[k] = (usw_part_explanation_t){.size = USW_INIT(usw_part_explanation_t)};
  if (explain(command, operation, e, &count) != USW_OK)
    return tool_fail(command->name, NULL, "%s", usw_error_text());
  if (command->is_json)
    return print_json(e, (int)count);
  print_text(e, (int)count, devices_of(command) != 0);
  return TOOL_OK;
}
