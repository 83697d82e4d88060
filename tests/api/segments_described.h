/* Descriptions of segments of many lengths, beside those of each by itself. Part of api.segments. */

#ifndef TESTS_API_SEGMENTS_DESCRIBED_H
#define TESTS_API_SEGMENTS_DESCRIBED_H

#include "support/place.h"

void segments_described(const test_place_t *place);

#endif
