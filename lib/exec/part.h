/* A part of a reduction, and the parts that run together. */
#ifndef USWI_EXEC_PART_H
#define USWI_EXEC_PART_H

#include "base/error.h"
#include "exec/device.h"
#include "policy/call.h"
#include "policy/catalog.h"

enum { USWI_PART_RECORD_BYTES = 512 };

/* A part on its way. The caller sets options and arguments, then initializes it. */
typedef struct uswi_part {
  _Alignas(64) char room[USWI_PART_RECORD_BYTES]; /* for its record, if that is not larger */
  void *record;                                   /* there, in memory, or in pinned memory of the scratch */
  void *memory;                                   /* for one that is larger; NULL: none */
  uswi_call_t call;
  usw_options_t options;                        /* of the call */
  uint64_t streams[USWI_MAX_LIBRARY_ARGUMENTS]; /* of a kernel of the library's: room for its arguments */
  const uint64_t *arguments;                    /* as many as the kernel has */
  void *const *results;                         /* where the place has results too (part_results.h); NULL: nowhere */
  size_t number;                                /* among the caller's, from 0 on */
  enum {
    USWI_PART_IS_EMPTY,
    USWI_PART_IS_LEFT,
    USWI_PART_IS_ASKED_FOR,
    USWI_PART_IS_STARTED,
    USWI_PART_IS_GATHERED, /* its record is on its way to another part's device */
    USWI_PART_HAS_ENDED,
    USWI_PART_WAS_GATHERED /* its record is in another one's */
  } state;
  uswi_scratch_t *scratch; /* of its launches: the device's, or that of its own */
  uswi_scratch_t own;      /* of parts that are kept */
  int is_held;             /* 1: the scratch, for the record that is in it */
  int is_launched;         /* 1: by a launch that it does not wait for; 0: the calling thread runs it */
  int is_repeatable;       /* 1: its launch is launched again as it is */
  uswi_launched_t launched;
  usw_status_t asked_status; /* of the launch by another thread */
} uswi_part_t;

/* Parts that run together, and the first failure: others may fail while they are waited for. */
typedef struct uswi_parts {
  uswi_part_t *part;
  size_t count, whole;             /* how many, and the caller's number for errors */
  const usw_variable_t *variables; /* of all of them; NULL: each call has its own, or none is known yet */
  int is_kept;
  int have_memory; /* 1: there may be something to free */
  size_t staged;   /* parts whose elements are staged */
  size_t left;     /* parts that are neither started nor run */
  size_t launched; /* parts that are launched */
  size_t gathered; /* parts whose records are on their way to another part's device */
  size_t held;     /* parts whose scratches are; 0 between calls */
  int is_written; /* 1: the part that gathers the records of all others writes the variable, and memory of parts, on GPUs */
  int to_record; /* 1: a record is wanted, no result */
  usw_status_t status;
  size_t failed;
  char text[USWI_TEXT_BYTES];
} uswi_parts_t;

static inline void uswi_part_init(uswi_part_t *part, const usw_kernel_t *kernel, size_t n, size_t number) {
  part->record = part->memory = NULL;
  part->results = NULL;
  part->number = number;
  part->state = USWI_PART_IS_EMPTY;
  part->own.ticket = NULL;
  part->is_held = part->is_launched = part->is_repeatable = 0;
  uswi_call_init(&part->call, kernel, n, &part->options);
}

#endif
