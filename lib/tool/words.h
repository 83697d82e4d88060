/* The words of the command line and what they mean to the library. */
#ifndef USW_TOOL_WORDS_H
#define USW_TOOL_WORDS_H

#include <upsweep/upsweep.h>

/* An element type. */
typedef struct tool_type {
  const char *name; /* "f32" */
  usw_type_t code;
  usw_type_t sum, real; /* of the results of sums and norms */
  uint32_t bytes;
  uint32_t word_bytes; /* what changes order in a file of the other endianness: half of a complex number */
} tool_type_t;

/* How the result of an operation is laid out: functions.def's kinds. */
typedef enum tool_result {
  TOOL_RESULT_SUM,
  TOOL_RESULT_ELEMENT,
  TOOL_RESULT_REAL,
  TOOL_RESULT_BOOL,
  TOOL_RESULT_COUNT,
  TOOL_RESULT_LOCATED,
  TOOL_RESULT_EXTREMES,
  TOOL_RESULT_DESCRIBE,
} tool_result_t;

/* What --op takes. */
typedef struct tool_operation {
  const char *name; /* "sum" */
  usw_operation_t code;
  tool_result_t result;
  const char *meaning;
} tool_operation_t;

/* NULL: there is no such name or code. */
const tool_type_t *tool_type_named(const char *name);
const tool_type_t *tool_type_of(usw_type_t code);
const tool_operation_t *tool_operation_named(const char *name);

/* The k-th of each, NULL after the last. */
const tool_type_t *tool_type_at(size_t k);
const tool_operation_t *tool_operation_at(size_t k);

/* Whether the library has the operation for the type. */
int tool_has(const tool_operation_t *operation, const tool_type_t *type);

/* The device number that "gpu" gives where there is none. */
enum { TOOL_NO_DEVICE = -1 };

/* Words of options; 0: no such word. "device:2" and "gpu" are places. */
int tool_place_named(const char *name, usw_options_t *options);
int tool_strategy_named(const char *name, usw_options_t *options);
int tool_accuracy_named(const char *name, usw_options_t *options);
int tool_nan_named(const char *name, usw_options_t *options);

/* The values that the four readers above take, for messages and help. */
#define TOOL_PLACES "host, gpu, device or device:N"
#define TOOL_STRATEGIES "auto, host, tree, host_finish or clause"
#define TOOL_ACCURACIES "repeatable, fast, compensated or reproducible"
#define TOOL_NANS "propagate or ignore"

/* The word for a strategy. */
const char *tool_strategy_word(usw_strategy_t strategy);

#endif
