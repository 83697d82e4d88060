/* The command line. */
#include "bench.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPETITIONS = 100000 };

static int usage(void) {
  fputs("usage: usw-bench [OPTION]...   (lists are separated by commas)\n"
        "       usw-bench ladder [N]     (see usw-bench ladder --help)\n"
        "  --place host|x86_64|gpu  where to run; the GPU if there is one, else the host\n"
        "  --suite breadth          all kernels and types, as the library chooses to run them, against cub, cublas\n"
        "                           and libomp, at 2^10, 2^20, 2^28 (2^10, 2^16, 2^20 on the host); other options\n"
        "                           take precedence\n"
        "  --kernels LIST           names of functions, see --list; all by default\n"
        "  --types LIST             tags of types, see --list; all by default\n"
        "  --n LIST                 lengths, as 1000 or as 2^20\n"
        "  --strategies LIST        auto,tree,host_finish,clause,tree_atomic,atomic,multipass or, on the host,\n"
        "                           auto,host\n"
        "  --teams LIST             numbers of teams, instead of the library's choice\n"
        "  --sweep                  with --teams: print the best number for every strategy\n"
        "  --repetitions N          timed calls of each competitor, 21 by default; in a suite 100, or 30 of long ones\n"
        "  --peers on|off|LIST      run the peers as well, see --list; on unless --teams is given\n"
        "  --json FILE              write all measurements to FILE\n"
        "  --list                   say what there is to run, and stop\n",
        stderr);
  return 2;
}

static int complain(const char *option, const char *text, const char *what) {
  fprintf(stderr, "usw-bench: --%s: '%s' is no %s\n", option, text, what);
  return -1;
}

int bench_parse_number(const char *text, uint64_t most, uint64_t *number_out) {
  char *end;
  errno = 0;
  if (text[0] < '0' || text[0] > '9')
    return -1;
  unsigned long long number = strtoull(text, &end, 10);
  if (*end == '^') {
    const char *power = end + 1;
    if (power[0] < '0' || power[0] > '9')
      return -1;
    const unsigned long exponent = strtoul(power, &end, 10);
    if (number != 2 || exponent > 62)
      return -1;
    number = 1ull << exponent;
  }
  if (errno || *end || number == 0 || number > most)
    return -1;
  *number_out = number;
  return 0;
}

/* What one word of a list means: stores it as the list's next entry, or returns -1. */
typedef int (*word_t)(const char *word, bench_options_t *options);

static int add_kernel(const char *word, bench_options_t *options) {
  for (const bench_kernel_t *kernel = bench_kernels; kernel->name; kernel++) {
    if (strcmp(word, kernel->name) != 0)
      continue;
    options->kernels[options->kernel_count++] = kernel;
    return options->kernel_count < BENCH_MAX_LIST ? 0 : -1;
  }
  return -1;
}

static int add_type(const char *word, bench_options_t *options) {
  for (const bench_type_t *type = bench_types; type->name; type++) {
    if (strcmp(word, type->name) != 0)
      continue;
    options->types[options->type_count++] = type;
    return options->type_count < BENCH_MAX_LIST ? 0 : -1;
  }
  return -1;
}

static int add_length(const char *word, bench_options_t *options) {
  uint64_t length;
  if (bench_parse_number(word, SIZE_MAX / 8, &length))
    return -1;
  options->lengths[options->length_count++] = (size_t)length;
  return options->length_count < BENCH_MAX_LIST ? 0 : -1;
}

static int add_strategy(const char *word, bench_options_t *options) {
  for (usw_strategy_t s = USW_AUTO_STRATEGY; s <= USW_STRATEGY_MULTIPASS; s++) {
    if (strcmp(word, bench_strategy_name(s)) != 0)
      continue;
    options->strategies[options->strategy_count++] = s;
    return options->strategy_count < BENCH_MAX_LIST ? 0 : -1;
  }
  return -1;
}

static int add_teams(const char *word, bench_options_t *options) {
  uint64_t teams;
  if (bench_parse_number(word, 65535, &teams))
    return -1;
  options->teams[options->team_count++] = (uint32_t)teams;
  return options->team_count < BENCH_MAX_LIST ? 0 : -1;
}

static int add_peer(const char *word, bench_options_t *options) {
  for (int k = 0; bench_peer_names[k]; k++) {
    if (strcmp(word, bench_peer_names[k]) != 0 && strcmp(word, "on") != 0)
      continue;
    options->peers |= 1u << k;
    if (strcmp(word, "on") != 0)
      return 0;
  }
  return strcmp(word, "on") == 0 || strcmp(word, "off") == 0 ? 0 : -1;
}

static int parse_list(const char *option, const char *text, const char *what, word_t add, bench_options_t *options) {
  for (const char *at = text;; at++) {
    char word[32];
    const size_t length = strcspn(at, ",");
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), at);
    if (add(word, options))
      return complain(option, word, what);
    at += length;
    if (!*at)
      return 0;
  }
}

