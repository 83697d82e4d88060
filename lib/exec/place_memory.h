/* Memory of a call's place, for what one of its launches leaves for the next one. */
#ifndef USWI_EXEC_PLACE_MEMORY_H
#define USWI_EXEC_PLACE_MEMORY_H

#include "exec/scratch.h"
#include "policy/call.h"

typedef struct uswi_place_memory {
  void *data;
  uswi_scratch_t *scratch; /* on a device, which it belongs to; else NULL */
  int is_zeroed;
} uswi_place_memory_t;

/* So many bytes where a placed call runs; zeroed: all are zero. `what` is for the error's text. */
usw_status_t uswi_place_memory_take(const uswi_call_t *call, size_t bytes, int is_zeroed, const char *what,
                                    uswi_place_memory_t *memory_out);

/* is_as_taken: zeroed memory of a device is zero again, else nobody knows. */
void uswi_place_memory_give_back(const uswi_call_t *call, uswi_place_memory_t *memory, int is_as_taken);

#endif
