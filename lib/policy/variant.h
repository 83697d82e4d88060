/* The version of a kernel's host function that calls use. */
#ifndef USWI_POLICY_VARIANT_H
#define USWI_POLICY_VARIANT_H

#include <upsweep/descriptor.h>

#include "machine/isa.h"

/* The level that calls use: the processor's highest, or what USW_HOST_ISA names if that is lower. */
uswi_isa_t uswi_isa(void);

/* The kernel's host function of that level, or of the next lower one that it has. */
usw_host_function_t uswi_host_function(const usw_kernel_t *kernel);

#endif
