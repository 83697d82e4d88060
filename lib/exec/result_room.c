#include "exec/result_room.h"

#include <string.h>

#include "backend/backend.h"
#include "base/error.h"
#include "policy/devices.h"
#include "policy/results.h"

static usw_status_t no_copy(const uswi_call_t *call, uint32_t r) {
  return uswi_fail(USW_ERROR_DEVICE, "%s: the results of '%s' cannot be copied", call->name,
                   call->kernel->reducers[r].name);
}

/* The device that a variable is on, which need not be the call's; NULL: it is none that the library knows. */
static const uswi_device_t *device_of(const uswi_call_t *call, uint32_t r) {
  const int number = uswi_backend_where(call->variables[r].address).device;
  return number < 0 ? NULL : uswi_device(number);
}

usw_status_t uswi_result_copy_here(const uswi_call_t *call, uint32_t r, void *to) {
  const size_t bytes = uswi_result_bytes(call, r);
  const void *const from = call->variables[r].address;
  if (uswi_result_is_there(call, r)) {
    const uswi_device_t *const device = device_of(call, r);
    return device && uswi_backend_copy_to_host(device, to, from, bytes) ? USW_OK : no_copy(call, r);
  }
  memcpy(to, from, bytes);
  return USW_OK;
}

usw_status_t uswi_result_copy_back(const uswi_call_t *call, uint32_t r, const void *from) {
  const size_t bytes = uswi_result_bytes(call, r);
  void *const to = call->variables[r].address;
  if (uswi_result_is_there(call, r)) {
    const uswi_device_t *const device = device_of(call, r);
    return device && uswi_backend_copy_to_device(device, to, from, bytes) ? USW_OK : no_copy(call, r);
  }
  memcpy(to, from, bytes);
  return USW_OK;
}

usw_status_t uswi_results_to_room(const uswi_call_t *call, uint64_t variables, char *room) {
  const uint64_t copied = variables & ~uswi_fresh_reducers(call);
  usw_status_t status = USW_OK;
  for (uint32_t r = 0; r < call->kernel->reducer_count && status == USW_OK; room += uswi_result_room(call, r++))
    if (copied >> r & 1)
      status = uswi_result_copy_here(call, r, room);
  return status;
}

usw_status_t uswi_results_from_room(const uswi_call_t *call, uint64_t variables, const char *room) {
  usw_status_t status = USW_OK;
  for (uint32_t r = 0; r < call->kernel->reducer_count && status == USW_OK; room += uswi_result_room(call, r++))
    if (variables >> r & 1)
      status = uswi_result_copy_back(call, r, room);
  return status;
}

usw_status_t uswi_variables_to_room(const uswi_call_t *call, char *room, usw_variable_t *own_out) {
  char *at = room;
  for (uint32_t r = 0; r < call->kernel->reducer_count; at += uswi_result_room(call, r++))
    own_out[r] = (usw_variable_t){at, call->variables[r].extent};
  return uswi_results_to_room(call, ~UINT64_C(0), room);
}

usw_status_t uswi_variables_back(const uswi_call_t *call, const usw_variable_t *own) {
  usw_status_t status = USW_OK;
  for (int is_there = 1; is_there >= 0; is_there--)
    for (uint32_t r = 0; r < call->kernel->reducer_count && status == USW_OK; r++)
      if (uswi_result_is_there(call, r) == is_there)
        status = uswi_result_copy_back(call, r, own[r].address);
  return status;
}
