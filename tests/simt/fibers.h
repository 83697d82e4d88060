/* Knobs of the emulated GPU that tests turn. */
#ifndef USW_TESTS_SIMT_FIBERS_H
#define USW_TESTS_SIMT_FIBERS_H

#include <stdint.h>
#include <upsweep/port.h>

enum { SIMT_MAX_TEAM_SIZE = 1024 };

/* The order in which teams and threads take turns, from now on and in every thread. Any seed gives a
 * fixed order that is not ascending; 0 is the one at the start. */
void simt_set_order(uint32_t seed);

#endif
