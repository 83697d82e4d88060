/* Numbers of command lines: one parser for the benchmarks and the tool. */
#ifndef MEASURE_NUMBER_H
#define MEASURE_NUMBER_H

#include <stdint.h>

/* The forms, for messages and help. k (or K), M, G and T are powers of 1024. */
#define NUMBER_FORMS "1000, 1e6, 2^20 or 64k"

/* Reads a whole number from `least` to `most` in one of the forms. A decimal number may have a fraction that its exponent
 * takes up: 1.5e3. Returns 0, or -1 where the text is anything else. */
int number_parse(const char *text, uint64_t least, uint64_t most, uint64_t *number_out);

/* Reads a decimal number above 0, of seconds for example. Returns 0, or -1. */
int number_parse_positive(const char *text, double *number_out);

#endif
