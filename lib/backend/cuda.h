/* NVIDIA's driver, loaded at run time: nothing here fails when there is none. */
#ifndef USWI_BACKEND_CUDA_H
#define USWI_BACKEND_CUDA_H

#include "backend/gpu_driver.h"

extern const uswi_gpu_driver_t uswi_cuda_driver;

#endif
