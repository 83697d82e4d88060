/* Where numbers come from: one seam over raw files, .npy, members of .npz and HDF5 datasets.
 *
 * A file is looked at once to learn what it holds (list), and opened again when its turn comes, so that a data set of
 * many files needs one open file. What is no regular file, a pipe for example, is opened only once. */
#ifndef USW_TOOL_SOURCE_H
#define USW_TOOL_SOURCE_H

#include "words.h"

#include <stdint.h>
#include <sys/types.h>

#define TOOL_UNKNOWN_COUNT UINT64_MAX

enum { TOOL_MAX_DIMENSIONS = 32, TOOL_PROBLEM_BYTES = 480, TOOL_NAMES_BYTES = 200 };

/* What the command line says about the input. */
typedef struct tool_input {
  const char *format;      /* "raw", "npy", "npz", "hdf5"; NULL: by the file's first bytes */
  const tool_type_t *type; /* NULL: not said */
  int dimensions;          /* 0: not said */
  uint64_t shape[TOOL_MAX_DIMENSIONS];
  uint64_t offset_bytes;        /* of raw data */
  const char *member, *dataset; /* NULL: not said */
} tool_input_t;

typedef struct tool_format tool_format_t;

/* One array in one file. */
typedef struct tool_source {
  const tool_format_t *format;
  const char *file; /* "-" is standard input */
  uint64_t index;   /* of a member in its archive, which may have its name twice */
  char *member;     /* of an archive, path of a dataset; NULL: the file itself. Owned. */
  const tool_type_t *type;
  uint64_t count;       /* elements, or TOOL_UNKNOWN_COUNT */
  int is_open_ended;    /* the data ends where the file does; the count is only what was there when it was looked at */
  uint64_t start_bytes; /* where a file's elements start */
  int dimensions;
  uint64_t shape[TOOL_MAX_DIMENSIONS];
  int swapped;                      /* stored in the other byte order */
  int fortran;                      /* stored with the first index running fastest */
  void *state;                      /* of an open source, else NULL; belongs to the format */
  char problem[TOOL_PROBLEM_BYTES]; /* what went wrong, for the line that the user sees */
} tool_source_t;

/* The sources of a data set, in order. */
typedef struct tool_sources {
  tool_source_t *list;
  size_t count;
} tool_sources_t;

/* A file format. Functions return 0 on success; on failure they leave a line in source->problem. */
struct tool_format {
  const char *name, *suffix;
  /* Fill in what `source` (file, format, and nothing else) holds: facts of that one source, or more of them appended
   * to `sources` with tool_append(), when it is none itself. NULL: this program was built without the format. */
  int (*list)(tool_source_t *source, const tool_input_t *input, tool_sources_t *sources);
  int (*open)(tool_source_t *source);
  /* The next bytes, at most `bytes`, as they are stored; 0 at the end, -1 on failure. */
  ssize_t (*read)(tool_source_t *source, void *into, size_t bytes);
  void (*close)(tool_source_t *source);
};

extern const tool_format_t tool_format_raw, tool_format_npy, tool_format_npz, tool_format_hdf5;

/* Write the problem, on one line; returns -1. */
__attribute__((format(printf, 2, 3))) int tool_problem(tool_source_t *source, const char *format, ...);

/* Put a name at the end of a list of TOOL_NAMES_BYTES for a problem, or ... where it is full. */
void tool_append_name(char *names, const char *name);

/* A copy of `source` at the end of the list; 0 on success. Its member, if any, belongs to the list then. */
int tool_append(tool_sources_t *sources, const tool_source_t *source);

/* Look into `file` and append what it holds. On failure `failed` has the problem, and its member is the caller's to
 * free. */
int tool_list_file(const char *file, const tool_input_t *input, tool_sources_t *sources, tool_source_t *failed);

void tool_free_sources(tool_sources_t *sources);

/* Elements of a shape; 0: they are more than 2^63 bytes. */
int tool_shape_count(tool_source_t *source);

/* What the user calls the source: "file" or "file:member", cut off if it does not fit. */
const char *tool_source_label(const tool_source_t *source, char *buffer, size_t bytes);

/* Files as bytes, for raw and .npy: position is where reading starts. */
int tool_open_at(tool_source_t *source, uint64_t position);
ssize_t tool_read_file(tool_source_t *source, void *into, size_t bytes);
void tool_close_file(tool_source_t *source);

/* The header of a .npy stream whose bytes come from `read`; fills in type, shape, order and start_bytes. The stream
 * then stands at the first element. */
int tool_read_npy_header(tool_source_t *source, const tool_input_t *input,
                         ssize_t (*read)(tool_source_t *source, void *into, size_t bytes));

#endif
