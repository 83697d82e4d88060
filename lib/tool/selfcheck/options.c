/* The command line. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/pattern.h"
#include "selfcheck.h"

const char *const selfcheck_place_names[SELFCHECK_PLACES] = {"host", "x86_64", "gpu", "simt"};

static void print_help(FILE *stream) {
  fputs(
      "usage: usw selfcheck [OPTION]...   (lists are separated by commas)\n"
      "Grades every function, type, place and strategy of the library on this machine against exact results.\n"
      "  --place host|x86_64|gpu|all  where to run; all places of the machine by default\n"
      "  --functions LIST             sum,dot,...; all by default\n"
      "  --types LIST                 f64,u8,...; all by default\n"
      "  --strategies LIST            auto,host,tree,host_finish,clause,tree_atomic,atomic,multipass; all by default\n"
      "  --quick                      fewer sizes and data sets: seconds\n"
      "  --long                       more than 2^31 items as well: minutes\n"
      "  --verbose                    a line for every function and type\n"
      "  --json FILE                  write all grades to FILE\n"
      "  --help                       print this, and stop\n"
      "Grading a compiler's own reduction clause instead:\n"
      "  --compiler COMMAND           clang-19, gcc, nvc, ...; built: programs that were compiled with this one\n"
      "  --flags TEXT                 more flags for it, separated by blanks\n"
      "  --levels LIST                of optimisation; O0,O1,O2,O3 by default\n"
      "  --offload TEXT               flags that make it compile for a device; none: for the host\n"
      "  --only LIST                  programs, by the first column of the table; all by default\n"
      "  --limit SECONDS              for one program, or for compiling it; 120 by default\n"
      "Exit status: 0 all right, 1 something is wrong, 2 the command line is, 77 the place is not here.\n",
      stream);
}

static int complain(const char *option, const char *text, const char *what) {
  fprintf(stderr, "usw-selfcheck: --%s: '%s' is no %s\n", option, text, what);
  return -1;
}

/* What one word of a list means; -1: nothing. */
typedef int (*word_t)(const char *word, size_t length, selfcheck_options_t *options);

static int is_word(const char *name, const char *word, size_t length) {
  return strlen(name) == length && strncmp(name, word, length) == 0;
}

/* Rows are selected by functions in bit 0, by types in bit 1. */
static int add_function(const char *word, size_t length, selfcheck_options_t *options) {
  int found = -1;
  for (int r = 0; r < ROW_COUNT; r++)
    if (is_word(rows[r].name, word, length)) {
      options->is_selected[r] |= 1;
      found = 0;
    }
  return found;
}

static int add_type(const char *word, size_t length, selfcheck_options_t *options) {
  int found = -1;
  for (int r = 0; r < ROW_COUNT; r++)
    if (is_word(type_facts(rows[r].type)->name, word, length)) {
      options->is_selected[r] |= 2;
      found = 0;
    }
  return found;
}

static int add_strategy(const char *word, size_t length, selfcheck_options_t *options) {
  for (usw_strategy_t s = USW_AUTO_STRATEGY; s <= USW_STRATEGY_MULTIPASS; s++)
    if (is_word(strategy_name(s), word, length)) {
      options->strategies |= 1u << s;
      return 0;
    }
  return -1;
}

static int add_place(const char *word, size_t length, selfcheck_options_t *options) {
  if (is_word("all", word, length))
    return 0;
  for (int p = 0; p < SELFCHECK_PLACES; p++)
    if (is_word(selfcheck_place_names[p], word, length)) {
      options->is_place_wanted[p] = options->is_place_named = 1;
      return 0;
    }
  return -1;
}

static int parse_list(const char *option, const char *text, const char *what, word_t add,
                      selfcheck_options_t *options) {
  for (const char *at = text;; at++) {
    const size_t length = strcspn(at, ",");
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), at);
    if (add(at, length, options))
      return complain(option, word, what);
    at += length;
    if (!*at)
      return 0;
  }
}

