/* The way of usw_reduce_parts() up to its launches, told instead of gone: that of each part, and which run at the same time; and of calls whose
 * items devices share. */
#include <stdlib.h>
#include <string.h>
#include <upsweep/explain.h>

#include "api/library.h"
#include "api/parts.h"
#include "base/error.h"
#include "exec/exact.h"
#include "exec/on_devices.h"
#include "exec/parts.h"
#include "exec/parts_finish.h"
#include "policy/catalog.h"
#include "policy/check.h"
#include "policy/device_parts.h"
#include "policy/devices.h"
#include "policy/place.h"

static const char owner[] = "usw_explain_parts";

/* What is asked. */
typedef struct asked {
  usw_operation_t operation;
  usw_type_t type;
  const usw_kernel_t *kernel;
  const usw_part_t *parts;
  size_t count;
  const usw_options_t *options;
} asked_t;

/* The part's place, and whether its data would be staged, by the address. */
static usw_status_t find_place(const usw_kernel_t *kernel, const usw_part_t *part, usw_options_t *options) {
  const uint64_t address = (uint64_t)(uintptr_t)part->x[0];
  uswi_call_t call;
  uswi_call_init(&call, kernel, part->n, options);
  const usw_status_t status = uswi_place_near(&call, address);
  if (status != USW_OK)
    return status;
  options->place = call.device ? USW_DEVICE : USW_HOST;
  options->device = call.device ? call.device->number : 0;
  if (call.device && address)
    options->staging = uswi_may_stage(&call) && uswi_backend_where(part->x[0]).memory == USWI_MEMORY_HOST &&
                               !uswi_backend_mapped(call.device, part->x[0])
                           ? USW_STAGING_ALWAYS
                           : USW_STAGING_NEVER;
  return USW_OK;
}

static usw_status_t explain_part(const asked_t *asked, const usw_part_t *part, usw_explanation_t *e) {
  usw_options_t own = uswi_options_of_part(part, asked->options);
  *e = (usw_explanation_t){.size = sizeof *e};
  if ((unsigned)own.place <= USW_DEVICE) {
    const usw_status_t status = find_place(asked->kernel, part, &own);
    if (status != USW_OK)
      return status;
  }
  return usw_explain(asked->operation, asked->type, part->n, &own, e);
}

/* As exec/parts.c runs it. */
static const char *path_of(const usw_part_t *part, const usw_explanation_t *e) {
  if (part->n == 0)
    return "none";
  if (e->staging_chunks > 0)
    return "staged";
  if (strcmp(e->backend, "driver") == 0)
    return "launched";
  return e->place == USW_DEVICE && uswi_device(e->device)->driver ? "launched and waited for" : "called";
}

static int is_path(const usw_part_explanation_t *e, const char *path) { return strcmp(e->path, path) == 0; }

/* Give every part of a path a turn of its own; the number of turns by then. */
static uint32_t take_turns(usw_part_explanation_t *e, size_t count, const char *path, uint32_t turns) {
  for (size_t k = 0; k < count; k++)
    if (is_path(&e[k], path))
      e[k].turn = turns++;
  return turns;
}

/* Those of one device one after the other. */
static uint32_t take_turns_by_device(usw_part_explanation_t *e, size_t count, uint32_t turns) {
  uint32_t of_device[USWI_MAX_DEVICES] = {0}, most = 0;
  for (size_t k = 0; k < count; k++)
    if (is_path(&e[k], "staged")) {
      uint32_t *const next = &of_device[e[k].call.device % USWI_MAX_DEVICES];
      e[k].turn = turns + (*next)++;
      most = *next > most ? *next : most;
    }
  return turns + most;
}

static void order(usw_part_explanation_t *e, size_t count) {
  uint32_t turns = 0;
  for (size_t k = 0; k < count; k++)
    turns |= is_path(&e[k], "launched"); /* in turn 0, beside the first that is called */
  const uint32_t called = take_turns(e, count, "called", 0);
  turns = take_turns_by_device(e, count, called > turns ? called : turns);
  take_turns(e, count, "launched and waited for", turns);
}

static usw_status_t explain(const asked_t *asked, usw_part_explanation_t *e) {
  double n = 0;
  for (size_t k = 0; k < asked->count; k++)
    n += (double)asked->parts[k].n;
  for (size_t k = 0; k < asked->count; k++) {
    const usw_part_t *part = &asked->parts[k];
    e[k] = (usw_part_explanation_t){.size = sizeof *e, .share = n > 0 ? (double)part->n / n : 0, .n = part->n};
    const usw_status_t status = explain_part(asked, part, &e[k].call);
    if (status != USW_OK)
      return uswi_fail_of_part(status, k, asked->count);
    e[k].path = path_of(part, &e[k].call);
  }
  order(e, asked->count);
  return USW_OK;
}

static usw_status_t check_sizes(const char *name, const usw_part_explanation_t *explanations, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (explanations[k].size != sizeof *explanations)
      return uswi_fail(USW_ERROR_VERSION, "%s: explanation %zu of %zu: its size is %zu, this library knows %zu", name,
                       k + 1, count, explanations[k].size, sizeof *explanations);
  return USW_OK;
}

static usw_status_t check(const usw_part_t *parts, size_t count, const usw_options_t *options,
                          const usw_part_explanation_t *explanations) {
  if (count > 0 && (!parts || !explanations))
    return uswi_fail(USW_ERROR_INVALID, "%s: %s NULL", owner, parts ? "explanations_out is" : "parts are");
  const usw_status_t status = check_sizes(owner, explanations, count);
  return status == USW_OK ? uswi_check_parts(owner, parts, count, options) : status;
}

