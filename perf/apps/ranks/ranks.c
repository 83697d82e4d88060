#include "ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/arguments.h"
#include "measure/number.h"

const char *const ranks_version_names[RANKS_VERSIONS] = {"mpi_sum", "repeatable", "reproducible"};

int ranks_version_of(const char *name) {
  for (int k = 0; k < RANKS_VERSIONS; k++)
    if (strcmp(name, ranks_version_names[k]) == 0)
      return k;
  return -1;
}

error_t ranks_parse_number(const char *program, const char *option, const char *text, uint64_t most,
                           uint64_t *number_out) {
  return number_parse(text, 1, most, number_out) == 0
             ? 0
             : arguments_refuse(program, option, text, "number that fits, written as " NUMBER_FORMS);
}

void ranks_check(usw_status_t status) {
  if (status == USW_OK)
    return;
  fprintf(stderr, "%s (%s)\n", usw_status_text(status), usw_error_text());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void ranks_end(const char *line) {
  fprintf(stderr, "%s\n", line);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void *ranks_allocate(size_t count, size_t bytes) {
  void *memory = calloc(count ? count : 1, bytes);
  if (!memory) {
    fprintf(stderr, "no memory for %zu elements of %zu bytes\n", count, bytes);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return memory;
}

size_t ranks_first(size_t count, int rank, int ranks) { return count * (size_t)rank / (size_t)ranks; }

const char *ranks_library(char text_out[MPI_MAX_LIBRARY_VERSION_STRING]) {
  int length;
  MPI_Get_library_version(text_out, &length);
  for (char *c = text_out; *c; c++) /* MPICH writes a page */
    *c = *c == '\t' ? ' ' : *c;
  text_out[strcspn(text_out, "\n,")] = '\0';
  return text_out;
}
