/* Short calls along axes on the host: like short.h, for many results. */
#ifndef USWI_EXEC_SHORT_AXES_H
#define USWI_EXEC_SHORT_AXES_H

#include "exec/short.h"
#include "policy/axes.h"

/* Run the library's kernel along axes that are described, on this thread, if the call is short. 0: it is not, or something is wrong with it;
 * nothing is written then, and the usual way runs it or says what. The same bits both ways. arrays: the addresses of their elements (0, 0, ...). */
int uswi_run_axes_short(const usw_kernel_t *kernel, const uswi_axes_t *axes, const uint64_t *arrays, void *results,
                        const usw_options_t *options);

#endif
