/* The host's chains of an accumulator of several doubles (engine/host.h), a sum of each as a vector, for bodies by runs
 * (USW_BY_RUNS): compilers do not find that one. */
#ifndef UPSWEEP_SHAPES_CHAINS_H
#define UPSWEEP_SHAPES_CHAINS_H

#include <stdint.h>

enum { USW_CHAINS = 4 };
typedef double usw_chains_t __attribute__((vector_size(USW_CHAINS * sizeof(double))));
typedef int64_t usw_chain_flags_t
    __attribute__((vector_size(USW_CHAINS * sizeof(double)))); /* what comparing them gives */

/* Of each number of a vector a where its flag is set, else b: C has no ?: of vectors, and compilers know this one. */
#define USW_VECTOR_IF(vector_t, flags_t, flags, a, b) ((vector_t)(((flags) & (flags_t)(a)) | (~(flags) & (flags_t)(b))))
#define USW_CHAINS_IF(flags, a, b) USW_VECTOR_IF(usw_chains_t, usw_chain_flags_t, flags, a, b)

#endif
