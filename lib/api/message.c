/* Partial results as messages between processes: in this machine's order of bytes, to be merged where they lie. */
#include <upsweep/message.h>

#include <string.h>

#include "api/kernel.h"
#include "api/message.h"
#include "api/message_chunks.h"
#include "api/partial.h"
#include "api/parts.h"
#include "base/bytes.h"
#include "base/room.h"
#include "exec/run.h"
#include "exec/short.h"
#include "machine/arithmetic.h"
#include "policy/catalog.h"

enum { WORD_BYTES = 8, LINE_BYTES = 64, ROOM_BYTES = 512 };
#define NO_PROCESS UINT32_MAX /* the source where a merge has failed: any process's failure comes before it */

/* What a message begins with. Behind it come the extents of a kernel with spans, one word for each reducer, and the record; of a failed one
 * neither is set. Bytes between extents and record are 0. */
typedef struct {
  uint32_t kernel; /* kernel_number() */
  uint32_t source; /* who failed, or NO_PROCESS */
  uint32_t status; /* usw_status_t */
  uint32_t unused;
  uint64_t count; /* items; 0: there is no record */
  uint64_t bytes; /* of the message */
} header_t;

static int has_spans(const usw_kernel_t *kernel) { return (kernel->facts & USW_FACT_SPANS) != 0; }

size_t uswi_record_of_message(const usw_kernel_t *kernel) {
  if (!has_spans(kernel))
    return sizeof(header_t);
  return uswi_round_up(sizeof(header_t) + kernel->reducer_count * sizeof(uint64_t), LINE_BYTES);
}

static const uint64_t *extents_of(const usw_kernel_t *kernel, const void *message) {
  return has_spans(kernel) ? (const uint64_t *)(const void *)((const char *)message + sizeof(header_t)) : NULL;
}

/* Other kernels have another number: those of the library by their codes, others by FNV-1a of their names. */
static uint32_t kernel_number(const usw_kernel_t *kernel) {
  uint32_t number = kernel->operation << 16 ^ kernel->type << 8 ^ kernel->accuracy;
  for (const char *c = kernel->member_count ? "" : kernel->name; *c; c++)
    number = (number ^ (unsigned char)*c) * 16777619u;
  return number ^ kernel->accumulator_bytes << 20;
}

/* ---- records, on the boundary that kernels expect ---- */

typedef struct {
  void *record;
  void *memory; /* to free */
  _Alignas(LINE_BYTES) char room[ROOM_BYTES];
} room_t;

/* The record itself if it lies on that boundary and may change, else a copy; NULL: no memory. */
static void *open_record(room_t *room, void *record, size_t bytes, int is_copied) {
  room->memory = NULL;
  if (!is_copied && uswi_is_aligned((uintptr_t)record, LINE_BYTES))
    return room->record = record;
  if (bytes <= sizeof room->room)
    room->record = room->room;
  else
    room->record = room->memory = uswi_room_take(bytes);
  if (room->record)
    memcpy(room->record, record, bytes);
  return room->record;
}

static void close_record(const room_t *room, void *record, size_t bytes) {
  if (record && room->record != record)
    memcpy(record, room->record, bytes);
  uswi_room_give_back(room->memory);
}

/* ---- calls ---- */

/* What decides on the kernel: the rest is of one call and of one process. What takes several sweeps is refused. */
static usw_status_t check_level(const usw_kernel_t *kernel, const usw_options_t *options) {
  const usw_options_t level = {
      .size = sizeof level, .accuracy = options->accuracy, .nan = options->nan, .fold = options->fold};
  if ((unsigned)level.accuracy < USW_COMPENSATED && (unsigned)level.nan <= USW_NAN_IGNORE && level.fold == 0)
    return USW_OK; /* as mostly */
  uswi_call_t call;
  uswi_call_init(&call, kernel, 0, &level);
  return uswi_check_options(&call);
}

