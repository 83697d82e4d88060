/* How a call runs where it runs: strategy, teams or chunks, and what it is launched through. */
#ifndef USWI_POLICY_CHOOSE_H
#define USWI_POLICY_CHOOSE_H

#include "policy/call.h"
#include "policy/tuning.h"

/* Decide how to run there. */
usw_status_t uswi_choose(uswi_call_t *call);

/* Up to how many items calls on the host that ask for nothing have one chunk. */
uint64_t uswi_items_of_one_chunk(const usw_kernel_t *kernel);

/* Its last step: as the way says. asked: the number of teams that the caller wants, on the host of chunks; 0: none. */
void uswi_choose_way(uswi_call_t *call, uswi_way_t way, uint32_t asked);

/* Whether the kernel has the strategy at all, at whatever accuracy; nothing is logged. */
int uswi_has_strategy(const uswi_call_t *call, usw_strategy_t strategy);

/* Teams that find a tile to work on. */
uint64_t uswi_useful_teams(const uswi_call_t *call);

/* Teams of the launch of multipass that folds so many partials, of which each team takes at most work_group_load, but two
 * at least; 0: these are for the host. */
uint32_t uswi_teams_of_next_launch(uint32_t partials, uint32_t work_group_load);

/* Whether a call whose strategy is chosen promises the same bits on every run. */
int uswi_is_repeatable(const uswi_call_t *call);

/* What launches of the call on a device go through: a function of the driver's, or, NULL, the OpenMP runtime, and *why_out
 * says why. */
void *uswi_function_of_driver(const uswi_call_t *call, const char **why_out);

#endif
