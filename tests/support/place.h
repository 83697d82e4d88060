/* The place that a test's command line names. */
#ifndef USW_TESTS_PLACE_H
#define USW_TESTS_PLACE_H

#include "oracle/place.h"

USW_BEGIN_C

/* The place of "--place NAME" on the command line, or the host without one. Without the place the
 * program ends, as skipped. */
test_place_t place_of_arguments(int argc, char **argv);

/* The other devices of a place's kind, at most `most`: how many. The host has none. */
int places_like(const test_place_t *place, test_place_t *others_out, int most);

/* Whether this is the quick tier: USW_TEST_TIER=quick in the environment. */
int is_quick_tier(void);

/* Whether the library's images for a place have its kernels along axes and of scans of a type: in the quick tier the x86_64 device has those
 * of a few types. */
int place_has_families(const test_place_t *place, usw_type_t type);

/* Whether this program runs under a sanitizer. */
int is_sanitized(void);

/* Whether a test runs its next case on a place. All run; in the quick tier only one in `share` on an emulated GPU, on the
 * x86_64 device, and anywhere under sanitizers: dealt in an order that looks like chance, so that each value of every loop comes up. */
int place_takes_next(const test_place_t *place, unsigned share);

/* The same on the emulated GPU alone. */
int simt_takes_next(const test_place_t *place, unsigned share);

/* The same on every place. */
int takes_next(unsigned share);

USW_END_C

#endif