usw_status_t usw_kernel_of(usw_operation_t operation, usw_type_t type, uint32_t streams, const usw_options_t *options,
                           const usw_kernel_t **kernel_out) {
  usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (!kernel_out)
    return uswi_fail(USW_ERROR_INVALID, "usw_kernel_of: kernel_out is NULL");
  status = uswi_check_size("usw_kernel_of", options);
  if (status != USW_OK)
    return status;
  const usw_kernel_t *kernel = uswi_kernel_of_streams(operation, type, streams, options);
  if (!kernel)
    return USW_ERROR_UNSUPPORTED;
  status = options ? check_level(kernel, options) : USW_OK;
  if (status == USW_OK)
    *kernel_out = kernel;
  return status;
}

static usw_status_t count_spans(const usw_kernel_t *kernel, const usw_variable_t *variables, size_t *record_bytes_out) {
  uswi_call_t call;
  if (!variables)
    return uswi_fail(USW_ERROR_INVALID, "%s: the variables are NULL, whose spans have extents", kernel->name);
  uswi_call_init(&call, kernel, 0, NULL);
  call.variables = variables;
  const usw_status_t status = uswi_check_extents(&call);
  *record_bytes_out = call.record_bytes;
  return status;
}

usw_status_t uswi_describe_message(const usw_kernel_t *kernel, const usw_variable_t *variables,
                                   size_t *record_bytes_out) {
  usw_status_t status = uswi_enter();
  if (status == USW_OK)
    status = uswi_check_kernel(kernel);
  if (status == USW_OK)
    status = uswi_check_family_of_parts(kernel);
  if (status != USW_OK)
    return status;
  *record_bytes_out = kernel->accumulator_bytes;
  return has_spans(kernel) ? count_spans(kernel, variables, record_bytes_out) : USW_OK;
}

static size_t message_bytes(const usw_kernel_t *kernel, size_t record_bytes) {
  return uswi_record_of_message(kernel) + uswi_round_up(record_bytes, WORD_BYTES);
}

usw_status_t usw_message_bytes(const usw_kernel_t *kernel, const usw_variable_t *variables, size_t *bytes_out) {
  size_t record_bytes;
  const usw_status_t status = uswi_describe_message(kernel, variables, &record_bytes);
  if (status != USW_OK)
    return status;
  if (!bytes_out)
    return uswi_fail(USW_ERROR_INVALID, "usw_message_bytes: bytes_out is NULL");
  *bytes_out = message_bytes(kernel, record_bytes);
  return USW_OK;
}

void usw_message_fail(const usw_kernel_t *kernel, usw_status_t status, uint32_t source, void *message_out,
                      size_t bytes) {
  const header_t header = {
      .kernel = kernel_number(kernel), .source = source, .status = (uint32_t)status, .bytes = bytes};
  memset(message_out, 0, bytes);
  memcpy(message_out, &header, sizeof header);
}

const uint64_t *uswi_with_own_arguments(const usw_kernel_t *kernel, const uint64_t *arguments, uint64_t *words) {
  const uint32_t own = (kernel->facts & USW_FACT_NAN_POLICY ? 1u : 0u) + (kernel->facts & USW_FACT_INDEX ? 1u : 0u);
  if (own == 0)
    return arguments;
  memcpy(words, arguments, (kernel->argument_count - own) * sizeof *words);
  memset(words + kernel->argument_count - own, 0, own * sizeof *words);
  return words;
}

static usw_status_t accumulate(uswi_call_t *call, const uint64_t *arguments, void *record, size_t record_bytes) {
  uint64_t words[USW_MAX_PART_ARGUMENTS]; /* as many as messages' kernels have at most */
  room_t room;
  if (!open_record(&room, record, record_bytes, 0))
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for a result of %zu bytes", call->name, record_bytes);
  const usw_status_t status =
      uswi_reduce_to_record(call, uswi_with_own_arguments(call->kernel, arguments, words), room.record);
  close_record(&room, record, record_bytes);
  return status;
}

