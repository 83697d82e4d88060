/* The table of devices, filled once, at the first call that could run on one. */
#ifndef USWI_POLICY_DEVICES_H
#define USWI_POLICY_DEVICES_H

#include "backend/backend.h"

/* The device with this OpenMP number, or NULL. */
const uswi_device_t *uswi_device(int number);

/* The k-th GPU, or NULL. Costs nothing when there is none. */
const uswi_device_t *uswi_gpu(int k);

/* How many GPUs there are; -1 until one is asked for. */
extern _Atomic int uswi_gpus;

/* How many devices of any kind there are. */
int uswi_device_count(void);

/* Whether one of these images ("x86_64 sm_80 sm_90") runs on the device. */
int uswi_device_has_image(const uswi_device_t *device, const char *images);

/* Put process-wide device settings back as they were found. */
void uswi_devices_release(void);

#endif
