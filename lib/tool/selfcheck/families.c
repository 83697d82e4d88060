/* Calls with many results, and scans: one result of each is that of all items, and is graded as such. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/items.h"
#include "oracle/memory.h"
#include "selfcheck.h"

enum { ROWS = 3, SEGMENTS = 2, KEY = 7, FILLED = 0xa5, MOST_BYTES = (ROWS + 1) * sizeof(result_t) };

/* Memory of the place, for SELFCHECK_MOST_ITEMS items. */
struct selfcheck_room {
  place_memory_t element, offsets, keys, unique, results;
};

/* A call, and where its results are: all of them count, those from the first that is looked at on. */
typedef struct {
  const selfcheck_room_t *room;
  const row_t *row;
  const laid_out_t *items;
  usw_options_t *options;
  size_t runs; /* by key */
  size_t first, count;
  unsigned char got[MOST_BYTES]; /* these results, and as many bytes behind them as one has */
} call_t;

static void *allocate(size_t bytes) {
  void *memory = malloc(bytes);
  if (!memory) {
    fputs("usw-selfcheck: no memory for results\n", stderr);
    exit(1);
  }
  return memory;
}

selfcheck_room_t *selfcheck_room_get(const test_place_t *place) {
  const size_t n = SELFCHECK_MOST_ITEMS;
  int32_t *keys = allocate(n * sizeof *keys);
  selfcheck_room_t *room = allocate(sizeof *room);
  for (size_t i = 0; i < n; i++)
    keys[i] = KEY;
  *room = (selfcheck_room_t){
      .element = memory_get(place, NULL, sizeof(result_t), 0),
      .offsets = memory_get(place, NULL, (SEGMENTS + 1) * sizeof(uint64_t), 0),
      .keys = memory_get(place, keys, n * sizeof *keys, 0),
      .unique = memory_get(place, NULL, n * sizeof *keys, 0),
      .results = memory_get(place, NULL, (n + 1) * sizeof(result_t), 0),
  };
  free(keys);
  return room;
}

void selfcheck_room_free(selfcheck_room_t *room) {
  place_memory_t *const all[] = {&room->element, &room->offsets, &room->keys, &room->unique, &room->results};
  for (size_t m = 0; m < sizeof all / sizeof *all; m++)
    memory_free(all[m]);
  free(room);
}

/* Copies to and from memory of the place, from `at` bytes on. */
static void put(const place_memory_t *memory, size_t at, const void *from, size_t bytes) {
  char *const to = (char *)memory->data + at;
  if (memory->device < 0) {
    memcpy(to, from, bytes);
  } else if (memory_device_copy(to, memory->device, from, -1, bytes) != 0) {
    fprintf(stderr, "usw-selfcheck: cannot copy %zu bytes to device %d\n", bytes, memory->device);
    exit(1);
  }
}

static void get(const place_memory_t *memory, size_t at, void *to, size_t bytes) {
  const place_memory_t part = {.data = (char *)memory->data + at, .device = memory->device};
  memory_read(&part, to, bytes);
}

static size_t got_bytes(const call_t *c) { return (c->count - c->first + 1) * c->row->result_bytes; }

/* ---- the calls ---- */

/* Equal rows: from one to the next there is no step. */
static usw_status_t call_axes(call_t *c) {
  const size_t extents[] = {ROWS, c->items->n};
  usw_array_t arrays[2];
  for (int k = 0; k < 2; k++) {
    const ptrdiff_t stride = c->items->strides[k], strides[] = {0, stride == USW_STRIDE_NONE ? 0 : stride};
    arrays[k] = usw_array(c->row->type, k ? c->items->y : c->items->x, 2, extents, strides);
  }
  void *const results = c->room->results.data;
  return c->row->streams == 2
             ? usw_reduce_axes_pair(c->row->operation, &arrays[0], &arrays[1], USW_AXIS(1), results, c->options)
             : usw_reduce_axes(c->row->operation, &arrays[0], USW_AXIS(1), results, c->options);
}

/* All items, and behind them an empty segment. */
static usw_status_t call_segments(call_t *c) {
  const uint64_t offsets[SEGMENTS + 1] = {0, c->items->n, c->items->n};
  const row_t *r = c->row;
  put(&c->room->offsets, 0, offsets, sizeof offsets);
  const usw_segments_t segments = usw_segments_by_offsets(USW_U64, c->room->offsets.data, SEGMENTS);
  void *const results = c->room->results.data;
  return r->streams == 2
             ? usw_reduce_segments_pair(r->operation, r->type, c->items->x, c->items->y, c->items->n, &segments,
                                        results, c->options)
             : usw_reduce_segments(r->operation, r->type, c->items->x, c->items->n, &segments, results, c->options);
}

static usw_status_t call_by_key(call_t *c) {
  const int32_t other = ~KEY;
  put(&c->room->unique, 0, &other, sizeof other);
  c->options->stride[1] = 1; /* of keys */
  return usw_reduce_by_key(c->row->operation, c->row->type, c->items->x, USW_I32, c->room->keys.data, c->items->n,
                           c->room->unique.data, c->room->results.data, &c->runs, c->options);
}

static usw_status_t call_scan(call_t *c) {
  c->options->stride[1] = 1; /* of results */
  return usw_scan_inclusive(c->row->operation, c->row->type, c->items->x, c->items->n, c->room->results.data,
                            c->options);
}

