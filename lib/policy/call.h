/* One call on its way through the library: checked (check.h), placed (place.h), chosen for (choose.h), run (exec/). Each step
 * fills in its part. */
#ifndef USWI_POLICY_CALL_H
#define USWI_POLICY_CALL_H

#include <upsweep/axes.h>
#include <upsweep/segments.h>

#include "backend/backend.h"
#include "backend/driver.h"
#include "policy/tuning.h"

typedef struct uswi_call {
  /* as it came */
  const usw_kernel_t *kernel;
  const char *name;    /* in errors: the kernel's, or that of the reduction which it is a part of */
  uint32_t item_bytes; /* what an item reads: the kernel's number, or this call's where kernels serve many types */
  size_t n;
  const usw_variable_t *variables;      /* NULL: nothing is written (api/partial.c) */
  const usw_options_t *options;         /* never NULL */
  const struct uswi_axes *axes;         /* of kernels along axes (axes.h), else NULL */
  const struct uswi_segments *segments; /* of kernels of segments (segments.h), else NULL */
  uint64_t index_of_first;              /* what kernels with USW_FACT_INDEX count from */
  uint64_t cut;                         /* bit a: argument a's stream is mapped in part only (mapped_sections.h) */
  uint64_t start_ns;                    /* of a call with a report */
  uint64_t kept;                        /* for the report: items that count, once they are accumulated */
  /* check.c */
  uint64_t arguments[USWI_MAX_ARGUMENTS];
  ptrdiff_t strides[USW_MAX_INPUTS];
  uint64_t
      extents[USWI_MAX_REDUCERS]; /* of many results: how many, and while they run their addresses (exec/results.c) */
  size_t record_bytes;            /* of an accumulator and its block of cells */
  uint64_t cells;                 /* elements in that block */
  /* place.c: the device, or NULL for the host; arguments then hold addresses that are valid there */
  const uswi_device_t *device;
  /* on a device: bit a set = the stream of argument a is in host memory, and comes in chunks (staging_run.c) */
  uint64_t staged;
  const uswi_driver_entry_t *entry; /* of the kernel there (prepare.c) */
  uint64_t home, home_bytes;        /* memory of that device as the driver has told; 0: none yet */
  uint64_t results_direct;          /* results.c, as bits: variables that the place can write */
  /* choose.c */
  usw_strategy_t strategy;
  uint32_t teams, team_size;
  uint32_t common_blocks, has_fixed_point; /* of calls with cells (cells.h) */
  uint32_t work_group_load;                /* of multipass */
  const uswi_tuning_entry_t *tuning_entry; /* NULL where the caller chose */
  uint32_t chunks;                         /* on the host */
  size_t first_share;                      /* results.c: of results on the host, those before it have been taken */
  /* Records that are gathered on the device, its own among them: of parts (exec/parts_gather.c), of processes (api/gathering.c), of the original
   * values (results.c); 1: its own waits there, for another part or to be copied (exec/run.c) */
  uint32_t gathered;
  uint32_t writes_span;   /* results.c: the launches write the variable */
  uint64_t results_there; /* results.c, as bits: variables in a device's memory */
  /* exec/scan.c */
  uint32_t restarts;  /* of kernels with USW_FACT_RESTARTS: how often the scan has begun anew */
  const void *before; /* of a scan's chunk (staging_run.c): the record of all items before it, else NULL */
} uswi_call_t;

extern const usw_options_t uswi_default_options;

/* A call of n items of a kernel that uswi_check_kernel() knows; options NULL: the defaults. Its variables, if any, are set by
 * the caller. */
static inline void uswi_call_init(uswi_call_t *call, const usw_kernel_t *kernel, size_t n,
                                  const usw_options_t *options) {
  call->kernel = kernel;
  call->name = kernel->name;
  call->item_bytes = kernel->item_bytes;
  call->n = n;
  call->variables = NULL;
  call->record_bytes = kernel->accumulator_bytes;
  call->cells = 0;
  call->common_blocks = call->has_fixed_point = 0;
  call->options = options ? options : &uswi_default_options;
  call->axes = NULL;
  call->segments = NULL;
  call->index_of_first = 0;
  call->cut = 0;
  call->start_ns = 0;
  call->before = NULL;
  call->device = NULL;
  call->teams = call->team_size = 1;
  call->gathered = 0;
  call->writes_span = 0;
  call->results_there = 0;
  call->first_share = 0;
}

