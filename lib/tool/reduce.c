/* usw reduce: every buffer of the data set goes through every operation while it is in cache. */
#include "reduce.h"
#include "array.h"
#include "output_npy.h"
#include "sweep.h"
#include "tool.h"
#include "value.h"

#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

enum { LABEL_BYTES = 512 };

/* A reduction that is under way; "mean" and "std" share one. */
typedef struct reduction {
  usw_operation_t operation;
  usw_partial_t *partial; /* NULL: it takes all elements at once, several times */
  void *result;           /* the first of the grid's */
} reduction_t;

/* Sources whose elements are reduced together: all of the command line's, or one member of an archive. */
typedef struct data_set {
  tool_sources_t sources; /* a part of the job's */
  tool_grid_t grid;
  usw_options_t options;
  const tool_operation_t *operations[TOOL_MAX_ANSWERS];
  size_t operation_count;
  reduction_t reductions[TOOL_MAX_ANSWERS];
  size_t reduction_count;
  tool_answer_t answers[TOOL_MAX_ANSWERS];
  usw_report_t ran;
  uint64_t count; /* elements so far */
  int keeps_all;  /* for a reduction that takes them at once */
  tool_array_t kept;
  double seconds;
} data_set_t;

typedef struct job {
  tool_reduce_command_t command;
  tool_sources_t sources;
  tool_column_t column; /* of segments or keys */
  data_set_t *sets;
  tool_report_t *reports; /* one for each */
  size_t set_count;
} job_t;

static int fail_source(const job_t *job, const tool_source_t *source) {
  return tool_fail_source(job->command.name, source);
}

/* ---- before reading ---- */

static int read_column(job_t *job) {
  const tool_reduce_command_t *command = &job->command;
  tool_source_t failed;
  if (!command->segments && !command->keys)
    return TOOL_OK;
  return (command->segments ? tool_read_offsets(command->segments, &job->column, &failed)
                            : tool_read_keys(command->keys, &job->column, &failed))
             ? fail_source(job, &failed)
             : TOOL_OK;
}

static int make_sets(job_t *job) {
  const tool_reduce_command_t *command = &job->command;
  const int is_divided = command->inputs.file_count == 1 && !command->inputs.merges;
  job->set_count = is_divided ? job->sources.count : 1;
  job->sets = job->set_count ? calloc(job->set_count, sizeof *job->sets) : NULL;
  job->reports = job->set_count ? calloc(job->set_count, sizeof *job->reports) : NULL;
  if (!job->sets || !job->reports) {
    job->set_count = 0;
    return tool_fail(command->name, NULL, "no memory");
  }
  for (size_t k = 0; k < job->set_count; k++) {
    data_set_t *set = &job->sets[k];
    set->sources.list = job->sources.list + k;
    set->sources.count = is_divided ? 1 : job->sources.count;
    set->ran.size = USW_INIT(usw_report_t);
    set->options = command->options;
    set->options.report = &set->ran;
  }
  return TOOL_OK;
}

static void choose_operations(data_set_t *set, const tool_reduce_command_t *command) {
  set->operation_count = command->operation_count;
  memcpy(set->operations, command->operations, sizeof set->operations);
  if (!set->operation_count)
    set->operation_count = tool_usual_operations(set->sources.list[0].type, set->operations);
}

static int check_operations(const job_t *job, const data_set_t *set) {
  const tool_type_t *type = set->sources.list[0].type;
  char label[LABEL_BYTES], list[TOOL_TYPE_LIST_BYTES];
  for (size_t k = 0; k < set->operation_count; k++)
    if (!tool_has(set->operations[k], type))
      return tool_fail(job->command.name, set->operations[k]->name,
                       "there is no such reduction of %s, the type of %s: it takes %s", type->name,
                       tool_source_label(set->sources.list, label, sizeof label),
                       tool_types_of(set->operations[k]->code, list));
  return TOOL_OK;
}

