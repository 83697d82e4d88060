/* Reductions over ranks that go on while the rank does something else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"

struct usw_mpi_state {
  uswi_mpi_call_t call;
  usw_options_t options;
  uint64_t arguments[USW_MAX_PART_ARGUMENTS];
  void *parts; /* NULL: there are none */
  usw_variable_t *variables;
  char *mine, *outcome;
  MPI_Request request;
  int is_persistent, is_under_way;
  char own_text[USWI_MPI_TEXT_BYTES]; /* of this rank's failure; empty: it has none */
};

static void release(struct usw_mpi_state *state) {
  free(state->mine); /* and the outcome */
  free(state->variables);
  free(state->parts);
  free(state);
}

/* Parts as they are now. A part of another size ends them: it is no more than its size, by which it fails once it is reduced. */
static int copy_parts(const uswi_mpi_call_t *call, struct usw_mpi_state *state) {
  const size_t bytes = call->items == USWI_MPI_PARTS ? sizeof(usw_part_t) : sizeof(usw_kernel_part_t);
  const char *from = call->parts;
  size_t known = bytes;
  if (!from || call->n == 0)
    return 1;
  state->parts = calloc(call->n, bytes);
  for (size_t k = 0; state->parts && k < call->n && known == bytes; k++) {
    memcpy(&known, from + k * bytes, sizeof known);
    memcpy((char *)state->parts + k * bytes, from + k * bytes, known == bytes ? bytes : sizeof known);
  }
  state->call.parts = state->parts;
  return state->parts != NULL;
}

static int copy_items(const uswi_mpi_call_t *call, struct usw_mpi_state *state) {
  if (call->items != USWI_MPI_ONE_PLACE)
    return copy_parts(call, state);
  memcpy(state->arguments, call->arguments, uswi_mpi_arguments(call->kernel) * sizeof *state->arguments);
  state->call.arguments = state->arguments;
  return 1;
}

/* Copies of all that the caller hands over, and room for two messages. */
static struct usw_mpi_state *copy(const uswi_mpi_call_t *call) {
  struct usw_mpi_state *state = calloc(1, sizeof *state);
  if (!state)
    return NULL;
  const size_t step = uswi_mpi_round_up(call->type->bytes), count = call->kernel->reducer_count;
  state->call = *call;
  state->request = MPI_REQUEST_NULL;
  state->mine = aligned_alloc(USWI_MPI_LINE_BYTES, 2 * step);
  state->variables = malloc(count * sizeof *state->variables);
  if (!state->mine || !state->variables || !copy_items(call, state)) {
    release(state);
    return NULL;
  }
  state->outcome = state->mine + step;
  memcpy(state->variables, call->variables, count * sizeof *state->variables);
  state->call.variables = state->variables;
  if (call->options) {
    state->options = *call->options;
    state->call.options = &state->options;
  }
  return state;
}

/* What is wrong on this rank, of which the others know nothing. */
static usw_status_t check_own(const uswi_mpi_call_t *call, const usw_mpi_request_t *request_out) {
  if (!request_out || !call->variables)
    return uswi_mpi_fail(USW_ERROR_INVALID, call->kernel->name, "%s NULL",
                         request_out ? "the variables are" : "request_out is");
  if (call->options && call->options->size != sizeof *call->options)
    return uswi_mpi_fail(USW_ERROR_VERSION, call->kernel->name, "options.size is %zu, this library knows %zu",
                         call->options->size, sizeof *call->options);
  return USW_OK;
}

