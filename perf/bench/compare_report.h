/* Comparisons in words and as JSON, and the commands --compare and --behind. */
#ifndef BENCH_COMPARE_REPORT_H
#define BENCH_COMPARE_REPORT_H

#include "measure/compare.h"

#include <stdio.h>

/* A summary, what differs in the contexts, and a table of regressions and of improvements, worst first. */
void bench_print_comparison(FILE *stream, const bench_comparison_t *comparison, const bench_measurement_t *before,
                            const bench_measurement_t *after);

/* Exit codes of both commands. */
enum { BENCH_COMPARE_SAME, BENCH_COMPARE_REGRESSIONS, BENCH_COMPARE_BAD_INPUT };

/* The commands; argv[0] is --compare, --behind. Return the exit code. */
int bench_compare_main(int argc, char **argv);
int bench_behind_main(int argc, char **argv);

#endif
