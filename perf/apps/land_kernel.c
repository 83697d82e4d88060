/* One pass over the map: count ocean and land, and add up the weights of the land cells. Everything is an integer, so the
 * sums are exact, and equal, in whatever order a place adds.
 *
 * This file is all that there is to a kernel: its arguments, its reducers, and what one cell does.
 * Upsweep makes the rest: `land_sums`, which runs on the host, and on every device that the file
 * was compiled for, by every strategy. */
#include "land.h"

#define USW_KERNEL land_sums
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint8_t, ocean) ARRAY(uint64_t, weight) VALUE(uint64_t, rows_per_group)
#define USW_REDUCERS(R, S)                                                                                             \
  R(uint64_t, ocean_count, USW_PLUS)                                                                                   \
  R(uint64_t, land_count, USW_PLUS)                                                                                    \
  R(uint64_t, weighted_land, USW_PLUS)
#include <upsweep/kernel.h>

USW_VISIT(i) {
  /* The row of cell i is i / columns, but dividing costs more than all the rest of a cell. So we
   * multiply by a rounded fixed-point reciprocal, which is exact for maps of this size
   * (land_rows_per_group checks), and take i by groups that share a row, so that a compiler that
   * unrolls over a group multiplies once for all of its cells. */
  const uint64_t area = weight[i / LAND_GROUP * rows_per_group >> LAND_FRACTION_BITS];
  usw_add(ocean_count, ocean);
  usw_add(land_count, 1 - ocean);
  usw_add(weighted_land, ocean ? 0 : area);
}

#include <upsweep/kernel_end.h>
