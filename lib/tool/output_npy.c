/* Results as a .npy file. */
#include "output.h"
#include "value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER_BYTES = 512, HEADER_STEP = 64, START_BYTES = 10 /* magic, version, length of the header */ };

/* NumPy's name of a type. It has none for bfloat16, whose arrays it saves as V2. */
static const char *name_of(usw_type_t type) {
  static const char *const names[] = {
      [USW_I8] = "|i1", [USW_I16] = "i2", [USW_I32] = "i4",  [USW_I64] = "i8",   [USW_U8] = "|u1",
      [USW_U16] = "u2", [USW_U32] = "u4", [USW_U64] = "u8",  [USW_F16] = "f2",   [USW_BF16] = "|V2",
      [USW_F32] = "f4", [USW_F64] = "f8", [USW_CF32] = "c8", [USW_CF64] = "c16", [USW_BOOL] = "|b1",
  };
  return names[type];
}

static int write_header(FILE *file, usw_type_t type, const tool_grid_t *grid) {
  char text[HEADER_BYTES];
  const char *name = name_of(type), *order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "<" : ">";
  size_t used = (size_t)snprintf(text, sizeof text, "{'descr': '%s%s', 'fortran_order': False, 'shape': (",
                                 *name == '|' ? "" : order, name);
  for (int d = 0; d < grid->dimensions; d++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%" PRIu64 ", ", grid->shape[d]);
  used += (size_t)snprintf(text + used, sizeof text - used, "), }");
  const size_t bytes = (START_BYTES + used + 1 + HEADER_STEP - 1) / HEADER_STEP * HEADER_STEP - START_BYTES;
  memset(text + used, ' ', bytes - used);
  text[bytes - 1] = '\n';
  const unsigned char length[] = {(unsigned char)(bytes & 255), (unsigned char)(bytes >> 8)};
  return fwrite("\x93NUMPY\x01\x00", 1, 8, file) == 8 && fwrite(length, 1, 2, file) == 2 &&
                 fwrite(text, 1, bytes, file) == bytes
             ? 0
             : -1;
}

static int write_results(FILE *file, const tool_report_t *report) {
  const tool_type_t *type = report->sources->list[0].type;
  const tool_answer_t *answer = &report->answers[0];
  const usw_type_t number = tool_number_type(answer->operation, type);
  const size_t bytes = tool_type_of(number)->bytes;
  int failed = write_header(file, number, report->grid);
  for (size_t k = 0; k < report->grid->count && !failed; k++) {
    char value[TOOL_VALUE_BYTES];
    tool_number(answer->operation, type, (const char *)answer->result + k * answer->result_bytes, value);
    failed = fwrite(value, 1, bytes, file) != bytes;
  }
  return failed;
}

int tool_write_npy(const char *path, const tool_report_t *report) {
  FILE *file = fopen(path, "wb");
  if (!file)
    return errno;
  errno = 0;
  int failed = write_results(file, report);
  failed |= fclose(file) != 0;
  if (!failed)
    return 0;
  const int why = errno ? errno : EIO;
  struct stat facts;
  if (lstat(path, &facts) == 0 && S_ISREG(facts.st_mode))
    unlink(path);
  return why;
}
