/* Calls with usw_options_t::devices whose streams are mapped on several devices, each of which may have a section. OpenMP tells of an
 * address whether and where it is mapped, not how far: a section goes from an item to the last one that has the same distance on the device as
 * on the host, in all streams that are mapped. */
#ifndef USWI_POLICY_MAPPED_SECTIONS_H
#define USWI_POLICY_MAPPED_SECTIONS_H

#include "policy/call.h"

typedef struct uswi_device_parts {
  uint32_t count;
  int devices[USWI_MAX_DEVICES];       /* of each part, by OpenMP's number */
  size_t starts[USWI_MAX_DEVICES + 1]; /* the first item of each part, and n behind the last */
} uswi_device_parts_t;

/* Let the parts be the sections, where not all parts lie in sections of their devices, and sections of these devices cover all items. */
void uswi_follow_sections(const uswi_call_t *whole, const int *devices, uint32_t count, uswi_device_parts_t *parts);

/* Bit a: of argument a the part's first item is mapped on the part's device, but not all of the part is. */
uint64_t uswi_cut_streams(const uswi_call_t *whole, const uswi_device_parts_t *parts, uint32_t part);

#endif
