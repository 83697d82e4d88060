/* The command line. */
#include <string.h>

#include "measure/arguments.h"
#include "oracle/pattern.h"
#include "selfcheck.h"

static const char program[] = "usw-selfcheck";

const char *const selfcheck_place_names[SELFCHECK_PLACES] = {"host", "x86_64", "gpu", "simt"};
const char *const selfcheck_family_names[SELFCHECK_FAMILIES] = {"single", "axes", "segments", "by_key", "scan"};

enum {
  KEY_PLACE = 256,
  KEY_FUNCTIONS,
  KEY_TYPES,
  KEY_STRATEGIES,
  KEY_FAMILIES,
  KEY_QUICK,
  KEY_LONG,
  KEY_VERBOSE,
  KEY_JSON,
  KEY_COMPILER,
  KEY_FLAGS,
  KEY_LEVELS,
  KEY_OFFLOAD,
  KEY_ONLY,
  KEY_LIMIT
};

static const struct argp_option known[] = {
    {"place", KEY_PLACE, "LIST", 0, "where to run: host, x86_64, gpu or all; all places of the machine by default", 1},
    {"functions", KEY_FUNCTIONS, "LIST", 0, "sum,dot,...; all by default", 0},
    {"types", KEY_TYPES, "LIST", 0, "f64,u8,...; all by default", 0},
    {"strategies", KEY_STRATEGIES, "LIST", 0,
     "auto, host, tree, host_finish, clause, tree_atomic, atomic, multipass; all by default", 0},
    {"families", KEY_FAMILIES, "LIST", 0, "single, axes, segments, by_key, scan; all by default", 0},
    {"quick", KEY_QUICK, NULL, 0, "fewer sizes and data sets: seconds", 0},
    {"long", KEY_LONG, NULL, 0, "more than 2^31 items as well: minutes", 0},
    {"verbose", KEY_VERBOSE, NULL, 0, "a line for every function and type", 0},
    {"json", KEY_JSON, "FILE", 0, "write all grades to FILE", 0},
    {NULL, 0, NULL, 0, "Grading a compiler's own reduction clause instead:", 2},
    {"compiler", KEY_COMPILER, "COMMAND", 0,
     "clang-19, gcc, nvc, ...; built: programs that were compiled with this one", 0},
    {"flags", KEY_FLAGS, "TEXT", 0, "more flags for it, separated by blanks", 0},
    {"levels", KEY_LEVELS, "LIST", 0, "of optimisation; O0,O1,O2,O3 by default", 0},
    {"offload", KEY_OFFLOAD, "TEXT", 0, "flags that make it compile for a device; none: for the host", 0},
    {"only", KEY_ONLY, "LIST", 0, "programs, by the first column of the table; all by default", 0},
    {"limit", KEY_LIMIT, "SECONDS", 0, "for one program, or for compiling it; 120 by default", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

/* Rows are selected by functions in bit 0, by types in bit 1. */
static int add_function(const char *word, void *input) {
  selfcheck_options_t *options = input;
  int found = -1;
  for (int r = 0; r < ROW_COUNT; r++)
    if (strcmp(word, rows[r].name) == 0) {
      options->is_selected[r] |= 1;
      found = 0;
    }
  return found;
}

static int add_type(const char *word, void *input) {
  selfcheck_options_t *options = input;
  int found = -1;
  for (int r = 0; r < ROW_COUNT; r++)
    if (strcmp(word, type_facts(rows[r].type)->name) == 0) {
      options->is_selected[r] |= 2;
      found = 0;
    }
  return found;
}

static int add_strategy(const char *word, void *input) {
  selfcheck_options_t *options = input;
  for (usw_strategy_t s = USW_AUTO_STRATEGY; s <= USW_STRATEGY_MULTIPASS; s++)
    if (strcmp(word, strategy_name(s)) == 0) {
      options->strategies |= 1u << s;
      return 0;
    }
  return -1;
}

static int add_family(const char *word, void *input) {
  selfcheck_options_t *options = input;
  for (int f = 0; f < SELFCHECK_FAMILIES; f++)
    if (strcmp(word, selfcheck_family_names[f]) == 0) {
      options->families |= 1u << f;
      return 0;
    }
  return -1;
}

static int add_place(const char *word, void *input) {
  selfcheck_options_t *options = input;
  if (strcmp(word, "all") == 0)
    return 0;
  for (int p = 0; p < SELFCHECK_PLACES; p++)
    if (strcmp(word, selfcheck_place_names[p]) == 0) {
      options->is_place_wanted[p] = options->is_place_named = 1;
      return 0;
    }
  return -1;
}

static error_t read_compiler(int key, char *text, selfcheck_options_t *options) {
  switch (key) {
  case KEY_COMPILER:
    options->compiler = text;
    return 0;
  case KEY_FLAGS:
    options->flags = text;
    return 0;
  case KEY_LEVELS:
    options->levels = text;
    return 0;
  case KEY_OFFLOAD:
    options->offload = text;
    return 0;
  case KEY_ONLY:
    options->only = text;
    return 0;
  case KEY_LIMIT:
    return arguments_positive(program, "limit", text, "number of seconds", &options->limit_s);
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static error_t parse(int key, char *text, struct argp_state *state) {
  selfcheck_options_t *options = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    arguments_one_line_per_error(state);
    return 0;
  case KEY_PLACE:
    return arguments_list(program, "place", text, "place", add_place, options);
  case KEY_FUNCTIONS:
    return arguments_list(program, "functions", text, "function", add_function, options);
  case KEY_TYPES:
    return arguments_list(program, "types", text, "type", add_type, options);
  case KEY_STRATEGIES:
    return arguments_list(program, "strategies", text, "strategy", add_strategy, options);
  case KEY_FAMILIES:
    return arguments_list(program, "families", text, "family", add_family, options);
  case KEY_QUICK:
    options->quick = 1;
    return 0;
  case KEY_LONG:
    options->is_long = 1;
    return 0;
  case KEY_VERBOSE:
    options->verbose = 1;
    return 0;
  case KEY_JSON:
    options->json_file = text;
    return 0;
  case ARGP_KEY_ARG:
    return arguments_refuse_argument(program, text);
  default:
    return read_compiler(key, text, options);
  }
}

static const struct argp parser = {
    known,
    parse,
    NULL,
    "Grades every function, type, place, strategy and family of the library on this machine against exact results. "
    "Lists are "
    "separated by commas.\v"
    "Exit status: 0 all right, 1 something is wrong, 2 the command line is, 77 the place is not here.",
    NULL,
    NULL,
    NULL};

/* Where nobody chose functions, or types, all of them are chosen. */
static void select_rows(selfcheck_options_t *options) {
  unsigned char chosen = 0;
  for (int r = 0; r < ROW_COUNT; r++)
    chosen |= options->is_selected[r];
  for (int r = 0; r < ROW_COUNT; r++)
    options->is_selected[r] = (options->is_selected[r] | (unsigned char)~chosen) % 4 == 3;
  if (!options->strategies)
    options->strategies = ~0u;
  if (!options->families)
    options->families = ~0u;
}

int selfcheck_parse(int argc, char **argv, selfcheck_options_t *options_out) {
  *options_out = (selfcheck_options_t){.quick = 0};
  const int code = arguments_parse(&parser, argc, argv, options_out);
  if (code)
    return code;
  if (!options_out->compiler && (options_out->flags || options_out->levels || options_out->offload ||
                                 options_out->only || options_out->limit_s > 0)) {
    fprintf(stderr, "%s: --flags, --levels, --offload, --only and --limit belong to --compiler\n", program);
    return ARGUMENTS_WRONG;
  }
  select_rows(options_out);
  return 0;
}
