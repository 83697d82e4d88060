/* The table of devices, filled once, at the first call that could run on one. */

#include "policy/devices.h"

#include <string.h>

#include "backend/gpu_drivers.h"
#include "base/once.h"
#include "machine/environment.h"
#include "policy/tuning_fit.h"

static uswi_device_t devices[USWI_MAX_DEVICES];
static int device_count;
static const uswi_device_t *gpus[USWI_MAX_DEVICES + 1];
static uswi_once_t once = USWI_ONCE;

_Atomic int uswi_gpus = -1;

static void discover(void) {
  int count = 0;
  device_count = uswi_backend_devices(devices, USWI_MAX_DEVICES);
  for (int d = 0; d < device_count; d++)
    if (!devices[d].shares_host_memory)
      gpus[count++] = &devices[d];
  uswi_gpus = count;
  uswi_tuning_fit(devices, device_count);
  if (count > 0)
    for (int d = 0; d < USWI_GPU_DRIVERS; d++)
      uswi_gpu_drivers[d]->set_wait(uswi_environment()->wait);
}

const uswi_device_t *uswi_device(int number) {
  uswi_once(&once, discover);
  for (int d = 0; d < device_count; d++)
    if (devices[d].number == number)
      return &devices[d];
  return NULL;
}

const uswi_device_t *uswi_gpu(int k) {
  uswi_once(&once, discover);
  return gpus[k];
}

int uswi_device_count(void) {
  uswi_once(&once, discover);
  return device_count;
}

/* An image runs on the architecture it was made for; NVIDIA's also on later ones with the same
 * first digit. */
static int image_fits(const char *image, size_t length, const char *device_image) {
  if (strlen(device_image) != length)
    return 0;
  if (strncmp(image, "sm_", 3) != 0)
    return strncmp(image, device_image, length) == 0;
  return strncmp(image, device_image, length - 1) == 0 && image[length - 1] <= device_image[length - 1];
}

int uswi_device_has_image(const uswi_device_t *device, const char *images) {
  while (*images) {
    const size_t length = strcspn(images, " ");
    if (image_fits(images, length, device->image))
      return 1;
    images += length;
    images += strspn(images, " ");
  }
  return 0;
}

void uswi_devices_release(void) {
  for (int d = 0; d < USWI_GPU_DRIVERS; d++)
    uswi_gpu_drivers[d]->restore_wait();
}