/* Reads back the results from the first that is looked at on: of a scan the last one alone. */
static usw_status_t call_family(selfcheck_family_t family, call_t *c) {
  const size_t n = c->items->n, at[] = {0, 0, 0, 0, n ? n - 1 : 0};
  const size_t counts[] = {1, ROWS, SEGMENTS, n > 0, n};
  usw_status_t (*const calls[])(call_t *) = {NULL, call_axes, call_segments, call_by_key, call_scan};
  c->first = at[family];
  c->count = counts[family];
  if (family >= SELFCHECK_BY_KEY && c->row->streams == 2)
    return USW_ERROR_UNSUPPORTED; /* they take one array */
  memset(c->got, FILLED, sizeof c->got);
  put(&c->room->results, c->first * c->row->result_bytes, c->got, got_bytes(c));
  c->options->stride[0] = c->items->strides[0];
  c->options->stride[1] = c->row->streams == 2 ? c->items->strides[1] : 0;
  const usw_status_t status = calls[family](c);
  get(&c->room->results, c->first * c->row->result_bytes, c->got, got_bytes(c));
  return status;
}

/* ---- what they gave ---- */

/* The result with that number, from the first that is looked at on. */
static result_t result_of(const call_t *c, size_t number) {
  result_t result;
  memset(&result, FILLED, sizeof result);
  memcpy(&result, c->got + number * c->row->result_bytes, c->row->result_bytes);
  return result;
}

static int is_empty_right(const call_t *c, usw_nan_t nan) {
  static const number_t none;
  const rounding_t exact = {1, 1};
  const oracle_t expected = oracle_of(c->row, &none, c->row->streams == 2 ? &none : NULL, 0, nan, exact);
  const result_t got = result_of(c, 1);
  char why[GRADE_TEXT];
  return oracle_agrees(&expected, &got, why, sizeof why);
}

/* What is wrong beside the result that is graded; NULL: nothing. */
static const char *wrong_beside(selfcheck_family_t family, const call_t *c, usw_nan_t nan) {
  const result_t first = result_of(c, 0), behind = result_of(c, c->count - c->first);
  int32_t key = KEY;
  for (size_t b = 0; b < c->row->result_bytes; b++)
    if (behind.bytes[b] != FILLED)
      return "it wrote behind its results";
  for (size_t r = 1; r < ROWS && family == SELFCHECK_AXES; r++) {
    const result_t row = result_of(c, r);
    if (!results_equal(c->row, &first, &row))
      return "equal rows have different results";
  }
  if (family == SELFCHECK_SEGMENTS && !is_empty_right(c, nan))
    return "an empty segment has not the result of no items";
  if (family == SELFCHECK_BY_KEY && c->runs != c->count)
    return "not so many runs";
  if (family == SELFCHECK_BY_KEY && c->count > 0)
    get(&c->room->unique, 0, &key, sizeof key);
  return key == KEY ? NULL : "not the key of the run";
}

/* What is promised: as of a single reduction, but for the chain, which may be as long as 64 + n. */
static usw_status_t promise(const grade_t *grade, size_t n, usw_options_t *options, usw_explanation_t *explained) {
  const row_t *row = grade->row;
  const usw_status_t status = usw_explain(row->operation, row->type, n, options, explained);
  if (status != USW_OK || row->operation == USW_MULTIPLIES || grade->accuracy == USW_REPRODUCIBLE)
    return status; /* their bounds are by n */
  const int is_double = row->type == USW_F64 || row->type == USW_CF64 || row->operation == USW_DESCRIBE;
  const double longer = fmax(1, (64 + (double)n) / fmax(1, (double)explained->chain_length));
  explained->error_bound *= grade->accuracy == USW_COMPENSATED && is_double ? longer * longer : longer;
  return status;
}

int selfcheck_call_family(const selfcheck_place_t *place, selfcheck_family_t family, grade_t *grade,
                          const laid_out_t *items, const oracle_t *expected, usw_nan_t nan, const char *note,
                          result_t *result_out) {
  usw_options_t options = place_options(&place->place), plain = options;
  usw_explanation_t explained = {.size = USW_INIT(usw_explanation_t)};
  call_t call = {.room = place->room, .row = grade->row, .items = items, .options = &options};
  options.accuracy = plain.accuracy = grade->accuracy;
  options.nan = plain.nan = nan;
  grade->cases++;
  if (call_family(family, &call) != USW_OK || promise(grade, items->n, &plain, &explained) != USW_OK) {
    grade_wrong(grade, note, usw_error_text());
    return 0;
  }
  const char *const wrong = wrong_beside(family, &call, nan);
  if (wrong)
    grade_wrong(grade, note, wrong);
  if (call.count == 0)
    return 0;
  *result_out = result_of(&call, 0);
  grade_result(grade, expected, result_out, &explained, note);
  return 1;
}

int selfcheck_has_family(const selfcheck_place_t *place, selfcheck_way_t way, const row_t *row) {
  const laid_out_t one = {.n = 1, .x = place->room->element.data, .y = place->room->element.data, .strides = {1, 1}};
  usw_options_t options = place_options(&place->place);
  call_t call = {.room = place->room, .row = row, .items = &one, .options = &options};
  options.accuracy = way.accuracy;
  return call_family(way.family, &call) != USW_ERROR_UNSUPPORTED;
}
