#include "exec/place_memory.h"

#include <stdlib.h>

#include "base/error.h"

usw_status_t uswi_place_memory_take(const uswi_call_t *call, size_t bytes, int is_zeroed, const char *what,
                                    uswi_place_memory_t *memory_out) {
  uswi_scratch_t *scratch = NULL;
  usw_status_t status = USW_OK;
  *memory_out = (uswi_place_memory_t){.is_zeroed = is_zeroed};
  if (!call->device) {
    memory_out->data = is_zeroed ? calloc(1, bytes) : malloc(bytes);
    return memory_out->data ? USW_OK
                            : uswi_fail(USW_ERROR_MEMORY, "%s: no room for %zu bytes of %s", call->name, bytes, what);
  }
  status = is_zeroed ? uswi_scratch_take_marks(call->device, bytes, &scratch)
                     : uswi_scratch_take(call->device, bytes, 1, 1, &scratch);
  if (status != USW_OK || !scratch)
    return status;
  memory_out->scratch = scratch;
  memory_out->data = is_zeroed ? scratch->marks.memory : scratch->partials;
  return USW_OK;
}

void uswi_place_memory_give_back(const uswi_call_t *call, uswi_place_memory_t *memory, int is_as_taken) {
  if (!memory->scratch) {
    free(memory->data);
    return;
  }
  if (memory->is_zeroed && !is_as_taken)
    uswi_scratch_forget(call->device, memory->scratch);
  uswi_scratch_give_back(memory->scratch);
}
