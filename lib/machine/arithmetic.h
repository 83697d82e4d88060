/* The arithmetic of accurate sums: rounding to nearest, subnormal numbers as they are. A thread that calls may have set
 * another one (fesetround(), a program linked with -ffast-math): results would depend on it. */
#ifndef USWI_MACHINE_ARITHMETIC_H
#define USWI_MACHINE_ARITHMETIC_H

#include <fenv.h>
#include <stdint.h>
#include <upsweep/descriptor.h>

/* What a thread had before. */
typedef struct {
  int is_changed;
#ifdef __SSE2__
  uint32_t mxcsr;
#else
  fenv_t environment;
#endif
} uswi_arithmetic_t;

void uswi_arithmetic_set(uswi_arithmetic_t *before);
void uswi_arithmetic_give_back(const uswi_arithmetic_t *before);

/* Around what runs for a call on this thread: the arithmetic of accurate sums, if the call has some. */
static inline void uswi_arithmetic_begin(uswi_arithmetic_t *before, const usw_kernel_t *kernel,
                                         const usw_options_t *options) {
  before->is_changed = 0;
  if (options->accuracy >= USW_COMPENSATED || kernel->accuracy == USW_COMPENSATED ||
      (kernel->facts & USW_FACT_NO_CLAUSE) != 0)
    uswi_arithmetic_set(before);
}
static inline void uswi_arithmetic_end(const uswi_arithmetic_t *before) {
  if (before->is_changed)
    uswi_arithmetic_give_back(before);
}

#endif
