/* Any command lines of the tool: `usw reduce` and `usw scan`, up to their files, `usw info`, `usw explain` and `usw selfcheck`, up to
 * its work, end with 0 and nothing on stderr, or with 2 and one line there. The sources of the tool are linked with
 * the emulated library; what would start programs, search folders or measure is replaced here. */
#include <argp.h>
#include <errno.h>
#include <glob.h>
#include <string.h>
#include <unistd.h>
#include <upsweep/upsweep.h>

#include "input.h"
#include "tool/reduce.h"
#include "tool/scan.h"
#include "tool/selfcheck/selfcheck.h"
#include "tool/tool.h"

enum { MOST_ARGUMENTS = 9, MOST_WORD = 80, OUTPUT_BYTES = 1 << 16 };

int usw_main(int argc, char **argv); /* the tool's */

/* ---- what the tool calls ---- */

error_t __real_argp_parse(const struct argp *parser, int argc, char **argv, unsigned flags, int *end, void *input);
error_t __wrap_argp_parse(const struct argp *parser, int argc, char **argv, unsigned flags, int *end, void *input);
error_t __wrap_argp_parse(const struct argp *parser, int argc, char **argv, unsigned flags, int *end, void *input) {
  for (int k = 1; k < argc; k++)
    if (strncmp(argv[k], "--H", 3) == 0) /* glibc's hidden option --HANG waits for an hour */
      argv[k][2] = 'h';
  return __real_argp_parse(parser, argc, argv, flags | ARGP_NO_EXIT, end, input);
}

int __wrap_glob(const char *pattern, int flags, int (*failed)(const char *, int), glob_t *found);
int __wrap_glob(const char *pattern, int flags, int (*failed)(const char *, int), glob_t *found) {
  (void)pattern, (void)flags, (void)failed, (void)found;
  return GLOB_NOMATCH;
}

int __wrap_execv(const char *program, char *const *argv);
int __wrap_execv(const char *program, char *const *argv) {
  (void)program, (void)argv;
  errno = ENOENT;
  return -1;
}

usw_status_t __wrap_usw_measure_staging(usw_operation_t operation, usw_type_t type, const usw_options_t *options,
                                        void *rates);
usw_status_t __wrap_usw_measure_staging(usw_operation_t operation, usw_type_t type, const usw_options_t *options,
                                        void *rates) {
  (void)operation, (void)type, (void)options, (void)rates;
  return USW_OK;
}

int tool_reduce(int argc, char **argv) {
  tool_reduce_command_t command;
  const int code = tool_reduce_parse(argc, argv, &command);
  if (code == TOOL_OK)
    require(command.inputs.file_count > 0 && command.operation_count <= TOOL_MAX_ANSWERS &&
                command.options.fold <= 60 && command.inputs.buffer_bytes % 4096 == 0 &&
                command.inputs.input.dimensions <= TOOL_MAX_DIMENSIONS,
            "`usw reduce' takes a command line that is none");
  tool_reduce_forget(&command);
  return code;
}

int tool_scan(int argc, char **argv) {
  tool_scan_command_t command;
  const int code = tool_scan_parse(argc, argv, &command);
  if (code == TOOL_OK)
    require(command.inputs.file_count > 0 && command.operation && (!command.initial || command.is_exclusive) &&
                command.inputs.buffer_bytes % 4096 == 0,
            "`usw scan' takes a command line that is none");
  tool_scan_forget(&command);
  return code;
}

/* ---- command lines ---- */

static const char *const commands[] = {"reduce", "scan", "explain", "info", "help", "selfcheck", "version"};
static const char *const options[] = {"--op",
                                      "--type",
                                      "--shape",
                                      "--offset",
                                      "--member",
                                      "--merge",
                                      "--axis",
                                      "--segments",
                                      "--keys",
                                      "--unique-out",
                                      "--output",
                                      "--exclusive",
                                      "--initial",
                                      "--reverse",
                                      "--dataset",
                                      "--input",
                                      "--place",
                                      "--strategy",
                                      "--work-group-load",
                                      "--fold",
                                      "--nan",
                                      "--accuracy",
                                      "--recheck",
                                      "--buffer",
                                      "--format",
                                      "--progress",
                                      "--n",
                                      "--json",
                                      "--topology",
                                      "--environment",
                                      "--staging",
                                      "--devices",
                                      "--parts",
                                      "-o",
                                      "-t",
                                      "-s",
                                      "-f",
                                      "-n",
                                      "-p",
                                      "--functions",
                                      "--types",
                                      "--quick",
                                      "--levels",
                                      "--limit",
                                      "--compiler",
                                      "--only",
                                      "--strategies",
                                      "--o",
                                      "--",
                                      "-"};