enum {
  PLACE = 1,
  FUNCTIONS,
  TYPES,
  STRATEGIES,
  QUICK,
  LONG,
  VERBOSE,
  JSON,
  HELP,
  COMPILER,
  FLAGS,
  LEVELS,
  OFFLOAD,
  ONLY,
  LIMIT
};

static int parse_option(int option, const char *text, selfcheck_options_t *options) {
  switch (option) {
  case PLACE:
    return parse_list("place", text, "place", add_place, options);
  case FUNCTIONS:
    return parse_list("functions", text, "function", add_function, options);
  case TYPES:
    return parse_list("types", text, "type", add_type, options);
  case STRATEGIES:
    return parse_list("strategies", text, "strategy", add_strategy, options);
  case QUICK:
    options->quick = 1;
    return 0;
  case LONG:
    options->is_long = 1;
    return 0;
  case VERBOSE:
    options->verbose = 1;
    return 0;
  case JSON:
    options->json_file = text;
    return 0;
  case COMPILER:
    options->compiler = text;
    return 0;
  case FLAGS:
    options->flags = text;
    return 0;
  case LEVELS:
    options->levels = text;
    return 0;
  case OFFLOAD:
    options->offload = text;
    return 0;
  case ONLY:
    options->only = text;
    return 0;
  case LIMIT: {
    char *end;
    options->limit_s = strtod(text, &end);
    return *text && !*end && options->limit_s > 0 ? 0 : complain("limit", text, "number of seconds");
  }
  default:
    return -1;
  }
}

/* Where nobody chose functions, or types, all of them are chosen. */
static void select_rows(selfcheck_options_t *options) {
  unsigned char chosen = 0;
  for (int r = 0; r < ROW_COUNT; r++)
    chosen |= options->is_selected[r];
  for (int r = 0; r < ROW_COUNT; r++)
    options->is_selected[r] = (options->is_selected[r] | (unsigned char)~chosen) % 4 == 3;
  if (!options->strategies)
    options->strategies = ~0u;
}

int selfcheck_parse(int argc, char **argv, selfcheck_options_t *options_out, int *code_out) {
  static const struct option known[] = {{"place", required_argument, NULL, PLACE},
                                        {"functions", required_argument, NULL, FUNCTIONS},
                                        {"types", required_argument, NULL, TYPES},
                                        {"strategies", required_argument, NULL, STRATEGIES},
                                        {"quick", no_argument, NULL, QUICK},
                                        {"long", no_argument, NULL, LONG},
                                        {"verbose", no_argument, NULL, VERBOSE},
                                        {"json", required_argument, NULL, JSON},
                                        {"help", no_argument, NULL, HELP},
                                        {"compiler", required_argument, NULL, COMPILER},
                                        {"flags", required_argument, NULL, FLAGS},
                                        {"levels", required_argument, NULL, LEVELS},
                                        {"offload", required_argument, NULL, OFFLOAD},
                                        {"only", required_argument, NULL, ONLY},
                                        {"limit", required_argument, NULL, LIMIT},
                                        {NULL, 0, NULL, 0}};
  *options_out = (selfcheck_options_t){.quick = 0};
  *code_out = 2;
  for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
    if (option == HELP) {
      print_help(stdout);
      *code_out = 0;
      return -1;
    }
    if (option == '?') {
      fputs("usw-selfcheck: `usw selfcheck --help' lists the options\n", stderr);
      return -1;
    }
    if (parse_option(option, optarg, options_out))
      return -1;
  }
  if (optind < argc) {
    fprintf(stderr, "usw-selfcheck: '%s' is no option; `usw selfcheck --help' lists them\n", argv[optind]);
    return -1;
  }
  if (!options_out->compiler && (options_out->flags || options_out->levels || options_out->offload ||
                                 options_out->only || options_out->limit_s > 0)) {
    fputs("usw-selfcheck: --flags, --levels, --offload, --only and --limit belong to --compiler\n", stderr);
    return -1;
  }
  select_rows(options_out);
  return 0;
}
