/* Running the programs. A program says "run <group> <case>" before each case and "cell <group> <case> ok|wrong <values>"
 * behind it; a case that it does not survive is left out of the next run: argv[1] is how many cases to pass over. */
#include "selfcheck/clause_parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HANGS = 2 }; /* of one program, after which its other cases are left alone */

static clause_cell_t *find_cell(clause_grading_t *grading, int source, const char *group, const char *what) {
  for (int c = 0; c < grading->cell_count; c++) {
    clause_cell_t *cell = &grading->cells[c];
    if (cell->source == source && strcmp(cell->group, group) == 0 && strcmp(cell->what, what) == 0)
      return cell;
  }
  if (grading->cell_count == grading->cell_room) {
    const int room = 2 * grading->cell_room + 64;
    clause_cell_t *grown = realloc(grading->cells, (size_t)room * sizeof *grown);
    if (!grown)
      return NULL;
    grading->cells = grown;
    grading->cell_room = room;
  }
  clause_cell_t *cell = &grading->cells[grading->cell_count++];
  *cell = (clause_cell_t){.source = source, .number = grading->cell_count};
  snprintf(cell->group, sizeof cell->group, "%s", group);
  snprintf(cell->what, sizeof cell->what, "%s", what);
  return cell;
}

static int set_cell(clause_grading_t *grading, int source, int level, const char *group, const char *what,
                    clause_verdict_t verdict, const char *detail) {
  clause_cell_t *cell = find_cell(grading, source, group, what);
  if (!cell)
    return -1;
  cell->verdicts[level] = verdict;
  snprintf(cell->details[level], CLAUSE_TEXT, "%s", detail);
  return 0;
}

/* ---- one run ---- */

/* What a run's output says: cases that it began, and the last one if that has no answer. */
typedef struct clause_output {
  int begun, open;
  char group[64], what[96];
} clause_output_t;

static int read_output(clause_grading_t *grading, int source, int level, const char *file, clause_output_t *output) {
  char line[2048], group[64], what[96], verdict[16], place[16];
  FILE *stream = fopen(file, "r");
  int failed = 0, length = 0;
  *output = (clause_output_t){0};
  while (stream && !failed && fgets(line, sizeof line, stream)) {
    line[strcspn(line, "\n")] = 0;
    if (sscanf(line, "run %63s %95s", output->group, output->what) == 2) {
      output->begun++;
      output->open = 1;
    } else if (sscanf(line, "cell %63s %95s %15s %n", group, what, verdict, &length) == 3) {
      const int ok = strcmp(verdict, "ok") == 0;
      failed = set_cell(grading, source, level, group, what, ok ? CLAUSE_OK : CLAUSE_WRONG, ok ? "" : line + length);
      output->open = 0;
    } else if (sscanf(line, "place %15s", place) == 1 && grading->on_device && strcmp(place, "device") != 0)
      grading->ran_on_host++;
  }
  if (stream)
    fclose(stream);
  return failed;
}

static void describe_end(const clause_grading_t *grading, clause_end_t end, int code, const char *errors,
                         char detail_out[CLAUSE_TEXT]) {
  char line[CLAUSE_TEXT - 64];
  char whole[CLAUSE_TEXT];
  clause_error_line(errors, whole);
  snprintf(line, sizeof line, "%s%.400s", whole[0] ? ": " : "", whole);
  if (end == CLAUSE_TIMED_OUT)
    snprintf(detail_out, CLAUSE_TEXT, "no end after %g s", grading->limit_s);
  else if (end == CLAUSE_SIGNALLED)
    snprintf(detail_out, CLAUSE_TEXT, "%s%s", strsignal(code), line);
  else
    snprintf(detail_out, CLAUSE_TEXT, "exit code %d%s", code, line);
}

/* ---- the environment of the programs ---- */

