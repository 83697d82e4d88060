/* How the items of one call are shared out to several devices (usw_options_t::devices): by lengths and rates that the tuning table has,
 * never by what this run measures, so that results have the same bits on every run. */
#ifndef USWI_POLICY_DEVICE_SHARES_H
#define USWI_POLICY_DEVICE_SHARES_H

#include <stddef.h>
#include <stdint.h>

/* The first item of each part, and n behind the last: `starts` has room for count + 1. Parts begin at multiples of 64 items. Rates may be in
 * any unit; 0: not known. If all are known and differ by over 5 %, each part has least_items, of which n has as many as there are
 * parts, and its share of the others by its rate; no rate counts as less than a 64th of the highest. Else parts are equal. */
void uswi_device_starts(size_t n, size_t least_items, const uint64_t *rates, uint32_t count, size_t *starts);

#endif
