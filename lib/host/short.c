#include "host/short.h"

#include "call.h"
#include "devices.h"
#include "environment.h"
#include "host/variant.h"
#include "reduce.h"

enum {
  RECORD_BYTES = 256,
  OTHER_FACTS = USW_FACT_SPANS | USW_FACT_NO_CLAUSE /* cells besides, or an arithmetic of its own */
};

static int is_plain(const usw_options_t *o, uint32_t streams) {
  const int is_right = o->size == sizeof *o && (unsigned)o->accuracy < USW_COMPENSATED &&
                       (unsigned)o->nan <= USW_NAN_IGNORE && (unsigned)o->staging <= USW_STAGING_NEVER &&
                       (o->strategy == USW_AUTO_STRATEGY || o->strategy == USW_STRATEGY_HOST);
  return is_right && !(o->teams | o->recheck | o->fold | o->initialize_to_identity) && !o->record && !o->stream &&
         (size_t)o->stride[0] <= 1 && (streams == 1 || (size_t)o->stride[1] <= 1);
}

/* One chunk, by the table's first row, and a small record. */
static int is_small(const usw_kernel_t *kernel, size_t n) {
  const uswi_row_t *row = uswi_tuning_of(NULL)->first[USW_STRATEGY_HOST];
  const uint64_t most_bytes = row->most_bytes < row->way.share ? row->most_bytes : row->way.share - 1;
  return uswi_row_is_for_all(row) && row->least_bytes == 0 && n - 1 < most_bytes &&
         n * kernel->item_bytes <= most_bytes && kernel->accumulator_bytes <= RECORD_BYTES &&
         !(kernel->facts & OTHER_FACTS);
}

static int is_there(uint64_t address, uint32_t alignment_bytes) {
  return address != 0 && uswi_is_aligned(address, alignment_bytes);
}

/* Whether the call may run on the host, by the place that it asks for. Where there are GPUs its addresses may be theirs, so that it
 * has to say so. */
static int is_for_host(usw_place_t asked, const uswi_environment_t *environment, int has_gpu) {
  const usw_place_t place = asked == USW_AUTO_PLACE ? environment->place : asked;
  return has_gpu ? place == USW_HOST : (unsigned)place <= USW_HOST;
}

int uswi_run_short(const usw_kernel_t *kernel, const uint64_t *slots, uint32_t streams, size_t n, void *result_out,
                   const usw_options_t *options) {
  static const usw_options_t defaults = {.size = sizeof defaults};
  static const ptrdiff_t strides[USW_MAX_INPUTS] = {1, 1};
  static const uint64_t extents[] = {1};
  const usw_options_t *o = options ? options : &defaults;
  const uswi_environment_t *environment = uswi_environment();
  if ((options && !is_plain(options, streams)) || environment->recheck || !is_small(kernel, n) ||
      !is_there((uint64_t)(uintptr_t)result_out, kernel->reducers[0].alignment_bytes))
    return 0;
  const int has_gpu = uswi_gpu(0) != NULL;
  if (!is_for_host(o->place, environment, has_gpu))
    return 0;
  uint64_t own_slots[USWI_MAX_LIBRARY_SLOTS] = {0};
  for (uint32_t s = 0; s < streams; s++) {
    if (!is_there(slots[s], kernel->arguments[s].alignment_bytes) || (has_gpu && !uswi_is_known_to_host(slots[s])))
      return 0;
    own_slots[s] = slots[s];
  }
  if (kernel->facts & USW_FACT_NAN_POLICY)
    own_slots[kernel->argument_count - 1] = o->nan;
  _Alignas(64) char record[RECORD_BYTES];
  const usw_variable_t variable = {result_out, 1};
  uswi_host_function(kernel)(0, n, own_slots, strides, extents, record);
  return kernel->finish(record, &variable, extents) == 0;
}
