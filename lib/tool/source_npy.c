/* NumPy's .npy format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#include "source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_HEADER_BYTES = 1 << 20 };

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

/* What follows `'key':` in the header's dictionary, or NULL. */
static const char *value_of(const char *header, const char *key) {
  char quoted[32];
  snprintf(quoted, sizeof quoted, "'%s':", key);
  const char *at = strstr(header, quoted);
  if (!at)
    return NULL;
  at += strlen(quoted);
  return at + strspn(at, " ");
}

/* The type of "<f4": byte order, kind, bytes. bfloat16 has no letter of its own: its arrays are saved as V2. */
static const tool_type_t *type_of(char kind, unsigned bytes, const tool_input_t *input) {
  static const struct {
    char kind;
    unsigned bytes;
    usw_type_t type;
  } types[] = {{'b', 1, USW_BOOL}, {'i', 1, USW_I8},  {'i', 2, USW_I16},  {'i', 4, USW_I32},  {'i', 8, USW_I64},
               {'u', 1, USW_U8},   {'u', 2, USW_U16}, {'u', 4, USW_U32},  {'u', 8, USW_U64},  {'f', 2, USW_F16},
               {'f', 4, USW_F32},  {'f', 8, USW_F64}, {'c', 8, USW_CF32}, {'c', 16, USW_CF64}};
  for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
    if (types[t].kind == kind && types[t].bytes == bytes)
      return tool_type_of(types[t].type);
  return kind == 'V' && bytes == 2 && input->type && input->type->code == USW_BF16 ? input->type : NULL;
}

static int read_type(tool_source_t *source, const tool_input_t *input, const char *header) {
  const char *text = value_of(header, "descr");
  char order, kind, end;
  unsigned bytes;
  if (!text)
    return tool_problem(source, "its .npy header names no type");
  if (*text == '[')
    return tool_problem(source, "its elements are records, not numbers");
  if (sscanf(text, "'%c%c%u%c", &order, &kind, &bytes, &end) != 4 || end != '\'' || !strchr("<>|=", order))
    return tool_problem(source, "its type %.*s is not known", (int)strcspn(text, ",}"), text);
  source->type = type_of(kind, bytes, input);
  if (!source->type)
    return tool_problem(source, "its type '%c%c%u' has no reductions%s", order, kind, bytes,
                        kind == 'V' && bytes == 2 ? " (of bfloat16: --type bf16)" : "");
  const char other = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '>' : '<';
  source->swapped = order == other && source->type->word_bytes > 1;
  return 0;
}

static int read_shape(tool_source_t *source, const char *header) {
  const char *at = value_of(header, "shape"), *order = value_of(header, "fortran_order");
  if (!at || *at != '(' || !order || (strncmp(order, "True", 4) != 0 && strncmp(order, "False", 5) != 0))
    return tool_problem(source, "its .npy header has no shape or no order");
  source->dimensions = 0;
  for (at++; *at != ')'; at += strspn(at, ", ")) {
    char *end;
    if (source->dimensions == TOOL_MAX_DIMENSIONS || *at < '0' || *at > '9')
      return tool_problem(source, "its .npy header has no readable shape");
    source->shape[source->dimensions++] = strtoull(at, &end, 10);
    at = end;
  }
  source->fortran = *order == 'T' && source->dimensions > 1;
  return tool_shape_count(source) ? 0 : tool_problem(source, "its shape is larger than any file");
}

int tool_read_npy_header(tool_source_t *source, const tool_input_t *input, read_function_t read) {
  unsigned char start[8], length[4] = {0};
  if (take(source, read, start, sizeof start))
    return -1;
  if (memcmp(start, "\x93NUMPY", 6) != 0)
    return tool_problem(source, "is no .npy file");
  if (start[6] < 1 || start[6] > 3)
    return tool_problem(source, "its .npy version is %u; 1 to 3 are known", start[6]);
  const size_t length_bytes = start[6] == 1 ? 2 : 4;
  if (take(source, read, length, length_bytes))
    return -1;
  const size_t bytes = (size_t)length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
  if (bytes > MOST_HEADER_BYTES)
    return tool_problem(source, "its .npy header has %zu bytes, which is too long", bytes);
  char *header = calloc(1, bytes + 1);
  if (!header)
    return tool_problem(source, "no memory for its .npy header");
  int failed = take(source, read, header, bytes);
  if (!failed)
    failed = read_type(source, input, header);
  if (!failed)
    failed = read_shape(source, header);
  free(header);
  source->start_bytes = sizeof start + length_bytes + bytes;
  return failed;
}

static int open_npy(tool_source_t *source) {
  return source->state ? 0 : tool_open_at(source, source->start_bytes); /* a pipe is open since its header was read */
}

static int list_npy(tool_source_t *source, const tool_input_t *input, tool_sources_t *sources) {
  (void)sources; /* there is one in the file */
  struct stat facts;
  if (tool_open_at(source, 0))
    return -1;
  const int failed = tool_read_npy_header(source, input, tool_read_file);
  const int is_file = strcmp(source->file, "-") != 0 && stat(source->file, &facts) == 0 && S_ISREG(facts.st_mode);
  if (failed || is_file)
    tool_close_file(source);
  if (failed || !is_file)
    return failed;
  const uint64_t bytes = source->count * source->type->bytes;
  const uint64_t there = (uint64_t)facts.st_size - source->start_bytes;
  if (there < bytes)
    return tool_problem(source, "truncated: %" PRIu64 " of %" PRIu64 " bytes are missing", bytes - there, bytes);
  return there == bytes ? 0 : tool_problem(source, "has %" PRIu64 " bytes behind its data", there - bytes);
}

const tool_format_t tool_format_npy = {"npy", ".npy", list_npy, open_npy, tool_read_file, tool_close_file};
