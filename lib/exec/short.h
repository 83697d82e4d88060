/* Short calls on the host. Most ask for nothing but a result of few elements, which is there sooner than all is asked that a
 * call may want. */
#ifndef USWI_EXEC_SHORT_H
#define USWI_EXEC_SHORT_H

#include <stdatomic.h>
#include <upsweep/descriptor.h>

#include "base/bytes.h"
#include "policy/catalog.h"
#include "policy/known_pages.h"

/* What short calls of a kernel need to know of it, and of what stays as it is once the library runs. One line of the cache: what
 * lies elsewhere has often left it when elements that fill it have come by. */
typedef struct uswi_short {
  _Alignas(64) usw_host_function_t function;
  uint64_t (*finish)(const void *record, const usw_variable_t *variables, const uint64_t *extents);
  ptrdiff_t strides[USW_MAX_INPUTS];
  uint64_t extents[1];
  uint32_t most_items;      /* 0: none of its calls are short */
  _Atomic uint32_t streams; /* 0: nothing is known yet; stored last */
  uint16_t element_alignment_bytes, result_alignment_bytes;
  uint8_t nan_argument; /* that of the NaN policy, or the last one */
  uint8_t is_usual;     /* calls that name no place run on the host */
  uint8_t asks_pages;   /* the host may not read every address */
  uint8_t last_policy;  /* the NaN policies up to this one are the kernel's */
  const usw_kernel_t *kernel;
} uswi_short_t;

/* What such records take at most. */
enum { USWI_SHORT_RECORD_BYTES = 256, USWI_SHORT_RECORD_ALIGNMENT_BYTES = 16 };

/* Of each of the library's reductions, once a call of any has come the usual way, which is where they are learned. */
extern uswi_short_t uswi_shorts[USWI_OPERATIONS][USWI_TYPES];
void uswi_learn_shorts(void);

/* Whether the options ask for nothing but a place where the host runs, and a NaN policy of the kernel's. */
int uswi_is_plain(const uswi_short_t *how, const usw_options_t *options, uint32_t streams);

static inline int uswi_is_there(uint64_t address, uint32_t alignment_bytes) {
  return address != 0 && uswi_is_aligned(address, alignment_bytes);
}

/* The same in memory that the host reads and writes. */
static inline int uswi_is_of_host(const uswi_short_t *how, uint64_t address, uint32_t alignment_bytes) {
  return uswi_is_there(address, alignment_bytes) && (!how->asks_pages || uswi_is_known_to_host(address));
}

static inline int uswi_is_readable(const uswi_short_t *how, uint64_t stream) {
  return uswi_is_of_host(how, stream, how->element_alignment_bytes);
}

/* Whether a call is short and plain: contiguous streams where the host reads them, one chunk, nothing by options but the place and
 * the NaN policy. Inlined, since it is more instructions than the kernel of the shortest calls; so are the others. */
static inline __attribute__((always_inline)) int uswi_is_short(const uswi_short_t *how, const uint64_t *arguments,
                                                               uint32_t streams, size_t n,
                                                               const usw_options_t *options) {
  return atomic_load_explicit(&how->streams, memory_order_acquire) == streams && n - 1 < how->most_items &&
         (options ? uswi_is_plain(how, options, streams) : how->is_usual) && uswi_is_readable(how, arguments[0]) &&
         (streams < 2 || uswi_is_readable(how, arguments[1]));
}

/* Run the kernel on this thread if the call is short. 0: it is not, or something is wrong with it; nothing is written then,
 * and the usual way runs it or says what. The same bits both ways. Arguments: USWI_MAX_LIBRARY_ARGUMENTS, zeros behind the streams. */
static inline __attribute__((always_inline)) int uswi_run_short(const uswi_short_t *how, uint64_t *arguments,
                                                                uint32_t streams, size_t n, void *result_out,
                                                                const usw_options_t *options) {
  if (!uswi_is_short(how, arguments, streams, n, options) ||
      !uswi_is_there((uint64_t)(uintptr_t)result_out, how->result_alignment_bytes))
    return 0;
  if (options)
    arguments[how->nan_argument] = options->nan;
  _Alignas(USWI_SHORT_RECORD_ALIGNMENT_BYTES) char record[USWI_SHORT_RECORD_BYTES];
  const usw_variable_t variable = {result_out, 1};
  how->function(0, n, arguments, how->strides, how->extents, record);
  return how->finish(record, &variable, how->extents) == 0;
}

/* Its two halves, for records that travel in between: of a kernel that the library has, where it has learned of short calls; else NULL. */
static inline const uswi_short_t *uswi_short_of(const usw_kernel_t *kernel) {
  if (!kernel || !uswi_are_codes((usw_operation_t)kernel->operation, (usw_type_t)kernel->type))
    return NULL;
  const uswi_short_t *how = &uswi_shorts[kernel->operation][kernel->type];
  return atomic_load_explicit(&how->streams, memory_order_acquire) && how->kernel == kernel ? how : NULL;
}

static inline int uswi_reduce_short(const uswi_short_t *how, size_t n, const uint64_t *streams,
                                    const usw_options_t *options, void *record_out) {
  const uint32_t count = atomic_load_explicit(&how->streams, memory_order_relaxed);
  if (!uswi_is_short(how, streams, count, n, options) ||
      !uswi_is_aligned((uintptr_t)record_out, USWI_SHORT_RECORD_ALIGNMENT_BYTES))
    return 0;
  uint64_t arguments[USWI_MAX_LIBRARY_ARGUMENTS] = {streams[0], count > 1 ? streams[1] : 0};
  if (options)
    arguments[how->nan_argument] = options->nan;
  how->function(0, n, arguments, how->strides, how->extents, record_out);
  return 1;
}

#endif
