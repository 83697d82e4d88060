/* Memory of a place that an emulated GPU, too, takes for its own: of programs that hide the host's memory from it. */
#ifndef USW_TESTS_DEVICE_MEMORY_H
#define USW_TESTS_DEVICE_MEMORY_H

#include "oracle/memory.h"
#ifdef USW_PORT_SIMT
#include "backend_simt.h"
#endif

static inline void hide_host_memory(void) {
#ifdef USW_PORT_SIMT
  simt_hide_host_memory();
#endif
}

/* As memory_get() and memory_free(). */
static inline place_memory_t device_memory_get(const test_place_t *place, const void *contents, size_t bytes,
                                               size_t offset_bytes) {
  const place_memory_t memory = memory_get(place, contents, bytes, offset_bytes);
#ifdef USW_PORT_SIMT
  if (place->place == USW_DEVICE)
    simt_is_on_device(place->device, memory.data, bytes);
#endif
  return memory;
}

static inline void device_memory_free(place_memory_t *memory) {
#ifdef USW_PORT_SIMT
  simt_is_on_host(memory->data);
#endif
  memory_free(memory);
}

#endif
