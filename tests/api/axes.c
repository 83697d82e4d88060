/* Reductions along axes by chance: every operation of every type, arrays of up to eight dimensions with any order of axes, gaps, negative and
 * zero strides, any set of axes, results in host and device memory. Each result is compared with usw_reduce() of its items, gathered on the
 * host. Elements are small integers, so sums are exact in any order.
 *   axes [--place NAME] [--runs N] [--seed N] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "by_chance.h"
#include "support/check.h"
#include "support/device_memory.h"
#include "support/place.h"

enum { MOST_ELEMENTS = 1 << 17, MOST_ELEMENT_BYTES = 16, MOST_RESULT_BYTES = 64, MOST_GAP = 3 };

static test_place_t place;
static int is_slow; /* an emulated GPU */
/* ---- cases ---- */

typedef struct {
  const operation_t *operation;
  const type_t *type;
  usw_array_t array[2]; /* with data NULL: `first` says where element (0, 0, ...) is */
  ptrdiff_t first[2], elements[2];
  uint32_t axes;
  usw_options_t options;
  int results_on_device, has_nans;
  size_t items, results, result_bytes;
} case_t;

static size_t some_extent(size_t most) {
  static const size_t usual[] = {1, 2, 3, 4, 7, 8, 16, 31, 64, 100, 128, 255, 256, 1000, 4096, 20000};
  const size_t extent = chance(2) ? usual[chance(sizeof usual / sizeof *usual)] : 1 + chance(40);
  return chance(100) == 0 ? 0 : extent < most ? extent : most;
}

/* Strides of an order of the dimensions by chance, with gaps, some negative or 0. */
static void choose_strides(case_t *c, uint32_t which) {
  usw_array_t *array = &c->array[which];
  uint32_t order[USW_MAX_RANK];
  ptrdiff_t pitch = 1 + (ptrdiff_t)(chance(6) == 0 ? chance(MOST_GAP) : 0);
  c->first[which] = 0;
  for (uint32_t d = 0; d < array->rank; d++)
    order[d] = d;
  for (uint32_t d = array->rank; chance(2) && d > 1; d--) {
    const uint32_t other = (uint32_t)chance(d), held = order[d - 1];
    order[d - 1] = order[other];
    order[other] = held;
  }
  for (uint32_t k = array->rank; k-- > 0;) {
    const uint32_t d = order[k];
    const ptrdiff_t extent = (ptrdiff_t)array->extent[d];
    const int is_again = chance(25) == 0, is_backward = chance(8) == 0;
    array->stride[d] = is_again ? 0 : is_backward ? -pitch : pitch;
    if (is_again)
      continue;
    if (is_backward && extent > 0)
      c->first[which] += (extent - 1) * pitch;
    pitch = pitch * (extent > 0 ? extent : 1) + (ptrdiff_t)(chance(8) == 0 ? chance(MOST_GAP) : 0);
  }
  c->elements[which] = pitch + 1;
}

static void choose_options(case_t *c) {
  static const usw_accuracy_t levels[] = {USW_REPEATABLE, USW_REPEATABLE, USW_FAST, USW_COMPENSATED, USW_REPRODUCIBLE};
  c->options = place_options(&place);
  c->options.accuracy = levels[chance(sizeof levels / sizeof *levels)];
  c->options.teams = chance(4) == 0 ? 1 + (uint32_t)chance(300) : 0;
  c->has_nans = chance(6) == 0;
  c->options.nan = c->has_nans ? USW_NAN_IGNORE : USW_NAN_PROPAGATE;
  c->results_on_device = place.place == USW_DEVICE && chance(2);
}

static void choose(case_t *c) {
  const size_t most = is_slow ? MOST_ELEMENTS / 16 : MOST_ELEMENTS / 2;
  size_t extents[USW_MAX_RANK], left = most;
  const uint32_t rank = (uint32_t)(chance(5) == 0 ? chance(USW_MAX_RANK + 1) : 1 + chance(3));
  memset(c, 0, sizeof *c);
  choose_operation(&c->operation, &c->type);
  for (uint32_t d = 0; d < rank; d++) {
    extents[d] = some_extent(left);
    left /= extents[d] ? extents[d] : 1;
  }
  c->axes = chance(10) == 0 ? USW_ALL_AXES : (uint32_t)chance(1u << rank);
  c->items = c->results = 1;
  for (uint32_t d = 0; d < rank; d++)
    *(c->axes >> d & 1 ? &c->items : &c->results) *= extents[d];
  for (uint32_t a = 0; a < 2; a++) {
    c->array[a] = usw_array(c->type->type, NULL, rank, extents, NULL);
    choose_strides(c, a);
  }
  choose_options(c);
  c->result_bytes = usw_result_bytes(c->operation->operation, c->type->type);
}

/* ---- what is expected ---- */

/* The offset of item i of result r, or of result r: the digits of the axes that are reduced, or that stay, row-major. */
static ptrdiff_t offset_of(const case_t *c, uint32_t which, size_t x, int is_reduced) {
  const usw_array_t *array = &c->array[which];
  ptrdiff_t offset = 0;
  for (uint32_t d = array->rank; d-- > 0;)
    if ((int)(c->axes >> d & 1) == is_reduced) {
      offset += (ptrdiff_t)(x % array->extent[d]) * array->stride[d];
      x /= array->extent[d];
    }
  return offset;
}

