/* Results as text, JSON or CSV. */
#include "output.h"
#include "json.h"
#include "value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { POSITION_BYTES = 32 * TOOL_MAX_DIMENSIONS, LABEL_BYTES = 4096 };

/* The fields of result k of an answer. */
static size_t fields_of(const tool_report_t *report, const tool_answer_t *answer, size_t k, tool_field_t *fields) {
  return tool_fields(answer->operation, report->sources->list[0].type,
                     (const char *)answer->result + k * answer->result_bytes, fields);
}

/* The array that has the dimensions of an index: the only one. An index of one result of many counts its items. */
static const tool_source_t *shaped_source(const tool_report_t *report) {
  const tool_source_t *source = report->sources->list;
  return report->sources->count == 1 && source->dimensions > 1 && !report->grid->option ? source : NULL;
}

/* The element at `index` of the file as a position in every dimension, and as an index in C order. */
static int64_t position_of(const tool_source_t *source, int64_t index, uint64_t *position) {
  uint64_t rest = (uint64_t)index, in_order = 0;
  for (int k = 0; k < source->dimensions; k++) {
    const int d = source->fortran ? k : source->dimensions - 1 - k; /* the dimension that runs fastest comes first */
    position[d] = rest % source->shape[d];
    rest /= source->shape[d];
  }
  for (int d = 0; d < source->dimensions; d++)
    in_order = in_order * source->shape[d] + position[d];
  return (int64_t)in_order;
}

/* Turn the index of an element in the file into one in C order; its position as text, "" if it has none. */
static void locate(const tool_report_t *report, tool_field_t *field, char *position_text) {
  const tool_source_t *source = shaped_source(report);
  uint64_t position[TOOL_MAX_DIMENSIONS];
  *position_text = 0;
  if (field->kind != TOOL_INDEX || field->index < 0 || !source)
    return;
  field->index = position_of(source, field->index, position);
  snprintf(field->text, sizeof field->text, "%" PRId64, field->index);
  size_t used = 0;
  for (int d = 0; d < source->dimensions; d++)
    used += (size_t)snprintf(position_text + used, POSITION_BYTES - used, "%s%" PRIu64, d ? "," : "", position[d]);
}

/* ---- text ---- */

static void print_field(const char *operation, const char *field_name, const char *at, const tool_field_t *field) {
  char name[64 + TOOL_GRID_POSITION_BYTES];
  snprintf(name, sizeof name, "%s%s%s%s%s%s", operation, *field_name ? "." : "", field_name, *at ? "[" : "", at,
           *at ? "]" : "");
  if (field->kind == TOOL_COMPLEX)
    printf("%-18s %s%s%si\n", name, field->text, *field->imaginary == '-' ? "" : "+", field->imaginary);
  else
    printf("%-18s %s", name, field->text);
}

static void print_result(const tool_report_t *report, const tool_answer_t *answer, size_t k) {
  tool_field_t fields[TOOL_MOST_FIELDS];
  char position[POSITION_BYTES], at[TOOL_GRID_POSITION_BYTES];
  const size_t count = fields_of(report, answer, k, fields);
  tool_grid_position(report->grid, k, at);
  for (size_t f = 0; f < count; f++) {
    const int is_plain = strcmp(fields[f].name, "value") == 0;
    print_field(answer->operation->name, is_plain ? "" : fields[f].name, at, &fields[f]);
    if (fields[f].kind == TOOL_COMPLEX)
      continue;
    if (f + 1 < count && fields[f + 1].kind == TOOL_INDEX) { /* on the same line as its element */
      f++;
      locate(report, &fields[f], position);
      if (fields[f].index >= 0)
        printf(" at %s", fields[f].text);
      if (*position)
        printf(" (%s)", position);
    }
    putchar('\n');
  }
}

static void print_text(const tool_report_t *report) {
  for (size_t a = 0; a < report->answer_count; a++)
    for (size_t k = 0; k < report->grid->count; k++)
      print_result(report, &report->answers[a], k);
}

/* ---- JSON ---- */

static cJSON *json_of_text(const char *text) {
  const int is_number = *text != 'n' && *text != 'i' && text[1] != 'i'; /* nan, inf, -inf are none in JSON */
  return is_number ? cJSON_CreateRaw(text) : cJSON_CreateString(text);
}

