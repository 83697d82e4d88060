/* usw tune: the command line, and the order of things. */
#include "tune/tune.h"
#include "measure/arguments.h"

#include <stdio.h>
#include <stdlib.h>

enum { EXIT_FAILED = 1, EXIT_NO_PLACE = 77, LINK_BYTES = 256 << 20 };

typedef struct tune_options {
  const char *place; /* NULL: the GPU if there is one, else the host */
  const char *output;
  double minutes;
} tune_options_t;

enum { KEY_PLACE = 256, KEY_MINUTES, KEY_OUTPUT };

static const struct argp_option known[] = {
    {"place", KEY_PLACE, "PLACE", 0, "host, x86_64 or gpu: what to tune; the GPU if there is one, else the host", 0},
    {"minutes", KEY_MINUTES, "M", 0, "at most about so long; 10 by default. What there was no time for stays as it is",
     0},
    {"output", KEY_OUTPUT, "FILE", 0, "upsweep.tuning by default", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
  tune_options_t *options = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    arguments_one_line_per_error(state);
    return 0;
  case KEY_PLACE:
    options->place = text;
    return bench_is_place(text) ? 0 : arguments_refuse("usw-tune", "place", text, "place");
  case KEY_MINUTES:
    return arguments_positive("usw-tune", "minutes", text, "number of minutes", &options->minutes);
  case KEY_OUTPUT:
    options->output = text;
    return *text ? 0 : arguments_refuse("usw-tune", "output", text, "name of a file");
  case ARGP_KEY_ARG:
    return arguments_refuse_argument("usw-tune", text);
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp parser = {
    known,
    parse,
    NULL,
    "Measures how calls of the library run fastest on this machine, and writes the ways that are faster than the "
    "built-in ones by more than noise into a file. Programs take it with USW_TUNING=FILE in the environment.\v"
    "Exit status: 0, also where nothing is faster; 1 a result was wrong or the file cannot be written, 2 the command "
    "line is wrong, 77 the place is not here.",
    NULL,
    NULL,
    NULL};

/* A file stands by itself: what it gains is against the built-in entries. To be called before the library reads them. */
static void forget_choices(void) {
  static const char *const names[] = {"USW_TUNING", "USW_STRATEGY", "USW_TEAMS"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    unsetenv(names[k]);
}

int tune_main(int argc, char **argv) {
  static char name[] = "usw-tune"; /* by which messages and files call it */
  static tune_run_t run;
  tune_options_t options = {.output = "upsweep.tuning", .minutes = 10};
  argv[0] = name;
  const int code = arguments_parse(&parser, argc, argv, &options);
  if (code)
    return code;
  forget_choices();
  if (bench_find_place(options.place, &run.place)) {
    fprintf(stderr, "usw-tune: there is no place '%s' here\n", options.place);
    return EXIT_NO_PLACE;
  }
  run.seconds = options.minutes * 60;
  tune_make_cells(&run);
  bench_wake_up(&run.place);
  run.start = bench_now();
  bench_print_heading();
  tune_sweep(&run);
  tune_confirm(&run);
  run.wrong += run.place.device >= 0 && tune_measure_links(run.place.device, LINK_BYTES, &run.links) != 0;
  bench_free_references();
  tune_print(&run);
  const int failed = tune_write(&run, options.output, argc, argv) != 0 || run.wrong;
  if (run.wrong)
    fprintf(stderr, "usw-tune: %d cells had wrong results\n", run.wrong);
  tune_free_times(&run);
  return failed ? EXIT_FAILED : 0;
}
