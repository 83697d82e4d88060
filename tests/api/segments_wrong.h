/* Offsets of segments that fall or leave the array: errors that name the first wrong one, and results as they were. Part of api.segments. */

#ifndef TESTS_API_SEGMENTS_WRONG_H
#define TESTS_API_SEGMENTS_WRONG_H

#include <stdint.h>

#include "support/place.h"

/* step: from one segment that is wrong to the next one. */
void segments_wrong(const test_place_t *place, uint32_t step);

#endif
