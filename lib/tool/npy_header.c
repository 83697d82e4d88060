/* The header of NumPy's .npy format, of files and of members of .npz archives:
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#include "literal.h"
#include "source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define REMEDY "; write it again with numpy.save()"

enum { MOST_HEADER_BYTES = 1 << 20, MOST_SHOWN = 60 };

typedef ssize_t (*read_function_t)(tool_source_t *source, void *into, size_t bytes);

static int take(tool_source_t *source, read_function_t read, void *into, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    const ssize_t got = read(source, (char *)into + done, bytes - done);
    if (got < 0)
      return -1;
    if (got == 0)
      return tool_problem(source, "truncated: it ends inside its .npy header");
    done += (size_t)got;
  }
  return 0;
}

/* The text of a literal, for messages: how much of it to show. */
static int shown(const tool_literal_t *literal) {
  const size_t length = literal->end - literal->at;
  return length < MOST_SHOWN ? (int)length : MOST_SHOWN;
}

/* ---- the type ---- */

typedef struct word {
  const char *name;
  usw_type_t type;
} word_t;

/* The sizes that NumPy writes, and the letters and names that it reads as well. */
static const word_t words[] = {
    {"b1", USW_BOOL},        {"i1", USW_I8},          {"i2", USW_I16},      {"i4", USW_I32},      {"i8", USW_I64},
    {"u1", USW_U8},          {"u2", USW_U16},         {"u4", USW_U32},      {"u8", USW_U64},      {"f2", USW_F16},
    {"f4", USW_F32},         {"f8", USW_F64},         {"c8", USW_CF32},     {"c16", USW_CF64},    {"?", USW_BOOL},
    {"b", USW_I8},           {"h", USW_I16},          {"i", USW_I32},       {"q", USW_I64},       {"B", USW_U8},
    {"H", USW_U16},          {"I", USW_U32},          {"Q", USW_U64},       {"e", USW_F16},       {"f", USW_F32},
    {"d", USW_F64},          {"F", USW_CF32},         {"D", USW_CF64},      {"bool", USW_BOOL},   {"int8", USW_I8},
    {"int16", USW_I16},      {"int32", USW_I32},      {"int64", USW_I64},   {"uint8", USW_U8},    {"uint16", USW_U16},
    {"uint32", USW_U32},     {"uint64", USW_U64},     {"float16", USW_F16}, {"float32", USW_F32}, {"float64", USW_F64},
    {"complex64", USW_CF32}, {"complex128", USW_CF64}};

/* The type of "f4". bfloat16 has no letter of its own: its arrays are saved as V2. */
static const tool_type_t *type_of(const char *name, const tool_input_t *input) {
  for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
    if (strcmp(words[k].name, name) == 0)
      return tool_type_of(words[k].type);
  return strcmp(name, "V2") == 0 && input->type && input->type->code == USW_BF16 ? input->type : NULL;
}

static int refuse_type(tool_source_t *source, const tool_literal_t *type, const char *header) {
  const char *name = type->kind == TOOL_LITERAL_TEXT ? type->text + strspn(type->text, "<>|=") : "";
  if (type->kind == TOOL_LITERAL_LIST)
    return tool_problem(source, "its elements are records, not numbers; save one field of them");
  if (type->kind == TOOL_LITERAL_TUPLE)
    return tool_problem(source, "its elements are arrays, not numbers; save it with a type of numbers");
  if (*name == 'O')
    return tool_problem(source, "its elements are Python objects, not numbers; save it with a type of numbers");
  return tool_problem(source, "its type %.*s has no reductions%s", shown(type), header + type->at,
                      strcmp(name, "V2") == 0 ? " (of bfloat16: --type bf16)" : "; save it with a type of numbers");
}

static int read_type(tool_source_t *source, const tool_input_t *input, const tool_literal_t *type, const char *header) {
  if (type->kind != TOOL_LITERAL_TEXT)
    return refuse_type(source, type, header);
  const int has_order = *type->text && strchr("<>|=", *type->text);
  source->type = type_of(type->text + has_order, input);
  if (!source->type)
    return refuse_type(source, type, header);
  const char other = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '>' : '<';
  source->swapped = *type->text == other && source->type->word_bytes > 1;
  return 0;
}

/* ---- the shape ---- */