/* Take part in what the others start, as a rank that has failed. */
static void join_as_failed(const uswi_mpi_call_t *call, usw_status_t status) {
  _Alignas(USWI_MPI_LINE_BYTES) char mine[USWI_MPI_SMALL_BYTES], outcome[USWI_MPI_SMALL_BYTES];
  const uswi_mpi_type_t *type = call->type;
  MPI_Request request;
  usw_message_fail(call->kernel, status, (uint32_t)uswi_mpi_rank(call), mine, type->bytes);
  if (MPI_Iallreduce(mine, outcome, 1, type->type, type->op, call->comm, &request) == MPI_SUCCESS)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static usw_status_t check_and_copy(const uswi_mpi_call_t *call, const usw_mpi_request_t *request_out,
                                   struct usw_mpi_state **state_out) {
  const usw_status_t status = check_own(call, request_out);
  *state_out = status == USW_OK ? copy(call) : NULL;
  if (status != USW_OK || *state_out)
    return status;
  return uswi_mpi_fail(USW_ERROR_MEMORY, call->kernel->name, "no room for a request and two messages of %zu bytes",
                       call->type->bytes);
}

/* Where a rank may wait for others, all can make a request or none makes one. */
static usw_status_t make(uswi_mpi_call_t *call, int may_wait, const usw_mpi_request_t *request_out,
                         struct usw_mpi_state **state_out) {
  usw_status_t status = uswi_mpi_begin(call);
  if (status == USW_OK && call->is_inter)
    status = uswi_mpi_fail(USW_ERROR_UNSUPPORTED, call->kernel->name,
                           "requests are not for intercommunicators, whose groups agree on errors in two steps");
  if (status != USW_OK)
    return status;
  status = check_and_copy(call, request_out, state_out);
  if (may_wait || call->type->bytes > USWI_MPI_SMALL_BYTES)
    status = uswi_mpi_agree(call, status);
  else if (status != USW_OK)
    join_as_failed(call, status);
  if (status != USW_OK && *state_out)
    release(*state_out);
  return status;
}

static int init_persistent(struct usw_mpi_state *state) {
#if MPI_VERSION >= 4
  const uswi_mpi_type_t *type = state->call.type;
  return MPI_Allreduce_init(state->mine, state->outcome, 1, type->type, type->op, state->call.comm, MPI_INFO_NULL,
                            &state->request);
#else
  (void)state;
  return MPI_SUCCESS;
#endif
}

static int post(struct usw_mpi_state *state) {
  const uswi_mpi_type_t *type = state->call.type;
  if (state->request != MPI_REQUEST_NULL) /* a persistent one */
    return MPI_Start(&state->request);
  return MPI_Iallreduce(state->mine, state->outcome, 1, type->type, type->op, state->call.comm, &state->request);
}

static usw_status_t start(struct usw_mpi_state *state) {
  const usw_status_t own = uswi_mpi_reduce_own(&state->call, state->mine);
  snprintf(state->own_text, sizeof state->own_text, "%s", own == USW_OK ? "" : usw_error_text());
  const usw_status_t status = uswi_mpi_check(state->call.kernel->name, post(state));
  state->is_under_way = status == USW_OK;
  return status;
}

/* A persistent request waits to be started, another one is under way. */
usw_status_t uswi_mpi_make_request(uswi_mpi_call_t *call, int is_persistent, usw_mpi_request_t *request_out) {
  struct usw_mpi_state *state;
  usw_status_t status = make(call, is_persistent, request_out, &state);
  if (status != USW_OK)
    return status;
  state->is_persistent = is_persistent;
  status = is_persistent ? uswi_mpi_check(call->kernel->name, init_persistent(state)) : start(state);
  if (status != USW_OK) {
    release(state);
    return status;
  }
  request_out->state = state;
  return USW_OK;
}

usw_status_t usw_mpi_kernel_init(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                 const usw_variable_t *variables, MPI_Comm comm, const usw_options_t *options,
                                 usw_mpi_request_t *request_out) {
  uswi_mpi_call_t call = uswi_mpi_call(kernel, n, arguments, variables, comm, options);
  return uswi_mpi_make_request(&call, 1, request_out);
}

usw_status_t usw_mpi_kernel_init_parts(const usw_kernel_t *kernel, const usw_kernel_part_t *parts, size_t count,
                                       const usw_variable_t *variables, MPI_Comm comm, const usw_options_t *options,
                                       usw_mpi_request_t *request_out) {
  uswi_mpi_call_t call = uswi_mpi_call_of_parts(kernel, USWI_MPI_KERNEL_PARTS, parts, count, variables, comm, options);
  return uswi_mpi_make_request(&call, 1, request_out);
}

usw_status_t usw_mpi_kernel_iallreduce(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                       const usw_variable_t *variables, MPI_Comm comm, const usw_options_t *options,
                                       usw_mpi_request_t *request_out) {
  uswi_mpi_call_t call = uswi_mpi_call(kernel, n, arguments, variables, comm, options);
  return uswi_mpi_make_request(&call, 0, request_out);
}

usw_status_t usw_mpi_kernel_iallreduce_parts(const usw_kernel_t *kernel, const usw_kernel_part_t *parts, size_t count,
                                             const usw_variable_t *variables, MPI_Comm comm,
                                             const usw_options_t *options, usw_mpi_request_t *request_out) {
  uswi_mpi_call_t call = uswi_mpi_call_of_parts(kernel, USWI_MPI_KERNEL_PARTS, parts, count, variables, comm, options);
  return uswi_mpi_make_request(&call, 0, request_out);
}

/* ---- requests ---- */

static usw_status_t check_request(const char *owner, const usw_mpi_request_t *request) {
  return request && request->state ? USW_OK : uswi_mpi_fail(USW_ERROR_INVALID, owner, "there is no request");
}

static usw_status_t check_under_way(const char *owner, const usw_mpi_request_t *request) {
  const usw_status_t status = check_request(owner, request);
  if (status != USW_OK || request->state->is_under_way)
    return status;
  return uswi_mpi_fail(USW_ERROR_INVALID, owner, "the request of %s is not under way",
                       request->state->call.kernel->name);
}

usw_status_t usw_mpi_start(usw_mpi_request_t *request) {
  const usw_status_t status = check_request("usw_mpi_start", request);
  if (status != USW_OK)
    return status;
  if (request->state->is_under_way)
    return uswi_mpi_fail(request->state->is_persistent ? USW_ERROR_BUSY : USW_ERROR_INVALID, "usw_mpi_start",
                         "the request of %s is under way", request->state->call.kernel->name);
  return start(request->state);
}

usw_status_t usw_mpi_test(usw_mpi_request_t *request, int *done_out) {
  usw_status_t status = check_under_way("usw_mpi_test", request);
  if (status == USW_OK && !done_out)
    status = uswi_mpi_fail(USW_ERROR_INVALID, "usw_mpi_test", "done_out is NULL");
  if (status != USW_OK)
    return status;
  int is_done; /* the request stays as it is, for usw_mpi_wait() */
  status = uswi_mpi_check("usw_mpi_test", MPI_Request_get_status(request->state->request, &is_done, MPI_STATUS_IGNORE));
  if (status == USW_OK)
    *done_out = is_done;
  return status;
}

static usw_status_t finish(const struct usw_mpi_state *state) {
  uint32_t source = (uint32_t)USWI_MPI_NO_RANK;
  const usw_status_t status = usw_message_status(state->outcome, &source);
  const char *const own_text = state->own_text[0] ? state->own_text : NULL;
  if (status != USW_OK) /* ranks may wait for other requests meanwhile */
    return uswi_mpi_tell(&state->call, status, (int)source, own_text, 0);
  return uswi_mpi_finish(&state->call, state->outcome);
}

usw_status_t usw_mpi_wait(usw_mpi_request_t *request) {
  usw_status_t status = check_under_way("usw_mpi_wait", request);
  if (status != USW_OK)
    return status;
  struct usw_mpi_state *state = request->state;
  status = uswi_mpi_check(state->call.kernel->name, MPI_Wait(&state->request, MPI_STATUS_IGNORE));
  state->is_under_way = 0;
  if (status == USW_OK)
    status = finish(state);
  if (!state->is_persistent) {
    release(state);
    request->state = NULL;
  }
  return status;
}

void usw_mpi_request_free(usw_mpi_request_t *request) {
  if (!request || !request->state)
    return;
  struct usw_mpi_state *state = request->state;
  if (state->is_under_way)
    MPI_Wait(&state->request, MPI_STATUS_IGNORE);
  if (state->request != MPI_REQUEST_NULL)
    MPI_Request_free(&state->request);
  release(state);
  request->state = NULL;
}
