/* The words of the command line, from the library's own lists. */
#include "words.h"
#include "measure/number.h"

#include <stdio.h>
#include <string.h>

/* The code of the type that a C type is. */
#define CODE_OF(T)                                                                                                     \
  _Generic((T)0,                                                                                                       \
      int64_t: USW_I64,                                                                                                \
      uint64_t: USW_U64,                                                                                               \
      float: USW_F32,                                                                                                  \
      double: USW_F64,                                                                                                 \
      usw_cf32_t: USW_CF32,                                                                                            \
      usw_cf64_t: USW_CF64,                                                                                            \
      usw_b8_t: USW_BOOL)

/* Numbers in an element: a complex one has two. */
#define PARTS_INTEGER 1
#define PARTS_HALF 1
#define PARTS_FLOATING 1
#define PARTS_COMPLEX 2
#define PARTS_BOOLEAN 1

static const tool_type_t types[] = {
#define ROW(tag, CODE, code, type, value, sum, real, key, class, ...)                                                  \
  {#tag, USW_##CODE, CODE_OF(sum), CODE_OF(real), sizeof(type), sizeof(type) / PARTS_##class},
    USW_TYPES(ROW, )
#undef ROW
};
enum { TYPE_COUNT = sizeof types / sizeof types[0] };

static const tool_operation_t operations[] = {
#define USE_1(...) __VA_ARGS__
#define USE_2(...) /* two streams: not over one file */
#define ROW(name, OPERATION, streams, RESULT, GROUP, what, ...)                                                        \
  USE_##streams({#name, USW_##OPERATION, TOOL_RESULT_##RESULT, what}, )
    USW_FUNCTIONS(ROW, )
#undef ROW
#define ROW(name, what) {#name, USW_DESCRIBE, TOOL_RESULT_DESCRIBE, what},
        TOOL_MEMBERS(ROW)
#undef ROW
};
enum { OPERATION_COUNT = sizeof operations / sizeof operations[0] };

const tool_type_t *tool_type_at(size_t k) { return k < TYPE_COUNT ? &types[k] : NULL; }

const tool_operation_t *tool_operation_at(size_t k) { return k < OPERATION_COUNT ? &operations[k] : NULL; }

const tool_type_t *tool_type_named(const char *name) {
  for (size_t k = 0; k < TYPE_COUNT; k++)
    if (strcmp(types[k].name, name) == 0)
      return &types[k];
  return NULL;
}

const tool_type_t *tool_type_of(usw_type_t code) {
  for (size_t k = 0; k < TYPE_COUNT; k++)
    if (types[k].code == code)
      return &types[k];
  return NULL;
}

const tool_operation_t *tool_operation_named(const char *name) {
  for (size_t k = 0; k < OPERATION_COUNT; k++)
    if (strcmp(operations[k].name, name) == 0)
      return &operations[k];
  return NULL;
}

int tool_has(const tool_operation_t *operation, const tool_type_t *type) {
  return usw_result_bytes(operation->code, type->code) != 0;
}

size_t tool_usual_operations(const tool_type_t *type, const tool_operation_t **found_out) {
  static const char *const usual[] = {"sum", "min", "max", "mean", "std"}, *const truths[] = {"count", "all", "any"};
  size_t count = 0;
  for (size_t k = 0; k < sizeof usual / sizeof usual[0]; k++)
    if (tool_has(tool_operation_named(usual[k]), type))
      found_out[count++] = tool_operation_named(usual[k]);
  for (size_t k = 0; k < sizeof truths / sizeof truths[0] && count < k + 1; k++)
    found_out[count++] = tool_operation_named(truths[k]);
  return count;
}

const char *tool_types_of(usw_operation_t operation, char list[TOOL_TYPE_LIST_BYTES]) {
  const char *before = "";
  size_t last = 0, length = 0;
  *list = 0;
  for (size_t k = 0; k < TYPE_COUNT; k++)
    if (usw_result_bytes(operation, types[k].code) != 0)
      last = k;
  for (size_t k = 0; k <= last && length < TOOL_TYPE_LIST_BYTES; k++) {
    if (usw_result_bytes(operation, types[k].code) == 0)
      continue;
    length += (size_t)snprintf(list + length, TOOL_TYPE_LIST_BYTES - length, "%s%s",
                               *before && k == last ? " and " : before, types[k].name);
    before = ", ";
  }
  return list;
}

const char *tool_place_word(usw_place_t place, int device, char word[TOOL_PLACE_BYTES]) {
  if (place == USW_DEVICE)
    snprintf(word, TOOL_PLACE_BYTES, "device:%d", device);
  else
    snprintf(word, TOOL_PLACE_BYTES, "host");
  return word;
}

typedef struct word {
  const char *text;
  int value;
} word_t;

/* The value of a word in a list that ends with NULL, or -1. */
static int find_word(const word_t *words, const char *text) {
  for (; words->text; words++)
    if (strcmp(words->text, text) == 0)
      return words->value;
  return -1;
}

#define WORD(before, word, value) {word, value},
static const word_t strategy_words[] = {TOOL_STRATEGY_WORDS(WORD){NULL, 0}};
static const word_t accuracy_words[] = {TOOL_ACCURACY_WORDS(WORD){NULL, 0}};
static const word_t nan_words[] = {TOOL_NAN_WORDS(WORD){NULL, 0}};
#undef WORD

int tool_place_named(const char *name, usw_options_t *options) {
  uint64_t number;
  if (strcmp(name, "host") == 0) {
    options->place = USW_HOST;
    return 1;
  }
  options->place = USW_DEVICE;
  if (strcmp(name, "gpu") == 0 || strcmp(name, "device") == 0) {
    options->device = *name == 'g' ? TOOL_NO_DEVICE : 0; /* without a GPU, "device" is the first device of any kind */
    usw_gpu_count(&options->device);
    return 1;
  }
  if (strncmp(name, "device:", 7) != 0 || number_parse(name + 7, 0, INT32_MAX, &number))
    return 0;
  options->device = (int)number;
  return 1;
}

int tool_strategy_named(const char *name, usw_options_t *options) {
  const int value = find_word(strategy_words, name);
  if (value >= 0)
    options->strategy = (usw_strategy_t)value;
  return value >= 0;
}

int tool_accuracy_named(const char *name, usw_options_t *options) {
  const int value = find_word(accuracy_words, name);
  if (value >= 0)
    options->accuracy = (usw_accuracy_t)value;
  return value >= 0;
}

int tool_nan_named(const char *name, usw_options_t *options) {
  const int value = find_word(nan_words, name);
  if (value >= 0)
    options->nan = (usw_nan_t)value;
  return value >= 0;
}

const char *tool_strategy_word(usw_strategy_t strategy) {
  for (const word_t *word = strategy_words; word->text; word++)
    if (word->value == (int)strategy)
      return word->text;
  return "unknown";
}

const char *tool_accuracy_word(usw_accuracy_t accuracy) {
  for (const word_t *word = accuracy_words; word->text; word++)
    if (word->value == (int)accuracy)
      return word->text;
  return "unknown";
}
