/* Bins of reproducible sums: how many a type keeps, and the sweeps over the elements that more of them take. */
#ifndef USWI_POLICY_FOLD_H
#define USWI_POLICY_FOLD_H

#include <upsweep/types.h>

#include "base/bytes.h"

enum { USWI_BINS_OF_SWEEP = 3, USWI_MOST_FOLD = 60 };

/* Sweeps that keep so many bins. */
static inline uint32_t uswi_sweeps_of(uint32_t fold) { return (uint32_t)uswi_quotient_up(fold, USWI_BINS_OF_SWEEP); }

/* Bins that the results of a type keep where nobody asks for more. */
static inline uint32_t uswi_default_fold(usw_type_t type) { return type == USW_F64 || type == USW_CF64 ? 3 : 2; }

#endif
