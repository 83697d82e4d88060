/* The command line. */
#include "bench.h"
#include "measure/arguments.h"
#include "measure/number.h"

#include <errno.h>
#include <stdio.h>

enum { MAX_REPETITIONS = 100000 };

enum { /* options with lists have the numbers of their lists from KEY_LISTS on */
       KEY_LISTS = 256,
       KEY_PLACE = KEY_LISTS + BENCH_LIST_PEERS + 1,
       KEY_SUITE,
       KEY_SWEEP,
       KEY_WIDE,
       KEY_REPETITIONS,
       KEY_JSON,
       KEY_AGAINST,
       KEY_ROUNDS,
       KEY_KERNEL_TIMES,
       KEY_LIST,
       KEY_SUB_COMMAND,
};

static const struct argp_option known[] = {
    {NULL, 0, NULL, 0, "What to run:", 1},
    {"place", KEY_PLACE, "PLACE", 0, "host, x86_64 or gpu; the GPU if there is one, else the host", 0},
    {"suite", KEY_SUITE, "NAME", 0,
     "a list of cases: standard, applications, breadth (all functions and types), full (these three), strategies, "
     "bound, quick; other options replace what it says",
     0},
    {"kernels", KEY_LISTS + BENCH_LIST_KERNELS, "LIST", 0, "names of functions, see --list; all by default", 0},
    {"types", KEY_LISTS + BENCH_LIST_TYPES, "LIST", 0, "tags of types, see --list; all by default", 0},
    {"apps", KEY_LISTS + BENCH_LIST_APPS, "LIST", 0, "names of applications, see --list, or all; none by default", 0},
    {"n", KEY_LISTS + BENCH_LIST_LENGTHS, "LIST", 0,
     "lengths, written as " NUMBER_FORMS "; of applications from 64 to 2^33", 0},
    {"strategies", KEY_LISTS + BENCH_LIST_STRATEGIES, "LIST", 0,
     "auto, tree, host_finish, clause, tree_atomic, atomic, multipass or, on the host, auto, host", 0},
    {"accuracies", KEY_LISTS + BENCH_LIST_ACCURACIES, "LIST", 0,
     "repeatable,fast; what the strategy can promise by default", 0},
    {"wide", KEY_WIDE, NULL, 0, "data of the whole range of exponents, for sums, dot and norm2 of floats", 0},
    {"teams", KEY_LISTS + BENCH_LIST_TEAMS, "LIST", 0, "numbers of teams, instead of the library's choice", 0},
    {"peers", KEY_LISTS + BENCH_LIST_PEERS, "on|off|LIST", 0,
     "run the peers as well, see --list; on unless --teams is given", 0},
    {"list", KEY_LIST, NULL, 0, "say what there is to run, and stop", 0},
    {NULL, 0, NULL, 0, "How to measure:", 2},
    {"repetitions", KEY_REPETITIONS, "N", 0, "timed rounds; by default as the suite says, or by length", 0},
    {"sweep", KEY_SWEEP, NULL, 0, "with --teams: print the best number for every strategy", 0},
    {"kernel-times", KEY_KERNEL_TIMES, NULL, 0,
     "run the cases a second time for the time of their kernels alone, on NVIDIA GPUs where CUPTI is; the main lists "
     "of suites do",
     0},
    {NULL, 0, NULL, 0, "What to write:", 3},
    {"json", KEY_JSON, "FILE", 0, "write all measurements to FILE; `usw report FILE FOLDER' makes a page of them", 0},
    {"rounds", KEY_ROUNDS, NULL, 0, "the file has the time of every round, too", 0},
    {"against", KEY_AGAINST, "BASELINE", 0,
     "compare with a file of an earlier run, or with the one of a folder that is of the same device and suite, and "
     "fail where calls are slower: see --compare",
     0},
    {NULL, 0, NULL, 0, "Of measurements, as the first word; each with its --help:", 4},
    {"compare", KEY_SUB_COMMAND, NULL, 0, "what became slower or faster between the files BEFORE and AFTER", 0},
    {"behind", KEY_SUB_COMMAND, NULL, 0, "where a peer is ahead in a file, and by how much", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t read_text(int key, char *text, bench_options_t *options) {
  uint64_t number;
  switch (key) {
  case KEY_PLACE:
    options->place = text;
    return bench_is_place(text) ? 0 : arguments_refuse("usw-bench", "place", text, "place");
  case KEY_SUITE:
    options->suite = text;
    return bench_row(options, &(bench_place_t){"host", -1}, 0, &(bench_options_t){0}) < 0
               ? arguments_refuse("usw-bench", "suite", text, "suite")
               : 0;
  case KEY_REPETITIONS:
    if (number_parse(text, 1, MAX_REPETITIONS, &number))
      return arguments_refuse("usw-bench", "repetitions", text, "number of repetitions, written as " NUMBER_FORMS);
    options->repetitions = (int)number;
    return 0;
  case KEY_JSON:
    options->json_file = text;
    return 0;
  default:
    options->baseline = text;
    options->keeps_rounds = 1;
    return 0;
  }
}

static error_t parse(int key, char *text, struct argp_state *state) {
  bench_options_t *options = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    arguments_one_line_per_error(state);
    return 0;
  case KEY_PLACE:
  case KEY_SUITE:
  case KEY_REPETITIONS:
  case KEY_JSON:
  case KEY_AGAINST:
    return read_text(key, text, options);
  case KEY_SWEEP:
    options->sweep = 1;
    return 0;
  case KEY_WIDE:
    options->is_wide = 1;
    return 0;
  case KEY_ROUNDS:
    options->keeps_rounds = 1;
    return 0;
  case KEY_KERNEL_TIMES:
    options->kernel_times = 1;
    return 0;
  case KEY_LIST:
    options->list = 1;
    return 0;
  case KEY_SUB_COMMAND:
    fputs("usw-bench: --compare and --behind have to be the first word\n", stderr);
    return EINVAL;
  case ARGP_KEY_ARG:
    return arguments_refuse_argument("usw-bench", text);
  default:
    if (key < KEY_LISTS || key >= KEY_PLACE)
      return ARGP_ERR_UNKNOWN;
    options->are_peers_given |= key == KEY_LISTS + BENCH_LIST_PEERS;
    return bench_parse_list((bench_list_t)(key - KEY_LISTS), text, options);
  }
}

static const struct argp parser = {
    known,
    parse,
    NULL,
    "Times Upsweep and its peers; without options --suite standard. Lists are separated by commas.\v"
    "There are also usw-bench calls, staging, ladder and tune, each with its --help.",
    NULL,
    NULL,
    NULL};

int bench_parse(int argc, char **argv, bench_options_t *options_out) {
  *options_out = (bench_options_t){.peers = 0};
  const int code = arguments_parse(&parser, argc, argv, options_out);
  if (code)
    return code;
  if (options_out->sweep && !options_out->team_count) {
    fputs("usw-bench: --sweep needs --teams\n", stderr);
    return ARGUMENTS_WRONG;
  }
  if (!options_out->suite && !options_out->kernel_count && !options_out->type_count && !options_out->app_count &&
      !options_out->length_count && !options_out->strategy_count && !options_out->team_count)
    options_out->suite = "standard";
  return 0;
}
