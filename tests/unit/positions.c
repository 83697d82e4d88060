/* Items to positions: divisions by magic numbers, narrow and wide, and the order of tiles, against plain ones. */
#include <upsweep/upsweep.h>

#include "support/check.h"

#define USW_KERNEL any_space
#define USW_DIMENSIONS 3
#define USW_ARGS(IN, ARRAY, VALUE) ARRAY(char, nothing)
#define USW_REDUCERS(R, S) R(uint64_t, count, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(k, j, i) { usw_inc(count); }
#include <upsweep/kernel_end.h>

static uint64_t random_state = 88172645463325252u;
static uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

static void check_quotient(uint64_t x, uint64_t divisor) {
  const uint64_t magic = UINT64_MAX / divisor;
  CHECK_U64(x / divisor, usw_quotient(x, divisor, magic, 0));
  if (x < UINT32_MAX - 1u && divisor < UINT32_MAX)
    CHECK_U64(x / divisor, usw_quotient(x, divisor, magic, 1));
}

static void check_quotients(void) {
  static const uint64_t edges[] = {
      1,          2,          3,          7,          10,         255,           65535,
      65536,      65537,      0x7fffffff, 0x80000000, 0xfffffffd, 0xfffffffe,    0xffffffff,
      1ull << 32, 1ull << 33, 1ull << 62, 6700417,    641,        INT64_MAX - 1, INT64_MAX};
  enum { EDGES = sizeof edges / sizeof *edges };
  for (int d = 0; d < EDGES; d++) {
    for (int e = 0; e < EDGES; e++)
      for (int by = -1; by <= 1; by++) {
        check_quotient(edges[e] + (uint64_t)by, edges[d]);
        if (edges[e] <= INT64_MAX / edges[d]) /* around multiples */
          check_quotient(edges[d] * edges[e] + (uint64_t)by, edges[d]);
      }
    check_quotient(0, edges[d]);
  }
  for (int t = 0; t < 200000; t++) {
    const uint64_t x = random_bits() >> (1 + random_bits() % 63),
                   divisor = 1 + (random_bits() >> (1 + random_bits() % 62));
    check_quotient(x, divisor);
    if (x / divisor > 0) {
      check_quotient(x / divisor * divisor, divisor);
      check_quotient(x / divisor * divisor - 1, divisor);
    }
  }
}

static uint64_t magic_of_last(size_t extent, size_t tile) {
  return UINT64_MAX / (extent % tile ? extent % tile : tile);
}

static usw_layout_t layout_of(const size_t *extent, const size_t *tile) {
  usw_layout_t layout = {.usw_planes = extent[0], .usw_rows = extent[1], .usw_columns = extent[2]};
  layout.usw_tile_planes = tile[0];
  layout.usw_tile_rows = tile[1];
  layout.usw_tile_columns = tile[2];
  layout.usw_columns_magic = UINT64_MAX / extent[2];
  layout.usw_rows_magic = UINT64_MAX / extent[1];
  layout.usw_tile_planes_magic = UINT64_MAX / tile[0];
  layout.usw_tile_rows_magic = UINT64_MAX / tile[1];
  layout.usw_tile_columns_magic = UINT64_MAX / tile[2];
  layout.usw_last_planes_magic = magic_of_last(extent[0], tile[0]);
  layout.usw_last_rows_magic = magic_of_last(extent[1], tile[1]);
  layout.usw_last_columns_magic = magic_of_last(extent[2], tile[2]);
  layout.usw_row_slab_magic = UINT64_MAX / (tile[1] * extent[2]);
  layout.usw_plane_slab_magic = UINT64_MAX / (tile[0] * extent[1] * extent[2]);
  return layout;
}

static void check_position(const usw_layout_t *layout, size_t item, size_t k, size_t j, size_t i, size_t left) {
  for (int narrow = 0; narrow < 2; narrow++) {
    const usw_index_t at = usw_tiled_position(layout, item, 3, narrow);
    check_count(at.plane == k && at.row == j && at.column == i && at.left == left, __FILE__, __LINE__,
                "item %zu is %zu %zu %zu with %zu left, not %zu %zu %zu with %zu", item, at.plane, at.row, at.column,
                at.left, k, j, i, left);
  }
}

/* The documented order: tile after tile, in each row by row. */
static void check_order(const size_t *extent, const size_t *tile) {
  const usw_layout_t layout = layout_of(extent, tile);
  size_t item = 0;
  for (size_t p = 0; p < extent[0]; p += tile[0])
    for (size_t q = 0; q < extent[1]; q += tile[1])
      for (size_t r = 0; r < extent[2]; r += tile[2])
        for (size_t k = p; k < p + tile[0] && k < extent[0]; k++)
          for (size_t j = q; j < q + tile[1] && j < extent[1]; j++)
            for (size_t i = r; i < r + tile[2] && i < extent[2]; i++) {
              const size_t end = r + tile[2] < extent[2] ? r + tile[2] : extent[2];
              check_position(&layout, item++, k, j, i, end - i);
            }
  CHECK_U64(extent[0] * extent[1] * extent[2], item);
}

/* Positions without tiles, also of items that only a wide division finds. */
static void check_untiled(size_t planes, size_t rows, size_t columns) {
  const size_t extent[] = {planes, rows, columns};
  const usw_layout_t layout = layout_of(extent, extent);
  const size_t n = planes * rows * columns;
  for (int t = 0; t < 1000; t++) {
    const size_t item = random_bits() % n;
    for (int narrow = 0; narrow < (n < UINT32_MAX ? 2 : 1); narrow++) {
      const usw_index_t at = usw_position(&layout, item, 3, narrow);
      CHECK_U64(item / columns / rows, at.plane);
      CHECK_U64(item / columns % rows, at.row);
      CHECK_U64(item % columns, at.column);
      CHECK_U64(columns - item % columns, at.left);
    }
  }
}

int main(void) {
  check_quotients();
  for (size_t planes = 1; planes < 6; planes++)
    for (size_t t = 1; t <= 5 * 5 * 5; t++) {
      const size_t extent[] = {planes, 1 + t % 7, 1 + t % 11}, most[] = {extent[0], extent[1], extent[2]};
      const size_t tile[] = {1 + t % most[0], 1 + t / 5 % most[1], 1 + t / 25 % most[2]};
      check_order(extent, tile);
    }
  check_untiled(3, 5, 7);
  check_untiled(1, 65535, 65537);
  check_untiled(1000, 1, 4000000);
  check_untiled(3, 1000003, 999983);
  check_untiled(((size_t)1 << 31) + 11, 3, 1 << 20);
  return check_report();
}
