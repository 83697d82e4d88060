/* Reducer sets: what usw_set_add() writes down and usw_set_run() reads. */
#ifndef USWI_SET_H
#define USWI_SET_H

#include <upsweep/descriptor.h>
#include <upsweep/set.h>
#include <upsweep/set_row.h>

#include "launch/lane.h"

enum { USWI_SET_NAME_BYTES = 64 };

typedef struct uswi_set_reducer {
  char name[USWI_SET_NAME_BYTES]; /* "reducer 2 (sum_f64)", for errors */
  const usw_kernel_t *kernel;     /* the library's own for the same reduction: its types, its identity, its result */
  usw_operation_t operation;
  usw_type_t type;
  const void *x, *keys;
  ptrdiff_t stride;   /* never 0 for contiguous */
  uint32_t key_bytes; /* 0: no keys */
  uint32_t is_fresh;  /* starts from the identity */
  void *variable;
  size_t extent, first_cell;
} uswi_set_reducer_t;

struct usw_set {
  uint32_t count;
  size_t cell_count; /* of all reducers */
  uswi_set_reducer_t reducers[USW_SET_MOST_REDUCERS];
  usw_set_row_t rows[USW_SET_MOST_REDUCERS]; /* of this run */
  /* a copy of rows on a device that cannot read them here */
  const uswi_device_t *device;
  void *there;
  usw_set_row_t rows_there[USW_SET_MOST_REDUCERS];
  uint32_t count_there;
  /* what the kernel writes: cell_count cells and one for keys outside their spans */
  usw_set_cell_t *cells;
  size_t cells_room;
};

/* Whether elements are combined as order keys. */
static inline int uswi_set_is_ordered(const uswi_set_reducer_t *reducer) {
  return reducer->operation == USW_MINIMUM || reducer->operation == USW_MAXIMUM;
}

/* Combine a reducer's cells and its original values, and write its variable or span. */
void uswi_set_finish(const uswi_set_reducer_t *reducer, const usw_set_cell_t *cells, int is_fresh, usw_nan_t nan);

#endif
