/* Which thread of a region runs which chunk: its own ones first, a block of neighbours; and, where threads help each other,
 * those that others have not begun, from the end of their blocks. Every chunk is run once, however many threads come. */
#ifndef USWI_EXEC_WORK_STEALING_H
#define USWI_EXEC_WORK_STEALING_H

#include <stdatomic.h>
#include <stdint.h>

#include "policy/chunks.h"

/* What is left of a thread's block: its first chunk in the lower half, where it ends in the upper. A line of its own: threads
 * seldom look at each other's. */
typedef struct uswi_work {
  _Alignas(USWI_LINE_BYTES) atomic_uint left;
} uswi_work_t;

/* Deal chunks to threads; before they start. */
void uswi_work_deal(uswi_work_t *work, uint32_t chunks, uint32_t threads);

/* The next chunk of thread t's own, or, if there is none, of a thread that it can help. 0: there is none. */
int uswi_work_take(uswi_work_t *work, uint32_t t, uint32_t *chunk_out);
int uswi_work_steal(uswi_work_t *work, uint32_t threads, uint32_t t, uint32_t *chunk_out);

#endif
