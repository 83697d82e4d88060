/* Knobs of the emulated GPU that tests turn. */
#ifndef USW_TESTS_SIMT_FIBERS_H
#define USW_TESTS_SIMT_FIBERS_H

#include <stdint.h>
#include <upsweep/port.h>

enum { SIMT_MAX_TEAM_SIZE = 1024 };

/* The order in which teams and threads take turns, from now on and in every thread. Any seed gives a
 * fixed order that is not ascending; 0 is the one at the start. Turns of resident teams are by chance:
 * launches by one CPU thread have the same ones after each such call. */
void simt_set_order(uint32_t seed);

/* In a kernel: the team gets no further turn as long as the launch has other teams that have not ended. For one team of a launch. */
void simt_be_last(void);

#endif
