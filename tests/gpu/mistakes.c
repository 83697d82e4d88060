/* Mistakes that compute-sanitizer has to find, so that its silence elsewhere means something:
 *   barrier: the engine's tree with a sub-group's barrier where a team's must be; racecheck reports it
 *   bounds:  a stream that ends before the items do; memcheck reports it
 * Results are not looked at.    mistakes --place device:gpu --mistake barrier|bounds */
#include <string.h>
#include <upsweep/port.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

#define usw_port_barrier() usw_port_sub_group_sync()
#define USW_KERNEL without_barriers
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, x); }
#include <upsweep/kernel_end.h>

enum { ITEMS = 1 << 18 }; /* 2 MiB: memory of its own, not a piece of a pool */

int main(int argc, char **argv) {
  static double items[ITEMS];
  const test_place_t place = place_of_arguments(argc, argv);
  const usw_options_t options = place_options(&place);
  const int beyond = argc > 1 && strcmp(argv[argc - 1], "bounds") == 0;
  place_memory_t x = memory_get(&place, items, sizeof items, 0);
  double sum = 0;
  CHECK_STATUS(USW_OK, without_barriers(beyond ? 2 * ITEMS : ITEMS, (const double *)x.data, &sum, &options));
  memory_free(&x);
  return check_report();
}