static int read_shape(tool_source_t *source, const tool_literal_t *shape, const char *header) {
  if (shape->kind != TOOL_LITERAL_TUPLE)
    return tool_problem(source, "its shape %.*s is no tuple; one dimension is written (N,)", shown(shape),
                        header + shape->at);
  source->dimensions = 0;
  for (const tool_literal_t *extent = shape->first; extent; extent = extent->next) {
    if (extent->kind != TOOL_LITERAL_NUMBER || (extent->is_negative && (extent->number || extent->is_large)))
      return tool_problem(source, "its shape %.*s has a dimension that is no count" REMEDY, shown(shape),
                          header + shape->at);
    if (extent->is_large || extent->number > INT64_MAX)
      return tool_problem(source, "its shape %.*s is larger than any file" REMEDY, shown(shape), header + shape->at);
    if (source->dimensions == TOOL_MAX_DIMENSIONS)
      return tool_problem(source, "its shape has more than %d dimensions; save it with fewer", TOOL_MAX_DIMENSIONS);
    source->shape[source->dimensions++] = extent->number;
  }
  if (tool_shape_count(source))
    return 0;
  return tool_problem(source, "its shape %.*s is larger than any file" REMEDY, shown(shape), header + shape->at);
}

/* ---- the dictionary ---- */

/* NumPy refuses a header with any other key: what it would mean is not known. */
static int check_keys(tool_source_t *source, const tool_literal_t *dictionary, const char *header) {
  static const char *const keys[] = {"descr", "fortran_order", "shape"};
  enum { KEY_COUNT = sizeof keys / sizeof keys[0] };
  if (dictionary->kind != TOOL_LITERAL_DICTIONARY)
    return tool_problem(source, "its .npy header is no dictionary" REMEDY);
  for (const tool_literal_t *key = dictionary->first; key; key = key->next->next) {
    size_t k = 0;
    while (k < KEY_COUNT && (key->kind != TOOL_LITERAL_TEXT || strcmp(keys[k], key->text) != 0))
      k++;
    if (k == KEY_COUNT)
      return tool_problem(source, "its .npy header has a key %.*s, which is not known" REMEDY, shown(key),
                          header + key->at);
  }
  for (size_t k = 0; k < KEY_COUNT; k++)
    if (!tool_literal_value(dictionary, keys[k]))
      return tool_problem(source, "its .npy header has no %s" REMEDY, keys[k]);
  return 0;
}

static int read_dictionary(tool_source_t *source, const tool_input_t *input, const tool_literal_t *dictionary,
                           const char *header) {
  if (check_keys(source, dictionary, header) ||
      read_type(source, input, tool_literal_value(dictionary, "descr"), header) ||
      read_shape(source, tool_literal_value(dictionary, "shape"), header))
    return -1;
  const tool_literal_t *order = tool_literal_value(dictionary, "fortran_order");
  if (order->kind != TOOL_LITERAL_TRUTH)
    return tool_problem(source, "its fortran_order %.*s is neither True nor False" REMEDY, shown(order),
                        header + order->at);
  source->fortran = order->number && source->dimensions > 1;
  return 0;
}

static int read_text(tool_source_t *source, const tool_input_t *input, const char *header, size_t bytes,
                     unsigned version) {
  tool_literal_error_t error;
  tool_literal_t *dictionary = tool_literal_parse(header, bytes, version < 3, &error);
  if (!dictionary)
    return tool_problem(source, "its .npy header cannot be read: %s at its byte %zu" REMEDY, error.why, error.at);
  const int failed = read_dictionary(source, input, dictionary, header);
  tool_literal_free(dictionary);
  return failed;
}

int tool_read_npy_header(tool_source_t *source, const tool_input_t *input, read_function_t read) {
  unsigned char start[8], length[4] = {0};
  if (take(source, read, start, sizeof start))
    return -1;
  if (memcmp(start, "\x93NUMPY", 6) != 0)
    return tool_problem(source, "is no .npy file");
  if (start[6] < 1 || start[6] > 3 || start[7] != 0)
    return tool_problem(source, "its .npy version is %u.%u; 1.0, 2.0 and 3.0 are known" REMEDY, start[6], start[7]);
  const size_t length_bytes = start[6] == 1 ? 2 : 4;
  if (take(source, read, length, length_bytes))
    return -1;
  const size_t bytes = (size_t)length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
  if (bytes > MOST_HEADER_BYTES)
    return tool_problem(source, "its .npy header has %zu bytes, which is too long" REMEDY, bytes);
  char *header = malloc(bytes + 1);
  if (!header)
    return tool_problem(source, "no memory for its .npy header");
  const int failed = take(source, read, header, bytes) || read_text(source, input, header, bytes, start[6]);
  free(header);
  source->start_bytes = sizeof start + length_bytes + bytes;
  return failed ? -1 : 0;
}
