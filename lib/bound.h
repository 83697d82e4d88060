/* Bounds of errors. */
#ifndef USWI_BOUND_H
#define USWI_BOUND_H

#include <upsweep/descriptor.h>
#include <upsweep/explain.h>

/* Fill in the bound of a call of the kernel, whose longest chain the explanation has already. */
void uswi_bound_error(usw_explanation_t *explanation, const usw_kernel_t *kernel, size_t n);

#endif
