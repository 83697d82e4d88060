/* The rows of the table of cases: every function of functions.def over every type of its group. */
#ifndef USW_ORACLE_ROW_H
#define USW_ORACLE_ROW_H

#include <upsweep/types.h>

/* Kinds of results, as functions.def names them. */
typedef enum {
  RESULT_SUM,
  RESULT_ELEMENT,
  RESULT_REAL,
  RESULT_BOOL,
  RESULT_COUNT,
  RESULT_LOCATED,
  RESULT_EXTREMES,
  RESULT_DESCRIBE
} result_kind_t;

typedef struct {
  const char *name;
  usw_operation_t operation;
  usw_type_t type;
  int streams;
  result_kind_t result;
  size_t result_bytes;
} row_t;

static const row_t rows[] = {
#define ROW_TYPED(tag, CODE, code, type, value, sum, real, key, class, name, OPERATION, streams, RESULT, GROUP)        \
  USW_HAS_##GROUP##_##class(                                                                                           \
      {#name, USW_##OPERATION, USW_##CODE, streams, RESULT_##RESULT, sizeof(USW_RESULT_##RESULT(tag))}, )
#define ROW(name, OPERATION, streams, RESULT, GROUP, what, ...)                                                        \
  USW_TYPES(ROW_TYPED, name, OPERATION, streams, RESULT, GROUP)
    USW_FUNCTIONS(ROW, )
#undef ROW
#undef ROW_TYPED
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* The row of (operation, type), or NULL. */
static inline const row_t *row_find(usw_operation_t operation, usw_type_t type) {
  for (int r = 0; r < ROW_COUNT; r++)
    if (rows[r].operation == operation && rows[r].type == type)
      return &rows[r];
  return NULL;
}

#endif
