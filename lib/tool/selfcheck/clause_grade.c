/* What to grade: options, folders, the lists of levels and programs. */
#include "selfcheck/clause_parts.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- folders ---- */

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where) {
  (void)status, (void)kind, (void)where;
  return remove(path);
}

static void remove_folder(const char *folder) { nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

static int make_folder(const char *folder) {
  if (mkdir(folder, 0777) == 0 || errno == EEXIST)
    return 0;
  fprintf(stderr, "usw-selfcheck: %s: %s\n", folder, strerror(errno));
  return -1;
}

static int is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* The folder of this program. */
static int own_folder(char folder_out[PATH_MAX]) {
  const ssize_t length = readlink("/proc/self/exe", folder_out, PATH_MAX - 1);
  if (length < 0) {
    perror("usw-selfcheck: /proc/self/exe");
    return -1;
  }
  folder_out[length] = 0;
  *strrchr(folder_out, '/') = 0;
  return 0;
}

/* An option's folder, or the first of two beside this program; absolute, because programs run elsewhere. */
static int find_folder(const char *given, const char *what, const char *first, const char *second,
                       char folder_out[PATH_MAX]) {
  char own[PATH_MAX], path[PATH_MAX];
  if (given) {
    if (is_folder(given) && realpath(given, folder_out))
      return 0;
    fprintf(stderr, "usw-selfcheck: no folder %s\n", given);
    return -1;
  }
  if (own_folder(own) != 0)
    return -1;
  for (int turn = 0; turn < 2; turn++) {
    if (clause_path(path, "%s/%s", own, turn ? second : first) != 0)
      return -1;
    if (is_folder(path) && realpath(path, folder_out))
      return 0;
  }
  fprintf(stderr, "usw-selfcheck: %s: no folder %s/%s\n", what, own, first);
  return -1;
}

/* ---- lists ---- */

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The programs of a folder: its .c files, or what was built of them, which may be a message only. */
static int list_programs(clause_words_t *names, const char *folder, const char *suffix, const clause_words_t *only) {
  DIR *stream = opendir(folder);
  int failed = !stream;
  for (struct dirent *entry; stream && !failed && (entry = readdir(stream));) {
    char *dot = strrchr(entry->d_name, '.');
    if (entry->d_name[0] == '.' || (dot ? strcmp(dot, suffix) != 0 : strcmp(suffix, ".c") == 0))
      continue;
    if (dot)
      *dot = 0;
    if ((!only->count || clause_has_word(only, entry->d_name)) && !clause_has_word(names, entry->d_name))
      failed = clause_add_word(names, entry->d_name);
  }
  if (stream)
    closedir(stream);
  if (names->count)
    qsort(names->words, (size_t)names->count, sizeof *names->words, by_name);
  if (failed)
    fprintf(stderr, "usw-selfcheck: %s: %s\n", folder, strerror(errno));
  return failed ? -1 : 0;
}

static int check_levels(const clause_grading_t *grading) {
  if (!grading->levels.count || grading->levels.count > CLAUSE_LEVELS) {
    fprintf(stderr, "usw-selfcheck: from 1 to %d levels, please\n", CLAUSE_LEVELS);
    return -1;
  }
  for (int level = 0; level < grading->levels.count; level++) {
    const char *name = grading->levels.words[level];
    if (!*name || name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")]) {
      fprintf(stderr, "usw-selfcheck: %s is no level of optimisation\n", name);
      return -1;
    }
  }
  return 0;
}

/* Without levels of the caller's, programs that were built before are run at those levels that there are. */
static int list_levels(clause_grading_t *grading) {
  const char *const usual[] = {"O0", "O1", "O2", "O3"};
  const char *wanted = grading->options->levels;
  char path[PATH_MAX];
  int failed = wanted ? clause_split_list(&grading->levels, wanted) : 0;
  for (int level = 0; level < 4 && !wanted && !failed; level++)
    if (grading->compiler.count || (clause_path(path, "%s/%s", grading->folder, usual[level]) == 0 && is_folder(path)))
      failed = clause_add_word(&grading->levels, usual[level]);
  if (!failed && !grading->levels.count && !wanted) {
    fprintf(stderr, "usw-selfcheck: %s: no folder O0 ... O3 of programs\n", grading->folder);
    return -1;
  }
  return failed ? -1 : check_levels(grading);
}

static int list_sources(clause_grading_t *grading) {
  clause_words_t only = {0};
  char path[PATH_MAX];
  int failed = grading->options->only ? clause_split_list(&only, grading->options->only) : 0;
  if (grading->compiler.count && !failed)
    failed = list_programs(&grading->sources, grading->source_folder, ".c", &only);
  for (int level = 0; level < grading->levels.count && !grading->compiler.count && !failed; level++)
    failed = clause_path(path, "%s/%s", grading->folder, grading->levels.words[level]) ||
             list_programs(&grading->sources, path, ".txt", &only);
  for (int name = 0; name < only.count && !failed; name++)
    if (!clause_has_word(&grading->sources, only.words[name])) {
      fprintf(stderr, "usw-selfcheck: no program %s\n", only.words[name]);
      failed = -1;
    }
  if (!failed && !grading->sources.count) {
    fputs("usw-selfcheck: no programs\n", stderr);
    failed = -1;
  }
  clause_free_words(&only);
  return failed;
}

/* ---- programs that were built before: what built them ---- */

static int write_facts(const clause_grading_t *grading) {
  char path[PATH_MAX];
  if (clause_path(path, "%s/compiler.txt", grading->folder) != 0)
    return -1;
  FILE *stream = fopen(path, "w");
  const int failed = !stream || fprintf(stream, "%s\n%s\n", grading->version, grading->command) < 0;
  if ((stream && fclose(stream) != 0) || failed) {
    fprintf(stderr, "usw-selfcheck: %s: %s\n", path, strerror(errno));
    return -1;
  }
  return 0;
}

static void read_facts(clause_grading_t *grading) {
  char path[PATH_MAX];
  FILE *stream = clause_path(path, "%s/compiler.txt", grading->folder) == 0 ? fopen(path, "r") : NULL;
  if (!stream)
    return;
  if (fgets(grading->version, sizeof grading->version, stream) &&
      fgets(grading->command, sizeof grading->command, stream)) {
    grading->version[strcspn(grading->version, "\n")] = 0;
    grading->command[strcspn(grading->command, "\n")] = 0;
  }
  fclose(stream);
}

/* ---- steps ---- */

static int prepare(clause_grading_t *grading) {
  const selfcheck_clause_options_t *options = grading->options;
  char built[64], path[PATH_MAX];
  if (clause_split(&grading->compiler, options->compiler, "compiler") != 0 ||
      clause_split(&grading->flags, options->flags, "flags") != 0 ||
      clause_split(&grading->offload, options->offload, "offload") != 0)
    return -1;
  grading->place = options->place ? options->place : grading->offload.count ? "device" : "host";
  grading->on_device = strcmp(grading->place, "host") != 0;
  grading->limit_s = options->limit_s > 0 ? options->limit_s : 120;
  snprintf(built, sizeof built, "selfcheck/clause-%s", grading->place);
  if (!grading->compiler.count) /* the sources are for the footer only */
    return find_folder(options->folder, "no compiler and no built programs", built, built, grading->folder) ||
                   list_levels(grading) || list_sources(grading)
               ? -1
               : (read_facts(grading), 0);
  if (find_folder(options->sources, "sources", "../share/upsweep/selfcheck", "../../share/upsweep/selfcheck",
                  grading->source_folder) != 0 ||
      clause_path(path, "%s", options->folder ? options->folder : grading->scratch) != 0 || make_folder(path) != 0)
    return -1;
  if (!realpath(path, grading->folder)) {
    perror("usw-selfcheck: folder");
    return -1;
  }
  if (list_levels(grading) != 0 || list_sources(grading) != 0)
    return -1;
  for (int level = 0; level < grading->levels.count; level++)
    if (clause_path(path, "%s/%s", grading->folder, grading->levels.words[level]) != 0 || make_folder(path) != 0)
      return -1;
  return clause_ask_compiler(grading) || clause_build(grading) || write_facts(grading) ? -1 : 0;
}

/* Is there a case that ran? Otherwise there is nothing to grade. */
static int check_run(const clause_grading_t *grading) {
  const char *detail = "";
  int ran = 0, refused = 1;
  for (int c = 0; c < grading->cell_count; c++)
    for (int level = 0; level < grading->levels.count; level++) {
      const clause_cell_t *cell = &grading->cells[c];
      refused &= cell->verdicts[level] == CLAUSE_REFUSED || cell->verdicts[level] == CLAUSE_NOT_RUN;
      ran |= cell->verdicts[level] != CLAUSE_REFUSED && cell->verdicts[level] != CLAUSE_NOT_RUN &&
             strcmp(cell->what, "start") != 0;
      if (!*detail)
        detail = cell->details[level];
    }
  if (grading->ran_on_host)
    fprintf(stderr, "usw-selfcheck: place %s: no device, target regions ran on the host\n", grading->place);
  else if (!ran)
    fprintf(stderr, "usw-selfcheck: no program %s: %s\n", refused ? "compiles" : "runs", detail);
  return ran && !grading->ran_on_host ? 0 : -1;
}

static int grade(clause_grading_t *grading, FILE *table_out, cJSON *graded_out) {
  int counts[CLAUSE_VERDICTS];
  if (prepare(grading) != 0)
    return -1;
  if (grading->options->compile_only)
    return 0;
  if (clause_run(grading) != 0 || check_run(grading) != 0)
    return -1;
  if (graded_out && clause_fill_json(grading, graded_out) != 0) {
    fputs("usw-selfcheck: out of memory\n", stderr);
    return -1;
  }
  clause_print_table(grading, table_out);
  clause_count(grading, counts);
  return counts[CLAUSE_WRONG] + counts[CLAUSE_CRASHED] + counts[CLAUSE_HUNG];
}

int selfcheck_clause(const selfcheck_clause_options_t *options, FILE *table_out, cJSON *graded_out) {
  const char *temporary = getenv("TMPDIR");
  clause_grading_t *grading = calloc(1, sizeof *grading);
  if (!grading) {
    fputs("usw-selfcheck: out of memory\n", stderr);
    return -1;
  }
  grading->options = options;
  if (options->compile_only && (!options->compiler || !options->folder)) {
    fputs("usw-selfcheck: compiling only needs a compiler and a folder\n", stderr);
    free(grading);
    return -1;
  }
  int wrong = clause_path(grading->scratch, "%s/usw-selfcheck-XXXXXX", temporary && *temporary ? temporary : "/tmp");
  if (wrong == 0 && !mkdtemp(grading->scratch)) {
    fprintf(stderr, "usw-selfcheck: %s: %s\n", grading->scratch, strerror(errno));
    wrong = -1;
  }
  if (wrong == 0) {
    clause_catch_signals();
    wrong = grade(grading, table_out, graded_out);
    clause_release_signals();
    remove_folder(grading->scratch);
  }
  clause_words_t *const lists[] = {&grading->compiler, &grading->flags, &grading->offload, &grading->levels,
                                   &grading->sources};
  for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
    clause_free_words(lists[l]);
  free(grading->cells);
  free(grading);
  return wrong;
}
