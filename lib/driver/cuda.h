/* The little that is asked of NVIDIA's driver directly, through dlopen: nothing here fails when
 * there is no driver. */
#ifndef USWI_DRIVER_CUDA_H
#define USWI_DRIVER_CUDA_H

#include <stdint.h>

#include "environment.h"
#include "launch/lane.h"

typedef struct uswi_cuda_device {
  int major, minor; /* compute capability */
  uint32_t multiprocessors;
} uswi_cuda_device_t;

/* GPUs that the driver shows; 0 without a driver. */
int uswi_cuda_device_count(void);

/* 0 if there is no such GPU. */
int uswi_cuda_device(int ordinal, uswi_cuda_device_t *device_out);

/* Where an address points; `device` is the driver's ordinal. */
uswi_where_t uswi_cuda_where(const void *address);

/* How host threads wait for the GPUs, for the whole process, until it is put back. */
void uswi_cuda_set_wait(uswi_wait_t wait);
void uswi_cuda_restore_wait(void);

#endif
