/* Scratch for launches: partials and a ticket on the device, a result that the device writes and
 * the host reads.
 *
 * Each device has a pool of them. A call takes one and gives it back; memory is allocated when one is first used or must
 * grow, never otherwise. */
#ifndef USWI_EXEC_SCRATCH_H
#define USWI_EXEC_SCRATCH_H

#include "backend/backend.h"
#include "backend/graphs.h"

enum {
  USWI_CELLS_BYTES = USWI_MAX_REDUCERS * 16,
  USWI_SENT_BYTES = 128 << 10 /* of what teams send the one that waits: 2730 accumulators of 16 bytes, 682 of 64 */
};

/* Device memory that is zero at first; NULL until it is asked for. */
typedef struct uswi_zeroed {
  void *memory;
  size_t bytes;
} uswi_zeroed_t;

typedef struct uswi_scratch {
  void *partials;          /* device memory */
  uint32_t *ticket;        /* device memory, zero between launches: one, and one per 32 teams */
  void *cells;             /* the same: USWI_CELLS_BYTES that teams combine into by atomics */
  void *sent;              /* the same: USWI_SENT_BYTES for USW_FINISH_AWAIT */
  uswi_zeroed_t told;      /* what tiles of scans tell each other */
  uswi_zeroed_t marks;     /* a bit for each item, zero between launches */
  uint32_t scans, tickets; /* launches with that memory so far, and the tickets that they have taken */
  void *result;            /* pinned host memory, two banks in turn: one record, or all partials with host_finish */
  size_t partials_bytes, bank_bytes;
  /* of the driver: the bank of the next launch, and what is armed of both while another one is waited for */
  uint32_t bank;
  size_t armed_bytes[2];
  int is_lent; /* the memory is a plan's alone, which others may write: nothing stays armed */
  /* its streams; NULL at first */
  void *stream;
  uswi_graphs_t *graphs; /* launches in that one, which are kept; NULL at first */
  void *event;           /* recorded behind launches in streams of others */
  int is_elsewhere;      /* the last launch was in one of these */
} uswi_scratch_t;

/* Device memory of tickets, cells and what is sent, which has to be zero at first. */
size_t uswi_scratch_tickets_bytes(void);

/* Let one have memory that is somebody else's. `tickets` is zero, `pinned` two banks. */
void uswi_scratch_lend(uswi_scratch_t *scratch, void *tickets, void *partials, size_t partials_bytes, void *pinned,
                       size_t pinned_bytes);

/* The bank of the next launch; and the other one's turn, which is armed for as many bytes if they are many. */
void *uswi_scratch_bank(const uswi_scratch_t *scratch);
void uswi_scratch_turn(uswi_scratch_t *scratch, size_t armed_bytes);

/* The same bank as room that the host writes to: what was armed there is no more. */
void *uswi_scratch_room(uswi_scratch_t *scratch);

/* Whether so many armed bytes keep one bank: all launches of a call are alike then. */
int uswi_scratch_has_one_bank(size_t armed_bytes);

/* Take one with at least that much room, in a bank of pinned memory; if all are taken, wait for one or, unless it may,
 * return USW_ERROR_BUSY. USW_ERROR_MEMORY if there is no room; nothing is held then. */
usw_status_t uswi_scratch_take(const uswi_device_t *device, size_t partials_bytes, size_t bank_bytes, int may_wait,
                               uswi_scratch_t **scratch_out);
void uswi_scratch_give_back(uswi_scratch_t *scratch);

/* The same without waiting; if all are taken, USW_ERROR_BUSY, which is no failure yet and has no text. */
usw_status_t uswi_scratch_try(const uswi_device_t *device, size_t partials_bytes, size_t bank_bytes,
                              uswi_scratch_t **scratch_out);

/* The same, with so much memory of marks, and else the least. */
usw_status_t uswi_scratch_take_marks(const uswi_device_t *device, size_t marks_bytes, uswi_scratch_t **scratch_out);

/* Let one that is taken have so much memory for tiles to tell each other in. */
usw_status_t uswi_scratch_tell(const uswi_device_t *device, uswi_scratch_t *scratch, size_t bytes);

/* The same for marks: without those of launches before. */
usw_status_t uswi_scratch_mark(const uswi_device_t *device, uswi_scratch_t *scratch, size_t bytes);

/* The same after a launch that failed: the next one gets new memory. */
void uswi_scratch_forget(const uswi_device_t *device, uswi_scratch_t *scratch);

/* A scratch that belongs to a plan alone: room for it, and its end, when nothing runs with it any more. */
usw_status_t uswi_scratch_grow(const uswi_device_t *device, uswi_scratch_t *scratch, size_t partials_bytes,
                               size_t bank_bytes);
void uswi_scratch_free(const uswi_device_t *device, uswi_scratch_t *scratch);

/* Scratches that belong to plans: counted, because they have to be freed before the library ends. */
void uswi_scratch_count_owners(int change);
int uswi_scratch_owners(void);

/* Free everything; 0, and nothing freed, if a scratch is in use. */
int uswi_scratch_release(void);

#endif
