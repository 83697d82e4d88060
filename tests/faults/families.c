/* Calls with many results, of few columns and of segments: on the host both leave partials, which need room. */
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "scenarios.h"

enum { COLUMNS = 5, SEGMENTS = 14 };

usw_status_t scenario_of_families(const double *x, const usw_options_t *options, void *(*result)(void)) {
  /* On the host the elements twice: fewer are not cut into pieces. */
  const size_t extents[] = {options->place == USW_HOST ? 2 : 1, SCENARIO_ITEMS / COLUMNS, COLUMNS};
  const ptrdiff_t strides[] = {0, COLUMNS, 1};
  const usw_array_t array = usw_array(USW_F64, x, 3, extents, strides);
  int32_t offsets[SEGMENTS + 1];
  for (int k = 0; k <= SEGMENTS; k++)
    offsets[k] = SCENARIO_ITEMS / SEGMENTS * k;
  const usw_segments_t segments = usw_segments_by_offsets(USW_I32, offsets, SEGMENTS);
  const usw_status_t status = step(usw_reduce_axes(USW_PLUS, &array, USW_AXIS(0) | USW_AXIS(1), result(), options));
  return status == USW_OK
             ? step(usw_reduce_segments(USW_PLUS, USW_F64, x, SCENARIO_ITEMS, &segments, result(), options))
             : status;
}
