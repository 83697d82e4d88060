/* The same reduction over the same elements, staged and by the host in turns, at lengths that grow fourfold. */
#include <stdlib.h>
#include <string.h>
#include <upsweep/explain.h>

#include "api/library.h"
#include "backend/backend.h"
#include "base/clock.h"
#include "base/error.h"
#include "exec/run.h"
#include "policy/call.h"
#include "policy/catalog.h"
#include "policy/check.h"
#include "policy/place.h"

enum {
  LEAST_BYTES = 64 << 10,
  MOST_BYTES = 256 << 20,
  GROWTH = 4,
  TURNS = 3,               /* of which the fastest counts */
  LONG_CALL_NS = 50000000, /* lengths end there: an emulated device takes its time */
  PAGE_BYTES = 4096,
  RESULT_WORDS = 32
};

/* A measurement under way. */
typedef struct race {
  const usw_kernel_t *kernel;
  usw_options_t staged, on_host;
  char *elements; /* of all streams, one behind the other */
} race_t;

static usw_status_t run_for(const race_t *race, const usw_options_t *options, size_t n, uint64_t *ns_out) {
  const usw_kernel_t *k = race->kernel;
  uint64_t arguments[USWI_MAX_ARGUMENTS] = {0}, result[RESULT_WORDS];
  const usw_variable_t variable = {result, 1};
  const char *at = race->elements;
  usw_status_t status = USW_OK;
  for (uint32_t a = 0; a < k->argument_count; a++)
    if (k->arguments[a].kind == USW_ARGUMENT_IN) {
      arguments[a] = (uint64_t)(uintptr_t)at;
      at += n * k->arguments[a].bytes;
    }
  for (uint32_t turn = 0; turn < TURNS && status == USW_OK; turn++) {
    const uint64_t start = uswi_now_ns();
    status = uswi_run_kernel(k, n, arguments, &variable, options);
    const uint64_t ns = uswi_now_ns() - start;
    *ns_out = turn == 0 || ns < *ns_out ? ns : *ns_out;
  }
  return status;
}

static usw_status_t run(const race_t *race, usw_staging_rates_t *rates) {
  uint64_t staged_ns = 0, host_ns = 0;
  usw_status_t status = USW_OK;
  for (uint64_t bytes = LEAST_BYTES; bytes <= MOST_BYTES && staged_ns < LONG_CALL_NS; bytes *= GROWTH) {
    const size_t n = bytes / race->kernel->item_bytes;
    status = run_for(race, &race->on_host, n, &host_ns);
    if (status == USW_OK)
      status = run_for(race, &race->staged, n, &staged_ns);
    if (status != USW_OK)
      return status;
    rates->staged_gbs = (double)bytes / (double)staged_ns;
    rates->host_gbs = (double)bytes / (double)host_ns;
    if (staged_ns >= host_ns)
      rates->pays_bytes = 0;
    else if (rates->pays_bytes == 0)
      rates->pays_bytes = bytes;
  }
  return status;
}

/* Pages are where first touch by threads of the host puts them, as a program's are. */
static char *make_elements(void) {
  char *elements = aligned_alloc(PAGE_BYTES, MOST_BYTES);
  if (!elements)
    return NULL;
#pragma omp parallel for
  for (size_t page = 0; page < MOST_BYTES / PAGE_BYTES; page++)
    memset(elements + page * PAGE_BYTES, 0, PAGE_BYTES);
  return elements;
}

static usw_status_t measure(const usw_kernel_t *kernel, const usw_options_t *options, usw_staging_rates_t *rates) {
  const usw_options_t on_host = {.size = sizeof on_host,
                                 .place = USW_HOST,
                                 .accuracy = options->accuracy,
                                 .nan = options->nan,
                                 .recheck = USW_RECHECK_NEVER};
  race_t race = {kernel, *options, on_host, make_elements()};
  if (!race.elements)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %d bytes of elements to measure staging with", kernel->name,
                     MOST_BYTES);
  race.staged.staging = USW_STAGING_ALWAYS;
  race.staged.recheck = USW_RECHECK_NEVER;
  race.staged.report = NULL;
  memset(race.staged.stride, 0, sizeof race.staged.stride);
  const usw_status_t status = run(&race, rates);
  free(race.elements);
  return status;
}

/* Whether the options name a device that cannot read host memory. */
static usw_status_t check_place(const usw_kernel_t *kernel, const usw_options_t *options) {
  uswi_call_t call;
  uswi_call_init(&call, kernel, 0, options);
  usw_status_t status = uswi_check_options(&call);
  if (status == USW_OK)
    status = uswi_place_near(&call, 0);
  if (status == USW_OK && (!call.device || call.device->shares_host_memory))
    return uswi_fail(USW_ERROR_PLACE, "%s: the options name no device that host memory has to be staged to",
                     kernel->name);
  return status;
}

usw_status_t usw_measure_staging(usw_operation_t operation, usw_type_t type, const usw_options_t *options,
                                 usw_staging_rates_t *rates_out) {
  usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (!options || !rates_out)
    return uswi_fail(USW_ERROR_INVALID, "usw_measure_staging: %s is NULL", options ? "rates_out" : "options");
  if (rates_out->size != sizeof *rates_out)
    return uswi_fail(USW_ERROR_VERSION, "usw_measure_staging: size is %zu, this library knows %zu", rates_out->size,
                     sizeof *rates_out);
  const usw_kernel_t *kernel = uswi_kernel(operation, type, options);
  if (!kernel)
    return USW_ERROR_UNSUPPORTED;
  usw_staging_rates_t rates = {.size = sizeof rates};
  status = check_place(kernel, options);
  if (status == USW_OK)
    status = measure(kernel, options, &rates);
  if (status == USW_OK)
    *rates_out = rates;
  return status;
}
