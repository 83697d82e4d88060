/* Numbers of command lines. */
#ifndef MEASURE_NUMBER_H
#define MEASURE_NUMBER_H

#include <stdint.h>

/* 1000 or 2^20, at least 1 and at most `most`. Returns 0, or -1 where the text is no such number. */
int bench_parse_number(const char *text, uint64_t most, uint64_t *number_out);

#endif
