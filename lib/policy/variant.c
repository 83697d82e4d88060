#include "policy/variant.h"

#include "machine/environment.h"

uswi_isa_t uswi_isa(void) { return (uswi_isa_t)uswi_environment()->isa; }

usw_host_function_t uswi_host_function(const usw_kernel_t *kernel) {
  int isa = uswi_environment()->isa;
  while (isa > 0 && !kernel->host[isa])
    isa--;
  return kernel->host[isa];
}