static usw_status_t check_message(const usw_kernel_t *kernel, const void *message, size_t bytes, size_t known_bytes) {
  if (!message || !uswi_is_aligned((uintptr_t)message, WORD_BYTES))
    return uswi_fail(USW_ERROR_INVALID, "%s: the message at %p is NULL or not on a boundary of %d bytes", kernel->name,
                     message, WORD_BYTES);
  if (bytes != known_bytes)
    return uswi_fail(USW_ERROR_INVALID, "%s: there are %zu bytes for a message of %zu", kernel->name, bytes,
                     known_bytes);
  return USW_OK;
}

usw_status_t uswi_check_indices(const usw_kernel_t *kernel, size_t n, uint64_t first_index) {
  if (n <= INT64_MAX && first_index <= INT64_MAX - (uint64_t)n)
    return USW_OK;
  return uswi_fail(USW_ERROR_INVALID, "%s: %zu items from index %llu on: indices end at 2^63 - 1", kernel->name, n,
                   (unsigned long long)first_index);
}

usw_status_t uswi_check_message(const usw_kernel_t *kernel, const usw_variable_t *variables, const void *message,
                                size_t bytes, size_t *record_bytes_out) {
  const usw_status_t status = uswi_describe_message(kernel, variables, record_bytes_out);
  return status == USW_OK ? check_message(kernel, message, bytes, message_bytes(kernel, *record_bytes_out)) : status;
}

usw_status_t uswi_write_message_header(const uswi_call_t *call, usw_status_t status, uint32_t source, void *message,
                                       size_t bytes) {
  const usw_kernel_t *kernel = call->kernel;
  const header_t header = {.kernel = kernel_number(kernel), .count = call->n, .bytes = bytes};
  if (status != USW_OK) {
    usw_message_fail(kernel, status, source, message, bytes);
    return status;
  }
  memcpy(message, &header, sizeof header);
  if (has_spans(kernel)) {
    memset((char *)message + sizeof header, 0, uswi_record_of_message(kernel) - sizeof header);
    memcpy((char *)message + sizeof header, call->extents, kernel->reducer_count * sizeof *call->extents);
  }
  return USW_OK;
}

/* A short call, after which nothing is left to do; 0: it is not, or something is wrong with it. */
static int reduce_short(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                        const usw_variable_t *variables, const usw_options_t *options, void *message, size_t bytes) {
  const uswi_short_t *how = uswi_short_of(kernel);
  if (!how || !message || bytes != message_bytes(kernel, kernel->accumulator_bytes) ||
      (variables && !uswi_is_there((uint64_t)(uintptr_t)variables->address, how->result_alignment_bytes)) ||
      !uswi_reduce_short(how, n, arguments, options, (char *)message + uswi_record_of_message(kernel)))
    return 0;
  const header_t header = {.kernel = kernel_number(kernel), .count = n, .bytes = bytes};
  memcpy(message, &header, sizeof header);
  return 1;
}

usw_status_t usw_message_reduce(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                const usw_variable_t *variables, const usw_options_t *options, uint64_t first_index,
                                uint32_t source, void *message_out, size_t bytes) {
  size_t record_bytes;
  uswi_call_t call;
  usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (first_index == 0 && reduce_short(kernel, n, arguments, variables, options, message_out, bytes))
    return USW_OK;
  uswi_learn_shorts();
  status = uswi_check_message(kernel, variables, message_out, bytes, &record_bytes);
  if (status != USW_OK)
    return status;
  uswi_call_init(&call, kernel, n, options);
  call.variables = variables;
  call.index_of_first = first_index;
  status = uswi_check_indices(kernel, n, first_index);
  if (status == USW_OK)
    status = accumulate(&call, arguments, (char *)message_out + uswi_record_of_message(kernel), record_bytes);
  return uswi_write_message_header(&call, status, source, message_out, bytes);
}

