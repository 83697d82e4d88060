/* Scratch for launches: partials and a ticket on the device, a result that the device writes and
 * the host reads.
 *
 * Each device has a pool of slots. A call takes one and gives it back; memory is allocated when a
 * slot is first used or must grow, never otherwise. */
#ifndef USWI_SCRATCH_H
#define USWI_SCRATCH_H

#include "call.h"

enum { USWI_CELLS_BYTES = USWI_MAX_REDUCERS * 16 };

typedef struct uswi_slot {
  void *partials;   /* device memory */
  uint32_t *ticket; /* device memory, zero between launches: one, and one per 32 teams */
  void *cells;      /* the same: USWI_CELLS_BYTES that teams combine into by atomics */
  void *result;     /* pinned host memory: one record, or all partials with host_finish */
  void *stream;     /* of the lane through the driver (launch/driver.h); NULL at first */
  size_t partials_bytes, result_bytes;
} uswi_slot_t;

/* Take a slot with at least that much room. USW_ERROR_MEMORY if there is none; nothing is held
 * then. */
usw_status_t uswi_scratch_take(const uswi_device_t *device, size_t partials_bytes, size_t result_bytes,
                               uswi_slot_t **slot_out);
void uswi_scratch_give_back(uswi_slot_t *slot);

/* Free everything; 0, and nothing freed, if a slot is in use. */
int uswi_scratch_release(void);

#endif