/* The index of an element is a place in C order; over several files only C order can go on counting. */
static int check_order(const job_t *job, const data_set_t *set) {
  int finds_indices = 0;
  for (size_t k = 0; k < set->operation_count; k++)
    finds_indices |=
        set->operations[k]->result == TOOL_RESULT_LOCATED || strcmp(set->operations[k]->name, "describe") == 0;
  for (size_t s = 0; s < set->sources.count && finds_indices && set->sources.count > 1; s++) {
    tool_source_t *source = &set->sources.list[s];
    if (source->fortran) {
      tool_problem(source, "is stored in Fortran order: argmin, argmax and describe take such an array alone");
      return fail_source(job, source);
    }
  }
  return TOOL_OK;
}

static int check_keys(const job_t *job, const data_set_t *set, uint64_t count) {
  char label[LABEL_BYTES];
  if (!set->grid.keys || job->column.count == count)
    return TOOL_OK;
  return tool_fail(job->command.name, job->column.file, "has %zu keys, %s has %llu elements: --keys takes one for each",
                   job->column.count, tool_source_label(set->sources.list, label, sizeof label),
                   (unsigned long long)count);
}

/* Axes, segments and keys are those of one array, and --output has room for one. Such arrays are in memory as a whole. */
static int check_grid(const job_t *job, data_set_t *set) {
  const tool_reduce_command_t *command = &job->command;
  tool_source_t *source = set->sources.list;
  char label[LABEL_BYTES];
  tool_source_label(source, label, sizeof label);
  const char *divides = command->segments ? "--segments" : command->keys ? "--keys" : "--axis";
  if ((command->axes.is_said || command->segments || command->keys) && set->sources.count > 1)
    return tool_fail(command->name, label, "%s reduces one array, here are %zu: run usw reduce once for each", divides,
                     set->sources.count);
  if (command->unique && job->set_count > 1)
    return tool_fail(command->name, label, "--unique-out holds the keys of one array, %s has %zu: name one by --member",
                     source->file, job->set_count);
  if (command->output && job->set_count > 1)
    return tool_fail(command->name, label, "--output holds the results of one array, %s has %zu: name one by --member",
                     source->file, job->set_count);
  if (command->output && tool_number_type(set->operations[0], source->type) == TOOL_NO_NUMBER)
    return tool_fail(command->name, set->operations[0]->name,
                     "its results are several numbers each, --output takes one: name min, max, mean, var or std");
  if (command->segments ? tool_make_grid_of_segments(source, &job->column, &set->grid)
      : command->keys   ? tool_make_grid_of_keys(source, &job->column, &set->grid)
                        : tool_make_grid(source, &command->axes, &set->grid))
    return fail_source(job, source);
  set->keeps_all |= set->grid.option != NULL;
  return source->is_open_ended || source->count == TOOL_UNKNOWN_COUNT ? TOOL_OK : check_keys(job, set, source->count);
}

static reduction_t *find_reduction(data_set_t *set, usw_operation_t operation) {
  for (size_t r = 0; r < set->reduction_count; r++)
    if (set->reductions[r].operation == operation)
      return &set->reductions[r];
  return NULL;
}

/* Room for an array that has many results. */
static int make_room(const job_t *job, data_set_t *set) {
  char label[LABEL_BYTES];
  return set->grid.option ? tool_array_reserve(&set->kept, job->command.name,
                                               tool_source_label(set->sources.list, label, sizeof label),
                                               set->grid.option, tool_total_bytes(&set->sources))
                          : TOOL_OK;
}

/* A reduction of nothing tells what the place, the strategy and the accuracy cannot. What a reduction in parts cannot, though
 * one of everything can, waits for all elements; so do many results. */
