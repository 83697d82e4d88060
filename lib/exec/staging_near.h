/* What of this machine is near to a device, as far as Linux tells of its place on the PCI bus. */
#ifndef USWI_EXEC_STAGING_NEAR_H
#define USWI_EXEC_STAGING_NEAR_H

#include "backend/backend.h"
#include "machine/topology.h"

/* The GPUs that share the cores. */
typedef struct uswi_near {
  uint32_t gpus;
  uint16_t nodes[USWI_MAX_DEVICES]; /* as uswi_staging_deal() takes them */
} uswi_near_t;

uswi_near_t uswi_staging_near(const uswi_topology_t *topology);

/* Which of these GPUs a device is. */
uint16_t uswi_staging_gpu(const uswi_device_t *device);

/* The system's number of the node whose memory is near; -1: not known, or all are. */
int uswi_staging_memory_near(const uswi_device_t *device);

#endif
