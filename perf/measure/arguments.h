/* Command lines: what all parsers of options (argp) share. */
#ifndef MEASURE_ARGUMENTS_H
#define MEASURE_ARGUMENTS_H

#include <argp.h>

enum { ARGUMENTS_WRONG = 2 }; /* exit status */

/* Parses a command line; --help and --usage end the program. Returns 0, or ARGUMENTS_WRONG after a line on stderr. */
int arguments_parse(const struct argp *parser, int argc, char **argv, void *input);

/* For ARGP_KEY_INIT: getopt's line about an unknown option stays the only one. */
void arguments_one_line_per_error(struct argp_state *state);

/* One line: `text` is no `what`; without an option it is an argument. Returns EINVAL. */
error_t arguments_refuse(const char *program, const char *option, const char *text, const char *what);

/* What a word of a list means: stores it, or returns -1. */
typedef int (*arguments_word_t)(const char *word, void *input);

/* Takes the words of a list, which commas separate. Returns 0, or EINVAL after a line about the first that is no `what`. */
error_t arguments_list(const char *program, const char *option, const char *text, const char *what,
                       arguments_word_t take, void *input);

/* Reads a decimal number above 0. Returns 0, or EINVAL after a line. */
error_t arguments_positive(const char *program, const char *option, const char *text, const char *what,
                           double *number_out);

/* For ARGP_KEY_ARG where a program takes options only. Returns EINVAL. */
error_t arguments_refuse_argument(const char *program, const char *text);

#endif
