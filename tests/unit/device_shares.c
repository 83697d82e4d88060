/* How items are shared out to devices: equal parts where rates are unknown or equal, else by rates; no part is empty, no item is lost. */
#include <policy/device_shares.h>
#include <string.h>

#include "support/check.h"

enum { LINE = 64, LEAST = 32768, MOST = 8 };

static const size_t lengths[] = {0, 1, 63, 64, 4 * LEAST, 300007, 10000019, (size_t)1 << 40, SIZE_MAX / 2};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static void equal_parts(const uint64_t *rates, uint32_t count, const char *what) {
  size_t starts[MOST + 1];
  for (int l = 0; l < LENGTHS; l++) {
    uswi_device_starts(lengths[l], LEAST, rates, count, starts);
    for (uint32_t k = 0; k <= count; k++)
      check_count(starts[k] == (k == count ? lengths[l] : lengths[l] / count / LINE * LINE * k), __FILE__, __LINE__,
                  "%s: part %u of %zu items begins at %zu", what, k, lengths[l], starts[k]);
  }
}

/* Each has LEAST items and its share of the others, within a thousandth. */
static void parts_by_rates(const uint64_t *rates, uint32_t count, const double *shares) {
  size_t starts[MOST + 1], again[MOST + 1];
  for (int l = 0; l < LENGTHS; l++) {
    const size_t n = lengths[l];
    memset(starts, 0xff, sizeof starts);
    memset(again, 0xee, sizeof again);
    uswi_device_starts(n, LEAST, rates, count, starts);
    uswi_device_starts(n, LEAST, rates, count, again);
    CHECK(memcmp(starts, again, (count + 1) * sizeof *starts) == 0);
    CHECK_U64(0, starts[0]);
    CHECK_U64(n, starts[count]);
    for (uint32_t k = 0; k < count && n >= count * LEAST; k++) {
      const size_t items = starts[k + 1] - starts[k];
      const double share = (double)LEAST + (double)(n - count * LEAST) * shares[k];
      CHECK_U64(0, starts[k] % LINE);
      CHECK(starts[k + 1] > starts[k] && items >= LEAST);
      check_count((double)items > 0.999 * share - 2 * LINE && (double)items < 1.001 * share + 2 * LINE, __FILE__,
                  __LINE__, "part %u of %zu items has %zu, expected %.0f", k, n, items, share);
    }
  }
}

int main(void) {
  equal_parts((const uint64_t[]){7}, 1, "one device");
  equal_parts((const uint64_t[]){0, 0, 0}, 3, "no rates");
  equal_parts((const uint64_t[]){55, 0, 27}, 3, "one rate is not known");
  equal_parts((const uint64_t[]){100, 105, 103}, 3, "rates within 5 %");
  equal_parts((const uint64_t[]){UINT64_MAX, UINT64_MAX}, 2, "large rates");
  parts_by_rates((const uint64_t[]){55000, 27500}, 2, (const double[]){64. / 96, 32. / 96});
  parts_by_rates((const uint64_t[]){100, 106}, 2, (const double[]){60. / 124, 64. / 124});
  parts_by_rates((const uint64_t[]){10, 40, 20, 40}, 4, (const double[]){16. / 176, 64. / 176, 32. / 176, 64. / 176});
  parts_by_rates((const uint64_t[]){1, UINT64_MAX}, 2, (const double[]){1. / 65, 64. / 65});
  size_t starts[3]; /* too short for more than the least of each: equal parts */
  uswi_device_starts(2 * LEAST - 1, LEAST, (const uint64_t[]){1, 10}, 2, starts);
  CHECK_U64((2 * LEAST - 1) / 2 / LINE * LINE, starts[1]);
  return check_report();
}
