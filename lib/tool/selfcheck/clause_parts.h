/* What the files of the clause's grading share. */
#ifndef USW_SELFCHECK_CLAUSE_PARTS_H
#define USW_SELFCHECK_CLAUSE_PARTS_H

#include "selfcheck/clause.h"

#include <limits.h>
#include <sys/types.h>

enum { CLAUSE_LEVELS = 8, CLAUSE_TEXT = 512 };

typedef enum clause_verdict {
  CLAUSE_NOT_RUN, /* after hangs of the same program */
  CLAUSE_OK,
  CLAUSE_WRONG,
  CLAUSE_REFUSED, /* does not compile */
  CLAUSE_CRASHED,
  CLAUSE_HUNG,
  CLAUSE_VERDICTS
} clause_verdict_t;

/* One case, at every level. */
typedef struct clause_cell {
  int source, number; /* the grading's list; in the order of finding */
  char group[64], what[96];
  clause_verdict_t verdicts[CLAUSE_LEVELS];
  char details[CLAUSE_LEVELS][CLAUSE_TEXT]; /* "got ..., expected ...", an error, a signal */
} clause_cell_t;

/* A list of words that ends with NULL; the words belong to it. */
typedef struct clause_words {
  char **words;
  int count;
} clause_words_t;

typedef struct clause_grading {
  const selfcheck_clause_options_t *options;
  const char *place;
  int on_device;                           /* the place is not the host */
  clause_words_t compiler, flags, offload; /* `compiler` without words: programs were built before */
  clause_words_t levels, sources;          /* names: "O2", "floats" */
  char source_folder[PATH_MAX], folder[PATH_MAX];
  char scratch[PATH_MAX];    /* a temporary folder */
  char libraries[PATH_MAX];  /* folder of the compiler's OpenMP runtime, or "" */
  char version[CLAUSE_TEXT]; /* first line of `compiler --version` */
  char command[PATH_MAX];    /* as one would type it, up to the level */
  double limit_s;
  clause_cell_t *cells;
  int cell_count, cell_room;
  int ran_on_host; /* programs whose target regions ran on the host */
} clause_grading_t;

/* ---- clause_process.c: programs with a limit of time ---- */

typedef struct clause_process {
  pid_t pid;
  double deadline_s; /* of the monotonic clock */
} clause_process_t;

typedef enum clause_end { CLAUSE_RUNNING, CLAUSE_EXITED, CLAUSE_SIGNALLED, CLAUSE_TIMED_OUT } clause_end_t;

/* What a program needs to run. `folder` NULL: this program's; `output` and `errors` are files, which may be the same. */
typedef struct clause_launch {
  char *const *words, *const *environment;
  const char *folder, *output, *errors;
  double limit_s;
} clause_launch_t;

/* Start it in a process group of its own; 0, or errno. */
int clause_start(const clause_launch_t *launch, clause_process_t *process_out);

/* Has it ended? It is ended, with all that it started, when its time is over. `code_out`: exit code or signal. */
clause_end_t clause_poll(clause_process_t *process, int *code_out);

/* Wait for its end. */
clause_end_t clause_wait(clause_process_t *process, int *code_out);

/* From here on until clause_release_signals() a signal that ends this program ends those that it started, too. */
void clause_catch_signals(void);
void clause_release_signals(void);

/* Processors that this program may use. */
int clause_processors(void);

/* ---- clause_build.c ---- */

/* Compile every source at every level into the grading's folder; 0, or -1 with a line on stderr. */
int clause_build(clause_grading_t *grading);

/* Fill in version, command and libraries by asking the compiler; 0, or -1 with a line on stderr. */
int clause_ask_compiler(clause_grading_t *grading);

/* The line of a compiler's messages that says what is wrong; "" if the file is empty or absent. */
void clause_error_line(const char *file, char line_out[CLAUSE_TEXT]);

/* ---- clause_run.c ---- */

/* Run every program that is there and fill in the cells; 0, or -1 with a line on stderr. */
int clause_run(clause_grading_t *grading);

/* ---- clause_table.c ---- */

void clause_count(const clause_grading_t *grading, int counts_out[CLAUSE_VERDICTS]);
void clause_print_table(const clause_grading_t *grading, FILE *out);

/* 0, or -1 without memory. */
int clause_fill_json(const clause_grading_t *grading, cJSON *out);

/* ---- clause_words.c ---- */

/* Append a copy; 0, or -1 without memory. */
int clause_add_word(clause_words_t *words, const char *word);

/* Append the words of a text as a shell splits it; `name` is what errors call it. 0, or -1 with a line on stderr. */
int clause_split(clause_words_t *words, const char *text, const char *name);

/* Append the parts of a list with commas; 0, or -1 without memory. */
int clause_split_list(clause_words_t *words, const char *text);

int clause_has_word(const clause_words_t *words, const char *word);
void clause_free_words(clause_words_t *words);

/* Print to a path's room; 0, or -1 with a line on stderr if it is too long. */
int clause_path(char path_out[PATH_MAX], const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