static int start_reduction(const job_t *job, data_set_t *set, reduction_t *reduction, const char *name) {
  const usw_options_t *options = &set->options;
  const usw_type_t type = set->sources.list[0].type->code;
  if (set->grid.option) {
    const usw_array_t nothing = usw_array_2d(type, NULL, 0, 0);
    if (usw_reduce_axes(reduction->operation, &nothing, USW_ALL_AXES, reduction->result, options) != USW_OK)
      return tool_fail(job->command.name, name, "%s", usw_error_text());
    return TOOL_OK;
  }
  if (usw_reduce(reduction->operation, type, NULL, 0, reduction->result, options) != USW_OK)
    return tool_fail(job->command.name, name, "%s", usw_error_text());
  const usw_status_t status = usw_partial_create(&reduction->partial, reduction->operation, type, options);
  if (status == USW_ERROR_UNSUPPORTED && options->place == USW_DEVICE)
    return tool_fail(job->command.name, name, "several sweeps over a data set are made on the host only");
  if (status != USW_OK && status != USW_ERROR_UNSUPPORTED)
    return tool_fail(job->command.name, name, "%s", usw_error_text());
  set->keeps_all |= status == USW_ERROR_UNSUPPORTED;
  return TOOL_OK;
}

static int start_reductions(const job_t *job, data_set_t *set) {
  char label[LABEL_BYTES];
  const int refused = make_room(job, set);
  if (refused != TOOL_OK)
    return refused;
  for (size_t k = 0; k < set->operation_count; k++) {
    const tool_operation_t *operation = set->operations[k];
    if (find_reduction(set, operation->code))
      continue;
    reduction_t *reduction = &set->reductions[set->reduction_count++];
    reduction->operation = operation->code;
    reduction->result = calloc(set->grid.count + (set->grid.count == 0),
                               usw_result_bytes(operation->code, set->sources.list[0].type->code));
    if (!reduction->result)
      return tool_fail(job->command.name, tool_source_label(set->sources.list, label, sizeof label),
                       "no memory for %zu results of %s", set->grid.count, operation->name);
    const int failed = start_reduction(job, set, reduction, operation->name);
    if (failed != TOOL_OK)
      return failed;
  }
  return TOOL_OK;
}

/* What the listed sources tell is checked before any of them is read. */
static int prepare_set(const job_t *job, data_set_t *set) {
  int failed = tool_check_types(job->command.name, &set->sources);
  choose_operations(set, &job->command);
  if (failed == TOOL_OK)
    failed = check_operations(job, set);
  if (failed == TOOL_OK)
    failed = check_grid(job, set);
  return failed == TOOL_OK ? check_order(job, set) : failed;
}

/* Results over an input would destroy it. */
static int check_outputs(const job_t *job) {
  const tool_reduce_command_t *command = &job->command;
  const char *const outputs[] = {command->output, command->unique};
  int failed = TOOL_OK;
  for (size_t k = 0; k < sizeof outputs / sizeof *outputs && failed == TOOL_OK; k++) {
    failed = tool_check_output(command->name, outputs[k], &job->sources);
    if (failed == TOOL_OK)
      failed = tool_check_output_beside(command->name, outputs[k], job->column.file);
  }
  return failed;
}

/* ---- reading ---- */

/* A set whose elements come, and what takes them. */
typedef struct taker {
  const job_t *job;
  data_set_t *set;
  const tool_device_t *device;
} taker_t;

static int reduce_buffer(void *context, const void *buffer, size_t count) {
  const taker_t *taker = context;
  data_set_t *set = taker->set;
  const char *name = taker->job->command.name;
  const size_t bytes = count * set->sources.list[0].type->bytes;
  const void *elements = tool_device_put(taker->device, buffer, bytes);
  if (!elements) {
    tool_fail(name, NULL, "the copy to device %d failed", taker->device->number);
    return TOOL_FAILURE;
  }
  if (set->keeps_all && tool_array_append(&set->kept, name, buffer, bytes) != TOOL_OK)
    return TOOL_FAILURE;
  for (size_t r = 0; r < set->reduction_count; r++) {
    if (set->reductions[r].partial && usw_partial_add(set->reductions[r].partial, elements, count) != USW_OK) {
      tool_fail(name, NULL, "%s", usw_error_text());
      return TOOL_FAILURE;
    }
  }
  set->count += count;
  return TOOL_OK;
}

