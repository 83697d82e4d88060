/* One launch of a call on its device, through the driver or the OpenMP runtime. In line: it is a noticeable part of a short call. */
#ifndef USWI_EXEC_LAUNCH_H
#define USWI_EXEC_LAUNCH_H

#include "backend/backend.h"
#include "backend/driver.h"
#include "base/error.h"
#include "exec/scratch.h"
#include "policy/call.h"

/* What the launches of a call leave. */
typedef struct uswi_launched {
  char *records; /* for the host to fold */
  uint32_t count;
  int are_on_device; /* 1: the records have to be copied from there */
  int is_pending;    /* 1: what follows is waited for; 0: all launches have ended */
  uswi_pending_t pending;
} uswi_launched_t;

/* A launch of a call on its way. */
typedef struct uswi_context {
  const uswi_call_t *call;
  uswi_scratch_t *scratch;
  void *bank;   /* of the scratch's pinned memory */
  void *entry;  /* of the driver; NULL: through the OpenMP runtime */
  void *stream; /* of that driver */
  int is_owned; /* the scratch is used in this stream alone, whose earlier launches may still be about to write */
} uswi_context_t;

static inline usw_status_t uswi_launch_through_runtime(const uswi_context_t *context, const usw_launch_t *how,
                                                       size_t n) {
  const uswi_call_t *call = context->call;
  const int bare = call->strategy != USW_STRATEGY_CLAUSE && call->device->runs_bare;
  const usw_entry_t *entry = bare ? &call->kernel->bare : &call->kernel->standard;
  if (uswi_backend_launch(call->device, entry, how, n, call->arguments, context->bank))
    return USW_OK;
  return uswi_fail(USW_ERROR_MEMORY, "%s: no thread to launch from on device %d: the system starts no more (ulimit -u)",
                   call->name, call->device->number);
}

static inline int uswi_is_own_stream(const uswi_context_t *context) {
  return !context->is_owned && context->stream == context->scratch->stream;
}

/* Run a launch, or put it into its stream. */
static inline usw_status_t uswi_put_launch(const uswi_context_t *context, usw_launch_t *how, size_t n) {
  const uswi_call_t *call = context->call;
  how->device = call->device->number;
  how->workers = (uint64_t)how->teams * call->team_size;
  how->ticket = context->scratch->ticket;
  how->strides = call->strides;
  how->extents = call->extents;
  if (context->entry)
    return uswi_driver_launch(
        context->entry,
        &(uswi_driver_call_t){.device = call->device,
                              .kernel = call->kernel,
                              .name = call->name,
                              .how = how,
                              .n = n,
                              .arguments = call->arguments,
                              .out = context->bank,
                              .stream = context->stream,
                              .graphs = uswi_is_own_stream(context) ? &context->scratch->graphs : NULL});
  return uswi_launch_through_runtime(context, how, n);
}

/* Every stream contiguous and on a 16-byte boundary: what 16-byte loads need. */
static inline uint32_t uswi_is_aligned_call(const uswi_call_t *call) {
  const usw_kernel_t *k = call->kernel;
  uint32_t stream = 0;
  for (uint32_t a = 0; a < k->argument_count; a++)
    if (uswi_is_stream(&k->arguments[a]) && (call->strides[stream++] != 1 || call->arguments[a] % 16 != 0))
      return 0;
  return 1;
}

#endif
