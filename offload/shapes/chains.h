/* The host's chains of an accumulator of several doubles (engine/host.h), a sum of each as a vector, for bodies by runs
 * (USW_BY_RUNS): compilers do not find that one. */
#ifndef UPSWEEP_SHAPES_CHAINS_H
#define UPSWEEP_SHAPES_CHAINS_H

#include <stdint.h>

enum { USW_CHAINS = 4 };
typedef double usw_chains_t __attribute__((vector_size(USW_CHAINS * sizeof(double))));
typedef int64_t usw_chain_flags_t
    __attribute__((vector_size(USW_CHAINS * sizeof(double)))); /* what comparing them gives */

/* Of each chain a where the flag is set, else b: C has no ?: of vectors, and compilers know this one. */
#define USW_CHAINS_IF(flags, a, b)                                                                                     \
  ((usw_chains_t)(((flags) & (usw_chain_flags_t)(a)) | (~(flags) & (usw_chain_flags_t)(b))))

#endif
