/* The options about files that `usw reduce` and `usw scan` take, and what both say about wrong ones. */
#ifndef USW_TOOL_FILE_OPTIONS_H
#define USW_TOOL_FILE_OPTIONS_H

#include "call_options.h"
#include "inputs.h"
#include "measure/number.h"
#include "output.h"

enum {
  TOOL_KEY_TYPE = 't',
  TOOL_KEY_SHAPE = 's',
  TOOL_KEY_FORMAT = 'f',
  TOOL_KEY_OFFSET = 256,
  TOOL_KEY_MEMBER,
  TOOL_KEY_MERGE,
  TOOL_KEY_DATASET,
  TOOL_KEY_INPUT,
  TOOL_KEY_BUFFER,
  TOOL_KEY_PROGRESS,
  TOOL_FIRST_OWN_KEY = 768 /* of a command */
};

/* Rows of a list of struct argp_option, one for each macro but the first. */
#define TOOL_INPUT_OPTIONS(members_meaning)                                                                            \
  {"type",                                                                                                             \
   TOOL_KEY_TYPE,                                                                                                      \
   "TYPE",                                                                                                             \
   0,                                                                                                                  \
   "type of the elements: " TOOL_TYPES "; needed for raw data, otherwise the file's type has to be this one",          \
   0},                                                                                                                 \
      {"shape",                                                                                                        \
       TOOL_KEY_SHAPE,                                                                                                 \
       "AxBx...",                                                                                                      \
       0,                                                                                                              \
       "shape, slowest dimension first; the size of raw data has to agree with it",                                    \
       0},                                                                                                             \
      {"offset", TOOL_KEY_OFFSET, "BYTES", 0, "where raw data starts, written as " NUMBER_FORMS, 0},                   \
      {"member", TOOL_KEY_MEMBER, "NAME", 0, "array of a .npz archive; " members_meaning, 0},                          \
      {"merge", TOOL_KEY_MERGE, NULL, 0, "all arrays of .npz archives are one data set", 0},                           \
      {"dataset", TOOL_KEY_DATASET, "PATH", 0, "dataset of an HDF5 file; the only one by default", 0},                 \
      {"input", TOOL_KEY_INPUT, "FORMAT", 0, "raw, npy, npz or hdf5; by default what the file looks like", 0}
#define TOOL_BUFFER_OPTION(unless)                                                                                     \
  {"buffer",                                                                                                           \
   TOOL_KEY_BUFFER,                                                                                                    \
   "BYTES",                                                                                                            \
   0,                                                                                                                  \
   "size of one of the four buffers, a multiple of 4K; 2M by default, 8M on a device; sums of floats depend on it in " \
   "the last bits, " unless,                                                                                           \
   0}
#define TOOL_FORMAT_OPTION {"format", TOOL_KEY_FORMAT, "FORMAT", 0, "text, json or csv; text by default", 0}
#define TOOL_PROGRESS_OPTION                                                                                           \
  {"progress",                                                                                                         \
   TOOL_KEY_PROGRESS,                                                                                                  \
   "WHEN",                                                                                                             \
   0,                                                                                                                  \
   "auto, on or off: a bar and the time left on standard error; by default auto, on a terminal",                       \
   0}

/* Read one of these but --format, the name of a file, or an option of a call; ARGP_ERR_UNKNOWN: the key is another's. */
error_t tool_read_common_option(const char *command, int key, char *text, tool_inputs_t *inputs,
                                usw_options_t *options);

/* Read --format. */
error_t tool_read_format(const char *command, const char *text, tool_output_format_t *format_out);

/* Read the name of a .npy file to write, which --option takes. */
error_t tool_read_npy_name(const char *command, const char *option, const char *text, const char **name_out);

/* Free the names of the files. */
void tool_forget_inputs(tool_inputs_t *inputs);

/* Read --shape: its extents behind those of so many dimensions. */
error_t tool_read_shape(const char *command, const char *text, uint64_t *shape, int *dimensions);

#endif
