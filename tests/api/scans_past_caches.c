/* Scans on the host whose outputs are larger than the caches, which these stores go past: the same bits as without, wherever the output lies,
 * for any number of threads, in place; nothing is written beside it. The caches are small ones of a made-up machine.
 *   scans_past_caches [--place NAME] */
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "by_chance.h"
#include "support/check.h"
#include "support/place.h"

static test_place_t place;

enum { SMALL_CACHE = 1 << 20, BESIDE = 64, FEW_THREADS = 3 };
#define SMALL_CACHES "l3:1(size=1048576) core:3 pu:1"

typedef struct {
  usw_operation_t operation;
  usw_type_t type;
  size_t bytes;
  usw_accuracy_t accuracy;
} large_t;

static usw_status_t scan_large(const large_t *c, const void *x, size_t n, void *out, uint32_t teams, int is_exclusive) {
  usw_options_t options = place_options(&place);
  options.accuracy = c->accuracy;
  options.teams = teams;
  return is_exclusive ? usw_scan_exclusive(c->operation, c->type, x, n, out, NULL, &options)
                      : usw_scan_inclusive(c->operation, c->type, x, n, out, &options);
}

/* The bits of an output that lies so that no store past the caches can be, of one that lies on lines, and in place, by one thread and by
 * several; nothing is written beside the output. */
static void write_large(const large_t *c, int is_exclusive) {
  const size_t result_bytes = usw_result_bytes(c->operation, c->type);
  const size_t n = (5 * (size_t)SMALL_CACHE) / result_bytes + 64 + 13, bytes = n * result_bytes;
  char *const x = aligned_alloc(64, (n * c->bytes + 127) / 64 * 64);
  char *const wanted = aligned_alloc(64, bytes / 64 * 64 + 4 * BESIDE);
  char *const found = aligned_alloc(64, bytes / 64 * 64 + 4 * BESIDE), beside[BESIDE];
  for (size_t i = 0; i < n * c->bytes; i += c->bytes) {
    const double f64 = (double)chance(1000000) / 999 - 500;
    const float f32 = (float)f64;
    const uint64_t bits = chance(UINT64_MAX);
    memcpy(x + i, c->type == USW_F64 ? (const void *)&f64 : c->type == USW_F32 ? (const void *)&f32 : &bits, c->bytes);
  }
  memset(beside, 0x5a, sizeof beside);
  const size_t off = result_bytes % 16 == 0 ? 8 : result_bytes;
  CHECK_STATUS(USW_OK, scan_large(c, x, n, wanted + off, 1, is_exclusive));
  for (uint32_t teams = 1; teams <= FEW_THREADS; teams++)
    for (size_t at = BESIDE; at <= BESIDE + 16; at += 16) {
      memset(found, 0x5a, bytes + 3 * BESIDE);
      CHECK_STATUS(USW_OK, scan_large(c, x, n, found + at, teams, is_exclusive));
      CHECK(memcmp(found + at, wanted + off, bytes) == 0);
      CHECK(memcmp(found + at - BESIDE, beside, BESIDE) == 0 && memcmp(found + at + bytes, beside, BESIDE) == 0);
    }
  for (uint32_t teams = 1; teams <= FEW_THREADS && result_bytes == c->bytes; teams++) {
    memcpy(found, x, bytes);
    CHECK_STATUS(USW_OK, scan_large(c, found, n, found, teams, is_exclusive));
    CHECK(memcmp(found, wanted + off, bytes) == 0);
  }
  free(x);
  free(wanted);
  free(found);
}

static void outputs_past_caches(void) {
  static const large_t cases[] = {
      {USW_PLUS, USW_F64, 8, USW_REPEATABLE},    {USW_PLUS, USW_F32, 4, USW_REPEATABLE},
      {USW_PLUS, USW_I32, 4, USW_REPEATABLE},    {USW_PLUS, USW_U8, 1, USW_REPEATABLE},
      {USW_MAXIMUM, USW_F64, 8, USW_REPEATABLE}, {USW_MINIMUM, USW_U8, 1, USW_REPEATABLE},
      {USW_ARGMIN, USW_F64, 8, USW_REPEATABLE},  {USW_PLUS, USW_F64, 8, USW_COMPENSATED},
      {USW_PLUS, USW_F32, 4, USW_COMPENSATED},   {USW_LOGICAL_AND, USW_U8, 1, USW_REPEATABLE}};
  double x[2] = {1, 2}, out[64];
  chance_begin(11);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (int is_exclusive = 0; is_exclusive < 2; is_exclusive++)
      if (scan_large(&cases[k], x, 1, out, 1, 0) != USW_ERROR_UNSUPPORTED)
        write_large(&cases[k], is_exclusive);
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  setenv("HWLOC_SYNTHETIC", SMALL_CACHES, 1); /* read by the first large call */
  outputs_past_caches();
  return check_report();
}
