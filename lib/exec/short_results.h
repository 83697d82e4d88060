/* Short calls for many results on the host: like short.h, along axes and of segments. */
#ifndef USWI_EXEC_SHORT_RESULTS_H
#define USWI_EXEC_SHORT_RESULTS_H

#include "exec/short.h"
#include "policy/axes.h"
#include "policy/segments.h"

/* Run the library's kernel along axes that are described, on this thread, if the call is short. 0: it is not, or something is wrong with it;
 * nothing is written then, and the usual way runs it or says what. The same bits both ways. arrays: the addresses of their elements (0, 0, ...). */
int uswi_run_axes_short(const usw_kernel_t *kernel, const uswi_axes_t *axes, const uint64_t *arrays, void *results,
                        const usw_options_t *options);

/* The same of segments of n items. */
int uswi_run_segments_short(const usw_kernel_t *kernel, const uswi_segments_t *segments, size_t n,
                            const uint64_t *arrays, void *results, const usw_options_t *options);

#endif
