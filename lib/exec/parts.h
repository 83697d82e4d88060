/* One reduction of parts, each with a place of its own: all that can run by themselves are started, then waited for. */
#ifndef USWI_EXEC_PARTS_H
#define USWI_EXEC_PARTS_H

#include "base/error.h"
#include "exec/device.h"
#include "policy/call.h"
#include "policy/catalog.h"

enum { USWI_PART_RECORD_BYTES = 512 };

/* A part on its way. The caller sets options and arguments, then initializes it. */
typedef struct uswi_part {
  _Alignas(64) char room[USWI_PART_RECORD_BYTES]; /* for its record, if that is not larger */
  void *record;
  uswi_call_t call;
  usw_options_t options;                        /* of the call */
  uint64_t streams[USWI_MAX_LIBRARY_ARGUMENTS]; /* of a kernel of the library's: room for its arguments */
  const uint64_t *arguments;                    /* as many as the kernel has */
  void *const *results;                         /* where the place has results too (part_results.h); NULL: nowhere */
  size_t number;                                /* among the caller's, from 0 on */
  enum { USWI_PART_IS_EMPTY, USWI_PART_IS_LEFT, USWI_PART_IS_STARTED, USWI_PART_HAS_ENDED } state;
  uswi_scratch_t *scratch; /* of its launches: the device's, or that of its own */
  uswi_scratch_t own;      /* of parts that are kept */
  int is_launched;         /* of these: 1: there is one */
  int is_repeatable;       /* 1: its launch is launched again as it is */
  uswi_launched_t launched;
} uswi_part_t;

/* Parts that run together, and the first failure: others may fail while they are waited for. */
typedef struct uswi_parts {
  uswi_part_t *part;
  size_t count, whole;             /* how many, and the caller's number for errors */
  const usw_variable_t *variables; /* of all of them; NULL: each call has its own, or none is known yet */
  int is_kept;
  int have_memory; /* 1: there may be something to free */
  size_t left;     /* parts that are to be run by the calling thread */
  usw_status_t status;
  size_t failed;
  char text[USWI_TEXT_BYTES];
} uswi_parts_t;

static inline void uswi_part_init(uswi_part_t *part, const usw_kernel_t *kernel, size_t n, size_t number) {
  part->record = NULL;
  part->results = NULL;
  part->number = number;
  part->state = USWI_PART_IS_EMPTY;
  part->own.ticket = NULL;
  part->is_launched = part->is_repeatable = 0;
  uswi_call_init(&part->call, kernel, n, &part->options);
}

/* Run one or more parts of a kernel with one result, merge them in their order, and write the results and the report. The first
 * part's call stands for all of them in the end. */
usw_status_t uswi_run_parts(uswi_parts_t *parts);

/* The same to the record of all items in place of a result, and to the report. Variables NULL: no result is wanted here. */
usw_status_t uswi_reduce_parts_to_record(uswi_parts_t *parts, void *record_out);

/* Run calls that have nothing to do with each other, each to its own results. */
usw_status_t uswi_run_each_part(uswi_parts_t *parts);

/* The first in steps, for parts that run many times. Keep them: check, place and choose, unless that is done; variables, which may be
 * others in each run, may be NULL before the first one, if the kernel has no spans. Start all, and run here what cannot be
 * started; look whether what was started has ended; wait for it and write the results. A start that fails has waited. */
usw_status_t uswi_parts_keep(uswi_parts_t *parts);
usw_status_t uswi_parts_start(uswi_parts_t *parts);
int uswi_parts_are_done(const uswi_parts_t *parts);
usw_status_t uswi_parts_end(uswi_parts_t *parts);

/* Free what parts hold, if none is under way. */
void uswi_parts_clear(uswi_parts_t *parts);

/* Say of the failure that this thread has had last which part it is of; k counts from 0. Returns the status. */
usw_status_t uswi_fail_of_part(usw_status_t status, size_t k, size_t count);

#endif
