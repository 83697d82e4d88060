/* One call on its way through the library: check -> place -> choose -> run. Each step fills in its
 * part. */
#ifndef USWI_CALL_H
#define USWI_CALL_H

#include <upsweep/space.h>

#include "launch/lane.h"
#include "tuning.h"

enum { USWI_MAX_ARGUMENTS = 64, USWI_MAX_REDUCERS = 64 };

typedef struct uswi_call {
  /* as it came */
  const usw_kernel_t *kernel;
  size_t n;
  const usw_variable_t *variables; /* NULL: nothing is written (partial.c) */
  const usw_options_t *options;    /* never NULL */
  uint64_t index_of_first;         /* what kernels with USW_FACT_INDEX count from */
  uint64_t start_ns;               /* of a call with a record */
  /* check.c */
  uint64_t slots[USWI_MAX_ARGUMENTS];
  ptrdiff_t strides[USW_MAX_INPUTS];
  uint64_t extents[USWI_MAX_REDUCERS];
  size_t record_bytes; /* of an accumulator and its block of cells */
  uint64_t cells;      /* elements in that block */
  /* place.c: the device, or NULL for the host; slots then hold addresses that are valid there */
  const uswi_device_t *device;
  uint64_t
      staged; /* on a device: bit a set = the stream of argument a is in host memory, and comes in chunks (staging/) */
  uint64_t home, home_bytes; /* memory of that device as the driver has told; 0: none yet */
  /* choose.c */
  usw_strategy_t strategy;
  uint32_t teams, team_size;
  uint32_t work_group_load;     /* of multipass */
  const uswi_row_t *tuning_row; /* NULL where the caller chose */
  uint32_t chunks;              /* on the host */
} uswi_call_t;

/* Copy the arguments in and refuse what is wrong whatever the place. */
usw_status_t uswi_check(uswi_call_t *call, const uint64_t *slots);

/* Whether the options' fold is one, and goes with their accuracy. */
usw_status_t uswi_check_fold(const char *owner, const usw_options_t *options);

/* The parts of it that sets need by themselves. owner and what say in an error's text whose stream it is. */
usw_status_t uswi_check_options(const uswi_call_t *call);
usw_status_t uswi_check_stream(const char *owner, const char *what, uint64_t address, size_t n, ptrdiff_t stride,
                               uint32_t bytes, uint32_t alignment_bytes);

/* Alignments are powers of two, and divisions a good part of a short call. */
static inline int uswi_is_aligned(uint64_t address, uint32_t alignment_bytes) {
  return (address & (alignment_bytes - 1)) == 0;
}

/* The stride that a caller's number means. */
static inline ptrdiff_t uswi_stride(ptrdiff_t asked) { return asked == 0 ? 1 : asked == USW_STRIDE_NONE ? 0 : asked; }

static inline uint32_t uswi_inputs_of(const usw_kernel_t *kernel) {
  uint32_t inputs = 0;
  for (uint32_t a = 0; a < kernel->argument_count; a++)
    inputs += kernel->arguments[a].kind == USW_ARGUMENT_IN;
  return inputs;
}

/* The items of a space: their number, and the slots that tell the kernel of them (space.c). */
usw_status_t uswi_space_describe(const usw_kernel_t *kernel, uint32_t dimensions, const usw_space_t *space,
                                 const usw_options_t *options, uint64_t *slots, size_t *n_out);

/* Decide where to run and make the addresses valid there. */
usw_status_t uswi_place(uswi_call_t *call);

/* Its two steps: where to run, if the data is at first_address (0: there is none), and one address; owner and what say in
 * an error's text whose it is. */
usw_status_t uswi_place_near(uswi_call_t *call, uint64_t first_address);
usw_status_t uswi_reach(uswi_call_t *call, const char *owner, const char *what, uint64_t *address);

/* Whether streams in host memory are to be staged, if the device cannot read them. */
int uswi_may_stage(const uswi_call_t *call);

/* Decide how to run there. */
usw_status_t uswi_choose(uswi_call_t *call);

/* Up to how many items calls on the host that ask for nothing have one chunk. */
uint64_t uswi_items_of_one_chunk(const usw_kernel_t *kernel);

/* Its last step: as the way says. asked: the number of teams that the caller wants, on the host of chunks; 0: none. */
void uswi_choose_way(uswi_call_t *call, uswi_way_t way, uint32_t asked);

/* Teams that find a tile to work on. */
uint64_t uswi_useful_teams(const uswi_call_t *call);

/* Teams of the launch of multipass that folds so many partials, of which each team takes at most work_group_load, but two
 * at least; 0: these are for the host. */
uint32_t uswi_teams_of_pass(uint32_t partials, uint32_t work_group_load);

/* A call of n items; options NULL: the defaults. Its variables, if any, are set by the caller. */
void uswi_call_init(uswi_call_t *call, const usw_kernel_t *kernel, size_t n, const usw_options_t *options);

/* Every step before anything runs: enter the library, check, place, choose. */
usw_status_t uswi_prepare(uswi_call_t *call, const uint64_t *slots);

/* Run: leaves the record of all items in record_out, on a 64-byte boundary of host memory; once, and once more if it is a
 * call to recheck. */
usw_status_t uswi_accumulate(uswi_call_t *call, void *record_out);
usw_status_t uswi_run_once(uswi_call_t *call, void *record_out);

/* The reducers that start from the identity, as bits: by the options or by the kernel's list. */
uint64_t uswi_fresh_reducers(const uswi_call_t *call);

/* Whether a call whose strategy is chosen promises the same bits on every run. */
int uswi_is_repeatable(const uswi_call_t *call);

/* Combine the original values in and write the result; the record is used up. In the arithmetic of accurate sums, if the
 * call has some. */
usw_status_t uswi_finish(const uswi_call_t *call, void *record);

/* Run to the written result, with room for a record. */
usw_status_t uswi_run(uswi_call_t *call, void *record);

/* Whether the library can run a kernel of this descriptor. */
usw_status_t uswi_check_kernel(const usw_kernel_t *kernel);

/* Nanoseconds of wall clock, from any moment on. */
uint64_t uswi_now_ns(void);

/* Write what ran into the call's record, if it asked for one. */
void uswi_fill_record(const uswi_call_t *call);

/* Run on the device: leaves the record of all items in record_out (host memory). */
usw_status_t uswi_run_on_device(const uswi_call_t *call, void *record_out);

/* The entry that launches of the call use through NVIDIA's driver (launch/driver.h); NULL: they go through the OpenMP runtime,
 * and *why_out says why, else nothing. */
void *uswi_entry_through_driver(const uswi_call_t *call, const char **why_out);

/* Run on the host: leaves the record of all items in record_out (host memory). */
usw_status_t uswi_run_on_host(uswi_call_t *call, void *record_out);

#endif
