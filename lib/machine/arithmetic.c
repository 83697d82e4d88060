#include "machine/arithmetic.h"

#ifdef __SSE2__

#include <immintrin.h>

/* Of the MXCSR register all but rounding, flush to zero, denormals are zeros: exception flags go on collecting, and what
 * traps goes on trapping. To write the register costs more than to read it. */
static const uint32_t others = 0x1fbf;

void uswi_arithmetic_set(uswi_arithmetic_t *before) {
  before->mxcsr = _mm_getcsr();
  before->is_changed = (before->mxcsr & ~others) != 0;
  if (before->is_changed)
    _mm_setcsr(before->mxcsr & others);
}

void uswi_arithmetic_give_back(const uswi_arithmetic_t *before) {
  _mm_setcsr((_mm_getcsr() & others) | (before->mxcsr & ~others));
}
#else
void uswi_arithmetic_set(uswi_arithmetic_t *before) {
  before->is_changed = 1;
  fegetenv(&before->environment);
  fesetenv(FE_DFL_ENV);
}

void uswi_arithmetic_give_back(const uswi_arithmetic_t *before) { fesetenv(&before->environment); }
#endif
