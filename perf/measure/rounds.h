/* Rounds: everybody takes a turn in every round. */
#ifndef MEASURE_ROUNDS_H
#define MEASURE_ROUNDS_H

/* The turn of number `who` in a round. */
typedef void (*bench_turn_t)(void *self, int who, int round);

/* Runs the rounds. The order of turns changes from round to round, and is the same in every run. Returns 0, or -1 where
 * there is no memory. */
int bench_run_rounds(int count, int rounds, bench_turn_t turn, void *self);

/* How many calls of so many seconds make a turn that the clock can time. */
int bench_calls_in_round(double seconds);

#endif
