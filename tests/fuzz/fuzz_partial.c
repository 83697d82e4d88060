/* Partial results: any bytes as a block, damaged and forged blocks, and reductions in parts of any lengths that are
 * exported, imported and merged. What is refused leaves the pointer as it was and says why; what is taken has the
 * result of its block, and the bits of usw_reduce() where the level promises them. */
#include <upsweep/partial.h>
#include <upsweep/upsweep.h>

#include "input.h"
#include "oracle/oracle.h"
#include "oracle/pattern.h"

enum { MOST_BLOCK_BYTES = 1024, LENGTH_AT = 12, CHECKSUM_BYTES = 4, MOST_ELEMENTS = 40, MOST_PIECES = 6 };

/* A reduction, and elements for it. */
typedef struct {
  const row_t *row;
  usw_options_t options;
  size_t n;
  uint8_t *x; /* from malloc(), so that reading beyond it is seen */
} task_t;

/* CRC-32 of ISO 3309. */
static uint32_t crc_of(const uint8_t *bytes, size_t count) {
  uint32_t crc = UINT32_MAX;
  for (size_t k = 0; k < 8 * count; k++) {
    const uint32_t bit = (crc ^ (uint32_t)bytes[k / 8] >> k % 8) & 1;
    crc = crc >> 1 ^ (bit ? 0xedb88320u : 0);
  }
  return ~crc;
}

static void put(uint8_t *at, uint32_t number) {
  for (int k = 0; k < 4; k++)
    at[k] = (uint8_t)(number >> 8 * k);
}

static void sign(uint8_t *block, size_t bytes) {
  if (bytes > LENGTH_AT + 4 + CHECKSUM_BYTES)
    put(block + bytes - CHECKSUM_BYTES, crc_of(block, bytes - CHECKSUM_BYTES));
}

/* Import from memory of exactly that size; NULL if it is refused. */
static usw_partial_t *import_bytes(const uint8_t *bytes, size_t count) {
  uint8_t *block = malloc(count ? count : 1);
  usw_partial_t *const before = (usw_partial_t *)(void *)block, *partial = before;
  memcpy(block, bytes, count);
  const usw_status_t status = usw_partial_import(&partial, block, count, NULL);
  free(block);
  if (status == USW_OK)
    return partial;
  require(partial == before && is_one_line(usw_error_text()), "a refused block: %s", usw_error_text());
  require(status == USW_ERROR_INVALID || status == USW_ERROR_VERSION || status == USW_ERROR_UNSUPPORTED,
          "a block gives %s", usw_status_name(status));
  return NULL;
}

static size_t export_block(const usw_partial_t *partial, uint8_t block[MOST_BLOCK_BYTES]) {
  size_t bytes = 0;
  const usw_status_t status = usw_partial_export(partial, block, MOST_BLOCK_BYTES, &bytes);
  require(status == USW_OK && bytes <= MOST_BLOCK_BYTES, "export: %s", usw_error_text());
  return bytes;
}

static result_t result_of(const usw_partial_t *partial) {
  result_t result;
  memset(&result, 0, sizeof result);
  const usw_status_t status = usw_partial_result(partial, &result);
  require(status == USW_OK, "result: %s", usw_error_text());
  return result;
}

/* The object that comes from a partial's block has its result, and writes the same block. */
static usw_partial_t *send(const usw_partial_t *partial, const row_t *row, int is_forged) {
  uint8_t block[MOST_BLOCK_BYTES], again[MOST_BLOCK_BYTES];
  const size_t bytes = export_block(partial, block);
  usw_partial_t *received = import_bytes(block, bytes);
  require(received != NULL, "an exported block is refused: %s", usw_error_text());
  const result_t before = result_of(partial), after = result_of(received);
  require(!row || results_equal(row, &before, &after), "%s: sent, the result has other bits", row ? row->name : "");
  require(export_block(received, again) == bytes, "a block's length changes");
  require(is_forged || memcmp(block, again, bytes) == 0, "%s: a block changes where it is received",
          row ? row->name : "");
  return received;
}

/* Any bytes as a block; if the input asks for it with its own length and checksum. */
static void run_bytes(input_t *input) {
  uint8_t block[MOST_BLOCK_BYTES];
  const int is_signed = take_below(input, 2);
  const size_t bytes = input_left(input) < sizeof block ? input_left(input) : sizeof block;
  take_into(input, block, bytes);
  if (is_signed && bytes >= LENGTH_AT + 4)
    put(block + LENGTH_AT, (uint32_t)bytes);
  if (is_signed)
    sign(block, bytes);
  usw_partial_t *partial = import_bytes(block, bytes);
  if (partial)
    usw_partial_destroy(send(partial, NULL, 1));
  usw_partial_destroy(partial);
}

/* ---- honest parts ---- */

