/* Reducer sets: what usw_set_add() writes down and usw_set_run() reads. */
#ifndef USWI_SET_H
#define USWI_SET_H

#include <upsweep/descriptor.h>
#include <upsweep/set.h>
#include <upsweep/set_row.h>

#include "call.h"

enum { USWI_SET_NAME_BYTES = 64, USWI_SET_MOST_ROWS = 256 };

typedef struct uswi_set_reducer {
  char name[USWI_SET_NAME_BYTES]; /* "reducer 2 (sum_f64)", for errors */
  const usw_kernel_t *kernel;     /* the library's own for the same reduction: its types, its identity, its result */
  usw_operation_t operation;
  usw_type_t type;
  const void *x, *keys;
  size_t own_n; /* elements; has_own_n 0: as many as usw_set_run() says */
  uint32_t has_own_n;
  ptrdiff_t stride;   /* never 0 for contiguous */
  uint32_t key_bytes; /* 0: no keys */
  uint32_t is_fresh;  /* starts from the identity */
  void *variable;
  size_t extent, first_cell;
  uint32_t rows;     /* in a batch */
  usw_set_row_t row; /* what every run's row says of it */
} uswi_set_reducer_t;

/* The batch of the last run. If it is known, another run of the same reads the same rows, and nothing is to be checked. */
typedef struct uswi_batch {
  int is_known;
  size_t n;
  usw_options_t asked, options; /* the caller's, without a stream or a record if it is known; those of the launch */
  usw_kernel_t kernel;
  uswi_call_t call;
} uswi_batch_t;

struct usw_set {
  uint32_t count;
  size_t cell_count; /* of all reducers */
  uswi_set_reducer_t reducers[USW_SET_MOST_REDUCERS];
  usw_set_row_t rows[USWI_SET_MOST_ROWS]; /* of this run: one per reducer, or more in a batch */
  /* a copy of rows on a device that cannot read them here */
  const uswi_device_t *device;
  void *there;
  usw_set_row_t rows_there[USWI_SET_MOST_ROWS];
  uint32_t count_there;
  uswi_batch_t batch;
  /* what the kernel writes: cell_count cells and one for keys outside their spans */
  usw_set_cell_t *cells;
  size_t cells_room;
};

/* Elements of a reducer in a run over n items. */
static inline size_t uswi_set_elements(const uswi_set_reducer_t *reducer, size_t n) {
  return reducer->has_own_n ? reducer->own_n : n;
}

/* Whether elements are combined as order keys. */
static inline int uswi_set_is_ordered(const uswi_set_reducer_t *reducer) {
  return reducer->operation == USW_MINIMUM || reducer->operation == USW_MAXIMUM;
}

/* Fill in the reducer's row but for what a run says. */
void uswi_set_describe(uswi_set_reducer_t *reducer);

/* What a row says of a reducer's n elements of which an item takes so many; its addresses are made valid where the call
 * runs. */
usw_status_t uswi_set_fill_row(const uswi_set_reducer_t *reducer, size_t n, uint64_t elements_per_item,
                               uswi_call_t *call, usw_set_row_t *row);

/* The set's rows where the kernel can read them; those of the last run are still there. */
usw_status_t uswi_set_carry_rows(usw_set_t *set, uint32_t count, const uswi_device_t *device,
                                 const usw_set_row_t **rows_out);

/* Whether a run that is placed is a batch: short arrays, each for a few teams of a GPU; then its rows of so many items. */
uint32_t uswi_set_batch_rows(usw_set_t *set, size_t n, const uswi_call_t *call);

/* Run it and write the results. */
usw_status_t uswi_set_run_batch(usw_set_t *set, size_t n, uswi_call_t *placed, uint32_t rows);

/* Whether that was the set's last run, whose arrays are read where the caller has them; then its launch and results are all
 * that another one takes. */
int uswi_set_knows_batch(const usw_set_t *set, size_t n, const usw_options_t *options);
usw_status_t uswi_set_launch_batch(usw_set_t *set);

/* Combine a reducer's cells and its original values, and write its variable or span. */
void uswi_set_finish(const usw_set_t *set, uint32_t number, const usw_set_cell_t *cells, const usw_options_t *options);

#endif
