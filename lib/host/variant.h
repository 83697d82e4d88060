/* Which version of a kernel's host function this processor runs. */
#ifndef USWI_HOST_VARIANT_H
#define USWI_HOST_VARIANT_H

#include <upsweep/descriptor.h>

/* Versions by the index that they have in a descriptor. */
typedef enum uswi_isa { USWI_ISA_BASE, USWI_ISA_V2, USWI_ISA_V3, USWI_ISA_V4 } uswi_isa_t;

/* The best version that the processor has. */
uswi_isa_t uswi_isa_best(void);

/* "base", "v2", "v3", "v4". */
const char *uswi_isa_name(uswi_isa_t isa);

/* The version that calls use: the best one, or what USW_HOST_ISA names if that is less. */
uswi_isa_t uswi_isa(void);

/* The kernel's host function of that version, or of the next lower one that it has. */
usw_host_function_t uswi_host_function(const usw_kernel_t *kernel);

#endif
