/* Reducer sets: cells turned into the accumulators of the library's own kernels, which know the rest. */
#include "api/set_result.h"

#include <string.h>

/* A cell's words are what the kernel of the same reduction accumulates, but for the keys of u64: the set's are signed. */
static void accumulator_of(const uswi_set_reducer_t *reducer, const usw_set_cell_t *cell, void *accumulator_out) {
  uint64_t words[2] = {cell->words[0], cell->words[1]};
  if (uswi_set_is_ordered(reducer) && reducer->type == USW_U64)
    words[0] ^= (uint64_t)1 << 63;
  memcpy(accumulator_out, words, sizeof words); /* of which it needs some: as many for all are quicker */
}

/* The accumulator of one original value: a minimum's or maximum's is its order key, every other's is the value. */
static void original_of(const uswi_set_reducer_t *reducer, const void *original, usw_nan_t nan, void *accumulator_out) {
  const usw_kernel_t *kernel = reducer->kernel;
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)original, (uint64_t)nan};
  const ptrdiff_t stride = 1;
  if (uswi_set_is_ordered(reducer))
    kernel->host[0](0, 1, arguments, &stride, NULL, accumulator_out);
  else
    memcpy(accumulator_out, original, kernel->reducers[0].bytes);
}

void uswi_set_finish(const usw_set_t *set, uint32_t number, const usw_set_cell_t *cells, const usw_options_t *options) {
  enum { ACCUMULATOR_WORDS = 8 };
  const uswi_set_reducer_t *reducer = &set->reducers[number];
  const usw_kernel_t *kernel = reducer->kernel;
  const int is_fresh = reducer->is_fresh || ((options->initialize_to_identity >> number) & 1);
  for (size_t k = 0; k < reducer->extent; k++) {
    const usw_variable_t variable = {(char *)reducer->variable + k * kernel->reducers[0].bytes, 1};
    uint64_t total[ACCUMULATOR_WORDS], combined[ACCUMULATOR_WORDS];
    if (cells[k].combine == 0 && !is_fresh)
      continue; /* bit by bit as it was */
    if (cells[k].combine != 0)
      accumulator_of(reducer, &cells[k], combined);
    else
      kernel->identity(combined, NULL);
    if (is_fresh) {
      kernel->finish(combined, &variable, NULL);
      continue;
    }
    kernel->identity(total, NULL);
    original_of(reducer, variable.address, options->nan, total);
    kernel->merge(total, combined, NULL);
    kernel->finish(total, &variable, NULL);
  }
}
