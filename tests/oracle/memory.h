/* Memory of a place, with chosen contents and a chosen distance from a 16-byte boundary. */
#ifndef USW_ORACLE_MEMORY_H
#define USW_ORACLE_MEMORY_H

#include <stddef.h>

#include "place.h"

USW_BEGIN_C

typedef struct {
  void *data;  /* the contents, as the place sees them */
  void *block; /* what was allocated */
  int device;  /* OpenMP number, -1: memory of the host */
} place_memory_t;

/* A copy of the contents on the place, offset_bytes after a 16-byte boundary, and not a byte more: a
 * sanitizer sees what reads beyond its end. Contents NULL: zeros. Ends the program if there is no
 * memory. */
place_memory_t memory_get(const test_place_t *place, const void *contents, size_t bytes, size_t offset_bytes);
void memory_free(place_memory_t *memory);
/* What it holds now, from its start. */
void memory_read(const place_memory_t *memory, void *contents_out, size_t bytes);

/* Device memory by its own calls, for tests that need more than a copy: NULL if there is none. */
void *memory_device_allocate(int device, size_t bytes);
void memory_device_free(int device, void *memory);
/* Copies; a device of -1 is the host. Returns 0 on success. */
int memory_device_copy(void *to, int to_device, const void *from, int from_device, size_t bytes);

USW_END_C

#endif