static cJSON *json_of_field(const tool_field_t *field) {
  if (field->kind == TOOL_TRUTH)
    return cJSON_CreateBool(*field->text == 't');
  if (field->kind != TOOL_COMPLEX)
    return json_of_text(field->text);
  cJSON *pair = cJSON_CreateArray();
  cJSON_AddItemToArray(pair, json_of_text(field->text));
  cJSON_AddItemToArray(pair, json_of_text(field->imaginary));
  return pair;
}

static void add_fields(cJSON *object, const tool_report_t *report, const tool_answer_t *answer) {
  tool_field_t fields[TOOL_MOST_FIELDS];
  char position[POSITION_BYTES], raw[POSITION_BYTES + 2], name[64];
  const size_t count = fields_of(report, answer, 0, fields);
  for (size_t f = 0; f < count; f++) {
    locate(report, &fields[f], position);
    cJSON_AddItemToObject(object, fields[f].name, json_of_field(&fields[f]));
    if (*position) {
      snprintf(raw, sizeof raw, "[%s]", position);
      snprintf(name, sizeof name, "%.*sposition", (int)(strlen(fields[f].name) - strlen("index")), fields[f].name);
      cJSON_AddRawToObject(object, name, raw);
    }
  }
}

/* Of many results every field is an array, row-major; of none an empty one. */
static void add_arrays(cJSON *object, const tool_report_t *report, const tool_answer_t *answer) {
  tool_field_t fields[TOOL_MOST_FIELDS];
  cJSON *arrays[TOOL_MOST_FIELDS];
  static const usw_describe_f64_t zeros; /* No result is larger. Names of fields do not depend on the result. */
  const size_t count = tool_fields(answer->operation, report->sources->list[0].type, &zeros, fields);
  for (size_t f = 0; f < count; f++)
    arrays[f] = cJSON_AddArrayToObject(object, fields[f].name);
  for (size_t k = 0; k < report->grid->count; k++) {
    fields_of(report, answer, k, fields);
    for (size_t f = 0; f < count; f++)
      cJSON_AddItemToArray(arrays[f], json_of_field(&fields[f]));
  }
}

static void add_grid(cJSON *root, const tool_grid_t *grid) {
  char number[32], position[TOOL_GRID_POSITION_BYTES];
  cJSON *axes = grid->axes ? cJSON_AddArrayToObject(root, "axes") : NULL;
  cJSON *shape = cJSON_AddArrayToObject(root, "shape");
  for (int d = 0; d < USW_MAX_RANK; d++)
    if (grid->axes >> d & 1)
      cJSON_AddItemToArray(axes, cJSON_CreateNumber(d));
  for (int d = 0; d < grid->dimensions; d++) {
    snprintf(number, sizeof number, "%" PRIu64, grid->shape[d]);
    cJSON_AddItemToArray(shape, cJSON_CreateRaw(number));
  }
  cJSON *keys = grid->keys ? cJSON_AddArrayToObject(root, "keys") : NULL;
  for (size_t k = 0; keys && k < grid->count; k++)
    cJSON_AddItemToArray(keys, cJSON_CreateRaw(tool_grid_position(grid, k, position)));
}

static void add_run(cJSON *root, const tool_report_t *report) {
  const tool_type_t *type = report->sources->list[0].type;
  char number[32];
  snprintf(number, sizeof number, "%" PRIu64, report->count);
  cJSON_AddStringToObject(root, "type", type->name);
  cJSON_AddRawToObject(root, "count", number);
  snprintf(number, sizeof number, "%" PRIu64, report->count * type->bytes);
  cJSON_AddRawToObject(root, "bytes", number);
  cJSON_AddNumberToObject(root, "seconds", report->seconds);
  if (report->ran->target) {
    char place[TOOL_PLACE_BYTES];
    cJSON_AddStringToObject(root, "place", tool_place_word(report->ran->place, report->ran->device, place));
    cJSON_AddStringToObject(root, "target", report->ran->target);
    cJSON_AddNumberToObject(root, "device", report->ran->device);
    cJSON_AddStringToObject(root, "strategy", tool_strategy_word(report->ran->strategy));
  }
}

