/* Where the map comes from: a file, or our imagination. */
#include "land.h"
#include "npz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The cosine of a latitude as a fixed-point number: rounded by less than 3e-11, which moves the share of land less. */
static uint64_t weight_of(double degrees) {
  const double radians = degrees * (3.14159265358979323846 / 180);
  return (uint64_t)nearbyint(fabs(cos(radians)) * (double)LAND_ONE);
}

void land_free(land_map_t *map) {
  free(map->ocean);
  free(map->weight);
  memset(map, 0, sizeof *map);
}

/* The reciprocal r is rounded up: r * groups_per_row = 2^bits + e with e < groups_per_row. Then g *
 * r >> bits is g / groups_per_row exactly as long as g * e < 2^bits, and g * r must not overflow.
 * Returns 0 where that fails. */
uint64_t land_rows_per_group(const land_map_t *map) {
  const uint64_t groups_per_row = map->columns / LAND_GROUP, one = (uint64_t)1 << LAND_FRACTION_BITS;
  if (groups_per_row == 0 || map->columns % LAND_GROUP != 0 || map->rows > LAND_MOST_CELLS / map->columns)
    return 0;
  const uint64_t groups = groups_per_row * map->rows;
  const uint64_t reciprocal = (one + groups_per_row - 1) / groups_per_row;
  const uint64_t excess = reciprocal * groups_per_row - one;
  if (groups > UINT64_MAX / reciprocal || (excess && groups > (one - 1) / excess))
    return 0;
  return reciprocal;
}

/* What the arithmetic of the kernel asks of a map. */
static int check(const char *name, const land_map_t *map, char *error, size_t error_bytes) {
  if (land_rows_per_group(map) != 0)
    return 0;
  snprintf(error, error_bytes, "%s: rows of %zu cells, %zu of them: %s", name, map->columns, map->rows,
           map->columns % LAND_GROUP ? "the width is no multiple of 16" : "more than this program can");
  return -1;
}

/* NumPy's booleans are bytes that are 0 or 1; the kernel adds them up. */
static int check_cells(const char *file, const land_map_t *map, char *error, size_t error_bytes) {
  unsigned seen = 0;
  for (size_t i = 0; i < map->rows * map->columns; i++)
    seen |= map->ocean[i];
  if (seen <= 1)
    return 0;
  snprintf(error, error_bytes, "%s: mask.npy: its booleans are not all 0 or 1", file);
  return -1;
}

int land_read(const char *file, land_map_t *map_out, char *error_out, size_t error_bytes) {
  npz_array_t mask = {NULL, 0, 0}, latitude = {NULL, 0, 0};
  if (npz_read(file, "lat.npy", "<f8", sizeof(double), 1, &latitude, error_out, error_bytes) ||
      npz_read(file, "mask.npy", "|b1", 1, 2, &mask, error_out, error_bytes)) {
    free(latitude.data);
    return -1;
  }
  land_map_t map = {mask.data, malloc(mask.rows * sizeof *map.weight), mask.rows, mask.columns};
  const double *degrees = latitude.data;
  int failed = latitude.rows != mask.rows || !map.weight;
  if (!map.weight)
    snprintf(error_out, error_bytes, "%s: no memory for %zu rows", file, mask.rows);
  else if (failed)
    snprintf(error_out, error_bytes, "%s: %zu latitudes for %zu rows", file, latitude.rows, mask.rows);
  else
    failed = check(file, &map, error_out, error_bytes) || check_cells(file, &map, error_out, error_bytes);
  for (size_t row = 0; row < map.rows && !failed; row++)
    map.weight[row] = weight_of(degrees[row]);
  free(latitude.data);
  if (failed) {
    land_free(&map);
    return -1;
  }
  *map_out = map;
  return 0;
}

/* Islands: squares of 120 cells, a third of them land, chosen by a multiplicative hash. */
static int is_ocean(size_t row, size_t column) {
  const uint64_t square = row / 120 * 977 + column / 120;
  return (square * 0x9e3779b97f4a7c15u >> 33) % 3 != 0;
}

int land_generate(size_t rows, land_map_t *map_out, char *error_out, size_t error_bytes) {
  land_map_t map = {NULL, NULL, rows, 43200};
  if (check("generated map", &map, error_out, error_bytes))
    return -1;
  map.ocean = malloc(map.rows * map.columns);
  map.weight = malloc(map.rows * sizeof *map.weight);
  if (!map.ocean || !map.weight) {
    snprintf(error_out, error_bytes, "no memory for %zu rows", rows);
    land_free(&map);
    return -1;
  }
  for (size_t row = 0; row < rows; row++) {
    map.weight[row] = weight_of(90 - 180 * ((double)row + 0.5) / (double)rows);
    for (size_t column = 0; column < map.columns; column += 120)
      memset(map.ocean + row * map.columns + column, is_ocean(row, column), 120);
  }
  *map_out = map;
  return 0;
}
