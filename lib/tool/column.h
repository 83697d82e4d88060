/* What --segments and --keys name: integers of a .npy file, one dimension of them. Knows nothing of the array that they
 * belong to. */
#ifndef USW_TOOL_COLUMN_H
#define USW_TOOL_COLUMN_H

#include "source.h"

typedef struct tool_column {
  const char *file;
  const tool_type_t *type;
  void *data; /* owned */
  size_t count, bytes;
} tool_column_t;

/* Read the offsets of segments, one at least, of a type that the library reads; 0, or -1 with a line in
 * failed->problem. */
int tool_read_offsets(const char *file, tool_column_t *column, tool_source_t *failed);

/* Likewise, keys: of any integer type, and any number of them. */
int tool_read_keys(const char *file, tool_column_t *column, tool_source_t *failed);

void tool_forget_column(tool_column_t *column);

#endif
