#include "backend/gpu_info.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

/* The node that Linux says is near to a PCI device; it says -1 where all are. */
static int node_near(const char *address) {
  char path[64];
  int node = -1;
  snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/numa_node", address);
  FILE *file = fopen(path, "r");
  if (!file)
    return -1;
  if (fscanf(file, "%d", &node) != 1)
    node = -1;
  fclose(file);
  return node;
}

/* Where a GPU is on the PCI bus: Linux writes addresses in small letters. */
static void locate(void *driver, int ordinal, usw_device_info_t *gpu) {
  int (*address)(char *, int, int) = (int (*)(char *, int, int))(uintptr_t)dlsym(driver, "cuDeviceGetPCIBusId");
  if (!address || address(gpu->pci_address, sizeof gpu->pci_address, ordinal) != 0)
    gpu->pci_address[0] = 0;
  for (char *c = gpu->pci_address; *c; c++)
    *c = (char)tolower((unsigned char)*c);
  if (gpu->pci_address[0])
    gpu->node = node_near(gpu->pci_address);
}

void uswi_gpu_describe(int ordinal, usw_device_info_t *gpu) {
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (!driver)
    return;
  int (*name)(char *, int, int) = (int (*)(char *, int, int))(uintptr_t)dlsym(driver, "cuDeviceGetName");
  int (*memory)(size_t *, int) = (int (*)(size_t *, int))(uintptr_t)dlsym(driver, "cuDeviceTotalMem_v2");
  size_t bytes = 0;
  if (!name || name(gpu->name, sizeof gpu->name, ordinal) != 0)
    gpu->name[0] = 0;
  if (memory && memory(&bytes, ordinal) == 0)
    gpu->memory_bytes = bytes;
  locate(driver, ordinal, gpu);
  dlclose(driver);
}
