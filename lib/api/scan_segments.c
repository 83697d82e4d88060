#include "api/scan_segments.h"

#include <string.h>
#include <upsweep/scan.h>
#include <upsweep/segments.h>

#include "base/bytes.h"
#include "base/error.h"
#include "exec/place_memory.h"
#include "exec/run.h"
#include "exec/segment_check.h"
#include "policy/check.h"
#include "policy/place.h"

/* A thread's marks are mostly in one word if it takes as many segments as a word has bits; of few segments a GPU's threads had no work then. */
enum { ITEMS_OF_WORD = 32, ENOUGH_THREADS = 1 << 17 };

/* Made by the build from kernels.def. */
extern const usw_kernel_t marks_kernel;

/* Arguments of this kernel, as shapes/marks.h has them. */
enum { OFFSETS, OFFSET_BYTES, LENGTH, SEGMENTS, AT_ONCE, ITEMS, MARKS };

static size_t at_once(size_t segments) {
  const size_t each = segments / ENOUGH_THREADS;
  return each < 1 ? 1 : each < ITEMS_OF_WORD ? each : ITEMS_OF_WORD;
}

size_t uswi_marks_bytes(size_t items) { return sizeof(usw_marks_t) + (items / ITEMS_OF_WORD + 1) * sizeof(uint32_t); }

void uswi_marking_aim(uint64_t *arguments, void *marks) { arguments[MARKS] = (uint64_t)(uintptr_t)marks; }

usw_restart_words_t uswi_restarts_at_marks(const void *marks, size_t items) {
  return (usw_restart_words_t){.usw_marks = (uint64_t)(uintptr_t)((const usw_marks_t *)marks + 1),
                               .usw_bounds = (uint64_t)(uintptr_t)marks,
                               .usw_items = items};
}

void uswi_marking_init(uswi_marking_t *marking, const uswi_call_t *placed, const uswi_segments_t *segments,
                       size_t items, const void *any) {
  const int has_offsets = segments->words.usw_offset_bytes > 0;
  uint64_t *const arguments = marking->arguments;
  memset(arguments, 0, sizeof marking->arguments);
  arguments[OFFSETS] = has_offsets ? segments->words.usw_begins : (uint64_t)(uintptr_t)any; /* not looked at then */
  arguments[OFFSET_BYTES] = segments->words.usw_offset_bytes;
  arguments[LENGTH] = has_offsets ? 0 : segments->words.usw_ends;
  arguments[SEGMENTS] = segments->count;
  arguments[AT_ONCE] = at_once(segments->count);
  arguments[ITEMS] = items;
  marking->wrong = UINT64_MAX;
  marking->variable = (usw_variable_t){&marking->wrong, 1};
  marking->options = uswi_default_options;
  uswi_keep_place(placed, &marking->options);
  marking->options.stream = placed->options->stream;
  marking->options.staging = placed->options->staging; /* which this kernel has not: its error tells so */
  uswi_call_init(&marking->call, &marks_kernel, uswi_quotient_up(segments->count, at_once(segments->count)),
                 &marking->options);
  marking->call.name = placed->name;
  marking->call.variables = &marking->variable;
}

static usw_status_t mark(const uswi_call_t *placed, const uswi_segments_t *segments, const uswi_scan_t *scan,
                         void *marks) {
  uswi_marking_t marking;
  uswi_marking_init(&marking, placed, segments, scan->n, scan->x);
  uswi_marking_aim(marking.arguments, marks);
  const usw_status_t status = uswi_run_call(&marking.call, marking.arguments);
  if (status != USW_OK || marking.wrong == UINT64_MAX)
    return status;
  const usw_status_t first_wrong = uswi_check_offsets(&marking.call, &segments->words, segments->count, scan->n);
  return first_wrong != USW_OK ? first_wrong
                               : uswi_fail(USW_ERROR_INVALID, "%s: offsets have changed during the call", placed->name);
}

static usw_status_t scan_marked(const usw_kernel_t *kernel, const uswi_call_t *placed, const uswi_scan_t *scan,
                                const void *marks) {
  const usw_restart_words_t restarts = uswi_restarts_at_marks(marks, scan->n);
  usw_options_t own = *placed->options;
  uswi_scan_t marked = *scan;
  uswi_keep_place(placed, &own);
  marked.restarts = &restarts;
  return uswi_scan(kernel, &marked, &own, NULL);
}

usw_status_t uswi_scan_segments_describe(const char *name, const usw_segments_t *segments, size_t n,
                                         const usw_options_t *options, uswi_segments_t *described_out) {
  const usw_status_t status = uswi_segments_describe(name, segments, n, described_out);
  if (status != USW_OK)
    return status;
  if (!described_out->is_path)
    return uswi_fail(USW_ERROR_UNSUPPORTED,
                     "%s: segments of a scan follow each other: usw_segments_by_offsets() or _of_length()", name);
  if (options && uswi_asks_for_rechecks(options))
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: options.recheck is %u, which scans of segments have not", name,
                     options->recheck);
  return USW_OK;
}

/* After a scan marks are zero on GPUs; after what else has happened nobody knows. */
usw_status_t uswi_scan_segments(const usw_kernel_t *kernel, const uswi_scan_t *scan, const usw_segments_t *segments,
                                const usw_options_t *options) {
  uswi_segments_t described;
  uswi_call_t call;
  uswi_place_memory_t marks;
  usw_status_t status = uswi_scan_segments_describe(kernel->name, segments, scan->n, options, &described);
  if (status == USW_OK)
    status = uswi_check_items(kernel->name, scan->n);
  if (status == USW_OK && (!scan->x || !scan->out))
    status = uswi_fail(USW_ERROR_INVALID, "%s: the address of the %s is NULL", kernel->name,
                       scan->x ? "results" : "elements");
  if (status != USW_OK || described.count == 0 || scan->n == 0)
    return status;
  uswi_call_init(&call, kernel, scan->n, options);
  status = uswi_check_place(&call);
  if (status == USW_OK)
    status = uswi_place_near(&call, (uint64_t)(uintptr_t)scan->x);
  if (status == USW_OK)
    status = uswi_place_memory_take(&call, uswi_marks_bytes(scan->n), 1, "where segments begin", &marks);
  if (status != USW_OK)
    return status;
  status = mark(&call, &described, scan, marks.data);
  if (status == USW_OK)
    status = scan_marked(kernel, &call, scan, marks.data);
  uswi_place_memory_give_back(&call, &marks, status == USW_OK && call.device && call.device->runs_bare);
  return status;
}

static usw_status_t run(usw_operation_t operation, usw_type_t type, const uswi_scan_t *scan,
                        const usw_segments_t *segments, const usw_options_t *options) {
  const usw_kernel_t *kernel;
  const usw_status_t status = uswi_scan_kernel(operation, type, 1, scan->initial, options, &kernel);
  return status == USW_OK ? uswi_scan_segments(kernel, scan, segments, options) : status;
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