/* ---- one message of several parts ---- */

static size_t items_of(const uswi_described_parts_t *described) {
  size_t n = 0;
  for (size_t k = 0; k < described->count; k++)
    n += described->parts ? described->parts[k].n : described->of_kernel[k].n;
  return n;
}

/* Those that are described, where that was possible. */
static usw_status_t reduce_parts(uswi_described_parts_t *described, usw_status_t status,
                                 const usw_variable_t *variables, const usw_options_t *options, uint32_t source,
                                 void *message, size_t bytes) {
  const usw_kernel_t *kernel = described->kernel;
  uswi_call_t call; /* of all of them */
  uswi_call_init(&call, kernel, status == USW_OK ? items_of(described) : 0, options);
  call.variables = variables;
  if (status == USW_OK)
    status = uswi_check_indices(kernel, call.n, described->first_index);
  if (status == USW_OK && has_spans(kernel))
    status = uswi_check_extents(&call);
  if (status == USW_OK)
    status = uswi_check_no_results(described);
  described->record_out = (char *)message + uswi_record_of_message(kernel);
  if (status == USW_OK)
    status = uswi_run_described_parts(described, variables, options);
  return uswi_write_message_header(&call, status, source, message, bytes);
}

usw_status_t usw_message_reduce_parts(const usw_kernel_t *kernel, const usw_part_t *parts, size_t count,
                                      const usw_variable_t *variables, const usw_options_t *options, uint32_t source,
                                      void *message_out, size_t bytes) {
  size_t record_bytes;
  uswi_described_parts_t described = {.kernel = kernel};
  usw_status_t status = uswi_check_message(kernel, variables, message_out, bytes, &record_bytes);
  if (status != USW_OK)
    return status;
  options = options ? options : &uswi_default_options;
  if (kernel->member_count == 0)
    status = uswi_fail(USW_ERROR_UNSUPPORTED, "%s: parts of a user's kernel are for usw_message_reduce_kernel_parts()",
                       kernel->name);
  else
    status = uswi_describe_parts_of("usw_message_reduce_parts", kernel, parts, count, options, &described);
  return reduce_parts(&described, status, variables, options, source, message_out, bytes);
}

usw_status_t usw_message_reduce_kernel_parts(const usw_kernel_t *kernel, const usw_kernel_part_t *parts, size_t count,
                                             const usw_variable_t *variables, const usw_options_t *options,
                                             uint64_t first_index, uint32_t source, void *message_out, size_t bytes) {
  size_t record_bytes;
  uswi_described_parts_t described = {.kernel = kernel};
  usw_status_t status = uswi_check_message(kernel, variables, message_out, bytes, &record_bytes);
  if (status != USW_OK)
    return status;
  options = options ? options : &uswi_default_options;
  status = uswi_describe_kernel_parts("usw_message_reduce_kernel_parts", kernel, parts, count, options, &described);
  described.first_index = first_index;
  return reduce_parts(&described, status, variables, options, source, message_out, bytes);
}

/* ---- two messages ---- */

static void set_failure(header_t *to, uint32_t status, uint32_t source) {
  if (to->status != USW_OK && to->source <= source) /* the lowest source's, whatever the order */
    return;
  to->status = status;
  to->source = source;
}

static int has_extents(const usw_kernel_t *kernel, const void *message, const uint64_t *extents) {
  return !has_spans(kernel) ||
         memcmp(extents_of(kernel, message), extents, kernel->reducer_count * sizeof *extents) == 0;
}

/* Whether two messages without failures fit together. Padding gives other extents the same number of bytes. */
static usw_status_t check_both(const usw_kernel_t *kernel, const header_t *first, const header_t *second) {
  if (first->kernel != second->kernel || first->bytes != second->bytes ||
      !has_extents(kernel, first, extents_of(kernel, second)))
    return USW_ERROR_EXCHANGE;
  return first->count > INT64_MAX - second->count ? USW_ERROR_INVALID : USW_OK;
}

