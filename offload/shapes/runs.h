/* Elements that follow each other, for bodies by runs on the host (USW_BY_RUNS). */
#ifndef UPSWEEP_SHAPES_RUNS_H
#define UPSWEEP_SHAPES_RUNS_H

#include "row.h"

/* The chains of an accumulator of several doubles (host.h), a sum of each as a vector: compilers do not find that one. */
enum { USW_CHAINS = 4 };
typedef double usw_chains_t __attribute__((vector_size(USW_CHAINS * sizeof(double))));

#if USW_ROW_HAS_KEY
USW_INLINE USW_ROW_KEY usw_lesser_key(USW_ROW_KEY a, USW_ROW_KEY b) { return b < a ? b : a; }

/* The smallest order key of at least one element. */
USW_INLINE USW_ROW_KEY usw_least_of_run(const USW_ROW_ELEMENT *x, size_t count, uint64_t nan, USW_ROW_KEY turn) {
  USW_ROW_KEY least = USW_ROW_TO_KEY(x[0], nan, turn);
  for (size_t k = 0; k < count; k++)
    least = usw_lesser_key(least, USW_ROW_TO_KEY(x[k], nan, turn));
  return least;
}

/* The first element of that key; there is one. Vectors find its block. */
USW_INLINE size_t usw_first_of_run(const USW_ROW_ELEMENT *x, size_t count, USW_ROW_KEY key, uint64_t nan,
                                   USW_ROW_KEY turn) {
  size_t first = 0;
  for (int is_here = 0; first + USW_ROW_BLOCK <= count; first += USW_ROW_BLOCK) {
    for (size_t k = 0; k < USW_ROW_BLOCK; k++)
      is_here |= USW_ROW_TO_KEY(x[first + k], nan, turn) == key;
    if (is_here)
      break;
  }
  while (USW_ROW_TO_KEY(x[first], nan, turn) != key)
    first++;
  return first;
}
#endif

#endif
