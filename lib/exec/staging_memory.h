/* What staged calls need of a device and keep between calls: pinned buffers, as many on the device, and scratch for each
 * of them. */
#ifndef USWI_EXEC_STAGING_MEMORY_H
#define USWI_EXEC_STAGING_MEMORY_H

#include <stdatomic.h>

#include "backend/backend.h"
#include "exec/device.h"
#include "exec/scratch.h"
#include "policy/call.h"
#include "policy/staging.h"

enum { USWI_STAGING_BOUNDARY = 256 /* of each buffer, and so of what lies on such a boundary in one */ };

/* A buffer on its way: from being filled to the end of its launch. */
typedef struct uswi_staging_buffer {
  _Alignas(64) atomic_uint filled; /* shares that are copied */
  _Alignas(64) char *pinned, *there;
  uswi_scratch_t scratch; /* of this buffer alone */
  uswi_call_t call;
  uswi_launched_t launched;
} uswi_staging_buffer_t;

typedef struct uswi_staging_memory {
  const uswi_device_t *device; /* NULL: nothing is allocated */
  size_t buffer_bytes;
  char *pinned, *there; /* all buffers */
  uswi_staging_buffer_t buffers[USWI_STAGING_BUFFERS];
} uswi_staging_memory_t;

/* Take staging memory with scratch for calls like this one and buffers of at least that size; if all are taken, wait for one.
 * USW_ERROR_MEMORY if there is no room; nothing is held then. */
usw_status_t uswi_staging_take(const uswi_call_t *call, size_t buffer_bytes, uswi_staging_memory_t **memory_out);
void uswi_staging_give_back(uswi_staging_memory_t *memory);

/* Free everything; 0 if any is in use. */
int uswi_staging_release(void);

#endif