/* What the outcome begins with, as far as headers and extents tell it. */
static header_t merge_headers(const usw_kernel_t *kernel, const header_t *first, const header_t *second) {
  header_t to = *first;
  if (second->status != USW_OK)
    set_failure(&to, second->status, second->source);
  const usw_status_t status = to.status == USW_OK ? check_both(kernel, first, second) : USW_OK;
  if (status != USW_OK)
    set_failure(&to, status, NO_PROCESS);
  to.count += second->count;
  return to;
}

/* Whether a user's kernel merges records in either order, to the same bits. The library's have indices that are moved, and small records. */
static int has_no_order(const usw_kernel_t *kernel) {
  return kernel->member_count == 0 && (kernel->facts & USW_FACT_EXACT) && !(kernel->facts & USW_FACT_ORDERED);
}

/* Into the first one, but into the second one where that is the outcome and order does not matter: as of MPI's operators, which write the
 * second. Else by chunks, or into a copy of the first. 0: no memory. */
static int merge_records(const usw_kernel_t *kernel, const header_t *first, const header_t *second, header_t *to) {
  static const usw_options_t options = {.size = sizeof options};
  const size_t offset = uswi_record_of_message(kernel), bytes = first->bytes - offset;
  const int is_swapped = second == to && has_no_order(kernel), is_in_place = first == to || is_swapped;
  const header_t *const from = is_swapped ? first : second;
  char *const record = (char *)to + offset;
  room_t a, b;
  uswi_arithmetic_t callers;
  if (!is_in_place && bytes > ROOM_BYTES && uswi_has_free_extents(kernel)) {
    uswi_arithmetic_begin(&callers, kernel, &options);
    const int is_merged = uswi_merge_in_chunks(kernel, (const char *)first + offset, (const char *)second + offset,
                                               record, extents_of(kernel, first));
    uswi_arithmetic_end(&callers);
    return is_merged;
  }
  if (!open_record(&a, is_in_place ? record : (void *)((uintptr_t)first + offset), bytes, !is_in_place))
    return 0;
  const int is_open = open_record(&b, (void *)((uintptr_t)from + offset), bytes, kernel->member_count > 0) != NULL;
  if (is_open) {
    uswi_arithmetic_begin(&callers, kernel, &options);
    uswi_shift_indices(kernel, b.record, first->count);
    kernel->merge(a.record, b.record, extents_of(kernel, first));
    uswi_arithmetic_end(&callers);
    close_record(&b, NULL, bytes);
  }
  close_record(&a, record, bytes);
  return is_open;
}

void usw_message_merge(const usw_kernel_t *kernel, const void *first, const void *second, void *out) {
  const header_t *const a = first, *const b = second;
  header_t header = merge_headers(kernel, a, b);
  const header_t *const only = a->count == 0 ? b : b->count == 0 ? a : NULL;
  if (header.status == USW_OK && only && only != out)
    memcpy(out, only, header.bytes);
  else if (header.status == USW_OK && !only && !merge_records(kernel, a, b, out))
    set_failure(&header, USW_ERROR_MEMORY, NO_PROCESS);
  if (header.status == USW_OK && !only && out != first && out != second)
    memcpy((char *)out + sizeof header, (const char *)first + sizeof header,
           uswi_record_of_message(kernel) - sizeof header);
  memcpy(out, &header, sizeof header);
}

/* ---- the result ---- */

usw_status_t usw_message_status(const void *message, uint32_t *source_out) {
  const header_t *header = message;
  if (header->status != USW_OK && header->source != NO_PROCESS && source_out)
    *source_out = header->source;
  return (usw_status_t)header->status;
}

