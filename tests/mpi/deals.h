/* Items of a rank in parts, on the host and on devices: what tests of parts over ranks share. */
#ifndef USW_TESTS_MPI_DEALS_H
#define USW_TESTS_MPI_DEALS_H

#include "oracle/memory.h"
#include "ranks.h"

enum { MOST_PARTS = 11 /* over nine are allocated */ };

typedef struct {
  size_t first, n; /* of the items of all ranks */
  test_place_t place;
  place_memory_t x, y;
} own_part_t;

typedef struct {
  own_part_t part[MOST_PARTS];
  size_t count; /* 0: this rank has no items */
  piece_t piece;
} deal_t;

/* Take the host, and all devices of the kind that the command line names, for the parts of this rank. */
void deals_begin(const ranks_t *own);

/* Copy this rank's items of two arrays to parts, cut by chance; some are empty. */
void deal(deal_t *all, size_t n, uint64_t seed, const void *x, const void *y, size_t bytes);
void deal_free(deal_t *all);

/* They as parts of the library's. Returns NULL if there are none. */
const usw_part_t *deal_parts(const deal_t *all, usw_part_t *parts);

/* A kernel's part at the place of one. */
usw_kernel_part_t deal_placed(usw_kernel_part_t part, const own_part_t *own);

#endif
