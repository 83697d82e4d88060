/* Compiling every program at every level, several at once. */
#include "selfcheck/clause_parts.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct clause_job {
  int level, source;
  int with_libatomic; /* a second try */
  clause_process_t process;
  char program[PATH_MAX], messages[PATH_MAX];
} clause_job_t;

/* ---- command lines ---- */

/* The word that switches OpenMP on, or NULL where the user's words do. */
static const char *openmp_word(const clause_grading_t *grading) {
  const clause_words_t *lists[] = {&grading->compiler, &grading->flags, &grading->offload};
  for (int l = 0; l < 3; l++)
    for (int w = 0; w < lists[l]->count; w++) {
      const char *word = lists[l]->words[w];
      if (strcmp(word, "-fopenmp") == 0 || strcmp(word, "-qopenmp") == 0 || strcmp(word, "-fiopenmp") == 0 ||
          strcmp(word, "-mp") == 0 || strncmp(word, "-mp=", 4) == 0)
        return NULL;
    }
  const char *name = grading->compiler.words[grading->compiler.count - 1], *slash = strrchr(name, '/');
  return strncmp(slash ? slash + 1 : name, "nvc", 3) == 0 ? "-mp" : "-fopenmp";
}

static int add_all(clause_words_t *words, const clause_words_t *more) {
  int failed = 0;
  for (int w = 0; w < more->count && !failed; w++)
    failed = clause_add_word(words, more->words[w]);
  return failed;
}

/* The words before a level's: compiler, flags, offload. */
static int add_command(const clause_grading_t *grading, clause_words_t *words) {
  const char *openmp = openmp_word(grading);
  return add_all(words, &grading->compiler) || (openmp && clause_add_word(words, openmp)) ||
                 add_all(words, &grading->flags) || add_all(words, &grading->offload) ||
                 (grading->on_device && clause_add_word(words, "-DON_DEVICE"))
             ? -1
             : 0;
}

static int job_words(const clause_grading_t *grading, const clause_job_t *job, clause_words_t *words) {
  char level[64], source[PATH_MAX];
  snprintf(level, sizeof level, "-%s", grading->levels.words[job->level]);
  if (clause_path(source, "%s/%s.c", grading->source_folder, grading->sources.words[job->source]) != 0)
    return -1;
  return add_command(grading, words) || clause_add_word(words, level) || clause_add_word(words, source) ||
                 clause_add_word(words, "-o") || clause_add_word(words, job->program) ||
                 clause_add_word(words, "-lm") || (job->with_libatomic && clause_add_word(words, "-latomic"))
             ? -1
             : 0;
}

/* ---- what the compiler says ---- */

/* Messages name sources by the path they were given. */
static void without_folders(const char *line, char line_out[CLAUSE_TEXT]) {
  const char *start = line, *colon = strchr(line, ':');
  for (const char *at = line; colon && at < colon; at++)
    if (*at == '/')
      start = at + 1;
  while (isspace((unsigned char)*start))
    start++;
  snprintf(line_out, CLAUSE_TEXT, "%.*s", (int)strcspn(start, "\n"), start);
}

void clause_error_line(const char *file, char line_out[CLAUSE_TEXT]) {
  static const char *const signs[] = {"error", "Error", "undefined reference", "fatal"};
  char line[4096], fallback[CLAUSE_TEXT] = "";
  FILE *stream = fopen(file, "r");
  line_out[0] = 0;
  while (stream && !line_out[0] && fgets(line, sizeof line, stream)) {
    if (!fallback[0])
      without_folders(line, fallback);
    for (size_t s = 0; s < sizeof signs / sizeof *signs && !line_out[0]; s++)
      if (strstr(line, signs[s]))
        without_folders(line, line_out);
  }
  if (stream)
    fclose(stream);
  if (!line_out[0])
    memcpy(line_out, fallback, sizeof fallback);
}

static int file_has(const char *file, const char *text) {
  char line[4096];
  int found = 0;
  FILE *stream = fopen(file, "r");
  while (stream && !found && fgets(line, sizeof line, stream))
    found = strstr(line, text) != NULL;
  if (stream)
    fclose(stream);
  return found;
}

static void write_line(const char *file, const char *format, double value) {
  FILE *stream = fopen(file, "w");
  if (!stream)
    return;
  fprintf(stream, format, value);
  fclose(stream);
}

/* The folder with the runtime that the compiler's programs load, which a loader need not know. */
static void ask_for_libraries(clause_grading_t *grading, const char *answer, const char *library) {
  clause_words_t words = {0};
  clause_process_t process;
  char option[64], path[PATH_MAX] = "";
  int code = 1;
  snprintf(option, sizeof option, "-print-file-name=%s", library);
  if (add_all(&words, &grading->compiler) == 0 && clause_add_word(&words, option) == 0) {
    const clause_launch_t launch = {words.words, environ, NULL, answer, "/dev/null", grading->limit_s};
    FILE *stream;
    if (clause_start(&launch, &process) == 0 && clause_wait(&process, &code) == CLAUSE_EXITED && code == 0 &&
        (stream = fopen(answer, "r"))) {
      if (fgets(path, sizeof path, stream))
        path[strcspn(path, "\n")] = 0;
      fclose(stream);
    }
  }
  clause_free_words(&words);
  char *slash = strrchr(path, '/');
  if (path[0] == '/' && access(path, R_OK) == 0 && slash) {
    *slash = 0;
    if (!realpath(path, grading->libraries))
      grading->libraries[0] = 0;
  }
}

