/* A thread whose arithmetic takes subnormal numbers for zero, as programs linked with -ffast-math have it, gets the same
 * exact answers. On x86-64. */
#include <math.h>
#include <stdlib.h>
#include <upsweep/half.h>
#include <upsweep/upsweep.h>

#include "support/check.h"
#include "support/flush.h"

enum { ITEMS = 1 << 18 }; /* enough for threads, which inherit the mode */

static void exact_answers(void) {
  static float f[ITEMS];
  static double d[ITEMS];
  static usw_cf32_t c[ITEMS];
  static usw_f16_t h[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    f[i] = 0x1p-140f;
    d[i] = 0x1p-1060;
    c[i] = 0x1p-140f * (usw_cf32_t)1.0fi;
    h[i] = usw_float_to_f16(0x1p-24f);
  }
  flush(1);
  uint64_t count = 0;
  usw_b8_t all = 0, any = 0;
  float least = 0;
  float sum = 0, largest = 0;
  usw_located_f64_t where;
  CHECK_STATUS(USW_OK, usw_count(f, ITEMS, &count));
  CHECK_U64(ITEMS, count);
  CHECK_STATUS(USW_OK, usw_count(d, ITEMS, &count));
  CHECK_U64(ITEMS, count);
  CHECK_STATUS(USW_OK, usw_count(c, ITEMS, &count));
  CHECK_U64(ITEMS, count);
  CHECK_STATUS(USW_OK, usw_all(f, ITEMS, &all));
  CHECK_STATUS(USW_OK, usw_any(d, ITEMS, &any));
  CHECK(all && any);
  CHECK_STATUS(USW_OK, usw_min(f, ITEMS, &least));
  CHECK_STATUS(USW_OK, usw_argmax(d, ITEMS, &where));
  CHECK_STATUS(USW_OK, usw_sum(h, ITEMS, &sum));
  CHECK_STATUS(USW_OK, usw_norm_inf(h, ITEMS, &largest));
  flush(0);
  CHECK(least == 0x1p-140f);
  CHECK(where.value == 0x1p-1060 && where.index == 0);
  CHECK(sum == ITEMS * 0x1p-24f);
  CHECK(largest == 0x1p-24f);
}

int main(void) {
  exact_answers();
  return check_report();
}
