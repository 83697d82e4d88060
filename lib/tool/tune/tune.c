/* usw tune: the command line, and the order of things. */
#include "tune/tune.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_FAILED = 1, EXIT_BAD_USAGE = 2, EXIT_NO_PLACE = 77 };

static const char help[] =
    "usage: usw tune [OPTION]...\n"
    "Measures how calls of the library run fastest on this machine, and writes the ways that are faster than the "
    "built-in\n"
    "ones by more than noise into a file. Programs take it with USW_TUNING=FILE in the environment.\n"
    "  --place host|x86_64|gpu  what to tune; the GPU if there is one, else the host\n"
    "  --minutes M              at most about so long; 10 by default. What there was no time for stays as it is\n"
    "  --output FILE            upsweep.tuning by default\n"
    "  --help                   print this, and stop\n"
    "Exit status: 0, also where nothing is faster; 1 a result was wrong or the file cannot be written, 2 the command "
    "line is\n"
    "wrong, 77 the place is not here.\n";

static int complain(const char *option, const char *text, const char *what) {
  fprintf(stderr, "usw-tune: --%s: '%s' is no %s\n", option, text, what);
  return -1;
}

enum { PLACE = 1, MINUTES, OUTPUT, HELP };

static int parse_option(int option, const char *text, tune_options_t *options) {
  char *end;
  switch (option) {
  case PLACE:
    options->place = text;
    return bench_is_place(text) ? 0 : complain("place", text, "place");
  case MINUTES:
    options->minutes = strtod(text, &end);
    return *text && !*end && options->minutes > 0 && isfinite(options->minutes)
               ? 0
               : complain("minutes", text, "number of minutes");
  case OUTPUT:
    options->output = text;
    return *text ? 0 : complain("output", text, "name of a file");
  default:
    return -1;
  }
}

int tune_parse(int argc, char **argv, tune_options_t *options_out, int *code_out) {
  static const struct option known[] = {{"place", required_argument, NULL, PLACE},
                                        {"minutes", required_argument, NULL, MINUTES},
                                        {"output", required_argument, NULL, OUTPUT},
                                        {"help", no_argument, NULL, HELP},
                                        {NULL, 0, NULL, 0}};
  *options_out = (tune_options_t){.output = "upsweep.tuning", .minutes = 10};
  *code_out = EXIT_BAD_USAGE;
  for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
    if (option == HELP) {
      fputs(help, stdout);
      *code_out = 0;
      return -1;
    }
    if (option == '?') {
      fputs("usw-tune: `usw tune --help' lists the options\n", stderr);
      return -1;
    }
    if (parse_option(option, optarg, options_out))
      return -1;
  }
  if (optind < argc) {
    fprintf(stderr, "usw-tune: '%s' is no option; `usw tune --help' lists them\n", argv[optind]);
    return -1;
  }
  return 0;
}

/* A file stands by itself: what it gains is against the built-in entries. To be called before the library reads them. */
static void forget_choices(void) {
  static const char *const names[] = {"USW_TUNING", "USW_STRATEGY", "USW_TEAMS"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    unsetenv(names[k]);
}

int tune_main(int argc, char **argv) {
  static char name[] = "usw-tune"; /* by which messages and files call it */
  static tune_run_t run;
  tune_options_t options;
  int code;
  argv[0] = name;
  if (tune_parse(argc, argv, &options, &code))
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
  bench_free_references();
  tune_print(&run);
  const int failed = tune_write(&run, options.output, argc, argv) != 0 || run.wrong;
  if (run.wrong)
    fprintf(stderr, "usw-tune: %d cells had wrong results\n", run.wrong);
  tune_free_times(&run);
  return failed ? EXIT_FAILED : 0;
}
