/* The command line. */
#include "ladder.h"
#include "measure/arguments.h"
#include "measure/number.h"

#include <string.h>

static const char program[] = "usw-bench ladder";

enum { MAX_REPETITIONS = 100000, MAX_K = 1024 };

const uint32_t ladder_team_sizes[LADDER_SIZES] = {32, 64, 128, 256, 512, 1024};

enum { KEY_PLACE = 256, KEY_TEAM_SIZES, KEY_ITEMS, KEY_WORK_GROUP_LOAD, KEY_REPETITIONS, KEY_CSV, KEY_JSON, KEY_SCANS };

static const struct argp_option known[] = {
    {"place", KEY_PLACE, "PLACE", 0, "host, x86_64 or gpu; the GPU if there is one, else the host", 0},
    {"team-sizes", KEY_TEAM_SIZES, "LIST", 0, "of 32,64,128,256,512,1024; all by default", 0},
    {"k", KEY_ITEMS, "LIST", 0, "items per work-item of rungs 3, 4, s4 and s5, up to 1024; 1,2,4,8,16,32 by default",
     0},
    {"work-group-load", KEY_WORK_GROUP_LOAD, "W", 0, "launch again while there are more partials; 256 by default", 0},
    {"repetitions", KEY_REPETITIONS, "R", 0,
     "timed reductions of each entry; by default 21, or as many as take 20 s, at least 3", 0},
    {"csv", KEY_CSV, "FILE", 0,
     "write all entries to FILE, with device, N and commit in lines that start with #; `usw report FILE PLOT.png' "
     "draws them",
     0},
    {"json", KEY_JSON, "FILE", 0, "the same as JSON", 0},
    {"scans", KEY_SCANS, NULL, 0, "the ladder of scans: running sums of N doubles", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t complain(const char *text, const char *what) { return arguments_refuse(program, NULL, text, what); }

static int add_team_size(const char *word, void *input) {
  ladder_options_t *options = input;
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

static int add_items(const char *word, void *input) {
  ladder_options_t *options = input;
  uint64_t number;
  if (options->item_count == LADDER_MAX_ITEMS || number_parse(word, 1, MAX_K, &number))
    return -1;
  for (int k = 0; k < options->item_count; k++)
    if (options->items[k] == number)
      return -1;
  options->items[options->item_count++] = (uint32_t)number;
  return 0;
}

static error_t parse_place(const char *word, ladder_options_t *options) {
  static const char *const places[] = {"host", "x86_64", "gpu", "simt"};
  for (size_t k = 0; k < sizeof places / sizeof *places; k++)
    if (strcmp(word, places[k]) == 0) {
      options->place = places[k];
      return 0;
    }
  return complain(word, "place");
}

static error_t parse_size(const char *text, ladder_options_t *options) {
  uint64_t number;
  if (options->n)
    return complain(text, "option: N is given already");
  if (number_parse(text, 1, (uint64_t)INT32_MAX * ladder_team_sizes[0], &number)) /* teams are counted by an int */
    return complain(text, "size, written as " NUMBER_FORMS);
  options->n = (size_t)number;
  return 0;
}

static error_t parse(int key, char *text, struct argp_state *state) {
  ladder_options_t *options = state->input;
  uint64_t number;
  switch (key) {
  case ARGP_KEY_INIT:
    arguments_one_line_per_error(state);
    return 0;
  case KEY_PLACE:
    return parse_place(text, options);
  case KEY_TEAM_SIZES:
    return arguments_list(program, NULL, text, "size of a team: each of 32, 64, 128, 256, 512, 1024 once",
                          add_team_size, options);
  case KEY_ITEMS:
    return arguments_list(program, NULL, text, "k: up to 16 numbers from 1 to 1024, each once", add_items, options);
  case KEY_WORK_GROUP_LOAD:
    if (number_parse(text, 1, UINT32_MAX, &number))
      return complain(text, "number of partials, written as " NUMBER_FORMS);
    options->work_group_load = (uint32_t)number;
    return 0;
  case KEY_REPETITIONS:
    if (number_parse(text, 1, MAX_REPETITIONS, &number))
      return complain(text, "number of repetitions, written as " NUMBER_FORMS);
    options->repetitions = (int)number;
    return 0;
  case KEY_CSV:
    options->csv_file = text;
    return 0;
  case KEY_JSON:
    options->json_file = text;
    return 0;
  case KEY_SCANS:
    options->are_scans = 1;
    return 0;
  case ARGP_KEY_ARG:
    return parse_size(text, options);
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp parser = {
    known,
    parse,
    "[N]",
    "Sums N doubles by each rung of the ladder, from interleaved work-items to an unrolled tree, and N products by a "
    "lecture's tree, at every size of team and every k; beside them the library's own usw_sum and usw_dot. With "
    "--scans running sums: from one work-item to a single launch "
    "that looks back, and usw_scan_inclusive(). N is a "
    "number written as " NUMBER_FORMS "; by default 2^28 on a GPU, 2^24 on the host, 2^22 on the x86_64 device.\v"
    "Exit status: 0; 1 where a result is wrong, memory does not suffice, or a file could not be written; 2 where the "
    "command line is wrong; 77 where there is no such place.",
    NULL,
    NULL,
    NULL};

static void fill_in(ladder_options_t *options) {
  for (int size = 0; !options->size_count || size; size = (size + 1) % LADDER_SIZES)
    options->team_sizes[options->size_count++] = ladder_team_sizes[size];
  for (uint32_t k = 1; !options->item_count || (k > 1 && k <= 32); k *= 2)
    options->items[options->item_count++] = k;
  if (!options->work_group_load)
    options->work_group_load = 256;
}

int ladder_parse(int argc, char **argv, ladder_options_t *options_out) {
  *options_out = (ladder_options_t){.place = NULL};
  const int code = arguments_parse(&parser, argc, argv, options_out);
  if (code == 0)
    fill_in(options_out);
  return code;
}
