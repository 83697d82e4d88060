#include "exec/staging_near.h"

#include <pthread.h>

#include "backend/gpu_driver.h"
#include "machine/numa.h"
#include "policy/devices.h"

static int numbers[USWI_MAX_DEVICES]; /* of the nodes, by the index of the GPU */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void ask(void) {
  usw_device_info_t info = {.size = sizeof info, .node = -1};
  for (int g = 0; g < USWI_MAX_DEVICES; g++)
    numbers[g] = -1;
  for (int g = 0; g < USWI_MAX_DEVICES && uswi_gpu(g); g++)
    if (uswi_gpu(g)->driver) {
      uswi_gpu(g)->driver->describe(uswi_gpu(g)->ordinal, &info);
      numbers[g] = info.node;
      info.node = -1;
    }
}

uswi_near_t uswi_staging_near(const uswi_topology_t *topology) {
  uswi_near_t near = {0};
  pthread_once(&once, ask);
  for (int g = 0; g < USWI_MAX_DEVICES && uswi_gpu(g); g++)
    near.nodes[near.gpus++] = uswi_node_of_number(topology, numbers[g]);
  return near;
}

uint16_t uswi_staging_gpu(const uswi_device_t *device) {
  uint16_t g = 0;
  while (uswi_gpu(g) && uswi_gpu(g) != device)
    g++;
  return g;
}

int uswi_staging_memory_near(const uswi_device_t *device) {
  pthread_once(&once, ask);
  const uint16_t g = uswi_staging_gpu(device);
  return uswi_gpu(g) ? numbers[g] : -1;
}