static void fill_in_lengths(bench_options_t *options) {
  static const size_t sweep[] = {1, 1 << 10, 1 << 16, 1 << 20, 1 << 22, 1 << 24, 1 << 26};
  static const size_t device_breadth[] = {1 << 10, 1 << 20, 1 << 28}, host_breadth[] = {1 << 10, 1 << 16, 1 << 20};
  bench_place_t place = {NULL, -1};
  if (options->breadth)
    bench_find_place(options->place, &place);
  const size_t *lengths = !options->breadth ? sweep : place.device < 0 ? host_breadth : device_breadth;
  options->length_count = options->breadth ? 3 : sizeof sweep / sizeof *sweep;
  memcpy(options->lengths, lengths, (size_t)options->length_count * sizeof *lengths);
}

/* What nobody asked for. */
static void fill_in(bench_options_t *options, int are_peers_given) {
  if (!options->kernel_count)
    for (const bench_kernel_t *kernel = bench_kernels; kernel->name; kernel++)
      options->kernels[options->kernel_count++] = kernel;
  if (!options->type_count)
    for (const bench_type_t *type = bench_types; type->name; type++)
      options->types[options->type_count++] = type;
  if (!options->length_count)
    fill_in_lengths(options);
  if (options->breadth && !options->strategy_count)
    options->strategies[options->strategy_count++] = USW_AUTO_STRATEGY;
  if (!are_peers_given && options->breadth)
    parse_list("peers", "libomp,cub,cublas", "peer", add_peer, options);
  else if (!are_peers_given && !options->team_count)
    add_peer("on", options);
  if (!options->repetitions && !options->breadth)
    options->repetitions = 21;
  if (!options->team_count)
    options->team_count = 1; /* one 0: as the library chooses */
}

enum { PLACE = 1, SUITE, KERNELS, TYPES, LENGTHS, STRATEGIES, TEAMS, SWEEP, REPETITIONS, PEERS, JSON, LIST };

static int parse_option(int option, const char *text, bench_options_t *options) {
  uint64_t number;
  switch (option) {
  case PLACE:
    options->place = text;
    if (strcmp(text, "host") == 0 || strcmp(text, "x86_64") == 0 || strcmp(text, "gpu") == 0)
      return 0;
    return complain("place", text, "place");
  case SUITE:
    options->breadth = strcmp(text, "breadth") == 0;
    return options->breadth ? 0 : complain("suite", text, "suite");
  case KERNELS:
    return parse_list("kernels", text, "kernel", add_kernel, options);
  case TYPES:
    return parse_list("types", text, "type", add_type, options);
  case LENGTHS:
    return parse_list("n", text, "size", add_length, options);
  case STRATEGIES:
    return parse_list("strategies", text, "strategy", add_strategy, options);
  case TEAMS:
    return parse_list("teams", text, "number of teams (1 to 65535)", add_teams, options);
  case SWEEP:
    options->sweep = 1;
    return 0;
  case REPETITIONS:
    if (bench_parse_number(text, MAX_REPETITIONS, &number))
      return complain("repetitions", text, "number of repetitions");
    options->repetitions = (int)number;
    return 0;
  case PEERS:
    return parse_list("peers", text, "peer", add_peer, options);
  case JSON:
    options->json_file = text;
    return 0;
  case LIST:
    options->list = 1;
    return 0;
  default:
    return -1;
  }
}

int bench_parse(int argc, char **argv, bench_options_t *options_out) {
  static const struct option known[] = {{"place", required_argument, NULL, PLACE},
                                        {"suite", required_argument, NULL, SUITE},
                                        {"kernels", required_argument, NULL, KERNELS},
                                        {"types", required_argument, NULL, TYPES},
                                        {"n", required_argument, NULL, LENGTHS},
                                        {"strategies", required_argument, NULL, STRATEGIES},
                                        {"teams", required_argument, NULL, TEAMS},
                                        {"sweep", no_argument, NULL, SWEEP},
                                        {"repetitions", required_argument, NULL, REPETITIONS},
                                        {"peers", required_argument, NULL, PEERS},
                                        {"json", required_argument, NULL, JSON},
                                        {"list", no_argument, NULL, LIST},
                                        {NULL, 0, NULL, 0}};
  *options_out = (bench_options_t){.peers = 0};
  int are_peers_given = 0;
  for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
    are_peers_given |= option == PEERS;
    if (parse_option(option, optarg, options_out))
      return usage();
  }
  if (optind < argc) {
    fprintf(stderr, "usw-bench: '%s' is no option\n", argv[optind]);
    return usage();
  }
  if (options_out->sweep && !options_out->team_count) {
    fputs("usw-bench: --sweep needs --teams\n", stderr);
    return usage();
  }
  fill_in(options_out, are_peers_given);
  return 0;
}
