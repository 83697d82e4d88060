/* usw scan: running results, buffer by buffer. What the elements of earlier buffers come to is the initial value of the
 * next one's scan. Scans that have no such value take all elements at once. */
#include "scan.h"
#include "array.h"
#include "output_npy.h"
#include "sweep.h"
#include "tool.h"
#include "value.h"

#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

enum { LABEL_BYTES = 512, MOST_CARRY_BYTES = 16 };

typedef struct scan {
  tool_scan_command_t command;
  tool_sources_t sources;
  tool_grid_t grid;
  const tool_type_t *type;
  size_t result_bytes;
  usw_options_t options;
  usw_report_t ran;
  const char *whole; /* why all elements are taken at once; NULL: they are not */
  int has_carry;
  char carry[MOST_CARRY_BYTES]; /* the initial value of the next call */
  uint64_t count, true_count;   /* elements so far; those that are not zero, of counts */
  tool_device_t elements_at, results_at;
  char *results;               /* of one call */
  tool_array_t kept, finished; /* all elements, if they are taken at once; results to be printed */
  tool_npy_t npy;
  double seconds;
} scan_t;

static const char *name_of(const scan_t *scan) { return scan->command.name; }

static int fail(const scan_t *scan, const char *what) {
  tool_fail(name_of(scan), NULL, "%s", what);
  return TOOL_FAILURE;
}

static const char *label_of(const scan_t *scan, char label[LABEL_BYTES]) {
  return tool_source_label(scan->sources.list, label, LABEL_BYTES);
}

/* ---- before reading ---- */

/* One array of one dimension, or several that follow each other. */
static int check_arrays(scan_t *scan) {
  const tool_inputs_t *inputs = &scan->command.inputs;
  uint64_t count = 0;
  if (scan->sources.count > 1 && inputs->file_count == 1 && !inputs->merges)
    return tool_fail(name_of(scan), inputs->files[0],
                     "has %zu members: name one by --member, or scan all together by --merge", scan->sources.count);
  const int refused = tool_check_types(name_of(scan), &scan->sources);
  for (size_t s = 0; s < scan->sources.count && refused == TOOL_OK; s++) {
    tool_source_t *source = &scan->sources.list[s];
    if (tool_make_grid_of_scan(source, &scan->grid))
      return tool_fail_source(name_of(scan), source);
    count += scan->grid.count;
  }
  scan->grid.shape[0] = count;
  return refused;
}

static int read_initial(scan_t *scan) {
  const char *text = scan->command.initial;
  const usw_type_t type = (usw_type_t)tool_number_type(scan->command.operation, scan->type);
  if (!text)
    return TOOL_OK;
  scan->has_carry = 1;
  return tool_parse_value(text, type, scan->carry) == 0
             ? TOOL_OK
             : tool_fail(name_of(scan), text, "is not what --initial takes: a number of type %s, as the results have",
                         tool_type_of(type)->name);
}

/* Where a result is not all that comes of the elements before: of a sum in more precision, of extremes whether all elements
 * were NaN, of an index its element's value. */
static const char *why_whole(const tool_scan_command_t *command) {
  if (command->is_reversed)
    return "--reverse";
  if (command->options.accuracy != USW_REPEATABLE && command->options.accuracy != USW_FAST)
    return "--accuracy";
  if (command->options.nan == USW_NAN_IGNORE && command->operation->result == TOOL_RESULT_ELEMENT)
    return "--nan";
  return command->operation->result == TOOL_RESULT_LOCATED ? command->operation->name : NULL;
}

static usw_status_t call(const scan_t *scan, int is_exclusive, const char *elements, size_t n, char *results) {
  const usw_operation_t operation = scan->command.operation->code;
  usw_options_t options = scan->options;
  if (scan->command.is_reversed && n > 0) {
    elements += (n - 1) * scan->type->bytes;
    results += (n - 1) * scan->result_bytes;
    options.stride[0] = options.stride[1] = -1;
  }
  return is_exclusive ? usw_scan_exclusive(operation, scan->type->code, elements, n, results,
                                           scan->has_carry ? scan->carry : NULL, &options)
                      : usw_scan_inclusive(operation, scan->type->code, elements, n, results, &options);
}

/* A scan of nothing tells what the type, the place, the strategy and the accuracy cannot. */
static int check_call(scan_t *scan) {
  if (call(scan, scan->command.is_exclusive, NULL, 0, NULL) == USW_OK)
    return TOOL_OK;
  return tool_fail(name_of(scan), scan->command.operation->name, "%s", usw_error_text());
}

