/* Scans of segments: a launch marks where they begin, the next one scans. */
#include <stdlib.h>
#include <string.h>
#include <upsweep/scan.h>
#include <upsweep/segments.h>

#include "api/scan.h"
#include "base/bytes.h"
#include "base/error.h"
#include "exec/run.h"
#include "exec/scratch.h"
#include "exec/segment_check.h"
#include "policy/place.h"
#include "policy/segments.h"

/* A thread's marks are mostly in one word if it takes as many segments as a word has bits; of few segments a GPU's threads had no work then. */
enum { ITEMS_OF_WORD = 32, ENOUGH_THREADS = 1 << 17 };

/* Made by the build from kernels.def. */
extern const usw_kernel_t marks_kernel;

/* Arguments of this kernel, as shapes/marks.h has them. */
enum { OFFSETS, OFFSET_BYTES, LENGTH, SEGMENTS, AT_ONCE, ITEMS, MARKS };

/* A bit for each item: memory of the place. */
typedef struct marks {
  uint32_t *words;
  uswi_scratch_t *scratch; /* on a device, which it belongs to */
  uint64_t wrong, begin, end;
} marks_t;

static size_t at_once(size_t segments) {
  const size_t each = segments / ENOUGH_THREADS;
  return each < 1 ? 1 : each < ITEMS_OF_WORD ? each : ITEMS_OF_WORD;
}

static usw_status_t get_marks(const uswi_call_t *call, size_t items, marks_t *marks) {
  const size_t words = items / ITEMS_OF_WORD + 1, bytes = words * sizeof *marks->words;
  usw_status_t status = USW_OK;
  *marks = (marks_t){.wrong = UINT64_MAX, .begin = UINT64_MAX};
  if (call->device) {
    status = uswi_scratch_take_marks(call->device, bytes, &marks->scratch);
    if (status == USW_OK)
      marks->words = marks->scratch->marks.memory;
    return status;
  }
  marks->words = calloc(words, sizeof *marks->words);
  return marks->words
             ? USW_OK
             : uswi_fail(USW_ERROR_MEMORY, "%s: no room for %zu bytes of where segments begin", call->name, bytes);
}

/* After a scan marks are zero on GPUs; after what else has happened nobody knows. */
static void give_marks_back(const uswi_call_t *call, marks_t *marks, int are_zero) {
  if (!call->device) {
    free(marks->words);
  } else if (marks->scratch) {
    if (!are_zero || !call->device->runs_bare)
      uswi_scratch_forget(call->device, marks->scratch);
    uswi_scratch_give_back(marks->scratch);
  }
}

static usw_status_t mark(const uswi_call_t *placed, const uswi_segments_t *segments, size_t items, const void *x,
                         marks_t *marks) {
  const int has_offsets = segments->words.usw_offset_bytes > 0;
  const usw_variable_t variables[] = {{&marks->wrong, 1}, {&marks->begin, 1}, {&marks->end, 1}};
  uint64_t arguments[USWI_MAX_ARGUMENTS] = {0};
  usw_options_t own = uswi_default_options;
  uswi_call_t call;
  uswi_keep_place(placed, &own);
  own.stream = placed->options->stream;
  own.staging = placed->options->staging; /* which this kernel has not: its error tells so */
  arguments[OFFSETS] = has_offsets ? segments->words.usw_begins : (uint64_t)(uintptr_t)x; /* not looked at then */
  arguments[OFFSET_BYTES] = segments->words.usw_offset_bytes;
  arguments[LENGTH] = has_offsets ? 0 : segments->words.usw_ends;
  arguments[SEGMENTS] = segments->count;
  arguments[AT_ONCE] = at_once(segments->count);
  arguments[ITEMS] = items;
  arguments[MARKS] = (uint64_t)(uintptr_t)marks->words;
  uswi_call_init(&call, placed->kernel, placed->n, &own);
  call.name = placed->name;
  call.variables = variables;
  const usw_status_t status = uswi_run_call(&call, arguments);
  if (status != USW_OK || marks->wrong == UINT64_MAX)
    return status;
  const usw_status_t first_wrong = uswi_check_offsets(&call, &segments->words, segments->count, items);
  return first_wrong != USW_OK ? first_wrong
                               : uswi_fail(USW_ERROR_INVALID, "%s: offsets have changed during the call", placed->name);
}

