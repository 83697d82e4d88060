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

/* Operations that functions.def has not, members of a description: ROW(name, what). */
#define TOOL_MEMBERS(ROW)                                                                                              \
  ROW(mean, "the mean")                                                                                                \
  ROW(var, "the variance of the population")                                                                           \
  ROW(std, "the standard deviation of the population")

/* The k-th of each, NULL after the last. */
const tool_type_t *tool_type_at(size_t k);
const tool_operation_t *tool_operation_at(size_t k);

/* Whether the library has the operation for the type. */
int tool_has(const tool_operation_t *operation, const tool_type_t *type);

/* What is computed when nobody says: what of it the type has. Returns how many, at most 5. */
size_t tool_usual_operations(const tool_type_t *type, const tool_operation_t **found_out);

/* The device number that "gpu" gives where there is none. */
enum { TOOL_NO_DEVICE = -1 };

/* Words of options; 0: no such word. "device:2" and "gpu" are places. */
int tool_place_named(const char *name, usw_options_t *options);
int tool_strategy_named(const char *name, usw_options_t *options);
int tool_accuracy_named(const char *name, usw_options_t *options);
int tool_nan_named(const char *name, usw_options_t *options);

/* The words: what stands before each in a list, the word, what it means to the library. */
#define TOOL_STRATEGY_WORDS(ROW)                                                                                       \
  ROW("", "auto", USW_AUTO_STRATEGY)                                                                                   \
  ROW(", ", "host", USW_STRATEGY_HOST)                                                                                 \
  ROW(", ", "tree", USW_STRATEGY_TREE)                                                                                 \
  ROW(", ", "host_finish", USW_STRATEGY_HOST_FINISH)                                                                   \
  ROW(", ", "clause", USW_STRATEGY_CLAUSE)                                                                             \
  ROW(", ", "tree_atomic", USW_STRATEGY_TREE_ATOMIC)                                                                   \
  ROW(", ", "atomic", USW_STRATEGY_ATOMIC)                                                                             \
  ROW(" or ", "multipass", USW_STRATEGY_MULTIPASS)
#define TOOL_ACCURACY_WORDS(ROW)                                                                                       \
  ROW("", "repeatable", USW_REPEATABLE)                                                                                \
  ROW(", ", "fast", USW_FAST)                                                                                          \
  ROW(", ", "compensated", USW_COMPENSATED)                                                                            \
  ROW(", ", "reproducible", USW_REPRODUCIBLE)                                                                          \
  ROW(" or ", "exact", USW_EXACT)
#define TOOL_NAN_WORDS(ROW)                                                                                            \
  ROW("", "propagate", USW_NAN_PROPAGATE)                                                                              \
  ROW(" or ", "ignore", USW_NAN_IGNORE)
#define TOOL_LISTED(before, word, value) before word

/* The values that the options take, for messages and help. */
#define TOOL_PLACES "host, gpu, device or device:N"
#define TOOL_STRATEGIES TOOL_STRATEGY_WORDS(TOOL_LISTED)
#define TOOL_ACCURACIES TOOL_ACCURACY_WORDS(TOOL_LISTED)
#define TOOL_NANS TOOL_NAN_WORDS(TOOL_LISTED)
#define TOOL_TYPES "i8 to i64, u8 to u64, f16, bf16, f32, f64, cf32, cf64 or b8"

#define TOOL_LISTED_FUNCTION_1(name) #name ", "
#define TOOL_LISTED_FUNCTION_2(name)
#define TOOL_LISTED_FUNCTION(name, OPERATION, streams, ...) TOOL_LISTED_FUNCTION_##streams(name)
#define TOOL_OPERATIONS USW_FUNCTIONS(TOOL_LISTED_FUNCTION, ) "mean, var or std"

/* The names of the types that the library has the operation for: "i8, i16 and u8". */
enum { TOOL_TYPE_LIST_BYTES = 96 };
const char *tool_types_of(usw_operation_t operation, char list[TOOL_TYPE_LIST_BYTES]);

/* The place as a word that --place takes. */
enum { TOOL_PLACE_BYTES = 24 };
const char *tool_place_word(usw_place_t place, int device, char word[TOOL_PLACE_BYTES]);

/* The word for a strategy, for a level of accuracy. */
const char *tool_strategy_word(usw_strategy_t strategy);
const char *tool_accuracy_word(usw_accuracy_t accuracy);

#endif
