#include "arguments.h"

#include "number.h"
#include "one_line.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int takes_argument(const struct argp_option *option) {
  return option->arg && !(option->flags & OPTION_ARG_OPTIONAL);
}

/* Where the options of a word of short ones, "-ab", end: at one that takes an argument, at the byte 255, or with the word. */
static const char *end_of_short(const struct argp_option *options, const char *word) {
  if (word[0] != '-' || word[1] == '-')
    return word + strlen(word);
  const char *end = word + 1;
  for (int is_last = 0; *end && *end != '\xff' && !is_last; end += !is_last)
    for (const struct argp_option *option = options; option->name || option->key || option->doc; option++)
      is_last |= option->key == *end && takes_argument(option);
  return end;
}

/* Whether a word's last option takes the next word: "--output" or "-o", not "--output=x" or "-ox". */
static int takes_next(const struct argp_option *options, const char *word) {
  const char *const end = end_of_short(options, word);
  if (*end)
    return *end != '\xff' && end[1] == 0;
  for (const struct argp_option *option = options; option->name || option->key || option->doc; option++)
    if (strncmp(word, "--", 2) == 0 && option->name && strncmp(option->name, word + 2, strlen(word + 2)) == 0 &&
        takes_argument(option))
      return 1;
  return 0;
}

/* A word with the byte 255 as an option, which argp would take for --help: as a char it is -1, by which argp tells
 * that one from a wrong option. */
static const char *find_byte_255(const struct argp *parser, int argc, char **argv) {
  static const struct argp_option none[] = {{0}};
  const struct argp_option *const options = parser->options ? parser->options : none;
  for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k += 1 + takes_next(options, argv[k]))
    if (*end_of_short(options, argv[k]) == '\xff')
      return argv[k];
  return NULL;
}

int arguments_parse(const struct argp *parser, int argc, char **argv, void *input) {
  const char *const wrong = find_byte_255(parser, argc, argv);
  if (wrong) {
    arguments_refuse_argument(argv[0], wrong);
    return ARGUMENTS_WRONG;
  }
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