/* What an item reads, or 1 where bodies load for themselves, for divisions by it. */
static inline size_t uswi_bytes_of_item(const uswi_call_t *call) { return call->item_bytes ? call->item_bytes : 1; }

/* The reducers that start from the identity, as bits: by the options or by the kernel's list. */
static inline uint64_t uswi_fresh_reducers(const uswi_call_t *call) {
  uint64_t fresh = call->options->initialize_to_identity;
  for (uint32_t r = 0; r < call->kernel->reducer_count; r++)
    fresh |= (uint64_t)call->kernel->reducers[r].is_fresh << r;
  return fresh;
}

/* Whether the call itself asks for rechecks. */
static inline int uswi_asks_for_rechecks(const usw_options_t *options) {
  return options->recheck != 0 && options->recheck != USW_RECHECK_NEVER;
}

/* Teams of its kernel that run on a multiprocessor of its device at once; as most do, where the driver does not tell. */
enum { USWI_USUAL_RESIDENT_TEAMS = 4 };
static inline uint32_t uswi_teams_at_once(const uswi_call_t *call) {
  const uint32_t resident = call->entry->resident_teams;
  return resident != 0 ? resident : USWI_USUAL_RESIDENT_TEAMS;
}

/* The stride that a caller's number means. */
static inline ptrdiff_t uswi_stride(ptrdiff_t asked) { return asked == 0 ? 1 : asked == USW_STRIDE_NONE ? 0 : asked; }

static inline int uswi_has_many_results(const usw_kernel_t *kernel) {
  return (kernel->facts & USW_FACT_MANY_RESULTS) != 0;
}

/* The class of a call, by which entries of tuning tables are for it. */
static inline uint32_t uswi_results_class_of(const uswi_call_t *call) {
  return !uswi_has_many_results(call->kernel) ? USWI_ONE_RESULT
         : call->segments                     ? USWI_RESULTS_OF_SEGMENTS
                                              : USWI_RESULTS_OF_AXES;
}
static inline uswi_class_t uswi_class_of(const uswi_call_t *call) {
  const usw_kernel_t *kernel = call->kernel;
  uint32_t bytes = 1;
  while (bytes < call->item_bytes && bytes < USWI_MOST_ITEM_CLASS)
    bytes *= 2;
  const int is_small = kernel->accumulator_bytes <= USWI_SMALL_ACCUMULATOR_BYTES || (kernel->facts & USW_FACT_AWAITS);
  return (uswi_class_t){bytes, is_small ? USWI_SMALL_ACCUMULATOR : USWI_LARGE_ACCUMULATOR, uswi_results_class_of(call)};
}

/* Whether bodies see what is before their item (scan.h). */
static inline int uswi_is_scan(const usw_kernel_t *kernel) { return (kernel->facts & USW_FACT_SCAN) != 0; }

/* Whether its records begin with the original values of the variables. */
static inline int uswi_has_originals(const uswi_call_t *call) { return uswi_is_scan(call->kernel) && call->n > 0; }

/* What a call with many results tells the kernel of them: the last of its arguments. */
static inline usw_results_words_t *uswi_results_words(uswi_call_t *call) {
  uint64_t *const end = call->arguments + call->kernel->argument_count;
  return (usw_results_words_t *)(void *)(end - sizeof(usw_results_words_t) / sizeof *end);
}

static inline const usw_results_words_t *uswi_results_words_of(const uswi_call_t *call) {
  return uswi_results_words((uswi_call_t *)(uintptr_t)call);
}

/* How many results it has. */
static inline size_t uswi_results_of(const uswi_call_t *call) {
  return (size_t)uswi_results_words_of(call)->usw_results;
}

/* Whether an argument has an element for each item; the streams' strides are in the order of the arguments. */
static inline int uswi_is_stream(const usw_argument_t *argument) {
  return (1u << USW_ARGUMENT_IN | 1u << USW_ARGUMENT_OUT) >> argument->kind & 1;
}

#endif
