/* The data of the applications, and how far a result may be off. */
#include "apps.h"
#include "measure/device.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static size_t elements_of(const apps_stream_t *stream, size_t n) { return stream->elements ? stream->elements(n) : n; }

/* Block after block, by way of the host. */
static int fill_device(const apps_stream_t *stream, size_t n, int device, void *memory) {
  enum { BLOCK_ELEMENTS = 1 << 18 };
  const size_t elements = elements_of(stream, n);
  void *block = malloc(BLOCK_ELEMENTS * stream->element_bytes);
  int failed = !block;
  for (size_t first = 0; first < elements && !failed; first += BLOCK_ELEMENTS) {
    const size_t count = elements - first < BLOCK_ELEMENTS ? elements - first : BLOCK_ELEMENTS;
    stream->fill(n, first, count, block);
    failed = bench_device_write(device, memory, first * stream->element_bytes, block, count * stream->element_bytes);
  }
  free(block);
  return failed;
}

/* A buffer of the host starts on a page, like one of a device. */
static void *make_stream(const apps_stream_t *stream, size_t n, int device) {
  const size_t bytes = elements_of(stream, n) * stream->element_bytes;
  if (device < 0) {
    void *memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (memory)
      stream->fill(n, 0, elements_of(stream, n), memory);
    return memory;
  }
  void *memory = bench_device_allocate(device, bytes);
  if (memory && fill_device(stream, n, device, memory)) {
    bench_device_free(device, memory);
    memory = NULL;
  }
  return memory;
}

int apps_make_data(const apps_case_t *app, size_t n, int device, const void *streams_out[APPS_MAX_STREAMS]) {
  for (int k = 0; k < APPS_MAX_STREAMS; k++)
    streams_out[k] = NULL;
  for (int k = 0; k < APPS_MAX_STREAMS && app->streams[k].element_bytes; k++) {
    streams_out[k] = make_stream(&app->streams[k], n, device);
    if (streams_out[k])
      continue;
    fprintf(stderr, "apps: %s %s: no memory for n = %zu\n", app->suite, app->name, n);
    apps_free_data(device, streams_out);
    return -1;
  }
  return 0;
}

void apps_free_data(int device, const void *streams[APPS_MAX_STREAMS]) {
  for (int k = 0; k < APPS_MAX_STREAMS; k++) {
    if (device < 0)
      free((void *)streams[k]);
    else
      bench_device_free(device, (void *)streams[k]);
    streams[k] = NULL;
  }
}

size_t apps_stream_bytes(const apps_case_t *app, int stream, size_t n) {
  return elements_of(&app->streams[stream], n) * app->streams[stream].element_bytes;
}

double apps_bytes(const apps_case_t *app, size_t n) {
  double bytes = 0;
  for (int k = 0; k < APPS_MAX_STREAMS && app->streams[k].element_bytes; k++)
    bytes += (double)apps_stream_bytes(app, k, n);
  return bytes * (app->passes ? app->passes : 1);
}

void apps_expect(apps_expected_t *expected, double number, double tolerance) {
  expected->number[expected->count] = number;
  expected->tolerance[expected->count++] = tolerance;
}

double apps_sum_tolerance(size_t n, double sum, size_t exact_up_to) {
  const int is_power_of_two = (n & (n - 1)) == 0;
  return is_power_of_two && n <= exact_up_to ? 0 : (double)n * DBL_EPSILON * fabs(sum);
}

double apps_walk_tolerance(size_t n, double sum) { return 16 * sqrt((double)n) * DBL_EPSILON * fabs(sum); }

double apps_element(size_t i) { return (double)(i % APPS_PERIOD * 37 % APPS_PERIOD) / 128; }

double apps_sum_of_elements(size_t first, size_t n) {
  double sum = 0;
  for (size_t k = 0; k < APPS_PERIOD; k++)
    sum += apps_element(first + k) * (double)(n / APPS_PERIOD + (k < n % APPS_PERIOD));
  return sum;
}

double apps_largest_element(size_t n) {
  double most = 0;
  for (size_t i = 0; i < n && i < APPS_PERIOD; i++)
    most = apps_element(i) > most ? apps_element(i) : most;
  return most;
}

void apps_fill_elements(size_t n, size_t first, size_t count, void *elements_out) {
  double *elements = elements_out;
  (void)n;
  for (size_t k = 0; k < count; k++)
    elements[k] = apps_element(first + k);
}
