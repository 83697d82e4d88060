#include "policy/device_shares.h"

#include "policy/chunks.h"

static const double most_weight = 64;        /* the fastest device's; the slowest one's is at least 1 */
static const double most_equal_ratio = 1.05; /* what measurements of equal links differ by is less */

static void find_ends(const uint64_t *rates, uint32_t count, uint64_t *slowest_out, uint64_t *fastest_out) {
  *slowest_out = *fastest_out = rates[0];
  for (uint32_t k = 1; k < count; k++) {
    *slowest_out = rates[k] < *slowest_out ? rates[k] : *slowest_out;
    *fastest_out = rates[k] > *fastest_out ? rates[k] : *fastest_out;
  }
}

/* Small integers, so that shares are exact; their steps are less than a measurement is good for. */
static uint64_t weight_of(uint64_t rate, uint64_t fastest) {
  const uint64_t weight = (uint64_t)((double)rate / (double)fastest * most_weight + 0.5);
  return weight ? weight : 1;
}

static void share_by_rates(size_t lines, size_t least, const uint64_t *rates, uint64_t fastest, uint32_t count,
                           size_t *starts) {
  const size_t rest = lines - count * least;
  uint64_t whole = 0, before = 0;
  for (uint32_t k = 0; k < count; k++)
    whole += weight_of(rates[k], fastest);
  for (uint32_t k = 0; k < count; k++) {
    starts[k] = (k * least + rest / whole * before + rest % whole * before / whole) * USWI_LINE_BYTES;
    before += weight_of(rates[k], fastest);
  }
}

void uswi_device_starts(size_t n, size_t least_items, const uint64_t *rates, uint32_t count, size_t *starts) {
  const size_t lines = n / USWI_LINE_BYTES, least = least_items / USWI_LINE_BYTES;
  uint64_t slowest, fastest;
  find_ends(rates, count, &slowest, &fastest);
  if (slowest > 0 && (double)fastest > (double)slowest * most_equal_ratio && lines / count >= least)
    share_by_rates(lines, least, rates, fastest, count, starts);
  else
    for (uint32_t k = 0; k < count; k++)
      starts[k] = uswi_chunk_start(n, count, k);
  starts[count] = n;
}
