/* The place that a test's command line names. */
#ifndef USW_TESTS_PLACE_H
#define USW_TESTS_PLACE_H

#include "oracle/place.h"

USW_BEGIN_C

/* The place of "--place NAME" on the command line, or the host without one. Without the place the
 * program ends, as skipped. */
test_place_t place_of_arguments(int argc, char **argv);

USW_END_C

#endif
