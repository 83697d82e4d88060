#include "arguments.h"

#include "number.h"
#include "one_line.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int arguments_parse(const struct argp *parser, int argc, char **argv, void *input) {
  argp_err_exit_status = ARGUMENTS_WRONG;
  return argp_parse(parser, argc, argv, 0, NULL, input) == 0 ? 0 : ARGUMENTS_WRONG;
}

void arguments_one_line_per_error(struct argp_state *state) {
  state->err_stream = NULL; /* where argp would add "Try --help": getopt has said what is wrong */
}

error_t arguments_refuse(const char *program, const char *option, const char *text, const char *what) {
  char line[1024];
  snprintf(line, sizeof line, "%s: %s%s%s'%.700s' is no %s", program, option ? "--" : "", option ? option : "",
           option ? ": " : "", text, what);
  keep_one_line(line);
  fprintf(stderr, "%s\n", line);
  return EINVAL;
}

error_t arguments_list(const char *program, const char *option, const char *text, const char *what,
                       arguments_word_t take, void *input) {
  for (const char *at = text;; at++) {
    char word[64];
    const size_t length = strcspn(at, ",");
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), at);
    if (take(word, input))
      return arguments_refuse(program, option, word, what);
    at += length;
    if (!*at)
      return 0;
  }
}

error_t arguments_positive(const char *program, const char *option, const char *text, const char *what,
                           double *number_out) {
  return number_parse_positive(text, number_out) ? arguments_refuse(program, option, text, what) : 0;
}

error_t arguments_refuse_argument(const char *program, const char *text) {
  return arguments_refuse(program, NULL, text, "option; --help lists them");
}
