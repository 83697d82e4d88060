/* How much of the Earth is land? The pieces of the application. */
#ifndef LAND_H
#define LAND_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/upsweep.h>

/* A map of the Earth: one byte per cell, 1 = ocean, rows by latitude. */
typedef struct land_map {
  uint8_t *ocean; /* rows * columns cells */
  uint64_t
      *weight; /* one per row: the cosine of its latitude in units of 1 / LAND_ONE; cells' areas are proportional */
  size_t rows, columns;
} land_map_t;

/* What every place has to find. */
typedef struct land_answer {
  uint64_t ocean_count, land_count;
  uint64_t weighted_land; /* sum of the weights of the land cells */
} land_answer_t;

/* Weights are fixed-point: exact in any order, and 2^30 of them add up within 64 bits. */
#define LAND_ONE ((uint64_t)1 << 34)
#define LAND_MOST_CELLS ((size_t)1 << 30)

/* Cells come in groups of 16 that share a row: columns are a multiple of it. */
#define LAND_GROUP 16

/* Rows per group of cells, as a fixed-point number with LAND_FRACTION_BITS bits after the point.
 * See land_kernel.c. */
#define LAND_FRACTION_BITS 40
uint64_t land_rows_per_group(const land_map_t *map);

/* Reads the map from an .npz file with mask.npy and lat.npy. Returns 0, or -1 with a line in
 * error_out. */
int land_read(const char *file, land_map_t *map_out, char *error_out, size_t error_bytes);

/* Makes up a map of the same width. Returns 0, or -1 with a line in error_out. */
int land_generate(size_t rows, land_map_t *map_out, char *error_out, size_t error_bytes);

void land_free(land_map_t *map);

/* The kernel of land_kernel.c, as kernel_end.h defines it. */
usw_status_t land_sums(size_t n, const uint8_t *ocean, const uint64_t *weight, uint64_t rows_per_group,
                       uint64_t *ocean_count, uint64_t *land_count, uint64_t *weighted_land,
                       const usw_options_t *options);

/* The same loop without Upsweep: OpenMP's reduction clause, on the host's threads and on a device.
 */
land_answer_t land_clause_host(size_t n, const uint8_t *ocean, const uint64_t *weight, uint64_t rows_per_group);
land_answer_t land_clause_device(int device, size_t n, const uint8_t *ocean, const uint64_t *weight,
                                 uint64_t rows_per_group);

#endif
