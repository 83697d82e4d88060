/* The GPU drivers that this library knows. */
#ifndef USWI_BACKEND_GPU_DRIVERS_H
#define USWI_BACKEND_GPU_DRIVERS_H

#include "backend/gpu_driver.h"

enum { USWI_GPU_DRIVERS = 1 };
extern const uswi_gpu_driver_t *const uswi_gpu_drivers[USWI_GPU_DRIVERS];

/* GPUs that all drivers show; and the k-th of them, NULL behind the last. */
int uswi_driver_gpu_count(void);
const uswi_gpu_driver_t *uswi_driver_gpu(int k, int *ordinal_out);

#endif
