#include "exec/staging_copy.h"

#include <string.h>

#include "policy/scan.h"

static int is_staged(const uswi_call_t *call, uint32_t argument) { return (int)(call->staged >> argument & 1); }

/* Where a share of a chunk begins. The last chunk, which may be shorter, is dealt like the others: threads that fill a buffer again do
 * not meet those that still drain it. */
static size_t start_of_share(const uswi_staging_plan_t *plan, size_t chunk, uint32_t shares, uint32_t share) {
  const size_t start = uswi_staging_share(plan->chunk_items, shares, share), items = uswi_staging_items(plan, chunk);
  return start < items ? start : items;
}

/* ---- filling ---- */

/* The size is known where the compiler can make moves of it. */
static inline __attribute__((always_inline)) void gather_by(char *to, const char *from, size_t items, ptrdiff_t step,
                                                            size_t bytes) {
  for (size_t i = 0; i < items; i++)
    memcpy(to + i * bytes, from + (ptrdiff_t)i * step, bytes);
}

static void gather(char *to, const char *from, size_t items, ptrdiff_t step, size_t bytes) {
  if (bytes == 1)
    gather_by(to, from, items, step, 1);
  else if (bytes == 2)
    gather_by(to, from, items, step, 2);
  else if (bytes == 4)
    gather_by(to, from, items, step, 4);
  else if (bytes == 8)
    gather_by(to, from, items, step, 8);
  else if (bytes == 16)
    gather_by(to, from, items, step, 16);
  else
    gather_by(to, from, items, step, bytes);
}

void uswi_staging_gather(char *to, const char *from, size_t items, ptrdiff_t stride, size_t bytes) {
  if (stride == 1)
    memcpy(to, from, items * bytes); /* quicker than loops of our own */
  else
    gather(to, from, items, stride * (ptrdiff_t)bytes, bytes);
}

/* Items [first, last) of a chunk that begins at an address. */
static void fill_stream(char *to, const char *from, size_t first, size_t last, ptrdiff_t stride, size_t bytes) {
  if (stride != 0)
    uswi_staging_gather(to + first * bytes, from + (ptrdiff_t)first * stride * (ptrdiff_t)bytes, last - first, stride,
                        bytes);
  else if (first == 0)
    memcpy(to, from, bytes);
}

/* Where the elements of a chunk of a stream begin. */
static uint64_t start_of(uint64_t stream, size_t first, ptrdiff_t stride, size_t bytes) {
  return stream + (uint64_t)first * (uint64_t)stride * bytes;
}

/* ---- draining ---- */

static void scatter(char *to, const char *from, size_t items, ptrdiff_t step, size_t bytes) {
  for (size_t i = 0; i < items; i++)
    memcpy(to + (ptrdiff_t)i * step, from + i * bytes, bytes);
}

static void drain_stream(char *to, const char *from, size_t first, size_t last, ptrdiff_t stride, size_t bytes) {
  const ptrdiff_t step = stride * (ptrdiff_t)bytes;
  if (stride == 1)
    memcpy(to + first * bytes, from + first * bytes, (last - first) * bytes);
  else
    scatter(to + (ptrdiff_t)first * step, from + first * bytes, last - first, step, bytes);
}

/* ---- shares ---- */

/* Whether each item writes its element, as in the library's scans: bodies of users need not, so that outputs are copied in, too. */
static int writes_all(const usw_kernel_t *kernel) { return kernel->operation != USW_NO_OPERATION; }

/* A share of a chunk of every staged stream into the buffer, or of the outputs out of it. */
static void copy_share(const uswi_call_t *call, const uswi_staging_plan_t *plan, size_t chunk, char *buffer,
                       uint32_t shares, uint32_t share, int is_back) {
  const usw_kernel_t *k = call->kernel;
  const size_t first = start_of_share(plan, chunk, shares, share),
               last = start_of_share(plan, chunk, shares, share + 1);
  for (uint32_t a = 0, stream = 0; a < k->argument_count; a++) {
    if (!uswi_is_stream(&k->arguments[a]))
      continue;
    const ptrdiff_t stride = call->strides[stream];
    const size_t bytes = k->arguments[a].bytes;
    char *const here = buffer + plan->offset[stream++];
    char *const callers =
        (char *)(uintptr_t)start_of(call->arguments[a], uswi_staging_first(plan, chunk), stride, bytes);
    if (!is_staged(call, a))
      continue;
    if (!is_back && (k->arguments[a].kind == USW_ARGUMENT_IN || !writes_all(k)))
      fill_stream(here, callers, first, last, stride, bytes);
    else if (is_back && k->arguments[a].kind == USW_ARGUMENT_OUT)
      drain_stream(callers, here, first, last, stride, bytes);
  }
}

void uswi_staging_fill(const uswi_call_t *call, const uswi_staging_plan_t *plan, size_t chunk, char *buffer,
                       uint32_t shares, uint32_t share) {
  copy_share(call, plan, chunk, buffer, shares, share, 0);
}

void uswi_staging_drain(const uswi_call_t *call, const uswi_staging_plan_t *plan, size_t chunk, char *buffer,
                        uint32_t shares, uint32_t share) {
  copy_share(call, plan, chunk, buffer, shares, share, 1);
}

/* ---- chunks as calls ---- */

/* Behind the arguments that kernels of any family have: a scan of the library's has an output and words of its own there. */
static uint64_t *end_of_own(const usw_kernel_t *kernel, uint64_t *arguments) {
  return uswi_is_scan(kernel) ? uswi_end_before_scan_words(kernel, arguments) - 1 : arguments + kernel->argument_count;
}

void uswi_staging_aim(const uswi_call_t *call, const uswi_staging_plan_t *plan, size_t chunk, const char *there,
                      const char *pinned, uswi_call_t *chunk_out) {
  const usw_kernel_t *k = call->kernel;
  const size_t first = uswi_staging_first(plan, chunk);
  uint32_t stream = 0;
  *chunk_out = *call;
  chunk_out->staged = 0;
  chunk_out->n = uswi_staging_items(plan, chunk);
  if (k->facts & USW_FACT_INDEX)
    end_of_own(k, chunk_out->arguments)[-2] += first;
  for (uint32_t a = 0; a < k->argument_count; a++) {
    if (!uswi_is_stream(&k->arguments[a]))
      continue;
    const ptrdiff_t stride = call->strides[stream];
    if (!is_staged(call, a)) {
      chunk_out->arguments[a] = start_of(call->arguments[a], first, stride, k->arguments[a].bytes);
    } else {
      const char *const buffer = k->arguments[a].kind == USW_ARGUMENT_OUT ? pinned : there;
      chunk_out->arguments[a] = (uint64_t)(uintptr_t)buffer + plan->offset[stream];
      chunk_out->strides[stream] = stride == 0 ? 0 : 1;
    }
    stream++;
  }
}
