/* Grading a compiler's own reduction clause: `usw selfcheck --compiler`.
 *
 * The programs in clause/ are plain OpenMP without Upsweep, each for itself a case that a vendor can compile by hand.
 * They are compiled at every level of optimisation and run with a limit of time; the table says of every case: ok, WRONG,
 * does not compile, crashes, hangs. */
#ifndef USW_SELFCHECK_CLAUSE_H
#define USW_SELFCHECK_CLAUSE_H

#include <cjson/cJSON.h>
#include <stdio.h>

/* A zeroed structure asks for the programs that were built beside this one, on the host. Texts belong to the caller.
 * Texts of several words are split as a shell does, with its quotes, without running commands. */
typedef struct selfcheck_clause_options {
  const char *compiler; /* command, for example "clang-19"; NULL: run the programs that lie in `folder` */
  const char *flags;    /* more words for the compiler; NULL: none. OpenMP is switched on by -fopenmp (nvc: -mp) unless
                         * `flags` or `offload` do that */
  const char *levels;   /* "O0,O1,O2,O3" if NULL */
  const char
      *offload;      /* words that make target regions run on a device; NULL or "": the host's constructs are graded */
  const char *place; /* what tables call it and, without `folder`, where built programs lie: "host", "x86_64", "gpu".
                         * NULL: "host" without `offload`, else "device". Other than "host": programs must find a device */
  const char *only;  /* names of programs, separated by commas; NULL: all */
  const char *sources; /* folder of the sources; NULL: the installed ones, or the build tree's */
  const char *folder; /* programs and the compiler's messages stay here, as <level>/<name> and <level>/<name>.txt. NULL:
                         * a temporary folder; without `compiler`, selfcheck/clause-<place> beside this program */
  double limit_s;     /* seconds for one program, or for compiling it; 0: 60 */
  int compile_only;   /* fill `folder`, run nothing */
} selfcheck_clause_options_t;

/* Compile, run and grade.
 *
 * @param options    what to grade; not kept.
 * @param table_out  stream that gets the table; nothing if it cannot run.
 * @param graded_out object that gets compiler, command, place, levels, cells and counts; NULL: no JSON. Not changed if it
 *                   cannot run.
 * @return the number of wrong, crashed and hung cells, a cell being one case at one level; 0 too if compiling was all that
 *         was asked for. What does not compile is in the table and in counts, and not in this number. -1, with a line on
 *         stderr: no such compiler, folder or level, no program that compiles and starts, or no device. */
int selfcheck_clause(const selfcheck_clause_options_t *options, FILE *table_out, cJSON *graded_out);

#endif