/* Whether finishing changes the record: by original values, or by identities where no item was. */
static int is_used_up(const uswi_call_t *call) {
  const uint32_t count = call->kernel->reducer_count;
  const uint64_t all = count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
  return call->n == 0 || !call->kernel->absorb || (uswi_fresh_reducers(call) & all) != all;
}

static usw_status_t tell_failure(const usw_kernel_t *kernel, const header_t *header) {
  const usw_status_t status = (usw_status_t)header->status;
  if (header->source != NO_PROCESS)
    return uswi_fail(status, "%s: process %u has failed", kernel->name, header->source);
  return uswi_fail(status, "%s: %s", kernel->name,
                   status == USW_ERROR_EXCHANGE ? "messages of different kernels or extents" : usw_status_text(status));
}

static usw_status_t refuse_message(const usw_kernel_t *kernel) {
  return uswi_fail(USW_ERROR_EXCHANGE, "%s: the message is of another kernel, or of other extents", kernel->name);
}

static usw_status_t finish(uswi_call_t *call, const void *message) {
  char *const record = (char *)(uintptr_t)message + uswi_record_of_message(call->kernel);
  room_t room;
  uswi_arithmetic_t callers;
  usw_status_t status = uswi_check_variables(call);
  if (status != USW_OK)
    return status;
  if (!has_extents(call->kernel, message, call->extents))
    return refuse_message(call->kernel);
  if (!open_record(&room, record, call->record_bytes, is_used_up(call)))
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for a result of %zu bytes", call->name, call->record_bytes);
  uswi_arithmetic_begin(&callers, call->kernel, call->options);
  if (call->n == 0)
    call->kernel->identity(room.record, call->extents);
  status = uswi_finish(call, room.record);
  uswi_arithmetic_end(&callers);
  close_record(&room, NULL, 0);
  return status;
}

/* The result where calls that ask for as little are short; 0: it is not, or something is wrong. */
static int finish_short(const usw_kernel_t *kernel, const void *message, const usw_variable_t *variables,
                        const usw_options_t *options) {
  const uswi_short_t *how = uswi_short_of(kernel);
  const header_t *header = message;
  _Alignas(USWI_SHORT_RECORD_ALIGNMENT_BYTES) char record[USWI_SHORT_RECORD_BYTES]; /* it is used up */
  if (!how || how->most_items == 0 || !variables ||
      (options && (options->size != sizeof *options || options->initialize_to_identity)) ||
      !uswi_is_there((uint64_t)(uintptr_t)variables->address, how->result_alignment_bytes) || !message ||
      header->count == 0 || header->status != USW_OK || header->kernel != kernel_number(kernel) ||
      header->bytes != message_bytes(kernel, kernel->accumulator_bytes))
    return 0;
  memcpy(record, (const char *)message + uswi_record_of_message(kernel), kernel->accumulator_bytes);
  return how->finish(record, variables, how->extents) == 0;
}

usw_status_t usw_message_finish(const usw_kernel_t *kernel, const void *message, const usw_variable_t *variables,
                                const usw_options_t *options) {
  const header_t *header = message;
  size_t record_bytes;
  uswi_call_t call;
  usw_status_t status = uswi_enter();
  if (status == USW_OK && finish_short(kernel, message, variables, options))
    return USW_OK;
  if (status == USW_OK)
    status = uswi_describe_message(kernel, variables, &record_bytes);
  if (status == USW_OK && (!variables || !message))
    status = uswi_fail(USW_ERROR_INVALID, "usw_message_finish: %s NULL", message ? "the variables are" : "message is");
  if (status == USW_OK)
    status = uswi_check_size(kernel->name, options);
  if (status != USW_OK)
    return status;
  if (header->status != USW_OK)
    return tell_failure(kernel, header);
  if (header->kernel != kernel_number(kernel) || header->bytes != message_bytes(kernel, record_bytes))
    return refuse_message(kernel);
  uswi_call_init(&call, kernel, header->count, options);
  call.variables = variables;
  return finish(&call, message);
}
