/* usw bench staging: sums of host memory on a GPU, beside the copy of the same bytes and the host itself. */
#ifndef BENCH_STAGING_H
#define BENCH_STAGING_H

/* Runs `usw-bench staging ...`; returns the program's exit status. */
int staging_main(int argc, char **argv);

#endif
