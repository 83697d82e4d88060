/* Elements of the caller's into a buffer of a staged call, and back. */
#ifndef USWI_EXEC_STAGING_COPY_H
#define USWI_EXEC_STAGING_COPY_H

#include "policy/call.h"
#include "policy/staging.h"

/* Elements `stride` elements apart, one behind the other. */
void uswi_staging_gather(char *to, const char *from, size_t items, ptrdiff_t stride, size_t bytes);

/* A share of a chunk: elements follow each other in the buffer whatever their stride is. */
void uswi_staging_fill(const uswi_call_t *call, const uswi_staging_plan_t *plan, size_t chunk, char *buffer,
                       uint32_t shares, uint32_t share);

/* A share of what a chunk has written: from the buffer to the caller's memory. */
void uswi_staging_drain(const uswi_call_t *call, const uswi_staging_plan_t *plan, size_t chunk, char *buffer,
                        uint32_t shares, uint32_t share);

/* Make a copy of the staged call that reads a chunk from the buffer on the device, and writes it to the one that is pinned. */
void uswi_staging_aim(const uswi_call_t *call, const uswi_staging_plan_t *plan, size_t chunk, const char *there,
                      const char *pinned, uswi_call_t *chunk_out);

#endif
