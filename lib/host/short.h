/* Short calls on the host. Most ask for nothing but a result of few elements, which is there sooner than all is asked that a
 * call may want. */
#ifndef USWI_HOST_SHORT_H
#define USWI_HOST_SHORT_H

#include <upsweep/descriptor.h>

/* Run a kernel of the library's on this thread if the call is short and plain: contiguous streams where the host reads them,
 * one chunk, nothing by options but the place and the NaN policy. 0: it is not, or something is wrong with it; nothing is
 * written then, and the usual way runs it or says what. The same bits both ways. */
int uswi_run_short(const usw_kernel_t *kernel, const uint64_t *slots, uint32_t streams, size_t n, void *result_out,
                   const usw_options_t *options);

#endif