static const char *const values[] = {
    "sum",      "sum,mean,std", "f64",    "i8",   "cf32",          "3x4",   "0x0x18446744073709551615",
    "2^20",     "1e3",          "4k",     "1G",   "host",          "gpu",   "device:0",
    "tree",     "reproducible", "ignore", "json", "csv",           "auto",  ",,",
    "",         "-1",           "60",     "dot",  "multipass",     "exact", "4294967294",
    "file.npy", "*.npy",        "[",      "0.5",  "host,device:0", "all",   "0,63"};
#define ONE_OF(list, input) list[take_below(input, sizeof list / sizeof *list)]

static size_t take_chars(input_t *input, char *word, size_t most) {
  const size_t length = take_below(input, most);
  for (size_t k = 0; k < length; k++)
    word[k] = (char)(1 + take_below(input, 255));
  return length;
}

/* Memory of the word's length alone. */
static char *take_word(input_t *input) {
  char word[4 * MOST_WORD] = "";
  const uint64_t kind = take_below(input, 8);
  if (kind < 6)
    strcat(word, ONE_OF(options, input));
  if (kind < 4)
    strcat(strcat(word, "="), ONE_OF(values, input));
  if (kind == 6)
    strcat(word, ONE_OF(values, input));
  if (kind == 7 || take_rarely(input, 8)) {
    const size_t length = strlen(word);
    word[length + take_chars(input, word + length, MOST_WORD)] = 0;
  }
  char *exact = strdup(word);
  return exact;
}

/* What ends a program early, or in glibc's argp waits for an hour; and names of options that getopt prints as they
 * are. */
static int is_special(const char *word) {
  const int is_long = word[0] == '-' && word[1] == '-';
  const int is_early = is_long && (strchr("huHpvV", word[2]) || strncmp(word, "--v", 3) == 0) && word[2] &&
                       strncmp(word, "--pl", 4) != 0 && strncmp(word, "--pr", 4) != 0 && strncmp(word, "--un", 4) != 0;
  int is_printed = 0;
  for (const char *at = word; *word == '-' && *at; at++)
    is_printed |= (unsigned char)*at < ' ' || *at == 0x7f;
  return is_early || is_printed || (word[0] == '-' && !is_long && strchr(word, '?'));
}

static int has_help(int argc, char **argv) {
  int found = 0;
  for (int k = 1; k < argc; k++)
    found |= is_special(argv[k]);
  return found;
}

static int run(int argc, char **argv) {
  selfcheck_options_t selfcheck;
  if (argc > 1 && strcmp(argv[1], "selfcheck") == 0)
    return selfcheck_parse(argc - 1, argv + 1, &selfcheck);
  return usw_main(argc, argv);
}

static void check(int code, const char *output, int argc, char **argv) {
  size_t lines = 0;
  for (const char *at = output; *at; at++)
    lines += *at == '\n';
  if (code == 0)
    require(lines == 0, "ends with 0 and says: %s", output);
  else
    require(code == TOOL_BAD_INPUT && (argc < 2 || (lines == 1 && strlen(output) > 10)),
            "'%s' ends with %d and says: %s", argv[argc - 1], code, output);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  static char output[OUTPUT_BYTES], name[] = "usw";
  static FILE *nothing;
  input_t input = input_of(data, bytes);
  char *argv[MOST_ARGUMENTS + 3] = {name}, *words[MOST_ARGUMENTS + 2];
  int argc = 1;
  if (!nothing)
    nothing = fopen("/dev/null", "w");
  if (!take_rarely(&input, 16))
    argv[argc++] = strdup(ONE_OF(commands, &input));
  for (uint64_t count = take_below(&input, MOST_ARGUMENTS); count > 0; count--)
    argv[argc++] = take_word(&input);
  memcpy(words, argv + 1, sizeof words); /* parsers put them in another order */
  const int early = has_help(argc, argv), count = argc;
  FILE *const standard_error = stderr, *const standard_output = stdout;
  memset(output, 0, sizeof output);
  stderr = fmemopen(output, sizeof output, "w");
  stdout = nothing;
  const int code = run(argc, argv);
  fclose(stderr);
  stderr = standard_error;
  stdout = standard_output;
  if (!early)
    check(code, output, argc, argv);
  for (int k = 0; k < count - 1; k++)
    free(words[k]);
  return 0;
}