static int reduce_set(const job_t *job, data_set_t *set) {
  const tool_inputs_t *inputs = &job->command.inputs;
  usw_options_t options = set->options;
  tool_device_t device;
  taker_t taker = {job, set, &device};
  const tool_sweep_t sweep = {job->command.name, inputs, &set->sources, &device, tool_buffer_bytes(inputs, &options),
                              reduce_buffer,     &taker};
  if (set->grid.option) /* copied to a device as a whole, afterwards */
    options.place = USW_HOST;
  int failed = TOOL_FAILURE;
  if (tool_device_open(&device, &options, sweep.buffer_bytes))
    tool_fail(job->command.name, NULL, "no memory on device %d", set->options.device);
  else
    failed = tool_sweep(&sweep, &set->seconds);
  tool_device_close(&device);
  return failed;
}

/* ---- afterwards ---- */

static int finish_reduction(const job_t *job, data_set_t *set, reduction_t *reduction, const void *elements) {
  const tool_source_t *source = set->sources.list;
  const size_t count = (size_t)set->count;
  const usw_status_t status = reduction->partial ? usw_partial_result(reduction->partial, reduction->result)
                              : set->grid.option ? tool_reduce_grid(&set->grid, reduction->operation, source, elements,
                                                                    count, reduction->result, &set->options)
                                                 : usw_reduce(reduction->operation, source->type->code, elements, count,
                                                              reduction->result, &set->options);
  if (status == USW_OK)
    return TOOL_OK;
  if (status == USW_ERROR_INVALID && set->grid.segments)
    return tool_fail(job->command.name, set->grid.segments->file, "%s", usw_error_text());
  tool_fail(job->command.name, NULL, "%s", usw_error_text());
  return TOOL_FAILURE;
}

static int finish_reductions(const job_t *job, data_set_t *set, const void *elements) {
  int failed = TOOL_OK;
  for (size_t r = 0; r < set->reduction_count && failed == TOOL_OK; r++)
    failed = finish_reduction(job, set, &set->reductions[r], elements);
  for (size_t k = 0; k < set->operation_count && failed == TOOL_OK; k++) {
    const usw_operation_t code = set->operations[k]->code;
    set->answers[k] = (tool_answer_t){set->operations[k], find_reduction(set, code)->result,
                                      usw_result_bytes(code, set->sources.list[0].type->code)};
  }
  return failed;
}

static const void *put(const job_t *job, const data_set_t *set, tool_device_t *device, const void *memory,
                       size_t bytes) {
  char label[LABEL_BYTES];
  return tool_put(job->command.name, tool_source_label(set->sources.list, label, sizeof label), &set->options, memory,
                  bytes, device);
}

/* Room for the key of each run, also at the place. */
static int make_room_for_keys(const job_t *job, data_set_t *set, tool_device_t *device) {
  tool_grid_t *grid = &set->grid;
  const size_t bytes = grid->keys->bytes;
  grid->unique = calloc(bytes ? bytes : 1, 1);
  if (!grid->unique || tool_device_open(device, &set->options, bytes)) {
    tool_fail(job->command.name, grid->keys->file, "no memory for %zu bytes of keys of runs", bytes);
    return TOOL_FAILURE;
  }
  grid->unique_there = tool_device_room(device, grid->unique);
  return TOOL_OK;
}

static int fetch_keys(const job_t *job, data_set_t *set, const tool_device_t *device) {
  const tool_column_t *keys = set->grid.keys;
  if (tool_device_get(device, set->grid.unique, set->grid.count * keys->type->bytes) == 0)
    return TOOL_OK;
  tool_fail(job->command.name, keys->file, "the copy of keys from device %d failed", device->number);
  return TOOL_FAILURE;
}

