/* The backend of a library that was built without offload: there are no devices. */
#include "backend/backend.h"

int uswi_backend_devices(uswi_device_t *devices, int capacity) {
  (void)devices, (void)capacity;
  return 0;
}

uswi_where_t uswi_backend_where(const void *address) {
  (void)address;
  return (uswi_where_t){USWI_MEMORY_HOST, -1};
}

const void *uswi_backend_mapped(const uswi_device_t *device, const void *address) {
  (void)device, (void)address;
  return NULL;
}

void *uswi_backend_allocate(const uswi_device_t *device, size_t bytes, int zeroed) {
  (void)device, (void)bytes, (void)zeroed;
  return NULL;
}

void uswi_backend_free(const uswi_device_t *device, void *memory) { (void)device, (void)memory; }

void *uswi_backend_allocate_host(const uswi_device_t *device, size_t bytes) {
  (void)device, (void)bytes;
  return NULL;
}

void uswi_backend_free_host(const uswi_device_t *device, void *memory) { (void)device, (void)memory; }

int uswi_backend_copy_to_host(const uswi_device_t *device, void *to, const void *from, size_t bytes) {
  (void)device, (void)to, (void)from, (void)bytes;
  return 0;
}

int uswi_backend_copy_to_device(const uswi_device_t *device, void *to, const void *from, size_t bytes) {
  (void)device, (void)to, (void)from, (void)bytes;
  return 0;
}

int uswi_backend_launch(const uswi_device_t *device, const usw_entry_t *entry, const usw_launch_t *how, size_t n,
                        const uint64_t *arguments, void *accumulator_out) {
  (void)device, (void)entry, (void)how, (void)n, (void)arguments, (void)accumulator_out;
  return 0;
}

const char *uswi_backend_refusal(void) { return NULL; }

void uswi_backend_release(void) {}
