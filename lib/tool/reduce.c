/* usw reduce: every buffer of the data set goes through every operation while it is in cache. */
#include "reduce.h"
#include "device.h"
#include "tool.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

enum {
  HOST_BUFFER_BYTES = 2 << 20,   /* stays in cache: measured best of 128 KiB to 8 MiB */
  DEVICE_BUFFER_BYTES = 8 << 20, /* a copy to a GPU needs some MiB to get fast */
  LABEL_BYTES = 512,
};

/* A reduction that is under way; "mean" and "std" share one. */
typedef struct reduction {
  usw_operation_t operation;
  usw_partial_t *partial; /* NULL: it takes all elements at once, several times */
  void *result;
} reduction_t;

typedef struct job {
  tool_reduce_command_t command;
  tool_sources_t sources;
  reduction_t reductions[TOOL_MAX_ANSWERS];
  size_t reduction_count;
  usw_report_t ran;
  uint64_t count; /* elements so far */
  int keeps_all;  /* for a reduction that takes them at once */
  char *kept;
  size_t kept_bytes, kept_room;
  double seconds;
} job_t;

static int fail_source(const job_t *job, const tool_source_t *source) {
  char label[LABEL_BYTES];
  return tool_fail(job->command.name, tool_source_label(source, label, sizeof label), "%s", source->problem);
}

/* ---- before reading ---- */

static int list_sources(job_t *job) {
  const tool_reduce_command_t *command = &job->command;
  for (size_t f = 0; f < command->file_count; f++) {
    tool_source_t failed;
    if (tool_list_file(command->files[f], &command->input, &job->sources, &failed)) {
      fail_source(job, &failed);
      free(failed.member);
      return TOOL_BAD_INPUT;
    }
  }
  const tool_source_t *first = job->sources.list;
  for (size_t s = 1; s < job->sources.count; s++) {
    tool_source_t *source = &job->sources.list[s];
    char label[LABEL_BYTES];
    if (source->type != first->type) {
      tool_problem(source, "its elements are %s, those of %s are %s", source->type->name,
                   tool_source_label(first, label, sizeof label), first->type->name);
      return fail_source(job, source);
    }
  }
  return TOOL_OK;
}

/* What is computed when nobody says: what of it the type has. */
static void choose_operations(tool_reduce_command_t *command, const tool_type_t *type) {
  static const char *const usual[] = {"sum", "min", "max", "mean", "std"}, *const truths[] = {"count", "all", "any"};
  for (size_t k = 0; k < sizeof usual / sizeof usual[0]; k++)
    if (tool_has(tool_operation_named(usual[k]), type))
      command->operations[command->operation_count++] = tool_operation_named(usual[k]);
  for (size_t k = 0; k < sizeof truths / sizeof truths[0] && command->operation_count < k + 1; k++)
    command->operations[command->operation_count++] = tool_operation_named(truths[k]);
}

/* The index of an element is a place in C order; over several files only C order can go on counting. */
static int check_order(const job_t *job) {
  int finds_indices = 0;
  for (size_t k = 0; k < job->command.operation_count; k++)
    finds_indices |= job->command.operations[k]->result == TOOL_RESULT_LOCATED ||
                     strcmp(job->command.operations[k]->name, "describe") == 0;
  for (size_t s = 0; s < job->sources.count && finds_indices && job->sources.count > 1; s++) {
    tool_source_t *source = &job->sources.list[s];
    if (source->fortran) {
      tool_problem(source, "is stored in Fortran order: argmin, argmax and describe take such an array alone");
      return fail_source(job, source);
    }
  }
  return TOOL_OK;
}

static reduction_t *find_reduction(job_t *job, usw_operation_t operation) {
  for (size_t r = 0; r < job->reduction_count; r++)
    if (job->reductions[r].operation == operation)
      return &job->reductions[r];
  return NULL;
}

/* A reduction of nothing tells what the place, the strategy and the accuracy cannot. What a reduction in parts cannot, though
 * one of everything can, waits for all elements. */
