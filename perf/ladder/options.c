/* The command line. */
#include "ladder.h"
#include "measure/number.h"

#include <getopt.h>
#include <string.h>

enum { MAX_REPETITIONS = 100000, MAX_K = 1024 };

const uint32_t ladder_team_sizes[LADDER_SIZES] = {32, 64, 128, 256, 512, 1024};

static const char usage[] = "usage: usw bench ladder [OPTION]... [N]\n";

static const char help[] =
    "\n"
    "Sums N doubles by each rung of the ladder, from interleaved work-items to an unrolled tree, and N products by a\n"
    "lecture's tree, at every size of team and every k; beside them the library's own usw_sum and usw_dot.\n"
    "N is a number as 1000, 1e6, 2^20 or 64k; by default 2^28 on a GPU, 2^24 on the host, 2^22 on the x86_64 device.\n"
    "\n"
    "  --place host|x86_64|gpu  where to run; the GPU if there is one, else the host\n"
    "  --team-sizes LIST        of 32,64,128,256,512,1024; all by default\n"
    "  --k LIST                 items per work-item of rungs 3 and 4, up to 1024; 1,2,4,8,16,32 by default\n"
    "  --work-group-load W      launch again while there are more partials; 256 by default\n"
    "  --repetitions R          timed reductions of each entry; by default 21, or as many as take 20 s, at least 3\n"
    "  --csv FILE               write all entries to FILE, with device, N and commit in lines that start with #;\n"
    "                           `usw report FILE PLOT.png' draws them\n"
    "  --json FILE              the same as JSON\n"
    "\n"
    "Exit code: 0; 1 where a result is wrong, memory does not suffice, or a file could not be written; 2 where the\n"
    "command line is wrong; 77 where there is no such place.\n";

static int complain(const char *text, const char *what) {
  fprintf(stderr, "usw-bench ladder: '%s' is no %s\n", text, what);
  return -1;
}

/* What one word of a list means: stores it as the list's next entry, or returns -1. */
typedef int (*word_t)(const char *word, ladder_options_t *options);

static int add_team_size(const char *word, ladder_options_t *options) {
  uint64_t number;
  int is_known = 0;
  if (number_parse(word, 1, ladder_team_sizes[LADDER_SIZES - 1], &number))
    return -1;
  for (int size = 0; size < LADDER_SIZES; size++)
    is_known |= ladder_team_sizes[size] == number;
  for (int k = 0; k < options->size_count; k++)
    is_known &= options->team_sizes[k] != number;
  if (is_known)
    options->team_sizes[options->size_count++] = (uint32_t)number;
  return is_known ? 0 : -1;
}

static int add_items(const char *word, ladder_options_t *options) {
  uint64_t number;
  if (options->item_count == LADDER_MAX_ITEMS || number_parse(word, 1, MAX_K, &number))
    return -1;
  for (int k = 0; k < options->item_count; k++)
    if (options->items[k] == number)
      return -1;
  options->items[options->item_count++] = (uint32_t)number;
  return 0;
}

static int parse_list(const char *text, const char *what, word_t add, ladder_options_t *options) {
  for (const char *at = text;; at++) {
    char word[32];
    const size_t length = strcspn(at, ",");
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), at);
    if (add(word, options))
      return complain(word, what);
    at += length;
    if (!*at)
      return 0;
  }
}

static int parse_place(const char *word, ladder_options_t *options) {
  static const char *const places[] = {"host", "x86_64", "gpu", "simt"};
  for (size_t k = 0; k < sizeof places / sizeof *places; k++)
    if (strcmp(word, places[k]) == 0) {
      options->place = places[k];
      return 0;
    }
  return complain(word, "place");
}

enum { PLACE = 1, TEAM_SIZES, ITEMS, WORK_GROUP_LOAD, REPETITIONS, CSV, JSON, HELP };

static int parse_option(int option, const char *text, ladder_options_t *options) {
  uint64_t number;
  switch (option) {
  case PLACE:
    return parse_place(text, options);
  case TEAM_SIZES:
    return parse_list(text, "size of a team: each of 32, 64, 128, 256, 512, 1024 once", add_team_size, options);
  case ITEMS:
    return parse_list(text, "k: up to 16 numbers from 1 to 1024, each once", add_items, options);
  case WORK_GROUP_LOAD:
    if (number_parse(text, 1, UINT32_MAX, &number))
      return complain(text, "number of partials, as " NUMBER_FORMS);
    options->work_group_load = (uint32_t)number;
    return 0;
  case REPETITIONS:
    if (number_parse(text, 1, MAX_REPETITIONS, &number))
      return complain(text, "number of repetitions, as " NUMBER_FORMS);
    options->repetitions = (int)number;
    return 0;
  case CSV:
    options->csv_file = text;
    return 0;
  case JSON:
    options->json_file = text;
    return 0;
  default:
    return -1; /* getopt has said what is wrong */
  }
}

static int parse_size(const char *text, ladder_options_t *options) {
  uint64_t number;
  if (options->n)
    return complain(text, "option: N is given already");
  if (number_parse(text, 1, (uint64_t)INT32_MAX * ladder_team_sizes[0], &number)) /* teams are counted by an int */
    return complain(text, "size, as " NUMBER_FORMS);
  options->n = (size_t)number;
  return 0;
}

static void fill_in(ladder_options_t *options) {
  for (int size = 0; !options->size_count || size; size = (size + 1) % LADDER_SIZES)
    options->team_sizes[options->size_count++] = ladder_team_sizes[size];
  for (uint32_t k = 1; !options->item_count || (k > 1 && k <= 32); k *= 2)
    options->items[options->item_count++] = k;
  if (!options->work_group_load)
    options->work_group_load = 256;
}

int ladder_parse(int argc, char **argv, ladder_options_t *options_out, int *code_out) {
  static const struct option known[] = {{"place", required_argument, NULL, PLACE},
                                        {"team-sizes", required_argument, NULL, TEAM_SIZES},
                                        {"k", required_argument, NULL, ITEMS},
                                        {"work-group-load", required_argument, NULL, WORK_GROUP_LOAD},
                                        {"repetitions", required_argument, NULL, REPETITIONS},
                                        {"csv", required_argument, NULL, CSV},
                                        {"json", required_argument, NULL, JSON},
                                        {"help", no_argument, NULL, HELP},
                                        {NULL, 0, NULL, 0}};
  int failed = 0;
  *options_out = (ladder_options_t){.place = NULL};
  *code_out = LADDER_USAGE;
  for (int option; !failed && (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
    if (option == HELP) {
      printf("%s%s", usage, help);
      *code_out = LADDER_OK;
      return -1;
    }
    failed = parse_option(option, optarg, options_out);
  }
  while (!failed && optind < argc)
    failed = parse_size(argv[optind++], options_out);
  if (failed) {
    fputs(usage, stderr);
    return -1;
  }
  fill_in(options_out);
  return 0;
}