static int prepare(scan_t *scan) {
  const tool_scan_command_t *command = &scan->command;
  int failed = tool_list_inputs(name_of(scan), &command->inputs, &scan->sources);
  if (failed == TOOL_OK)
    failed = check_arrays(scan);
  if (failed == TOOL_OK)
    failed = tool_check_output(name_of(scan), command->output, &scan->sources);
  if (failed != TOOL_OK)
    return failed;
  scan->type = scan->sources.list[0].type;
  scan->result_bytes = usw_result_bytes(command->operation->code, scan->type->code);
  scan->ran.size = USW_INIT(usw_report_t);
  scan->options = command->options;
  scan->options.report = &scan->ran;
  scan->whole = why_whole(command);
  failed = check_call(scan);
  return failed == TOOL_OK ? read_initial(scan) : failed;
}

/* ---- results ---- */

static int fail_output(const scan_t *scan, int why) {
  tool_fail(name_of(scan), scan->command.output, "%s", strerror(why));
  return TOOL_FAILURE;
}

static int open_output(scan_t *scan) {
  if (!scan->command.output || scan->npy.file)
    return TOOL_OK;
  const usw_type_t type = (usw_type_t)tool_number_type(scan->command.operation, scan->type);
  const int why = tool_npy_create(&scan->npy, scan->command.output, type, 1, scan->grid.shape);
  return why ? fail_output(scan, why) : TOOL_OK;
}

/* To the file, or to memory until all are known: who reads the output of a failure finds nothing. */
static int put_results(scan_t *scan, const char *results, size_t count) {
  const int failed = open_output(scan);
  if (failed != TOOL_OK)
    return failed;
  if (!scan->command.output)
    return tool_array_append(&scan->finished, name_of(scan), results, count * scan->result_bytes);
  const int why = tool_npy_append_results(&scan->npy, scan->command.operation, scan->type, results, count);
  return why ? fail_output(scan, why) : TOOL_OK;
}

static int finish_results(scan_t *scan) {
  const int failed = open_output(scan);
  if (failed != TOOL_OK)
    return failed;
  if (scan->command.output) {
    const int why = tool_npy_finish(&scan->npy, scan->count);
    return why ? fail_output(scan, why) : TOOL_OK;
  }
  const tool_answer_t answer = {scan->command.operation, scan->finished.data, scan->result_bytes};
  const tool_report_t report = {&scan->sources, scan->count, scan->seconds, &scan->ran, &scan->grid, &answer, 1};
  scan->grid.shape[0] = scan->grid.count = (size_t)scan->count;
  return tool_print_reports(&report, 1, scan->command.format) == 0 ? TOOL_OK
                                                                   : fail(scan, "the results could not be written");
}

/* ---- one call after the other ---- */

/* Counts have no initial value: those before are added here. */
static void add_counts(scan_t *scan, size_t count) {
  uint64_t *results = (uint64_t *)scan->results;
  for (size_t k = 0; k < count; k++)
    results[k] += scan->true_count;
  scan->true_count = results[count - 1];
}

/* Scan a buffer, which has room for an element behind. An exclusive scan of one element more has the next carry as its last
 * result, and without its first one it is an inclusive scan behind the carry. */
static int scan_buffer(scan_t *scan, const void *buffer, size_t count) {
  const int is_first = scan->count == 0 && !scan->command.is_exclusive;
  const size_t results = count + (is_first ? 0 : 1), skipped = results - count;
  const char *elements = tool_device_put(&scan->elements_at, buffer, count * scan->type->bytes);
  char *there = tool_device_room(&scan->results_at, scan->results);
  if (!elements)
    return fail(scan, "the copy to the device failed");
  if (call(scan, !is_first, elements, results, there) != USW_OK)
    return fail(scan, usw_error_text());
  if (tool_device_get(&scan->results_at, scan->results, results * scan->result_bytes))
    return fail(scan, "the copy from the device failed");
  const char *last = scan->results + (results - 1) * scan->result_bytes;
  if (scan->command.operation->result == TOOL_RESULT_COUNT)
    add_counts(scan, results);
  else {
    memcpy(scan->carry, last, scan->result_bytes);
    scan->has_carry = 1;
  }
  return put_results(scan, scan->results + (scan->command.is_exclusive ? 0 : skipped * scan->result_bytes), count);
}