static int start_reduction(job_t *job, reduction_t *reduction, const char *name, usw_type_t type) {
  const usw_options_t *options = &job->command.options;
  if (usw_reduce(reduction->operation, type, NULL, 0, reduction->result, options) != USW_OK)
    return tool_fail(job->command.name, name, "%s", usw_error_text());
  const usw_status_t status = usw_partial_create(&reduction->partial, reduction->operation, type, options);
  if (status == USW_ERROR_UNSUPPORTED && options->place == USW_DEVICE)
    return tool_fail(job->command.name, name, "several sweeps over a data set are made on the host only");
  if (status != USW_OK && status != USW_ERROR_UNSUPPORTED)
    return tool_fail(job->command.name, name, "%s", usw_error_text());
  job->keeps_all |= status == USW_ERROR_UNSUPPORTED;
  return TOOL_OK;
}

static int start_reductions(job_t *job) {
  const tool_reduce_command_t *command = &job->command;
  const tool_type_t *type = job->sources.list[0].type;
  for (size_t k = 0; k < command->operation_count; k++) {
    const tool_operation_t *operation = command->operations[k];
    if (!tool_has(operation, type))
      return tool_fail(command->name, operation->name, "there is no such reduction of %s", type->name);
    if (find_reduction(job, operation->code))
      continue;
    reduction_t *reduction = &job->reductions[job->reduction_count++];
    reduction->operation = operation->code;
    reduction->result = calloc(1, usw_result_bytes(operation->code, type->code));
    if (!reduction->result)
      return tool_fail(command->name, NULL, "no memory");
    const int failed = start_reduction(job, reduction, operation->name, type->code);
    if (failed != TOOL_OK)
      return failed;
  }
  return TOOL_OK;
}

/* ---- reading ---- */

static uint64_t total_bytes(const job_t *job) {
  uint64_t bytes = 0;
  for (size_t s = 0; s < job->sources.count; s++) {
    if (job->sources.list[s].count == TOOL_UNKNOWN_COUNT)
      return UINT64_MAX;
    bytes += job->sources.list[s].count * job->sources.list[s].type->bytes;
  }
  return bytes;
}

/* Keep a buffer's elements behind those before. */
static int keep(job_t *job, const void *buffer, size_t bytes) {
  if (bytes > job->kept_room - job->kept_bytes) {
    const size_t room = 2 * job->kept_room + bytes;
    char *kept = realloc(job->kept, room);
    if (!kept) {
      tool_fail(job->command.name, NULL, "no memory for %zu bytes of elements, which take several sweeps", room);
      return TOOL_FAILURE;
    }
    job->kept = kept;
    job->kept_room = room;
  }
  memcpy(job->kept + job->kept_bytes, buffer, bytes);
  job->kept_bytes += bytes;
  return TOOL_OK;
}

static int reduce_buffer(job_t *job, const tool_device_t *device, const void *buffer, size_t count) {
  const void *elements = tool_device_put(device, buffer, count * job->sources.list[0].type->bytes);
  if (!elements) {
    tool_fail(job->command.name, NULL, "the copy to device %d failed", device->number);
    return TOOL_FAILURE;
  }
  if (job->keeps_all && keep(job, buffer, count * job->sources.list[0].type->bytes) != TOOL_OK)
    return TOOL_FAILURE;
  for (size_t r = 0; r < job->reduction_count; r++) {
    if (job->reductions[r].partial && usw_partial_add(job->reductions[r].partial, elements, count) != USW_OK) {
      tool_fail(job->command.name, NULL, "%s", usw_error_text());
      return TOOL_FAILURE;
    }
  }
  job->count += count;
  return TOOL_OK;
}

static int reduce_stream(job_t *job, const tool_device_t *device, size_t buffer_bytes) {
  tool_stream_t stream;
  tool_progress_t progress;
  const void *buffer;
  size_t count;
  int failed = TOOL_OK;
  if (tool_stream_start(&stream, &job->sources, buffer_bytes, &device->memory)) {
    tool_fail(job->command.name, NULL, "no memory for %d buffers of %zu bytes", TOOL_BUFFERS, buffer_bytes);
    return TOOL_FAILURE;
  }
  tool_progress_start(&progress, job->command.name, job->command.progress, total_bytes(job));
  const double start = tool_now();
  while (failed == TOOL_OK && (buffer = tool_stream_next(&stream, &count)) != NULL) {
    failed = reduce_buffer(job, device, buffer, count);
    tool_progress_show(&progress, job->count * job->sources.list[0].type->bytes);
  }
  const tool_source_t *unreadable = tool_stream_stop(&stream);
  job->seconds = tool_now() - start;
  tool_progress_end(&progress);
  return failed == TOOL_OK && unreadable ? fail_source(job, unreadable) : failed;
}

