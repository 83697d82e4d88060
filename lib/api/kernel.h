/* What every run of a user's kernel begins with. */
#ifndef USWI_API_KERNEL_H
#define USWI_API_KERNEL_H

#include "api/library.h"
#include "base/error.h"
#include "policy/check.h"

/* Check that the library runs, and what the caller hands over. */
static inline usw_status_t uswi_enter_kernel(const usw_kernel_t *kernel, const usw_variable_t *variables) {
  const usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  return variables ? uswi_check_kernel(kernel) : uswi_fail(USW_ERROR_INVALID, "the variables are NULL");
}

#endif
