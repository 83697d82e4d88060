#include "backend/gpu_drivers.h"

#include "backend/cuda.h"

const uswi_gpu_driver_t *const uswi_gpu_drivers[USWI_GPU_DRIVERS] = {&uswi_cuda_driver};

int uswi_driver_gpu_count(void) {
  int count = 0;
  for (int d = 0; d < USWI_GPU_DRIVERS; d++)
    count += uswi_gpu_drivers[d]->count();
  return count;
}

const uswi_gpu_driver_t *uswi_driver_gpu(int k, int *ordinal_out) {
  for (int d = 0; d < USWI_GPU_DRIVERS && k >= 0; k -= uswi_gpu_drivers[d++]->count())
    if (k < uswi_gpu_drivers[d]->count()) {
      *ordinal_out = k;
      return uswi_gpu_drivers[d];
    }
  return NULL;
}
