/* Kernels of selections. */
#ifndef USWI_API_SELECT_H
#define USWI_API_SELECT_H

#include <upsweep/descriptor.h>
#include <upsweep/types.h>

/* That for elements of a type, by their size and boundary; NULL with the error set: it is no type. */
const usw_kernel_t *uswi_select_kernel(usw_type_t type);

#endif
