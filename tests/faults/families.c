/* Calls with many results, of few axes and of segments: on the host both leave partials, which need room. */
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "scenarios.h"

enum { COLUMNS = 5, SEGMENT = 5000 };

usw_status_t scenario_of_families(const double *x, const usw_options_t *options, void *(*result)(void)) {
  const usw_array_t array = usw_array_2d(USW_F64, x, SCENARIO_ITEMS / COLUMNS, COLUMNS);
  const usw_segments_t segments = usw_segments_of_length(SEGMENT, SCENARIO_ITEMS / SEGMENT);
  const usw_status_t status = step(usw_reduce_axes(USW_PLUS, &array, USW_AXIS(0), result(), options));
  return status == USW_OK
             ? step(usw_reduce_segments(USW_PLUS, USW_F64, x, SCENARIO_ITEMS, &segments, result(), options))
             : status;
}
