/* What NVIDIA's driver and Linux tell of a GPU. */
#ifndef USWI_BACKEND_GPU_INFO_H
#define USWI_BACKEND_GPU_INFO_H

#include <upsweep/info.h>

/* Fill in name, memory, PCI address and NUMA node of the GPU with this number of the driver's; what nobody tells stays as it
 * is. */
void uswi_gpu_describe(int ordinal, usw_device_info_t *gpu);

#endif
