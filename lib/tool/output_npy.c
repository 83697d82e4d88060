/* Numbers as a .npy file, whose count may be known only at its end. */
#include "output_npy.h"
#include "value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  HEADER_BYTES = 512,
  HEADER_STEP = 64,
  START_BYTES = 10, /* magic, version, length of the header */
  COUNT_BYTES = 20, /* of the longest count: headers of arrays of one dimension have one length */
};

/* NumPy's name of a type. It has none for bfloat16, whose arrays it saves as V2. */
static const char *name_of(usw_type_t type) {
  static const char *const names[] = {
      [USW_I8] = "|i1", [USW_I16] = "i2", [USW_I32] = "i4",  [USW_I64] = "i8",   [USW_U8] = "|u1",
      [USW_U16] = "u2", [USW_U32] = "u4", [USW_U64] = "u8",  [USW_F16] = "f2",   [USW_BF16] = "|V2",
      [USW_F32] = "f4", [USW_F64] = "f8", [USW_CF32] = "c8", [USW_CF64] = "c16", [USW_BOOL] = "|b1",
  };
  return names[type];
}

/* Written where the file stands; -1 with errno on failure. */
static int write_header(const tool_npy_t *npy) {
  char text[HEADER_BYTES];
  const char *name = name_of(npy->type), *order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "<" : ">";
  size_t used = (size_t)snprintf(text, sizeof text, "{'descr': '%s%s', 'fortran_order': False, 'shape': (",
                                 *name == '|' ? "" : order, name);
  const size_t shape_at = used;
  for (int d = 0; d < npy->dimensions; d++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%" PRIu64 ", ", npy->shape[d]);
  used += (size_t)snprintf(text + used, sizeof text - used, "), }");
  const size_t most = npy->dimensions == 1 ? shape_at + COUNT_BYTES + strlen(", ), }") : used;
  const size_t bytes = (START_BYTES + most + 1 + HEADER_STEP - 1) / HEADER_STEP * HEADER_STEP - START_BYTES;
  memset(text + used, ' ', bytes - used);
  text[bytes - 1] = '\n';
  const unsigned char length[] = {(unsigned char)(bytes & 255), (unsigned char)(bytes >> 8)};
  return fwrite("\x93NUMPY\x01\x00", 1, 8, npy->file) == 8 && fwrite(length, 1, 2, npy->file) == 2 &&
                 fwrite(text, 1, bytes, npy->file) == bytes
             ? 0
             : -1;
}

/* Keep the first reason why a write failed. */
static void note(tool_npy_t *npy, int failed) {
  if (failed && !npy->why)
    npy->why = errno ? errno : EIO;
}

int tool_npy_create(tool_npy_t *npy, const char *path, usw_type_t type, int dimensions, const uint64_t *shape) {
  *npy = (tool_npy_t){.path = path, .type = type, .dimensions = dimensions};
  for (int d = 0; d < dimensions; d++)
    npy->shape[d] = shape[d];
  npy->file = fopen(path, "wb");
  if (!npy->file)
    return errno;
  note(npy, write_header(npy));
  return 0;
}

int tool_npy_append(tool_npy_t *npy, const void *numbers, size_t count) {
  if (!npy->why)
    note(npy, fwrite(numbers, tool_type_of(npy->type)->bytes, count, npy->file) != count);
  return npy->why;
}

int tool_npy_append_results(tool_npy_t *npy, const tool_operation_t *operation, const tool_type_t *type,
                            const void *results, size_t count) {
  const size_t result_bytes = usw_result_bytes(operation->code, type->code);
  char value[TOOL_VALUE_BYTES];
  if (operation->result != TOOL_RESULT_LOCATED && operation->result != TOOL_RESULT_DESCRIBE)
    return tool_npy_append(npy, results, count);
  for (size_t k = 0; k < count && !npy->why; k++) {
    tool_number(operation, type, (const char *)results + k * result_bytes, value);
    tool_npy_append(npy, value, 1);
  }
  return npy->why;
}

static void remove_file(const char *path) {
  struct stat facts;
  if (lstat(path, &facts) == 0 && S_ISREG(facts.st_mode))
    unlink(path);
}

int tool_npy_finish(tool_npy_t *npy, uint64_t count) {
  if (!npy->why && npy->dimensions == 1 && npy->shape[0] != count) {
    npy->shape[0] = count;
    note(npy, fseek(npy->file, 0, SEEK_SET) != 0 || write_header(npy) != 0);
  }
  const int failed = fclose(npy->file);
  npy->file = NULL;
  note(npy, failed);
  if (npy->why)
    remove_file(npy->path);
  return npy->why;
}

void tool_npy_give_up(tool_npy_t *npy) {
  if (!npy->file)
    return;
  fclose(npy->file);
  npy->file = NULL;
  remove_file(npy->path);
}

int tool_write_npy(const char *path, const tool_report_t *report) {
  const tool_type_t *type = report->sources->list[0].type;
  const tool_answer_t *answer = &report->answers[0];
  const tool_grid_t *grid = report->grid;
  tool_npy_t npy;
  const int why =
      tool_npy_create(&npy, path, (usw_type_t)tool_number_type(answer->operation, type), grid->dimensions, grid->shape);
  if (why)
    return why;
  tool_npy_append_results(&npy, answer->operation, type, answer->result, grid->count);
  return tool_npy_finish(&npy, grid->count);
}

int tool_write_keys(const char *path, const tool_grid_t *grid) {
  tool_npy_t npy;
  const int why = tool_npy_create(&npy, path, grid->keys->type->code, 1, grid->shape);
  if (why)
    return why;
  tool_npy_append(&npy, grid->unique, grid->count);
  return tool_npy_finish(&npy, grid->count);
}
