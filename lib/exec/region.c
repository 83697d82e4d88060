#include "exec/region.h"

#include <omp.h>

#include "machine/arithmetic.h"
#include "machine/binding.h"
#include "machine/environment.h"

void uswi_run_region(const uswi_crew_t *crew, const uswi_call_t *call, uswi_region_body_t body, void *context) {
  const uswi_topology_t *topology = uswi_environment()->bind ? uswi_topology() : NULL;
#pragma omp parallel num_threads(crew->team)
  {
    const uint32_t t = (uint32_t)omp_get_thread_num();
    uswi_arithmetic_t threads_own;
    uswi_arithmetic_begin(&threads_own, call->kernel, call->options); /* what it inherits is up to the runtime */
    if (topology)
      uswi_bind_thread(topology, t);
    body(context, t, (uint32_t)omp_get_num_threads());
    uswi_arithmetic_end(&threads_own);
  }
}
