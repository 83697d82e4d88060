/* Short calls on the host. Most ask for nothing but a result of few elements, which is there sooner than all is asked that a
 * call may want. */
#ifndef USWI_HOST_SHORT_H
#define USWI_HOST_SHORT_H

#include <upsweep/descriptor.h>

/* What short calls of a kernel need to know of it, and of what stays as it is once the library runs. */
typedef struct uswi_short {
  usw_host_function_t function;
  uint64_t (*finish)(const void *record, const usw_variable_t *variables, const uint64_t *extents);
  uint64_t most_items; /* 0: none of its calls are short */
  uint32_t element_alignment_bytes, result_alignment_bytes;
  uint32_t streams, nan_slot; /* the slot of the NaN policy, or the last one */
} uswi_short_t;

/* Find out where calls run that name no place: once, when the library runs, before any of the others. */
void uswi_short_prepare(void);

/* Of a kernel of the library's that reads so many streams. */
uswi_short_t uswi_short_of(const usw_kernel_t *kernel, uint32_t streams);

/* Run the kernel on this thread if the call is short and plain: contiguous streams where the host reads them, one chunk,
 * nothing by options but the place and the NaN policy. 0: it is not, or something is wrong with it; nothing is written then,
 * and the usual way runs it or says what. The same bits both ways. Slots: USWI_MAX_LIBRARY_SLOTS, zeros behind the streams. */
int uswi_run_short(const uswi_short_t *how, uint64_t *slots, size_t n, void *result_out, const usw_options_t *options);

#endif
