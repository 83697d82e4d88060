/* What the applications over ranks share: the three versions of their reductions, and what becomes of errors. */
#ifndef RANKS_RANKS_H
#define RANKS_RANKS_H

#include <argp.h>
#include <stdint.h>
#include <upsweep/mpi.h>

typedef enum ranks_version {
  RANKS_MPI_SUM,      /* a loop, then MPI_Allreduce() with MPI_SUM */
  RANKS_REPEATABLE,   /* kernels of sums by USW_PLUS */
  RANKS_REPRODUCIBLE, /* kernels of sums by USW_PLUS_REPRODUCIBLE */
  RANKS_VERSIONS
} ranks_version_t;

extern const char *const ranks_version_names[RANKS_VERSIONS];

/* The version of a name; -1 for another text. */
int ranks_version_of(const char *name);

/* Reads a number from 1 to `most`, of an option or, NULL, of an argument. Returns 0, or EINVAL after a line. */
error_t ranks_parse_number(const char *program, const char *option, const char *text, uint64_t most,
                           uint64_t *number_out);

/* Ends all ranks after a line on stderr, unless the status is USW_OK. */
void ranks_check(usw_status_t status);

/* Ends all ranks after a line on stderr. */
void ranks_end(const char *line);

/* Memory for `count` elements, zeroed. Without memory all ranks end. */
void *ranks_allocate(size_t count, size_t bytes);

/* The first of `count` things that are dealt in order, as evenly as can be, to ranks; that of `rank` + 1 ends its own. */
size_t ranks_first(size_t count, int rank, int ranks);

/* Name and version of the MPI library, in one line. */
const char *ranks_library(char text_out[MPI_MAX_LIBRARY_VERSION_STRING]);

#endif