/* The array, and what divides it, at the place that reduces it: the host, where there are no elements. */
static int finish_array(const job_t *job, data_set_t *set) {
  const tool_column_t *column = set->grid.segments ? set->grid.segments : set->grid.keys;
  tool_device_t device = {.number = -1}, beside = device, keys = device;
  const void *elements = set->kept.data;
  int failed = check_keys(job, set, set->count);
  if (failed != TOOL_OK)
    return failed;
  if (set->kept.bytes == 0 && column)
    set->options.place = USW_HOST;
  int is_there = set->kept.bytes == 0 || (elements = put(job, set, &device, set->kept.data, set->kept.bytes)) != NULL;
  if (is_there && column)
    is_there = (set->grid.column = put(job, set, &beside, column->data, column->bytes)) != NULL;
  failed = is_there ? TOOL_OK : TOOL_FAILURE;
  if (is_there && set->grid.keys)
    failed = make_room_for_keys(job, set, &keys);
  if (failed == TOOL_OK)
    failed = finish_reductions(job, set, elements);
  if (failed == TOOL_OK && set->grid.keys)
    failed = fetch_keys(job, set, &keys);
  tool_device_close(&device);
  tool_device_close(&beside);
  tool_device_close(&keys);
  return failed;
}

/* Answers stay; an archive may have more members than there is memory for what is under way. */
static int finish_set(const job_t *job, data_set_t *set) {
  const int failed = set->grid.option ? finish_array(job, set) : finish_reductions(job, set, set->kept.data);
  if (failed != TOOL_OK)
    return failed;
  for (size_t r = 0; r < set->reduction_count; r++) {
    usw_partial_destroy(set->reductions[r].partial);
    set->reductions[r].partial = NULL;
  }
  tool_array_free(&set->kept);
  return TOOL_OK;
}

static int check_written(const job_t *job, const char *path, int why) {
  if (why == 0)
    return TOOL_OK;
  tool_fail(job->command.name, path, "%s", strerror(why));
  return TOOL_FAILURE;
}

/* When all of them are known: who reads the output of a failure finds nothing. */
static int print_results(const job_t *job) {
  for (size_t k = 0; k < job->set_count; k++) {
    const data_set_t *set = &job->sets[k];
    job->reports[k] = (tool_report_t){&set->sources, set->count,   set->seconds,        &set->ran,
                                      &set->grid,    set->answers, set->operation_count};
  }
  if (job->command.unique) {
    const int failed = check_written(job, job->command.unique, tool_write_keys(job->command.unique, &job->sets->grid));
    if (failed != TOOL_OK)
      return failed;
  }
  if (job->command.output)
    return check_written(job, job->command.output, tool_write_npy(job->command.output, &job->reports[0]));
  if (tool_print_reports(job->reports, job->set_count, job->command.format) == 0)
    return TOOL_OK;
  tool_fail(job->command.name, NULL, "the results could not be written");
  return TOOL_FAILURE;
}

static int run(job_t *job) {
  int failed = tool_list_inputs(job->command.name, &job->command.inputs, &job->sources);
  if (failed == TOOL_OK)
    failed = read_column(job);
  if (failed == TOOL_OK)
    failed = make_sets(job);
  for (size_t k = 0; k < job->set_count && failed == TOOL_OK; k++)
    failed = prepare_set(job, &job->sets[k]);
  if (failed == TOOL_OK)
    failed = check_outputs(job);
  for (size_t k = 0; k < job->set_count && failed == TOOL_OK; k++) {
    failed = start_reductions(job, &job->sets[k]);
    if (failed == TOOL_OK)
      failed = reduce_set(job, &job->sets[k]);
    if (failed == TOOL_OK)
      failed = finish_set(job, &job->sets[k]);
  }
  return failed == TOOL_OK ? print_results(job) : failed;
}

static void forget(job_t *job) {
  for (size_t k = 0; k < job->set_count; k++) {
    data_set_t *set = &job->sets[k];
    for (size_t r = 0; r < set->reduction_count; r++) {
      usw_partial_destroy(set->reductions[r].partial);
      free(set->reductions[r].result);
    }
    tool_array_free(&set->kept);
    free(set->grid.unique);
  }
  free(job->sets);
  free(job->reports);
  tool_free_sources(&job->sources);
  tool_forget_column(&job->column);
  tool_reduce_forget(&job->command);
}

int tool_reduce(int argc, char **argv) {
  tool_leave_room_for_reader();
  job_t job = {.set_count = 0};
  int failed = tool_reduce_parse(argc, argv, &job.command);
  if (failed == TOOL_OK)
    failed = run(&job);
  forget(&job);
  return failed;
}
