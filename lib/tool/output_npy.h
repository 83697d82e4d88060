/* .npy files that are written. */
#ifndef USW_TOOL_OUTPUT_NPY_H
#define USW_TOOL_OUTPUT_NPY_H

#include "output.h"

#include <stdio.h>

typedef struct tool_npy {
  const char *path;
  FILE *file;
  usw_type_t type;
  int dimensions;
  uint64_t shape[USW_MAX_RANK];
  int why; /* errno of the first write that failed, or 0 */
} tool_npy_t;

/* Create the file; 0 or errno. Of one dimension the extent may be corrected at the end. */
int tool_npy_create(tool_npy_t *npy, const char *path, usw_type_t type, int dimensions, const uint64_t *shape);

/* Write numbers of the file's type behind those before; 0 or errno. */
int tool_npy_append(tool_npy_t *npy, const void *numbers, size_t count);

/* Likewise, results of an operation over elements of a type: each as one number, whose type is the file's
 * (tool_number_type()). */
int tool_npy_append_results(tool_npy_t *npy, const tool_operation_t *operation, const tool_type_t *type,
                            const void *results, size_t count);

/* Close the file, which has `count` numbers; 0 or errno: no file is left. */
int tool_npy_finish(tool_npy_t *npy, uint64_t count);

/* Close the file, if it is open, and leave none. */
void tool_npy_give_up(tool_npy_t *npy);

/* Write the results of the only answer to a .npy file; its type has to be a number's. 0, or errno: no file is left. */
int tool_write_npy(const char *path, const tool_report_t *report);

/* Likewise, the key of each run. */
int tool_write_keys(const char *path, const tool_grid_t *grid);

#endif
