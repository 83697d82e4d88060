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

/* Whether calls that name a place may run on the host: where there are GPUs addresses may be theirs, so that a call, or the
 * environment, has to say so. */
static int has_gpu, is_for_host[USW_DEVICE + 1];

void uswi_short_prepare(void) {
  const usw_place_t usual = uswi_environment()->place;
  has_gpu = uswi_gpu(0) != NULL;
  is_for_host[USW_AUTO_PLACE] = usual == USW_HOST || (usual == USW_AUTO_PLACE && !has_gpu);
  is_for_host[USW_HOST] = 1;
}

/* Items of one chunk, by the table's first row, whose record is small. */
static uint64_t most_items_of(const usw_kernel_t *kernel) {
  const uswi_row_t *row = uswi_tuning_of(NULL)->first[USW_STRATEGY_HOST];
  const uint64_t most_bytes = row->most_bytes < row->way.share ? row->most_bytes : row->way.share - 1;
  if (!uswi_row_is_for_all(row) || row->least_bytes != 0 || kernel->accumulator_bytes > RECORD_BYTES ||
      (kernel->facts & OTHER_FACTS) || uswi_environment()->recheck)
    return 0;
  return most_bytes / kernel->item_bytes;
}

uswi_short_t uswi_short_of(const usw_kernel_t *kernel, uint32_t streams) {
  const int has_policy = (kernel->facts & USW_FACT_NAN_POLICY) != 0;
  return (uswi_short_t){.function = uswi_host_function(kernel),
                        .finish = kernel->finish,
                        .most_items = most_items_of(kernel),
                        .element_alignment_bytes = kernel->arguments[0].alignment_bytes,
                        .result_alignment_bytes = kernel->reducers[0].alignment_bytes,
                        .streams = streams,
                        .nan_slot = has_policy ? kernel->argument_count - 1 : USWI_MAX_LIBRARY_SLOTS - 1};
}

static int is_plain(const usw_options_t *o, uint32_t streams) {
  const int is_right = o->size == sizeof *o && (unsigned)o->accuracy < USW_COMPENSATED &&
                       (unsigned)o->nan <= USW_NAN_IGNORE && (unsigned)o->staging <= USW_STAGING_NEVER &&
                       (o->strategy == USW_AUTO_STRATEGY || o->strategy == USW_STRATEGY_HOST);
  return is_right && !(o->teams | o->recheck | o->fold | o->initialize_to_identity) && !o->record && !o->stream &&
         (size_t)o->stride[0] <= 1 && (streams == 1 || (size_t)o->stride[1] <= 1) && (unsigned)o->place <= USW_DEVICE &&
         is_for_host[o->place];
}

static int are_there(const uswi_short_t *how, uint64_t first, uint64_t last, uint64_t result) {
  return first != 0 && last != 0 && result != 0 && uswi_is_aligned(first | last, how->element_alignment_bytes) &&
         uswi_is_aligned(result, how->result_alignment_bytes) &&
         (!has_gpu || (uswi_is_known_to_host(first) && uswi_is_known_to_host(last)));
}

int uswi_run_short(const uswi_short_t *how, uint64_t *slots, size_t n, void *result_out, const usw_options_t *options) {
  static const ptrdiff_t strides[USW_MAX_INPUTS] = {1, 1};
  static const uint64_t extents[] = {1};
  if (n - 1 >= how->most_items || !(options ? is_plain(options, how->streams) : is_for_host[USW_AUTO_PLACE]) ||
      !are_there(how, slots[0], slots[how->streams - 1], (uint64_t)(uintptr_t)result_out))
    return 0;
  if (options)
    slots[how->nan_slot] = options->nan;
  _Alignas(64) char record[RECORD_BYTES];
  const usw_variable_t variable = {result_out, 1};
  how->function(0, n, slots, strides, extents, record);
  return how->finish(record, &variable, extents) == 0;
}
