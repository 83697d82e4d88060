/* Sums by several sweeps over the elements: USW_EXACT, and USW_REPRODUCIBLE with more bins than one sweep keeps. */
#ifndef USWI_EXEC_EXACT_H
#define USWI_EXEC_EXACT_H

#include <upsweep/window.h>

#include "policy/call.h"
#include "policy/catalog.h"

/* Such a call when its place is decided. */
typedef struct uswi_exact {
  const usw_kernel_t *kernel; /* of a sweep, at that place */
  const char *name;           /* of the reduction */
  usw_options_t options;      /* of a sweep */
  uint32_t most_sweeps;
  uint32_t element_bytes, elements_per_item;
  int has_device;
} uswi_exact_t;

int uswi_has_sweeps(usw_operation_t operation, usw_type_t type, const usw_options_t *options);

/* Whether the options ask for more than one sweep finds, and the reduction has sweeps. Options of another size ask for
 * nothing: the call's checks tell. */
static inline int uswi_takes_sweeps(usw_operation_t operation, usw_type_t type, const usw_options_t *options) {
  return options && options->size == sizeof *options && options->accuracy >= USW_REPRODUCIBLE &&
         uswi_has_sweeps(operation, type, options);
}

/* What is wrong with the options of such a call. */
usw_status_t uswi_exact_check(const usw_kernel_t *usual, const usw_options_t *options);

/* Check the options and decide the place: where a call of n elements at `first` runs. `usual` is the kernel of one sweep. */
usw_status_t uswi_exact_begin(uswi_exact_t *exact, const usw_kernel_t *usual, size_t n, const void *first,
                              const usw_options_t *options);

/* The call of one sweep over n elements. */
void uswi_exact_call_init(const uswi_exact_t *exact, size_t n, uswi_call_t *call);

/* The exact sum of what sweeps have found so far, of real parts or imaginary ones. Starts as zeros. */
typedef struct uswi_exact_sum {
  usw_window_sum_t windows;
  int is_special; /* `special` is the sum, which is no number or an infinity */
  double special;
} uswi_exact_sum_t;

/* Sweeps over the items of a call, one after the other: each follows from what the one before has found. */
typedef struct uswi_sweeps {
  uswi_exact_t exact;
  const usw_kernel_t *usual;
  uint64_t streams[USWI_MAX_LIBRARY_ARGUMENTS];
  size_t n;
  uint32_t sum, sums; /* of complex numbers there are two */
  const char *x, *y;  /* of that sum */
  ptrdiff_t stride[2];
  uint32_t sweep;
  int least;
  double anchor; /* 0: a sweep over everything, else over what is left by it */
  /* the next sweep's, as long as it runs */
  uint64_t arguments[9];
  usw_options_t options;
  usw_report_t report;
  usw_window_t window;
  usw_variable_t variable;
} uswi_sweeps_t;

/* Begin: of n items in streams, where the options say. Then aim a call at the next sweep, run it with the arguments, and take what it has
 * found into the sums, and its bytes into a report, which may be NULL: 1 if there is to be another sweep. With USW_EXACT items of several
 * calls may be added to the same sums: nothing is rounded. For a report the items that count are counted in the end. */
usw_status_t uswi_sweeps_begin(uswi_sweeps_t *sweeps, const usw_kernel_t *usual, const uint64_t *streams, size_t n,
                               const usw_options_t *options);
void uswi_sweeps_aim(uswi_sweeps_t *sweeps, uswi_call_t *call);
int uswi_sweeps_take(uswi_sweeps_t *sweeps, usw_report_t *total, uswi_exact_sum_t sums[2]);
usw_status_t uswi_sweeps_count_kept(const uswi_sweeps_t *sweeps, usw_report_t *total);

/* Round and write them. */
void uswi_exact_write(const usw_kernel_t *usual, const uswi_exact_sum_t sums[2], void *result_out);

/* Run. `usual` is the kernel of one sweep, whose streams these are. */
usw_status_t uswi_exact_reduce(const usw_kernel_t *usual, const uint64_t *streams, size_t n, void *result_out,
                               const usw_options_t *options);

#endif
