/* Build time only: compiles the programs of the clause's grading for machines that have no compiler. */
#include "selfcheck/clause.h"

int main(int count, char **words) {
  if (count != 5) {
    fputs("usage: clause_programs FOLDER PLACE OFFLOAD_FLAGS COMPILER\n", stderr);
    return 2;
  }
  const selfcheck_clause_options_t options = {.folder = words[1],
                                              .place = words[2],
                                              .offload = words[3],
                                              .compiler = words[4],
                                              .compile_only = 1,
                                              .limit_s = 600};
  return selfcheck_clause(&options, stdout, NULL) == 0 ? 0 : 1;
}
