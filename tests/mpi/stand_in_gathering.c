/* Stands in for the library's gatherings, where there is no GPU: messages in host memory are the records. */
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

enum { LINE = 64 };

typedef struct {
  const usw_kernel_t *kernel;
  usw_variable_t *variables;
  usw_options_t options;
  size_t bytes, number, count;
} state_t;

static void *record_of(const usw_gathering_t *gathering, size_t number) {
  return (char *)gathering->records + number * gathering->record_bytes;
}

static void free_all(usw_gathering_t *gathering) {
  state_t *const state = gathering->state;
  if (state)
    free(state->variables);
  free(state);
  free(gathering->records);
  *gathering = (usw_gathering_t){.records = NULL};
}

usw_status_t usw_gathering_begin(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                 const usw_variable_t *variables, const usw_options_t *options, uint64_t first_index,
                                 size_t count, size_t number, usw_gathering_t *gathering_out) {
  const size_t of_variables = kernel->reducer_count * sizeof *variables;
  size_t bytes;
  usw_status_t status = usw_message_bytes(kernel, variables, &bytes);
  if (status != USW_OK)
    return status;
  usw_gathering_t gathering = {.record_bytes = (bytes + LINE - 1) / LINE * LINE, .stream = gathering_out};
  state_t *const state = gathering.state = calloc(1, sizeof *state);
  if (!state || posix_memalign(&gathering.records, LINE, count * gathering.record_bytes) != 0)
    abort(); /* of a test */
  *state = (state_t){.kernel = kernel,
                     .variables = malloc(of_variables),
                     .options = {.size = sizeof state->options},
                     .bytes = bytes,
                     .number = number,
                     .count = count};
  memcpy(state->variables, variables, of_variables);
  if (options)
    state->options = *options;
  status = usw_message_reduce(kernel, n, arguments, variables, options, first_index, 0, record_of(&gathering, number),
                              bytes);
  if (status == USW_OK)
    *gathering_out = gathering;
  else
    free_all(&gathering);
  return status;
}

usw_status_t usw_gathering_end(usw_gathering_t *gathering) {
  const state_t *state = gathering->state;
  void *const all = gathering->records;
  for (size_t k = 1; k < state->count; k++)
    usw_message_merge(state->kernel, all, record_of(gathering, k), all);
  const usw_status_t status = usw_message_finish(state->kernel, all, state->variables, &state->options);
  free_all(gathering);
  return status;
}

usw_status_t usw_gathering_leave(usw_gathering_t *gathering, uint32_t source, void *message_out, size_t bytes) {
  const state_t *state = gathering->state;
  (void)source;
  if (state && message_out)
    memcpy(message_out, record_of(gathering, state->number), bytes);
  free_all(gathering);
  return USW_OK;
}