static usw_status_t expect(const case_t *c, char *const *elements, char *expected) {
  const usw_options_t options = {
      .size = USW_INIT(usw_options_t), .place = USW_HOST, .accuracy = c->options.accuracy, .nan = c->options.nan};
  const size_t bytes = c->type->bytes;
  char *items[2];
  usw_status_t status = USW_OK;
  for (uint32_t a = 0; a < 2; a++)
    items[a] = (char *)malloc(c->items * bytes + 1);
  for (size_t r = 0; r < c->results && status == USW_OK; r++) {
    for (uint32_t a = 0; a < c->operation->streams; a++)
      for (size_t i = 0; i < c->items; i++)
        memcpy(items[a] + i * bytes,
               elements[a] + (size_t)(c->first[a] + offset_of(c, a, r, 0) + offset_of(c, a, i, 1)) * bytes, bytes);
    char *const to = expected + r * c->result_bytes;
    status = c->operation->streams == 1
                 ? usw_reduce(c->operation->operation, c->type->type, items[0], c->items, to, &options)
                 : usw_reduce_pair(c->operation->operation, c->type->type, items[0], items[1], c->items, to, &options);
  }
  free(items[0]);
  free(items[1]);
  return status;
}

/* ---- runs ---- */

static void describe(const case_t *c, uint64_t seed, char *text, size_t bytes) {
  int length =
      snprintf(text, bytes, "seed %llu: %s of %s, axes 0x%x, accuracy %d, nan %d, teams %u, results on device %d,",
               (unsigned long long)seed, c->operation->name, c->type->name, c->axes, (int)c->options.accuracy,
               (int)c->options.nan, c->options.teams, c->results_on_device);
  for (uint32_t d = 0; d < c->array[0].rank; d++)
    length += snprintf(text + length, bytes - (size_t)length, " %zu x %td (%td)", c->array[0].extent[d],
                       c->array[0].stride[d], c->array[1].stride[d]);
}

static usw_status_t reduce(const case_t *c, const place_memory_t *memory, void *results) {
  usw_array_t array[2];
  for (uint32_t a = 0; a < 2; a++) {
    array[a] = c->array[a];
    array[a].data = (char *)memory[a].data + c->first[a] * (ptrdiff_t)c->type->bytes;
  }
  return c->operation->streams == 1
             ? usw_reduce_axes(c->operation->operation, &array[0], c->axes, results, &c->options)
             : usw_reduce_axes_pair(c->operation->operation, &array[0], &array[1], c->axes, results, &c->options);
}

static void run(uint64_t seed) {
  const test_place_t host = {USW_HOST, -1, "host"};
  char note[400], *elements[2];
  place_memory_t memory[2];
  case_t c;
  chance_begin(seed);
  choose(&c);
  describe(&c, seed, note, sizeof note);
  const size_t bytes = c.results * c.result_bytes;
  char *const expected = (char *)calloc(1, bytes + 1), *const found = (char *)calloc(1, bytes + 1);
  for (uint32_t a = 0; a < 2; a++) {
    const size_t offset = chance(3) == 0 ? c.type->bytes : 0;
    elements[a] = elements_by_chance(c.operation, c.type, (size_t)c.elements[a], c.has_nans);
    memory[a] = device_memory_get(&place, elements[a], (size_t)c.elements[a] * c.type->bytes, offset);
  }
  const int is_on_device = c.results_on_device && c.items > 0 && c.results > 0;
  place_memory_t results = device_memory_get(is_on_device ? &place : &host, found, bytes, 0);
  const usw_status_t wanted = expect(&c, elements, expected), got = reduce(&c, memory, results.data);
  memory_read(&results, found, bytes);
  if (c.results > 0)
    CHECK_AT(wanted == got, note);
  if (wanted == USW_OK && got == USW_OK)
    check_many_results(c.operation, c.type, note, c.results, expected, found);
  for (uint32_t a = 0; a < 2; a++) {
    device_memory_free(&memory[a]);
    free(elements[a]);
  }
  device_memory_free(&results);
  free(expected);
  free(found);
}

/* ---- misuse ---- */

static void misuse(void) {
  const usw_options_t options = place_options(&place);
  double x[6] = {1, 2, 3, 4, 5, 6}, result[6] = {-1, -1, -1, -1, -1, -1};
  usw_array_t array = usw_array_2d(USW_F64, x, 2, 3), other = usw_array_2d(USW_F64, x, 3, 2);
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(2), result, &options));
  CHECK_TEXT_HAS(usw_error_text(), "there is no axis 2");
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_axes(USW_PLUS, NULL, USW_AXIS(0), result, &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(0), NULL, &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_axes_pair(USW_DOT, &array, &other, USW_AXIS(0), result, &options));
  CHECK_TEXT_HAS(usw_error_text(), "extent");
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_reduce_axes(USW_DOT, &array, USW_AXIS(0), result, &options));
  array.data = NULL;
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(0), result, &options));
  array = usw_array_2d(USW_F64, x, (size_t)1 << 60, 16);
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(0), result, &options));
  array.size = 8;
  CHECK_STATUS(USW_ERROR_VERSION, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(0), result, &options));
  array = usw_array(USW_F64, x, 9, NULL, NULL);
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(0), result, &options));
  CHECK_TEXT_HAS(usw_error_text(), "at most 8");
  for (int k = 0; k < 6; k++)
    CHECK_F64(-1, result[k]);
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  hide_host_memory();
  is_slow = strcmp(place.target, "simt") == 0;
  run_by_chance(argc, argv, &place, (case_counts_t){500, 2000, 20000}, run);
  misuse();
  return check_report();
}
