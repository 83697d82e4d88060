/* The items of a case: one pattern of data, and the ways in which it can lie in memory. */
#ifndef USW_ORACLE_ITEMS_H
#define USW_ORACLE_ITEMS_H

#include "memory.h"
#include "oracle.h"
#include "pattern.h"

USW_BEGIN_C

/* The items of one or two streams, contiguous and on the host, as elements and as numbers. */
typedef struct {
  usw_type_t type;
  size_t n;
  void *x, *y;
  number_t *numbers_of_x, *numbers_of_y;
} items_t;

/* n items of a pattern; those of the second stream are others. all_the_first: every item is the first. Ends the program
 * if there is no memory. */
items_t items_make(usw_type_t type, pattern_t pattern, size_t n, int all_the_first);
void items_free(items_t *items);

/* How items lie: elements after a 16-byte boundary, and elements from one to the next. */
typedef struct {
  size_t offset;
  ptrdiff_t stride; /* USW_STRIDE_NONE: all items are the first element */
} layout_t;

/* The second stream differs from the first in some layouts. */
layout_t layout_of_y(layout_t x);

/* Items as they lie on a place. */
typedef struct laid_out {
  layout_t layout;
  size_t n;
  place_memory_t memory[2];
  const void *x, *y;    /* of item 0 */
  ptrdiff_t strides[2]; /* of each stream */
} laid_out_t;

laid_out_t items_lay_out(const items_t *items, const test_place_t *place, layout_t layout);
void laid_out_free(laid_out_t *items);

/* Call a row's function over them, by options that are ready but for strides. */
usw_status_t laid_out_reduce(const laid_out_t *items, const row_t *row, usw_options_t *options, result_t *result);

USW_END_C

#endif
