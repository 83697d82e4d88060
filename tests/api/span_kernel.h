/* A kernel with one span of the type, extent and operator that are set before, and a plain reducer beside it:
 *   SPAN_NAME SPAN_TYPE SPAN_EXTENT SPAN_OPERATOR   what the span is
 *   SPAN_VALUE(i)                                   what item i combines; the reference uses it too
 * Items contribute 0 to `most` times, to cells that depend on the key. */
#define USW_KERNEL SPAN_NAME
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, key) VALUE(uint32_t, extent) VALUE(uint32_t, most)
#define USW_REDUCERS(R, S) R(uint64_t, items, USW_PLUS) S(SPAN_TYPE, cells, SPAN_EXTENT, SPAN_OPERATOR)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_inc(items);
  for (uint32_t k = 0; k < times_of(i, most); k++)
    usw_combine_at(cells, cell_of(key, k, extent), SPAN_VALUE(i + k));
}
#include <upsweep/kernel_end.h>

static SPAN_TYPE USW_CAT(apply_, SPAN_NAME)(SPAN_TYPE x, SPAN_TYPE y) {
  return USW_CAT(SPAN_NAME, _operate_cells)(x, y);
}

static USW_UNUSED void USW_CAT(reference_, SPAN_NAME)(size_t n, uint32_t extent, uint32_t most, void *cells_out) {
  SPAN_TYPE *cells = (SPAN_TYPE *)cells_out;
  for (size_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < times_of(i, most); k++) {
      SPAN_TYPE *cell = &cells[cell_of(keys[i], k, extent)];
      *cell = USW_CAT(apply_, SPAN_NAME)(*cell, SPAN_VALUE(i + k));
    }
}
static USW_UNUSED void USW_CAT(start_, SPAN_NAME)(uint32_t extent, void *cells_out) {
  for (uint32_t k = 0; k < extent; k++)
    ((SPAN_TYPE *)cells_out)[k] = SPAN_VALUE(k);
}
#undef SPAN_NAME
#undef SPAN_TYPE
#undef SPAN_OPERATOR
#undef SPAN_VALUE