/* Of the items from that of the first mark's word on, up to the end of the last segment. */
static usw_status_t scan_marked(const usw_kernel_t *kernel, const uswi_call_t *placed, const uswi_scan_t *scan,
                                const marks_t *marks) {
  const size_t first = (size_t)marks->begin / ITEMS_OF_WORD * ITEMS_OF_WORD;
  const ptrdiff_t stride = uswi_stride(placed->options->stride[0]), step = uswi_stride(placed->options->stride[1]);
  usw_options_t own = *placed->options;
  uswi_keep_place(placed, &own);
  const usw_restart_words_t restarts = {.usw_marks = (uint64_t)(uintptr_t)(marks->words + first / ITEMS_OF_WORD),
                                        .usw_skipped = marks->begin - first,
                                        .usw_items = marks->end - first};
  uswi_scan_t part = *scan;
  part.x = (const char *)scan->x + (ptrdiff_t)first * stride * (ptrdiff_t)kernel->arguments[0].bytes;
  part.out = (char *)scan->out + (ptrdiff_t)first * step * (ptrdiff_t)kernel->reducers[0].bytes;
  part.n = (size_t)marks->end - first;
  part.restarts = &restarts;
  return uswi_scan(kernel, &part, &own, NULL);
}

static usw_status_t check(const char *name, const uswi_scan_t *scan, const usw_segments_t *segments,
                          const usw_options_t *options, uswi_segments_t *described) {
  const usw_status_t status = uswi_segments_describe(name, segments, scan->n, described);
  if (status != USW_OK)
    return status;
  if (!described->is_path)
    return uswi_fail(USW_ERROR_UNSUPPORTED,
                     "%s: segments of a scan follow each other: usw_segments_by_offsets() or _of_length()", name);
  if (options && options->recheck != 0 && options->recheck != USW_RECHECK_NEVER)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: options.recheck is %u, which scans of segments have not", name,
                     options->recheck);
  if (!scan->x || !scan->out)
    return uswi_fail(USW_ERROR_INVALID, "%s: the address of the %s is NULL", name, scan->x ? "results" : "elements");
  return USW_OK;
}

static usw_status_t run(usw_operation_t operation, usw_type_t type, const uswi_scan_t *scan,
                        const usw_segments_t *segments, const usw_options_t *options) {
  const usw_kernel_t *kernel;
  uswi_segments_t described;
  uswi_call_t call;
  marks_t marks = {0};
  usw_status_t status = uswi_scan_kernel(operation, type, 1, scan->initial, options, &kernel);
  if (status == USW_OK)
    status = check(kernel->name, scan, segments, options, &described);
  if (status != USW_OK || described.count == 0 || scan->n == 0)
    return status;
  uswi_call_init(&call, &marks_kernel, uswi_quotient_up(described.count, at_once(described.count)), options);
  call.name = kernel->name;
  status = uswi_place_near(&call, (uint64_t)(uintptr_t)scan->x);
  if (status == USW_OK)
    status = get_marks(&call, scan->n, &marks);
  if (status == USW_OK)
    status = mark(&call, &described, scan->n, scan->x, &marks);
  if (status == USW_OK && marks.begin < marks.end)
    status = scan_marked(kernel, &call, scan, &marks);
  give_marks_back(&call, &marks, status == USW_OK);
  return status;
}

usw_status_t usw_scan_segments(usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                               const usw_segments_t *segments, void *out, const usw_options_t *options) {
  return run(operation, type, &(uswi_scan_t){.x = x, .n = n, .out = out}, segments, options);
}

usw_status_t usw_scan_segments_exclusive(usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                                         const usw_segments_t *segments, void *out, const void *initial,
                                         const usw_options_t *options) {
  return run(operation, type, &(uswi_scan_t){.x = x, .n = n, .out = out, .is_exclusive = 1, .initial = initial},
             segments, options);
}