static int reduce_all(job_t *job) {
  const usw_options_t *options = &job->command.options;
  const size_t usual_bytes = options->place == USW_DEVICE ? DEVICE_BUFFER_BYTES : HOST_BUFFER_BYTES;
  const size_t buffer_bytes = job->command.buffer_bytes ? job->command.buffer_bytes : usual_bytes;
  tool_device_t device;
  int failed = TOOL_FAILURE;
  if (tool_device_open(&device, options, buffer_bytes))
    tool_fail(job->command.name, NULL, "no memory on device %d", options->device);
  else
    failed = reduce_stream(job, &device, buffer_bytes);
  tool_device_close(&device);
  return failed;
}

/* ---- afterwards ---- */

static int finish_reduction(job_t *job, reduction_t *reduction) {
  const usw_status_t status = reduction->partial
                                  ? usw_partial_result(reduction->partial, reduction->result)
                                  : usw_reduce(reduction->operation, job->sources.list[0].type->code, job->kept,
                                               (size_t)job->count, reduction->result, &job->command.options);
  if (status == USW_OK)
    return TOOL_OK;
  tool_fail(job->command.name, NULL, "%s", usw_error_text());
  return TOOL_FAILURE;
}

static int print_results(job_t *job) {
  const tool_reduce_command_t *command = &job->command;
  tool_answer_t answers[TOOL_MAX_ANSWERS];
  for (size_t k = 0; k < command->operation_count; k++) {
    reduction_t *reduction = find_reduction(job, command->operations[k]->code);
    if (finish_reduction(job, reduction) != TOOL_OK)
      return TOOL_FAILURE;
    answers[k] = (tool_answer_t){command->operations[k], reduction->result};
  }
  const tool_report_t report = {&job->sources, job->count, job->seconds, &job->ran, answers, command->operation_count};
  if (tool_print_report(&report, command->format) == 0)
    return TOOL_OK;
  tool_fail(command->name, NULL, "the results could not be written");
  return TOOL_FAILURE;
}

static int run(job_t *job) {
  tool_reduce_command_t *command = &job->command;
  int failed = list_sources(job);
  if (failed == TOOL_OK && command->operation_count == 0)
    choose_operations(command, job->sources.list[0].type);
  if (failed == TOOL_OK)
    failed = check_order(job);
  if (failed == TOOL_OK)
    failed = start_reductions(job);
  if (failed == TOOL_OK)
    failed = reduce_all(job);
  return failed == TOOL_OK ? print_results(job) : failed;
}

static void forget(job_t *job) {
  for (size_t r = 0; r < job->reduction_count; r++) {
    usw_partial_destroy(job->reductions[r].partial);
    free(job->reductions[r].result);
  }
  free(job->kept);
  tool_free_sources(&job->sources);
  tool_reduce_forget(&job->command);
}

/* One processor belongs to the thread that reads: the library's threads would spin on it while they wait. */
static void leave_room_for_reader(void) {
  cpu_set_t processors;
  char threads[16];
  if (sched_getaffinity(0, sizeof processors, &processors) != 0)
    return;
  const int count = CPU_COUNT(&processors);
  snprintf(threads, sizeof threads, "%d", count > 2 ? count - 1 : 1);
  setenv("USW_THREADS", threads, 0);
}

int tool_reduce(int argc, char **argv) {
  leave_room_for_reader();
  job_t job = {.ran = {.size = USW_INIT(usw_report_t)}};
  int failed = tool_reduce_parse(argc, argv, &job.command);
  job.command.options.report = &job.ran;
  if (failed == TOOL_OK)
    failed = run(&job);
  forget(&job);
  return failed;
}
