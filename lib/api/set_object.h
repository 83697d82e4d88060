/* Reducer sets: what usw_set_add() keeps and usw_set_run() reads. */
#ifndef USWI_API_SET_OBJECT_H
#define USWI_API_SET_OBJECT_H

#include <upsweep/descriptor.h>
#include <upsweep/set.h>
#include <upsweep/set_task.h>

#include "backend/backend.h"
#include "policy/call.h"

enum { USWI_SET_NAME_BYTES = 64, USWI_SET_MOST_TASKS = 256 };

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
  uint32_t tasks;      /* in a batch */
  usw_set_task_t task; /* what every run's task says of it */
} uswi_set_reducer_t;

/* The batch of the last run. If it is known, another run of the same reads the same tasks, and nothing is to be checked. */
typedef struct uswi_batch {
  int is_known;
  size_t n;
  usw_options_t asked, options; /* the caller's, without a stream or a report if it is known; those of the launch */
  uswi_call_t call;
} uswi_batch_t;

struct usw_set {
  uint32_t count;
  size_t cell_count; /* of all reducers */
  uswi_set_reducer_t reducers[USW_SET_MOST_REDUCERS];
  usw_set_task_t tasks[USWI_SET_MOST_TASKS]; /* of this run: one per reducer, or more in a batch */
  /* a copy of tasks on a device that cannot read them here */
  const uswi_device_t *device;
  void *there;
  usw_set_task_t tasks_there[USWI_SET_MOST_TASKS];
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

#endif