static task_t take_task(input_t *input) {
  task_t task = {.row = &rows[take_below(input, ROW_COUNT)], .options = {.size = USW_INIT(usw_options_t)}};
  task.options.accuracy = (usw_accuracy_t)take_below(input, USW_EXACT + 1);
  task.options.nan = (usw_nan_t)take_below(input, 2);
  task.options.place = take_rarely(input, 8) ? USW_DEVICE : USW_HOST;
  task.n = take_below(input, MOST_ELEMENTS + 1);
  const size_t bytes = task.n * type_bytes(task.row->type);
  task.x = malloc(bytes ? bytes : 1);
  if (take_below(input, 2))
    take_into(input, task.x, bytes);
  else
    pattern_fill((pattern_t)take_below(input, PATTERN_COUNT), task.row->type, task.x, task.n, take_bytes(input, 1));
  if (task.row->type == USW_BOOL)
    for (size_t k = 0; k < task.n; k++)
      task.x[k] &= 1;
  return task;
}

static usw_partial_t *begin(const task_t *task) {
  usw_partial_t *partial = NULL;
  const usw_status_t status = usw_partial_create(&partial, task->row->operation, task->row->type, &task->options);
  require((status == USW_OK) == (partial != NULL), "create gives %s", usw_status_name(status));
  require(status == USW_OK || status == USW_ERROR_UNSUPPORTED, "create: %s", usw_error_text());
  require(status == USW_OK || is_one_line(usw_error_text()), "create says '%s'", usw_error_text());
  return partial;
}

static int add(usw_partial_t *partial, const task_t *task, size_t from, size_t to) {
  const usw_status_t status = usw_partial_add(partial, task->x + from * type_bytes(task->row->type), to - from);
  require(status == USW_OK || task->options.place == USW_DEVICE, "add: %s", usw_error_text());
  return status == USW_OK;
}

/* Damage and forgery of a good block: the first is refused, whatever it is; nothing crashes on the second. */
static void break_block(input_t *input, const usw_partial_t *partial) {
  uint8_t block[MOST_BLOCK_BYTES], good[MOST_BLOCK_BYTES];
  const size_t bytes = export_block(partial, good);
  memcpy(block, good, bytes);
  for (uint64_t change = 1 + take_below(input, 3); change > 0; change--)
    block[take_below(input, bytes)] ^= (uint8_t)(1 << take_below(input, 8));
  usw_partial_t *damaged = import_bytes(block, bytes);
  require(!damaged || memcmp(block, good, bytes) == 0, "a damaged block is taken");
  usw_partial_destroy(damaged);
  sign(block, bytes);
  usw_partial_t *forged = import_bytes(block, bytes);
  if (forged && usw_partial_merge(forged, partial) == USW_OK)
    usw_partial_destroy(send(forged, NULL, 1));
  usw_partial_destroy(forged);
}

/* The result of the elements in order is right, and where its level promises bits, those of one call. */
static void check_result(const task_t *task, const usw_partial_t *partial) {
  number_t numbers[MOST_ELEMENTS];
  char why[640] = "";
  result_t whole;
  const result_t got = result_of(partial);
  memset(&whole, 0, sizeof whole);
  const usw_status_t status =
      usw_reduce(task->row->operation, task->row->type, task->x, task->n, &whole, &task->options);
  require(status == USW_OK, "usw_reduce: %s", usw_error_text());
  if (task->options.accuracy == USW_REPRODUCIBLE || !row_is_rounded(task->row))
    require(results_equal(task->row, &whole, &got), "%s_%s of %zu elements, level %d: parts have other bits",
            task->row->name, type_name(task->row->type), task->n, (int)task->options.accuracy);
  numbers_of(task->row->type, task->x, task->n, numbers);
  const rounding_t rounding = {64 + 2 * (double)task->n, 0};
  const oracle_t oracle = oracle_of(task->row, numbers, NULL, task->n, task->options.nan, rounding);
  require(oracle_agrees(&oracle, &got, why, sizeof why), "%s_%s of %zu elements, level %d, nan %d: %s", task->row->name,
          type_name(task->row->type), task->n, (int)task->options.accuracy, (int)task->options.nan, why);
}

/* The elements in pieces, each added here or sent from an object of its own. */
static void run_parts(input_t *input, const task_t *task) {
  usw_partial_t *partial = begin(task);
  int is_whole = partial != NULL;
  for (size_t piece = 0, from = 0; is_whole && from < task->n; piece++) {
    const size_t left = task->n - from, to = from + (piece == MOST_PIECES ? left : 1 + take_below(input, left));
    if (take_below(input, 2)) {
      is_whole = add(partial, task, from, to);
    } else {
      usw_partial_t *other = begin(task);
      is_whole = add(other, task, from, to);
      usw_partial_t *received = send(other, task->row, 0);
      const usw_status_t status = usw_partial_merge(partial, received);
      require(status == USW_OK, "merge: %s", usw_error_text());
      usw_partial_destroy(received);
      usw_partial_destroy(other);
    }
    from = to;
  }
  if (partial && is_whole) {
    check_result(task, partial);
    usw_partial_destroy(send(partial, task->row, 0));
    break_block(input, partial);
  }
  usw_partial_destroy(partial);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  input_t input = input_of(data, bytes);
  if (take_below(&input, 4) == 0) {
    run_bytes(&input);
    return 0;
  }
  task_t task = take_task(&input);
  if (task.row->streams == 1)
    run_parts(&input, &task);
  free(task.x);
  return 0;
}