static cJSON *json_of_report(const tool_report_t *report) {
  cJSON *object = cJSON_CreateObject();
  cJSON *files = cJSON_AddArrayToObject(object, "sources");
  char label[LABEL_BYTES];
  for (size_t s = 0; s < report->sources->count; s++)
    cJSON_AddItemToArray(files, cJSON_CreateString(tool_source_label(&report->sources->list[s], label, sizeof label)));
  add_run(object, report);
  if (report->grid->option)
    add_grid(object, report->grid);
  cJSON *results = cJSON_AddObjectToObject(object, "results");
  for (size_t a = 0; a < report->answer_count; a++)
    (report->grid->option ? add_arrays : add_fields)(
        cJSON_AddObjectToObject(results, report->answers[a].operation->name), report, &report->answers[a]);
  return object;
}

static int print_json(const tool_report_t *reports, size_t count) {
  if (count == 1)
    return tool_print_json(json_of_report(reports));
  cJSON *root = cJSON_CreateObject();
  cJSON *members = cJSON_AddArrayToObject(root, "members");
  for (size_t k = 0; k < count; k++)
    cJSON_AddItemToArray(members, json_of_report(&reports[k]));
  return tool_print_json(root);
}

/* ---- CSV: a row for each number ---- */

/* What every row starts with: the quoted name and its comma, or nothing where there is one report. */
static void write_start(char *start, const tool_report_t *report) {
  char label[LABEL_BYTES];
  tool_source_label(report->sources->list, label, sizeof label);
  *start++ = '"';
  for (const char *at = label; *at; at++) {
    if (*at == '"')
      *start++ = '"';
    *start++ = *at;
  }
  memcpy(start, "\",", 3);
}

static void print_csv_result(const tool_report_t *report, const char *start, const tool_answer_t *answer, size_t k) {
  tool_field_t fields[TOOL_MOST_FIELDS];
  char position[POSITION_BYTES], at[TOOL_GRID_POSITION_BYTES], name[96 + TOOL_GRID_POSITION_BYTES];
  const size_t count = fields_of(report, answer, k, fields);
  const int is_one_of_many = report->grid->option != NULL;
  snprintf(name, sizeof name, "%s%s%s%s", answer->operation->name, is_one_of_many ? ",\"" : "",
           tool_grid_position(report->grid, k, at), is_one_of_many ? "\"" : "");
  for (size_t f = 0; f < count; f++) {
    locate(report, &fields[f], position);
    if (fields[f].kind == TOOL_COMPLEX)
      printf("%s%s,real,%s\n%s%s,imaginary,%s\n", start, name, fields[f].text, start, name, fields[f].imaginary);
    else
      printf("%s%s,%s,%s\n", start, name, fields[f].name, fields[f].text);
    if (*position)
      printf("%s%s,%.*sposition,\"%s\"\n", start, name, (int)(strlen(fields[f].name) - strlen("index")), fields[f].name,
             position);
  }
}

static void print_csv(const tool_report_t *report, const char *start) {
  for (size_t a = 0; a < report->answer_count; a++)
    for (size_t k = 0; k < report->grid->count; k++)
      print_csv_result(report, start, &report->answers[a], k);
}

static void print_all_csv(const tool_report_t *reports, size_t count) {
  char start[2 * LABEL_BYTES + 4] = "";
  printf("%soperation,%sfield,value\n", count > 1 ? "source," : "", reports[0].grid->option ? "result," : "");
  for (size_t k = 0; k < count; k++) {
    if (count > 1)
      write_start(start, &reports[k]);
    print_csv(&reports[k], start);
  }
}

/* ---- all of them ---- */

static void print_all_text(const tool_report_t *reports, size_t count) {
  char label[LABEL_BYTES];
  for (size_t k = 0; k < count; k++) {
    if (count > 1)
      printf("%s%s\n", k ? "\n" : "", tool_source_label(reports[k].sources->list, label, sizeof label));
    print_text(&reports[k]);
  }
}

int tool_print_reports(const tool_report_t *reports, size_t count, tool_output_format_t format) {
  int failed = 0;
  if (format == TOOL_JSON)
    failed = print_json(reports, count);
  else if (format == TOOL_CSV)
    print_all_csv(reports, count);
  else
    print_all_text(reports, count);
  return fflush(stdout) != 0 || ferror(stdout) || failed ? -1 : 0;
}
