#include "items.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t bytes) {
  void *memory = malloc(bytes);
  if (!memory) {
    fprintf(stderr, "no memory for %zu bytes\n", bytes);
    exit(1);
  }
  return memory;
}

static void *make_elements(usw_type_t type, pattern_t pattern, size_t n, uint64_t seed) {
  void *elements = allocate(n * type_bytes(type) + 1);
  pattern_fill(pattern, type, elements, n, seed);
  return elements;
}

static number_t *make_numbers(usw_type_t type, const void *elements, size_t n) {
  number_t *numbers = allocate((n + 1) * sizeof *numbers);
  numbers_of(type, elements, n, numbers);
  return numbers;
}

items_t items_make(usw_type_t type, pattern_t pattern, size_t n, int all_the_first) {
  const size_t bytes = type_bytes(type);
  const pattern_t of_y = pattern_is_exact(pattern) ? PATTERN_ramp : PATTERN_random;
  items_t items = {.type = type, .n = n, .x = make_elements(type, pattern, n, 1), .y = make_elements(type, of_y, n, 2)};
  for (size_t i = 1; all_the_first && i < n; i++)
    memcpy((char *)items.x + i * bytes, items.x, bytes);
  items.numbers_of_x = make_numbers(type, items.x, n);
  items.numbers_of_y = make_numbers(type, items.y, n);
  return items;
}

void items_free(items_t *items) {
  free(items->x);
  free(items->y);
  free(items->numbers_of_x);
  free(items->numbers_of_y);
}

layout_t layout_of_y(layout_t x) {
  const layout_t y = {x.offset == 3 ? 0 : x.offset, x.stride == 3 || x.stride == USW_STRIDE_NONE ? 1 : x.stride};
  return y;
}

/* Lay one stream out; *first_out is item 0. What lies between items is large numbers. */
static place_memory_t lay_out(const void *elements, size_t n, size_t bytes, const test_place_t *place, layout_t layout,
                              const void **first_out) {
  const size_t step = layout.stride == USW_STRIDE_NONE ? 0 : (size_t)labs(layout.stride);
  const size_t span = n == 0 ? 0 : (n - 1) * step + 1;
  char *image = allocate(span * bytes + 1);
  memset(image, 0x7e, span * bytes);
  for (size_t i = 0; i < n && (step > 0 || i == 0); i++) {
    const size_t at = layout.stride < 0 && step > 0 ? span - 1 - i * step : i * step;
    memcpy(image + at * bytes, (const char *)elements + i * bytes, bytes);
  }
  place_memory_t memory = memory_get(place, image, span * bytes, layout.offset * bytes);
  free(image);
  const size_t first = layout.stride < 0 && step > 0 && span > 0 ? span - 1 : 0;
  *first_out = (char *)memory.data + first * bytes;
  return memory;
}

laid_out_t items_lay_out(const items_t *items, const test_place_t *place, layout_t layout) {
  const size_t bytes = type_bytes(items->type);
  laid_out_t out = {.layout = layout, .n = items->n};
  out.memory[0] = lay_out(items->x, items->n, bytes, place, layout, &out.x);
  out.strides[0] = layout.stride;
  out.strides[1] = layout_of_y(layout).stride;
  out.memory[1] = lay_out(items->y, items->n, bytes, place, layout_of_y(layout), &out.y);
  return out;
}

void laid_out_free(laid_out_t *items) {
  for (int k = 0; k < 2; k++)
    memory_free(&items->memory[k]);
}

usw_status_t laid_out_reduce(const laid_out_t *items, const row_t *row, usw_options_t *options, result_t *result) {
  options->stride[0] = items->strides[0];
  options->stride[1] = row->streams == 2 ? items->strides[1] : 0;
  return row->streams == 2 ? usw_reduce_pair(row->operation, row->type, items->x, items->y, items->n, result, options)
                           : usw_reduce(row->operation, row->type, items->x, items->n, result, options);
}
