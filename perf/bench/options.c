/* The command line. */
#include "bench.h"
#include "measure/number.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPETITIONS = 100000 };

static void print_usage(FILE *stream) {
  fputs("usage: usw-bench [OPTION]...           (lists are separated by commas)\n"
        "       usw-bench --compare BEFORE AFTER        two runs side by side; see --compare --help\n"
        "       usw-bench --behind FILE                 where a peer is ahead, and by how much\n"
        "       usw-bench calls                         see usw-bench calls --help\n"
        "       usw-bench staging                       see usw-bench staging --help\n"
        "       usw-bench ladder [N]                    see usw-bench ladder --help\n"
        "Without options: --suite standard.\n"
        "  --place host|x86_64|gpu  where to run; the GPU if there is one, else the host\n"
        "  --suite NAME             a list of cases: standard, applications, breadth (all functions and types), full\n"
        "                           (these three), strategies, quick; other options replace what it says\n"
        "  --kernels LIST           names of functions, see --list; all by default\n"
        "  --types LIST             tags of types, see --list; all by default\n"
        "  --apps LIST              names of applications, see --list, or all; none by default\n"
        "  --n LIST                 lengths, as 1000, 1e6, 2^20 or 64k; of applications from 64 to 2^33\n"
        "  --strategies LIST        auto,tree,host_finish,clause,tree_atomic,atomic,multipass or, on the host,\n"
        "                           auto,host\n"
        "  --accuracies LIST        repeatable,fast; what the strategy can promise by default\n"
        "  --wide                   data of the whole range of exponents, for sums, dot and norm2 of floats\n"
        "  --teams LIST             numbers of teams, instead of the library's choice\n"
        "  --sweep                  with --teams: print the best number for every strategy\n"
        "  --repetitions N          timed rounds, 21 by default; in a suite as its list says\n"
        "  --peers on|off|LIST      run the peers as well, see --list; on unless --teams is given\n"
        "  --json FILE              write all measurements to FILE; `usw report FILE FOLDER' makes a page of them\n"
        "  --against BASELINE       compare with a file of an earlier run, or with the one of a folder that is of the "
        "same\n"
        "                           device and suite, and fail where calls are slower: see --compare\n"
        "  --rounds                 the file has the time of every round, too\n"
        "  --kernel-times           run the cases a second time for the time of their kernels alone, on NVIDIA GPUs "
        "where\n"
        "                           CUPTI is; the main lists of suites do\n"
        "  --list                   say what there is to run, and stop\n",
        stream);
}

static int usage(void) {
  print_usage(stderr);
  return 2;
}

/* Options with lists are their lists' numbers. */
enum { PLACE = BENCH_LIST_PEERS + 1, SUITE, SWEEP, WIDE, REPETITIONS, JSON, AGAINST, ROUNDS, KERNEL_TIMES, LIST, HELP };

static int parse_option(int option, const char *text, bench_options_t *options) {
  uint64_t number;
  switch (option) {
  case PLACE:
    options->place = text;
    return bench_is_place(text) ? 0 : bench_complain("place", text, "place");
  case SUITE:
    options->suite = text;
    return bench_row(options, &(bench_place_t){"host", -1}, 0, &(bench_options_t){0}) < 0
               ? bench_complain("suite", text, "suite")
               : 0;
  case SWEEP:
    options->sweep = 1;
    return 0;
  case WIDE:
    options->is_wide = 1;
    return 0;
  case REPETITIONS:
    if (number_parse(text, 1, MAX_REPETITIONS, &number))
      return bench_complain("repetitions", text, "number of repetitions, as " NUMBER_FORMS);
    options->repetitions = (int)number;
    return 0;
  case JSON:
    options->json_file = text;
    return 0;
  case AGAINST:
    options->baseline = text;
    options->keeps_rounds = 1;
    return 0;
  case ROUNDS:
    options->keeps_rounds = 1;
    return 0;
  case KERNEL_TIMES:
    options->kernel_times = 1;
    return 0;
  case LIST:
    options->list = 1;
    return 0;
  case HELP:
    print_usage(stdout);
    exit(0);
  default:
    options->are_peers_given |= option == BENCH_LIST_PEERS;
    return option == '?' ? -1 : bench_parse_list((bench_list_t)option, text, options);
  }
}

int bench_parse(int argc, char **argv, bench_options_t *options_out) {
  static const struct option known[] = {{"place", required_argument, NULL, PLACE},
                                        {"suite", required_argument, NULL, SUITE},
                                        {"kernels", required_argument, NULL, BENCH_LIST_KERNELS},
                                        {"types", required_argument, NULL, BENCH_LIST_TYPES},
                                        {"apps", required_argument, NULL, BENCH_LIST_APPS},
                                        {"n", required_argument, NULL, BENCH_LIST_LENGTHS},
                                        {"strategies", required_argument, NULL, BENCH_LIST_STRATEGIES},
                                        {"accuracies", required_argument, NULL, BENCH_LIST_ACCURACIES},
                                        {"teams", required_argument, NULL, BENCH_LIST_TEAMS},
                                        {"sweep", no_argument, NULL, SWEEP},
                                        {"wide", no_argument, NULL, WIDE},
                                        {"repetitions", required_argument, NULL, REPETITIONS},
                                        {"peers", required_argument, NULL, BENCH_LIST_PEERS},
                                        {"json", required_argument, NULL, JSON},
                                        {"against", required_argument, NULL, AGAINST},
                                        {"rounds", no_argument, NULL, ROUNDS},
                                        {"kernel-times", no_argument, NULL, KERNEL_TIMES},
                                        {"list", no_argument, NULL, LIST},
                                        {"help", no_argument, NULL, HELP},
                                        {NULL, 0, NULL, 0}};
  *options_out = (bench_options_t){.peers = 0};
  for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;)
    if (parse_option(option, optarg, options_out))
      return usage();
  if (optind < argc) {
    fprintf(stderr, "usw-bench: '%s' is no option\n", argv[optind]);
    return usage();
  }
  if (options_out->sweep && !options_out->team_count) {
    fputs("usw-bench: --sweep needs --teams\n", stderr);
    return usage();
  }
  if (!options_out->suite && !options_out->kernel_count && !options_out->type_count && !options_out->app_count &&
      !options_out->length_count && !options_out->strategy_count && !options_out->team_count)
    options_out->suite = "standard";
  return 0;
}
