#include "rounds.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { MOST_CALLS_IN_ROUND = 4096 };

/* A round of calls that take less than this has several of them: reading the clock takes 20 to 50 ns. */
static const double least_round_seconds = 4e-6;

int bench_calls_in_round(double seconds) {
  if (seconds >= least_round_seconds)
    return 1;
  const double calls = ceil(least_round_seconds / (seconds > 1e-9 ? seconds : 1e-9));
  return calls < MOST_CALLS_IN_ROUND ? (int)calls : MOST_CALLS_IN_ROUND;
}

/* Whoever always came behind the same one would find its caches and its clocks. */
static void shuffle(int *order, int count, uint32_t *state) {
  for (int k = count - 1; k > 0; k--) {
    *state = *state * 1664525u + 1013904223u; /* Numerical Recipes, chapter 7.1 */
    const int other = (int)((uint64_t)*state * (uint32_t)(k + 1) >> 32), kept = order[k];
    order[k] = order[other];
    order[other] = kept;
  }
}

int bench_run_rounds(int count, int rounds, bench_turn_t turn, void *self) {
  int *order = malloc((size_t)count * sizeof *order);
  uint32_t state = 1;
  if (!order)
    return -1;
  for (int k = 0; k < count; k++)
    order[k] = k;
  for (int round = 0; round < rounds; round++) {
    shuffle(order, count, &state);
    for (int k = 0; k < count; k++)
      turn(self, order[k], round);
  }
  free(order);
  return 0;
}
