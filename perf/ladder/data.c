/* The elements, and room for partials. */
#include "ladder.h"

#include "measure/device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 20 };

/* 1 to 256, without a pattern that a tile could hide in: a sum of n < 2^36 of them, or of their products, is exact. */
static double element(size_t i, int input) {
  static const uint64_t factors[2] = {0x9E3779B97F4A7C15u, 0xD1B54A32D192ED03u};
  return (double)(1 + ((uint64_t)i * factors[input] >> 56));
}

/* What /proc/meminfo says that programs can still have; SIZE_MAX where it says nothing. */
static size_t available_bytes(void) {
  FILE *stream = fopen("/proc/meminfo", "r");
  char line[128];
  unsigned long long kibibytes;
  size_t bytes = SIZE_MAX;
  while (stream && bytes == SIZE_MAX && fgets(line, sizeof line, stream))
    if (sscanf(line, "MemAvailable: %llu kB", &kibibytes) == 1)
      bytes = (size_t)kibibytes * 1024;
  if (stream)
    fclose(stream);
  return bytes;
}

/* Whether it is the host's memory, which Linux promises to anybody and gives to nobody. */
static int is_too_large(const bench_place_t *place, size_t bytes) {
  return strcmp(place->name, "gpu") != 0 && bytes > available_bytes();
}

static int put(const bench_place_t *place, double *to, size_t first, const double *from, size_t count) {
  if (place->device >= 0)
    return bench_device_write(place->device, to, first * sizeof *to, from, count * sizeof *from);
  memcpy(to + first, from, count * sizeof *from);
  return 0;
}

/* Writes both inputs block by block, and adds up what has to come out. */
static int fill(ladder_data_t *data) {
  double *blocks = malloc(2 * BLOCK * sizeof *blocks);
  int failed = !blocks;
  for (size_t first = 0; first < data->n && !failed; first += BLOCK) {
    const size_t count = data->n - first < BLOCK ? data->n - first : BLOCK;
    for (size_t i = 0; i < count; i++) {
      const double x = element(first + i, 0), y = element(first + i, 1);
      blocks[i] = x;
      blocks[BLOCK + i] = y;
      data->sum += x;
      data->dot += x * y;
    }
    failed = put(data->place, data->x, first, blocks, count) || put(data->place, data->y, first, blocks + BLOCK, count);
  }
  free(blocks);
  return failed ? -1 : 0;
}

int ladder_make_data(const bench_place_t *place, size_t n, uint32_t work_group_load, ladder_data_t *data_out) {
  const size_t partials = n / 16 + 2 * ladder_team_sizes[LADDER_SIZES - 1],
               /* rung s5 with k = 1: two for a tile of 32 */ bytes = (2 * n + 3 * partials) * sizeof(double);
  *data_out = (ladder_data_t){.place = place, .n = n, .partial_count = partials, .work_group_load = work_group_load};
  double **const arrays[] = {&data_out->x, &data_out->y, &data_out->partials[0], &data_out->partials[1]};
  int failed = is_too_large(place, bytes);
  for (int k = 0; k < 4 && !failed; k++) {
    *arrays[k] = bench_allocate(place, (k < 2 ? n : partials) * sizeof(double));
    failed = !*arrays[k];
  }
  if (!failed)
    data_out->host_partials = malloc(partials * sizeof(double));
  if (failed || !data_out->host_partials || fill(data_out)) {
    fprintf(stderr, "usw-bench ladder: no memory for 2 x %zu doubles on %s\n", n, place->name);
    return -1;
  }
  return 0;
}

void ladder_free_data(ladder_data_t *data) {
  bench_free(data->place, data->x);
  bench_free(data->place, data->y);
  bench_free(data->place, data->partials[0]);
  bench_free(data->place, data->partials[1]);
  free(data->host_partials);
}

void ladder_poison(const ladder_data_t *data, int are_scans) {
  for (size_t i = 0; i < data->partial_count; i++)
    data->host_partials[i] = NAN;
  put(data->place, data->partials[0], 0, data->host_partials, data->partial_count);
  put(data->place, data->partials[1], 0, data->host_partials, data->partial_count);
  for (size_t first = 0, count; are_scans && first < data->n; first += count) {
    count = data->n - first < data->partial_count ? data->n - first : data->partial_count;
    put(data->place, data->y, first, data->host_partials, count);
  }
}