static int is_set(const char *entry, const char *name) {
  const size_t length = strlen(name);
  return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

/* This program's environment; the loader finds the compiler's runtime, and one processor still has threads that combine. */
static int make_environment(const clause_grading_t *grading, clause_words_t *environment) {
  const char *known = getenv("LD_LIBRARY_PATH");
  char folders[2 * PATH_MAX];
  int failed = 0;
  for (char **entry = environ; *entry && !failed; entry++)
    if (!is_set(*entry, "LD_LIBRARY_PATH"))
      failed = clause_add_word(environment, *entry);
  snprintf(folders, sizeof folders, "LD_LIBRARY_PATH=%s%s%s", grading->libraries,
           known && grading->libraries[0] ? ":" : "", known ? known : "");
  if (known || grading->libraries[0])
    failed |= clause_add_word(environment, folders);
  if (clause_processors() < 4 && !getenv("OMP_NUM_THREADS"))
    failed |= clause_add_word(environment, "OMP_NUM_THREADS=4") ||
              (!getenv("OMP_WAIT_POLICY") && clause_add_word(environment, "OMP_WAIT_POLICY=passive"));
  return failed ? -1 : 0;
}

/* ---- one program ---- */

static int run_program(clause_grading_t *grading, const clause_words_t *environment, int source, int level,
                       const char *program) {
  int first = 0, code = 0, hangs = 0;
  for (;;) {
    char number[32], output[PATH_MAX], errors[PATH_MAX], detail[CLAUSE_TEXT];
    clause_process_t process;
    clause_output_t said;
    snprintf(number, sizeof number, "%d", first);
    if (clause_path(output, "%s/output", grading->scratch) != 0 ||
        clause_path(errors, "%s/errors", grading->scratch) != 0)
      return -1;
    char *words[] = {(char *)program, number, NULL};
    const clause_launch_t launch = {words, environment->words, grading->scratch, output, errors, grading->limit_s};
    const int error = clause_start(&launch, &process);
    if (error)
      return set_cell(grading, source, level, grading->sources.words[source], "start", CLAUSE_CRASHED, strerror(error));
    const clause_end_t end = clause_wait(&process, &code);
    if (read_output(grading, source, level, output, &said) != 0)
      return -1;
    if (end == CLAUSE_EXITED && code == 0 && !said.open)
      return said.begun || first ? 0
                                 : set_cell(grading, source, level, grading->sources.words[source], "start",
                                            CLAUSE_CRASHED, "it ended without running a case");
    describe_end(grading, end, code, errors, detail);
    if (!said.open) { /* between cases: before the first or behind the last */
      snprintf(said.group, sizeof said.group, "%s", grading->sources.words[source]);
      snprintf(said.what, sizeof said.what, "%s", said.begun || first ? "end" : "start");
    }
    hangs += end == CLAUSE_TIMED_OUT;
    if (set_cell(grading, source, level, said.group, said.what, end == CLAUSE_TIMED_OUT ? CLAUSE_HUNG : CLAUSE_CRASHED,
                 detail) != 0)
      return -1;
    if (!said.open || hangs == HANGS)
      return 0;
    first += said.begun;
  }
}

/* A program that does not compile refuses every case that it has at other levels. */
static int refuse_all(clause_grading_t *grading, int source, int level, const char *detail) {
  int known = 0, failed = 0;
  for (int c = 0; c < grading->cell_count && !failed; c++)
    if (grading->cells[c].source == source) {
      known++;
      failed =
          set_cell(grading, source, level, grading->cells[c].group, grading->cells[c].what, CLAUSE_REFUSED, detail);
    }
  return known ? failed
               : set_cell(grading, source, level, grading->sources.words[source], "every_case", CLAUSE_REFUSED, detail);
}

static int run_or_refuse(clause_grading_t *grading, const clause_words_t *environment, int source, int level,
                         int refuse) {
  const char *name = grading->sources.words[source];
  char program[PATH_MAX], messages[PATH_MAX], line[CLAUSE_TEXT];
  if (clause_path(program, "%s/%s/%s", grading->folder, grading->levels.words[level], name) != 0 ||
      clause_path(messages, "%s/%s/%s.txt", grading->folder, grading->levels.words[level], name) != 0)
    return -1;
  clause_error_line(messages, line);
  if (access(program, X_OK) == 0) {
    const int failed = refuse ? 0 : run_program(grading, environment, source, level, program);
    for (int c = 0; c < grading->cell_count && !failed;
         c++) /* how it was built belongs to cases without a fault, too */
      if (grading->cells[c].source == source && grading->cells[c].verdicts[level] == CLAUSE_OK)
        memcpy(grading->cells[c].details[level], line, sizeof line);
    return failed;
  }
  return refuse ? refuse_all(grading, source, level, line[0] ? line : "no program and no message") : 0;
}

/* Programs in their order, and each one's cases in theirs. */
static int by_source(const void *a, const void *b) {
  const clause_cell_t *const one = a, *const other = b;
  return one->source != other->source ? one->source - other->source : one->number - other->number;
}

int clause_run(clause_grading_t *grading) {
  clause_words_t environment = {0};
  int failed = make_environment(grading, &environment);
  for (int refuse = 0; refuse <= 1; refuse++) /* what compiles names the cases first */
    for (int source = 0; source < grading->sources.count && !failed; source++)
      for (int level = 0; level < grading->levels.count && !failed; level++)
        failed = run_or_refuse(grading, &environment, source, level, refuse);
  if (failed)
    fputs("usw-selfcheck: out of memory\n", stderr);
  clause_free_words(&environment);
  qsort(grading->cells, (size_t)grading->cell_count, sizeof *grading->cells, by_source);
  return failed;
}
