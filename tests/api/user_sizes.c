/* User kernels with accumulators of many sizes: none of them may lose or mix up bytes on its way
 * through shuffles, team memory and partials.   user_sizes [--place NAME] */
#include <upsweep/upsweep.h>

#include <upsweep/reducer.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

#define SIZED_KERNEL sized_1
#define SIZED_TYPE bytes_1_t
#define SIZED_BYTES 1
#include "user_sized.h"
#define SIZED_KERNEL sized_3
#define SIZED_TYPE bytes_3_t
#define SIZED_BYTES 3
#include "user_sized.h"
#define SIZED_KERNEL sized_8
#define SIZED_TYPE bytes_8_t
#define SIZED_BYTES 8
#include "user_sized.h"
#define SIZED_KERNEL sized_12
#define SIZED_TYPE bytes_12_t
#define SIZED_BYTES 12
#include "user_sized.h"
#define SIZED_KERNEL sized_41
#define SIZED_TYPE bytes_41_t
#define SIZED_BYTES 41
#include "user_sized.h"

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 31, 255, 257, 1000, 32769, 100003};
  static uint8_t x[100003];
  const test_place_t place = place_of_arguments(argc, argv);
  usw_strategy_t strategies[MOST_PLACE_STRATEGIES];
  const int count = place_strategies(&place, strategies);
  for (size_t i = 0; i < sizeof x; i++)
    x[i] = (uint8_t)(i * 7 + i / 256);
  place_memory_t there = memory_get(&place, x, sizeof x, 0);
  for (int s = 0; s < count; s++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      const usw_strategy_t strategy = strategies[s];
      const uint8_t *data = (const uint8_t *)there.data;
      check_sized_1(&place, strategy, sizes[k], x, data);
      check_sized_3(&place, strategy, sizes[k], x, data);
      check_sized_8(&place, strategy, sizes[k], x, data);
      check_sized_12(&place, strategy, sizes[k], x, data);
      check_sized_41(&place, strategy, sizes[k], x, data);
    }
  memory_free(&there);
  return check_report();
}
