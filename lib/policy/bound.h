/* Bounds of errors. */
#ifndef USWI_POLICY_BOUND_H
#define USWI_POLICY_BOUND_H

#include <upsweep/descriptor.h>
#include <upsweep/explain.h>

/* The sweeps of a correctly rounded result: as many as it needs. */
#define USWI_ALL_SWEEPS UINT32_MAX

/* Fill in the bound of a call of the kernel, whose longest chain the explanation has already. sweeps: each of three bins, by
 * lib/exec/exact.c; 0: one, of as many bins as the kernel has. */
void uswi_bound_error(usw_explanation_t *explanation, const usw_kernel_t *kernel, size_t n, uint32_t sweeps);

#endif