static int take_buffer(void *context, const void *buffer, size_t count) {
  scan_t *scan = context;
  const int failed = scan->whole ? tool_array_append(&scan->kept, name_of(scan), buffer, count * scan->type->bytes)
                                 : scan_buffer(scan, buffer, count);
  scan->count += count;
  return failed;
}

/* Places of elements that are counted from the end. */
static void turn_indices(const scan_t *scan) {
  for (size_t k = 0; k < scan->count; k++) {
    char *result = scan->results + k * scan->result_bytes;
    int64_t index;
    tool_number(scan->command.operation, scan->type, result, &index);
    if (index >= 0)
      tool_set_index(scan->type, result, (int64_t)scan->count - 1 - index);
  }
}

/* Scan all elements at once. */
static int scan_whole(scan_t *scan) {
  char label[LABEL_BYTES];
  const size_t n = (size_t)scan->count, bytes = n * scan->result_bytes;
  const void *elements;
  scan->results = malloc(bytes ? bytes : 1);
  if (!scan->results)
    return fail(scan, "no memory for the results");
  if (n == 0)
    return TOOL_OK;
  elements = tool_put(name_of(scan), label_of(scan, label), &scan->options, scan->kept.data, scan->kept.bytes,
                      &scan->elements_at);
  if (!elements)
    return TOOL_FAILURE;
  if (tool_device_open(&scan->results_at, &scan->options, bytes))
    return fail(scan, "the device has no memory for the results: leave out --place");
  if (call(scan, scan->command.is_exclusive, elements, n, tool_device_room(&scan->results_at, scan->results)) != USW_OK)
    return fail(scan, usw_error_text());
  if (tool_device_get(&scan->results_at, scan->results, bytes))
    return fail(scan, "the copy from the device failed");
  if (scan->command.is_reversed && scan->command.operation->result == TOOL_RESULT_LOCATED)
    turn_indices(scan);
  tool_array_free(&scan->kept);
  if (scan->command.output)
    return put_results(scan, scan->results, n);
  scan->finished = (tool_array_t){scan->results, bytes, bytes};
  scan->results = NULL;
  return TOOL_OK;
}

/* Memory for what is under way: of a buffer, or of everything. */
static int make_room(scan_t *scan, size_t buffer_bytes) {
  char label[LABEL_BYTES];
  const size_t results_bytes = (buffer_bytes / scan->type->bytes + 1) * scan->result_bytes;
  usw_options_t host = {.place = USW_HOST};
  if (tool_device_open(&scan->elements_at, scan->whole ? &host : &scan->options, buffer_bytes))
    return fail(scan, "the device has no memory for a buffer: make it smaller by --buffer");
  if (scan->whole)
    return tool_array_reserve(&scan->kept, name_of(scan), label_of(scan, label), scan->whole,
                              tool_total_bytes(&scan->sources));
  scan->results = malloc(results_bytes);
  if (!scan->results || tool_device_open(&scan->results_at, &scan->options, results_bytes))
    return fail(scan, "no memory for the results of a buffer: make it smaller by --buffer");
  return TOOL_OK;
}

static int run(scan_t *scan) {
  const tool_inputs_t *inputs = &scan->command.inputs;
  int failed = prepare(scan);
  if (failed != TOOL_OK)
    return failed;
  const tool_sweep_t sweep = {
      name_of(scan), inputs, &scan->sources, &scan->elements_at, tool_buffer_bytes(inputs, &scan->options),
      take_buffer,   scan};
  failed = make_room(scan, sweep.buffer_bytes);
  if (failed == TOOL_OK)
    failed = tool_sweep(&sweep, &scan->seconds);
  if (failed == TOOL_OK && scan->whole)
    failed = scan_whole(scan);
  return failed == TOOL_OK ? finish_results(scan) : failed;
}

static void forget(scan_t *scan) {
  tool_npy_give_up(&scan->npy);
  tool_device_close(&scan->elements_at);
  tool_device_close(&scan->results_at);
  free(scan->results);
  tool_array_free(&scan->kept);
  tool_array_free(&scan->finished);
  tool_free_sources(&scan->sources);
  tool_scan_forget(&scan->command);
}

int tool_scan(int argc, char **argv) {
  tool_leave_room_for_reader();
  scan_t scan = {.elements_at = {.number = -1}, .results_at = {.number = -1}};
  int failed = tool_scan_parse(argc, argv, &scan.command);
  if (failed == TOOL_OK)
    failed = run(&scan);
  forget(&scan);
  return failed;
}