int clause_ask_compiler(clause_grading_t *grading) {
  static const char *const libraries[] = {"libomptarget.so", "libomp.so", "libgomp.so.1"};
  char answer[PATH_MAX];
  clause_words_t words = {0};
  clause_process_t process;
  int code = 0;
  if (clause_path(answer, "%s/version.txt", grading->folder) != 0 || add_all(&words, &grading->compiler) != 0 ||
      clause_add_word(&words, "--version") != 0)
    return -1;
  const clause_launch_t launch = {words.words, environ, NULL, answer, answer, grading->limit_s};
  const int error = clause_start(&launch, &process);
  if (error)
    fprintf(stderr, "usw-selfcheck: compiler %s: %s\n", grading->compiler.words[0], strerror(error));
  else if (clause_wait(&process, &code) == CLAUSE_TIMED_OUT)
    snprintf(grading->version, CLAUSE_TEXT, "a compiler that does not answer --version");
  else {
    FILE *stream = fopen(answer, "r");
    while (stream && fgets(grading->version, CLAUSE_TEXT, stream) && grading->version[0] == '\n')
      ; /* nvc begins with an empty line */
    if (stream)
      fclose(stream);
    grading->version[strcspn(grading->version, "\n")] = 0;
  }
  clause_free_words(&words);
  for (size_t l = 0; !error && l < sizeof libraries / sizeof *libraries && !grading->libraries[0]; l++)
    ask_for_libraries(grading, answer, libraries[l]);
  unlink(answer);
  return error ? -1 : 0;
}

/* ---- jobs ---- */

static int start_job(const clause_grading_t *grading, clause_job_t *job) {
  clause_words_t words = {0};
  int error = ENOMEM;
  if (job_words(grading, job, &words) == 0) {
    const clause_launch_t launch = {words.words, environ, NULL, job->messages, job->messages, grading->limit_s};
    error = clause_start(&launch, &job->process);
  }
  clause_free_words(&words);
  if (error)
    fprintf(stderr, "usw-selfcheck: compiler %s: %s\n", grading->compiler.words[0], strerror(error));
  return error ? -1 : 0;
}

static int prepare_job(const clause_grading_t *grading, clause_job_t *job, int number) {
  const char *level, *source;
  *job = (clause_job_t){.level = number / grading->sources.count, .source = number % grading->sources.count};
  level = grading->levels.words[job->level];
  source = grading->sources.words[job->source];
  if (clause_path(job->program, "%s/%s/%s", grading->folder, level, source) != 0 ||
      clause_path(job->messages, "%s/%s/%s.txt", grading->folder, level, source) != 0)
    return -1;
  unlink(job->program); /* of an earlier run */
  return start_job(grading, job);
}

/* A job has ended: leave a program, or messages without a program. 1: it began anew. */
static int finish_job(const clause_grading_t *grading, clause_job_t *job, clause_end_t end, int code) {
  const int built = end == CLAUSE_EXITED && code == 0 && access(job->program, X_OK) == 0;
  if (!built && end == CLAUSE_EXITED && !job->with_libatomic && file_has(job->messages, "__atomic_")) {
    job->with_libatomic = 1; /* clang combines what is wider than 8 bytes by calls that it does not link */
    return start_job(grading, job) == 0;
  }
  if (built && job->with_libatomic)
    write_line(job->messages, "links with -latomic only\n", 0);
  else if (built)
    unlink(job->messages);
  else
    unlink(job->program);
  if (end == CLAUSE_TIMED_OUT)
    write_line(job->messages, "error: the compiler ran longer than %g s\n", grading->limit_s);
  else if (end == CLAUSE_SIGNALLED)
    write_line(job->messages, "error: the compiler was ended by signal %g\n", code);
  return 0;
}

/* Folders of this machine mean nothing where built programs go. */
static int describe_command(clause_grading_t *grading) {
  clause_words_t words = {0};
  const int failed = add_command(grading, &words), travels = grading->options->compile_only;
  for (int w = 0; w < words.count && !failed; w++) {
    const char *word = words.words[w], *slash = travels && w < grading->compiler.count ? strrchr(word, '/') : NULL;
    const size_t length = strlen(grading->command);
    if (!travels || !strstr(word, "=/"))
      snprintf(grading->command + length, sizeof grading->command - length, "%s%s", length ? " " : "",
               slash ? slash + 1 : word);
  }
  clause_free_words(&words);
  return failed;
}

int clause_build(clause_grading_t *grading) {
  const struct timespec step = {0, 2000000};
  const int total = grading->levels.count * grading->sources.count, room = clause_processors();
  clause_job_t *jobs = calloc((size_t)room, sizeof *jobs);
  int started = 0, running = 0, failed = !jobs;
  while (jobs && (running || (started < total && !failed))) {
    for (int j = 0; j < room; j++) {
      int code = 0;
      if (!jobs[j].process.pid && started < total && !failed) {
        failed = prepare_job(grading, &jobs[j], started++) != 0;
        running += !failed;
      } else if (jobs[j].process.pid) {
        const clause_end_t end = clause_poll(&jobs[j].process, &code);
        if (end != CLAUSE_RUNNING && !finish_job(grading, &jobs[j], end, code)) {
          jobs[j].process.pid = 0;
          running--;
        }
      }
    }
    nanosleep(&step, NULL);
  }
  free(jobs);
  failed |= describe_command(grading) != 0;
  return failed ? -1 : 0;
}
