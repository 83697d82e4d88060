/* Places, and the data on them. */
#include "bench.h"
#include "measure/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const places[] = {"host", "x86_64", "gpu",
                                     "simt"}; /* the last: in a program with the emulated GPU */

int bench_is_place(const char *name) {
  for (size_t k = 0; k < sizeof places / sizeof *places; k++)
    if (strcmp(name, places[k]) == 0)
      return 1;
  return 0;
}

int bench_find_place(const char *name, bench_place_t *place_out) {
  *place_out = (bench_place_t){"host", -1};
  if (name && strcmp(name, "host") == 0)
    return 0;
  if ((!name || strcmp(name, "gpu") == 0) && usw_gpu_count(&place_out->device) > 0) {
    place_out->name = "gpu";
    return 0;
  }
  if (!name)
    return 0;
  for (int device = 0; device < bench_device_count(); device++) {
    const char *target = usw_device_target(device);
    if (!target || strcmp(target, name) != 0)
      continue;
    *place_out = (bench_place_t){name, device};
    return 0;
  }
  return -1;
}

/* Copies a block of data to the device again and again, until there are n elements. */
static int fill_device(int device, const bench_type_t *type, bench_data_t data, int input, size_t n, void *memory) {
  const size_t block = (size_t)BENCH_PERIOD * 4096;
  const size_t length = n < block ? n : block;
  void *elements = malloc(length * type->bytes);
  int failed = !elements;
  if (elements)
    bench_fill(type, data, input, length, elements);
  for (size_t first = 0; first < n && !failed; first += length) {
    const size_t count = n - first < length ? n - first : length;
    failed = bench_device_write(device, memory, first * type->bytes, elements, count * type->bytes);
  }
  free(elements);
  return failed ? -1 : 0;
}

/* A buffer of the host starts on a page, like one of a device. */
void *bench_allocate(const bench_place_t *place, size_t bytes) {
  if (place->device >= 0)
    return bench_device_allocate(place->device, bytes);
  return aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
}

void bench_free(const bench_place_t *place, void *memory) {
  if (place->device >= 0)
    bench_device_free(place->device, memory);
  else
    free(memory);
}

int bench_make_data(const bench_place_t *place, const bench_type_t *type, bench_data_t data, size_t n, int inputs,
                    void *streams_out[2]) {
  streams_out[0] = streams_out[1] = NULL;
  for (int input = 0; input < inputs; input++) {
    void *memory = n > SIZE_MAX / type->bytes ? NULL : bench_allocate(place, n * type->bytes);
    streams_out[input] = memory;
    int failed = !memory;
    if (memory && place->device < 0)
      bench_fill(type, data, input, n, memory);
    else if (memory)
      failed = fill_device(place->device, type, data, input, n, memory);
    if (!failed)
      continue;
    fprintf(stderr, "usw-bench: no memory for %zu elements of %s on %s\n", n, type->name, place->name);
    bench_free_data(place, streams_out);
    return -1;
  }
  return 0;
}

void bench_free_data(const bench_place_t *place, void *streams[2]) {
  for (int input = 0; input < 2; input++) {
    bench_free(place, streams[input]);
    streams[input] = NULL;
  }
}
