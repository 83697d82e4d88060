/* usw bench calls: what ways to call cost beside each other: one call, plans, requests, batches, several threads. */
#ifndef BENCH_CALLS_H
#define BENCH_CALLS_H

/* Runs `usw-bench calls ...`; returns the program's exit status. */
int calls_main(int argc, char **argv);

#endif
