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

uswi_near_t uswi_staging_near(const uswi_topology_t *topology, const uswi_device_t *device) {
  uswi_near_t near = {0};
  pthread_once(&once, ask);
  for (int g = 0; g < USWI_MAX_DEVICES && uswi_gpu(g); g++) {
    near.nodes[near.gpus++] = uswi_node_of_number(topology, numbers[g]);
    if (uswi_gpu(g) == device)
      near.gpu = (uint32_t)g;
  }
  return near;
}

int uswi_staging_memory_near(const uswi_device_t *device) {
  pthread_once(&once, ask);
  for (int g = 0; g < USWI_MAX_DEVICES && uswi_gpu(g); g++)
    if (uswi_gpu(g) == device)
      return numbers[g];
  return -1;
}
