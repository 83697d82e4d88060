#include "exec/short.h"

#include "base/once.h"
#include "machine/environment.h"
#include "policy/call.h"
#include "policy/catalog.h"
#include "policy/choose.h"
#include "policy/devices.h"
#include "policy/variant.h"

/* Cells besides, or an arithmetic of its own. */
enum { OTHER_FACTS = USW_FACT_SPANS | USW_FACT_NO_CLAUSE };

uswi_short_t uswi_shorts[USWI_OPERATIONS][USWI_TYPES];

/* Whether calls that name a place may run on the host: where there are GPUs addresses may be theirs, so that a call, or the
 * environment, has to say so. */
static int has_gpu, is_for_host[USW_DEVICE + 1];

static void prepare(void) {
  const usw_place_t usual = uswi_environment()->place;
  has_gpu = uswi_gpu(0) != NULL;
  is_for_host[USW_AUTO_PLACE] = usual == USW_HOST || (usual == USW_AUTO_PLACE && !has_gpu);
  is_for_host[USW_HOST] = 1;
}

static uint32_t most_items_of(const usw_kernel_t *kernel) {
  if (kernel->accumulator_bytes > USWI_SHORT_RECORD_BYTES || (kernel->facts & OTHER_FACTS) ||
      uswi_environment()->recheck)
    return 0;
  const uint64_t items = uswi_items_of_one_chunk(kernel);
  return items < UINT32_MAX ? (uint32_t)items : UINT32_MAX;
}

/* For a kernel of the library's that serves every NaN policy or USW_NAN_PROPAGATE alone. */
static void learn(uswi_short_t *how, const usw_kernel_t *kernel, int serves_every_policy) {
  const int has_policy = (kernel->facts & USW_FACT_NAN_POLICY) != 0;
  how->function = uswi_host_function(kernel);
  how->finish = kernel->finish;
  for (int k = 0; k < USW_MAX_INPUTS; k++)
    how->strides[k] = 1;
  how->extents[0] = 1;
  how->most_items = most_items_of(kernel);
  how->element_alignment_bytes = (uint16_t)kernel->arguments[0].alignment_bytes;
  how->result_alignment_bytes = (uint16_t)kernel->reducers[0].alignment_bytes;
  how->nan_argument = has_policy ? (uint8_t)(kernel->argument_count - 1) : USWI_MAX_LIBRARY_ARGUMENTS - 1;
  how->is_usual = is_for_host[USW_AUTO_PLACE] != 0;
  how->asks_pages = has_gpu != 0;
  how->kernel = kernel;
  how->last_policy = serves_every_policy ? USW_NAN_IGNORE : USW_NAN_PROPAGATE;
  atomic_store_explicit(&how->streams, kernel->stream_count, memory_order_release);
}

static void learn_all(void) {
  prepare();
  for (int o = 0; o < USWI_OPERATIONS; o++)
    for (int t = 0; t < USWI_TYPES; t++) {
      const usw_kernel_t *kernel = uswi_kernel_at((usw_operation_t)o, (usw_type_t)t, USW_REPEATABLE, USW_NAN_PROPAGATE);
      if (kernel)
        learn(&uswi_shorts[o][t], kernel,
              kernel == uswi_kernel_at((usw_operation_t)o, (usw_type_t)t, USW_REPEATABLE, USW_NAN_IGNORE));
    }
}

void uswi_learn_shorts(void) {
  static uswi_once_t once = USWI_ONCE;
  uswi_once(&once, learn_all);
}

int uswi_is_plain(const uswi_short_t *how, const usw_options_t *o, uint32_t streams) {
  const int is_right = o->size == sizeof *o && (unsigned)o->accuracy < USW_COMPENSATED &&
                       (unsigned)o->nan <= how->last_policy && (unsigned)o->staging <= USW_STAGING_NEVER &&
                       (o->strategy == USW_AUTO_STRATEGY || o->strategy == USW_STRATEGY_HOST);
  return is_right && !(o->teams | o->recheck | o->fold | o->initialize_to_identity | o->devices) && !o->report &&
         !o->stream && (size_t)o->stride[0] <= 1 && (streams == 1 || (size_t)o->stride[1] <= 1) &&
         (unsigned)o->place <= USW_DEVICE && is_for_host[o->place];
}
