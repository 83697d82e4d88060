/* What --segments names: the offsets of segments, of a .npy file. Knows nothing of the array that they divide. */
#ifndef USW_TOOL_SEGMENTS_H
#define USW_TOOL_SEGMENTS_H

#include "source.h"

typedef struct tool_segments {
  const char *file;
  usw_type_t type; /* of the offsets: one that the library reads */
  void *offsets;   /* count + 1; owned */
  size_t bytes;
  size_t count; /* segments */
} tool_segments_t;

/* Read the file's offsets; 0, or -1 with a line in failed->problem. */
int tool_read_segments(const char *file, tool_segments_t *segments, tool_source_t *failed);

void tool_forget_segments(tool_segments_t *segments);

#endif
