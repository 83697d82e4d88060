/* Reductions of trivially copyable structures of 8 to 200 bytes, with an identity and without.
 *   structures [--place NAME] */
#include <upsweep/upsweep.h>

#include <upsweep/reducer.h>

#include "strategies.h"

#define STRUCTURE_KERNEL of_8_bytes
#define STRUCTURE bytes_8_t
#define STRUCTURE_WORDS 1
#define STRUCTURE_HAS_IDENTITY 1
#include "structure_kernel.h"
#define STRUCTURE_KERNEL of_8_bytes_none
#define STRUCTURE bytes_8_none_t
#define STRUCTURE_WORDS 1
#define STRUCTURE_HAS_IDENTITY 0
#include "structure_kernel.h"
#define STRUCTURE_KERNEL of_24_bytes
#define STRUCTURE bytes_24_t
#define STRUCTURE_WORDS 3
#define STRUCTURE_HAS_IDENTITY 0
#include "structure_kernel.h"
#define STRUCTURE_KERNEL of_56_bytes
#define STRUCTURE bytes_56_t
#define STRUCTURE_WORDS 7
#define STRUCTURE_HAS_IDENTITY 1
#include "structure_kernel.h"
#define STRUCTURE_KERNEL of_104_bytes
#define STRUCTURE bytes_104_t
#define STRUCTURE_WORDS 13
#define STRUCTURE_HAS_IDENTITY 0
#include "structure_kernel.h"
#define STRUCTURE_KERNEL of_200_bytes
#define STRUCTURE bytes_200_t
#define STRUCTURE_WORDS 25
#define STRUCTURE_HAS_IDENTITY 1
#include "structure_kernel.h"

enum { ITEMS = 20000 };

typedef void (*check_t)(size_t n, const uint32_t *x, const uint32_t *x_there, usw_options_t options);

int main(int argc, char **argv) {
  static const check_t checks[] = {check_of_8_bytes,  check_of_8_bytes_none, check_of_24_bytes,
                                   check_of_56_bytes, check_of_104_bytes,    check_of_200_bytes};
  static const size_t sizes[] = {0, 1, 2, 33, 255, 257, 1000, ITEMS};
  static uint32_t x[ITEMS];
  const test_place_t place = place_of_arguments(argc, argv);
  const strategies_t strategies = strategies_of(&place);
  for (uint32_t i = 0; i < ITEMS; i++)
    x[i] = i * 2654435761u >> 7;
  place_memory_t there = memory_get(&place, x, sizeof x, 0);
  for (int s = 0; s < strategies.count; s++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
      for (size_t c = 0; c < sizeof checks / sizeof *checks; c++)
        checks[c](sizes[k], x, (const uint32_t *)there.data, strategies.options[s]);
  memory_free(&there);
  return check_report();
}
