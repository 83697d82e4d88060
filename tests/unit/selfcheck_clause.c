/* Grading the compiler's clause: the project's own compiler, the same with a mistake put in, and compilers that are shell
 * scripts and make programs that crash, hang or say nothing. */
#include "selfcheck/clause.h"
#include "support/check.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/usw-test-clause-XXXXXX";
static char said[4096];   /* what the last grading wrote to stderr */
static char table[65536]; /* and to its table */
static cJSON *graded;

/* ---- helpers ---- */

static const char *in_folder(const char *name) {
  static char paths[4][256];
  static int next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static void write_file(const char *name, mode_t mode, const char *format, ...) {
  va_list arguments;
  FILE *file = fopen(in_folder(name), "w");
  va_start(arguments, format);
  vfprintf(file, format, arguments);
  va_end(arguments);
  fclose(file);
  chmod(in_folder(name), mode);
}

/* A compiler whose programs are this script. */
static void write_compiler(const char *name, const char *before, const char *program) {
  write_file(name, 0755,
             "#!/bin/sh\n"
             "case $1 in --version) echo 'fake 1.0'; exit 0 ;; -print*) echo nothing; exit 0 ;; esac\n"
             "words=$*\n%s\n"
             "while [ $# -gt 0 ]; do [ \"$1\" = -o ] && out=$2; shift; done\n"
             "cat >\"$out\" <<'END'\n#!/bin/sh\n%s\nEND\nchmod +x \"$out\"\n",
             before, program);
}

static void read_back(const char *name, char *text, size_t room) {
  FILE *file = fopen(in_folder(name), "r");
  text[file ? fread(text, 1, room - 1, file) : 0] = 0;
  if (file)
    fclose(file);
}

static int grade(selfcheck_clause_options_t options) {
  const int errors = dup(2), file = open(in_folder("stderr"), O_RDWR | O_CREAT | O_TRUNC, 0600);
  FILE *table_file = fopen(in_folder("table"), "w");
  cJSON_Delete(graded);
  graded = cJSON_CreateObject();
  fflush(stderr);
  dup2(file, 2);
  const int wrong = selfcheck_clause(&options, table_file, graded);
  dup2(errors, 2);
  close(file);
  close(errors);
  fclose(table_file);
  read_back("stderr", said, sizeof said);
  read_back("table", table, sizeof table);
  return wrong;
}

static int counted(const char *verdict) {
  const cJSON *count = cJSON_GetObjectItem(cJSON_GetObjectItem(graded, "counts"), verdict);
  return count ? count->valueint : -1;
}

static const char *in_cell(const char *what, const char *object, const char *level) {
  const cJSON *cell = cJSON_GetObjectItem(graded, "cells"), *text = NULL;
  for (cell = cell ? cell->child : NULL; cell && !text; cell = cell->next)
    if (strcmp(cJSON_GetObjectItem(cell, "case")->valuestring, what) == 0)
      text = cJSON_GetObjectItem(cJSON_GetObjectItem(cell, object), level);
  return text ? text->valuestring : "absent";
}

static void check_fails(const selfcheck_clause_options_t options, const char *text) {
  CHECK_I64(-1, grade(options));
  CHECK_TEXT_HAS(said, text);
  CHECK_TEXT_HAS(said, "usw-selfcheck: ");
  CHECK(!table[0] && !graded->child && strchr(said, '\n') == strrchr(said, '\n'));
}

/* ---- the project's compiler ---- */

static void test_real_compiler(void) {
  CHECK_I64(0, grade((selfcheck_clause_options_t){
                   .compiler = TEST_COMPILER, .levels = "O0,O2", .only = "floats,loops,structures"}));
  CHECK_I64(2 * (14 + 14 + 3), counted("ok"));
  CHECK_TEXT_HAS(table, "floats             double         all 7");
  CHECK_TEXT_HAS(table, "-fopenmp -O2 <program>.c");
}

/* In pragmas, too, words are replaced by the preprocessor: every `max` becomes a `min`. */
static void test_wrong_on_purpose(void) {
  CHECK_I64(2, grade((selfcheck_clause_options_t){
                   .compiler = TEST_COMPILER, .flags = "-Dmax=min", .levels = "O1", .only = "floats"}));
  CHECK_I64(2, counted("wrong"));
  CHECK_I64(12, counted("ok"));
  CHECK_TEXT_HAS(table, "WRONG");
  CHECK_TEXT_HAS(table, "expected 100");
}

static void test_compile_then_run(void) {
  char kept[256];
  snprintf(kept, sizeof kept, "%s/kept", folder);
  selfcheck_clause_options_t options = {
      .compiler = TEST_COMPILER, .levels = "O1", .only = "floats", .folder = kept, .compile_only = 1};
  CHECK_I64(0, grade(options));
  CHECK(!table[0]);
  CHECK_I64(0, access(in_folder("kept/O1/floats"), X_OK));
  options = (selfcheck_clause_options_t){.folder = kept};
  CHECK_I64(0, grade(options));
  CHECK_I64(14, counted("ok"));
  CHECK_TEXT_HAS(table, "command: ");
  options.place = "gpu";
  check_fails(options, "place gpu: no device");
}

/* ---- compilers that are not there, fail, or do not end ---- */

static selfcheck_clause_options_t fake(const char *compiler) {
  return (selfcheck_clause_options_t){.compiler = compiler, .sources = folder, .levels = "O0,O2", .limit_s = 1};
}

static void test_bad_compilers(void) {
  struct timespec begin, end;
  check_fails(fake("/nonexistent/compiler"), "/nonexistent/compiler: No such file");
  write_compiler("fails", "echo one.c:3: error: no reductions today >&2; exit 1", "");
  check_fails(fake(in_folder("fails")), "no program compiles: one.c:3: error: no reductions today");
  write_compiler("hangs", "sleep 60", "");
  clock_gettime(CLOCK_MONOTONIC, &begin);
  check_fails(fake(in_folder("hangs")), "ran longer than 1 s");
  clock_gettime(CLOCK_MONOTONIC, &end);
  CHECK(end.tv_sec - begin.tv_sec < 30);
}

static void test_one_level_fails(void) {
  write_compiler("partly", "case $words in *-O2*) echo one.c:7: error: too optimistic >&2; exit 1 ;; esac",
                 "echo place host; echo run g a; echo cell g a ok; echo run g b; echo cell g b ok");
  CHECK_I64(0, grade(fake(in_folder("partly"))));
  CHECK_I64(2, counted("ok"));
  CHECK_I64(2, counted("does_not_compile"));
  CHECK_TEXT_HAS(in_cell("b", "details", "O2"), "one.c:7: error: too optimistic");
  CHECK_TEXT_HAS(table, "no compile");
}

/* ---- programs ---- */

static void test_bad_programs(void) {
  write_compiler("programs", "",
                 "[ $1 -le 0 ] && echo run g good && echo cell g good ok\n"
                 "[ $1 -le 1 ] && echo run g crash && kill -SEGV $$\n"
                 "[ $1 -le 2 ] && echo run g hang && sleep 60\n"
                 "[ $1 -le 3 ] && echo run g quits && echo a strange error >&2 && exit 3\n"
                 "[ $1 -le 4 ] && echo run g off && echo cell g off wrong got 1, expected 2\n"
                 "exit 0");
  selfcheck_clause_options_t options = fake(in_folder("programs"));
  options.levels = "O2";
  CHECK_I64(4, grade(options));
  CHECK_TEXT_HAS(in_cell("good", "verdicts", "O2"), "ok");
  CHECK_TEXT_HAS(in_cell("crash", "verdicts", "O2"), "crashes");
  CHECK_TEXT_HAS(in_cell("crash", "details", "O2"), "Segmentation fault");
  CHECK_TEXT_HAS(in_cell("hang", "verdicts", "O2"), "hangs");
  CHECK_TEXT_HAS(in_cell("quits", "details", "O2"), "exit code 3: a strange error");
  CHECK_TEXT_HAS(in_cell("off", "details", "O2"), "got 1, expected 2");
  CHECK_I64(1, counted("wrong"));
  write_compiler("ends_badly", "", "echo run g good; echo cell g good ok; kill -ABRT $$");
  options.compiler = in_folder("ends_badly");
  CHECK_I64(1, grade(options));
  CHECK_TEXT_HAS(in_cell("good", "verdicts", "O2"), "ok");
  CHECK_TEXT_HAS(in_cell("end", "verdicts", "O2"), "crashes");
  write_compiler("silent", "", "exit 0");
  options.compiler = in_folder("silent");
  check_fails(options, "no program runs: it ended without running a case");
}

static void test_bad_options(void) {
  selfcheck_clause_options_t options = fake(in_folder("partly"));
  options.levels = "O2 -o/etc/passwd";
  check_fails(options, "no level of optimisation");
  options = fake(in_folder("partly"));
  options.flags = "-DX; rm";
  check_fails(options, "flags: '-DX; rm' cannot be split");
  options = fake(in_folder("partly"));
  options.only = "one,two";
  check_fails(options, "no program two");
  options = fake(in_folder("partly"));
  options.sources = "/nonexistent";
  check_fails(options, "no folder /nonexistent");
  options = fake(in_folder("partly"));
  options.compile_only = 1;
  check_fails(options, "needs a compiler and a folder");
  check_fails((selfcheck_clause_options_t){.folder = folder}, "no folder O0 ... O3");
}

int main(void) {
  if (access(TEST_COMPILER, X_OK) != 0)
    return check_skip("no compiler %s here", TEST_COMPILER);
  if (!mkdtemp(folder))
    return check_skip("no temporary folder");
  write_file("one.c", 0644, "nothing that a real compiler reads\n");
  test_real_compiler();
  test_wrong_on_purpose();
  test_compile_then_run();
  test_bad_compilers();
  test_one_level_fails();
  test_bad_programs();
  test_bad_options();
  cJSON_Delete(graded);
  char command[128];
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK_I64(0, system(command));
  return check_report();
}
