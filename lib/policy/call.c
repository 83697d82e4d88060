#include "policy/call.h"

void uswi_call_init(uswi_call_t *call, const usw_kernel_t *kernel, size_t n, const usw_options_t *options) {
  static const usw_options_t defaults = {.size = sizeof defaults};
  call->kernel = kernel;
  call->n = n;
  call->variables = NULL;
  call->record_bytes = 0;
  call->cells = 0;
  call->options = options ? options : &defaults;
  call->index_of_first = 0;
  call->start_ns = 0;
  call->device = NULL;
  call->home = call->home_bytes = 0;
  call->teams = call->team_size = 1;
}