/* Written when all are told. */
static usw_status_t explain_all(const char *name, const asked_t *asked, usw_part_explanation_t *explanations_out) {
  const size_t count = asked->count;
  usw_part_explanation_t *const found = count <= SIZE_MAX / sizeof *found ? malloc(count * sizeof *found) : NULL;
  if (!found)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %zu explanations of %zu bytes", name, count, sizeof *found);
  const usw_status_t status = explain(asked, found);
  if (status == USW_OK)
    memcpy(explanations_out, found, count * sizeof *found);
  free(found);
  return status;
}

usw_status_t usw_explain_parts(usw_operation_t operation, usw_type_t type, const usw_part_t *parts, size_t count,
                               const usw_options_t *options, usw_part_explanation_t *explanations_out) {
  usw_status_t status = uswi_enter();
  options = options ? options : &uswi_default_options;
  if (status == USW_OK)
    status = check(parts, count, options, explanations_out);
  if (status != USW_OK || count == 0)
    return status;
  const asked_t asked = {operation, type, uswi_kernel(operation, type, options), parts, count, options};
  if (!asked.kernel)
    return USW_ERROR_UNSUPPORTED;
  if (uswi_takes_sweeps(operation, type, options) && options->accuracy != USW_EXACT)
    return uswi_check_exact_parts(asked.kernel, options);
  return explain_all(owner, &asked, explanations_out);
}

/* ---- items that devices share ---- */

static const char owner_of_devices[] = "usw_explain_devices";

static usw_status_t check_devices(const usw_options_t *options, size_t most, const usw_part_explanation_t *explanations,
                                  const size_t *count) {
  if (!explanations || !count)
    return uswi_fail(USW_ERROR_INVALID, "%s: %s is NULL", owner_of_devices, count ? "explanations_out" : "count_out");
  const usw_status_t status = uswi_check_size(owner_of_devices, options);
  if (status != USW_OK)
    return status;
  if (!uswi_names_devices(options))
    return uswi_fail(USW_ERROR_INVALID, "%s: the options name no devices: usw_explain() tells of calls at one place",
                     owner_of_devices);
  return check_sizes(owner_of_devices, explanations, most);
}

/* Of a call of nothing no address is looked at. Its other arrays are taken to be where x is. */
static usw_status_t find_parts(const usw_kernel_t *kernel, const void *x, size_t n, const usw_options_t *options,
                               uswi_call_t *whole, uswi_device_parts_t *parts_out) {
  uint64_t arguments[USWI_MAX_ARGUMENTS] = {0};
  for (uint32_t stream = 0; stream < kernel->stream_count; stream++)
    arguments[stream] = (uint64_t)(uintptr_t)x;
  uswi_call_init(whole, kernel, x ? n : 0, whole->options);
  usw_status_t status = uswi_check_items(kernel->name, n);
  if (status == USW_OK)
    status = uswi_check_on_devices(whole, arguments, options);
  whole->n = n;
  return status == USW_OK ? uswi_device_parts(whole, options->devices, parts_out) : status;
}

/* A part that its device has not as a whole is staged, as one of which no address is known. */
static void describe_parts(const uswi_call_t *whole, const uswi_device_parts_t *shares, usw_part_t *parts) {
  const usw_argument_t *const stream = &whole->kernel->arguments[0];
  for (uint32_t k = 0; k < shares->count; k++) {
    const size_t first = shares->starts[k];
    const uint64_t address = whole->arguments[0] + first * (uint64_t)whole->strides[0] * stream->bytes;
    const int is_known = whole->arguments[0] && !uswi_cut_streams(whole, shares, k);
    parts[k] = (usw_part_t){.size = sizeof *parts,
                            .place = USW_DEVICE,
                            .device = shares->devices[k],
                            .n = shares->starts[k + 1] - first,
                            .x = {is_known ? (const void *)(uintptr_t)address : NULL},
                            .stride = {whole->options->stride[0], whole->options->stride[1]}};
  }
}

static usw_status_t explain_devices(asked_t *asked, const void *x, size_t n, const usw_options_t *options, size_t most,
                                    usw_part_explanation_t *explanations_out) {
  usw_part_t parts[USWI_MAX_DEVICES];
  uswi_device_parts_t shares;
  uswi_call_t whole = {.options = asked->options};
  const usw_status_t status = find_parts(asked->kernel, x, n, options, &whole, &shares);
  if (status != USW_OK)
    return status;
  if (shares.count > most)
    return uswi_fail(USW_ERROR_INVALID, "%s: there is room for %zu explanations, and the call has %u parts",
                     owner_of_devices, most, shares.count);
  describe_parts(&whole, &shares, parts);
  asked->parts = parts;
  asked->count = shares.count;
  return explain_all(owner_of_devices, asked, explanations_out);
}

usw_status_t usw_explain_devices(usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                                 const usw_options_t *options, size_t most, usw_part_explanation_t *explanations_out,
                                 size_t *count_out) {
  usw_status_t status = uswi_enter();
  if (status == USW_OK)
    status = check_devices(options, most, explanations_out, count_out);
  if (status != USW_OK)
    return status;
  const usw_options_t of_parts = uswi_options_on_devices(options);
  asked_t asked = {operation, type, uswi_kernel(operation, type, options), NULL, 0, &of_parts};
  if (!asked.kernel)
    return USW_ERROR_UNSUPPORTED;
  if (uswi_takes_sweeps(operation, type, options)) { /* which such calls are refused for */
    uswi_call_t call;
    uswi_call_init(&call, asked.kernel, n, options);
    return uswi_check_options(&call);
  }
  status = explain_devices(&asked, x, n, options, most, explanations_out);
  if (status == USW_OK)
    *count_out = asked.count;
  return status;
}
