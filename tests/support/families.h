/* The families of many results as the support table tells them apart, over a few elements: what the documentation's table is made of
 * (scripts/docs/tables.c) and what tests/api/support_table.c runs. */
#ifndef USW_TESTS_FAMILIES_H
#define USW_TESTS_FAMILIES_H

#include <string.h>
#include <upsweep/upsweep.h>

enum {
  FAMILY_ROWS = 3,
  FAMILY_COLUMNS = 7,
  FAMILY_ITEMS = FAMILY_ROWS * FAMILY_COLUMNS,
  FAMILY_RESULT_BYTES = FAMILY_ITEMS * 96 /* and more than any result takes */
};

typedef enum {
  FAMILY_AXES,
  FAMILY_SEGMENTS,
  FAMILY_BY_KEY,
  FAMILY_SCAN,
  FAMILY_SCAN_SEGMENTS,
  FAMILY_SCAN_BY_KEY,
  FAMILY_SELECT,
  FAMILIES
} family_t;

static const char *const family_names[FAMILIES] = {[FAMILY_AXES] = "usw_reduce_axes",
                                                   [FAMILY_SEGMENTS] = "usw_reduce_segments",
                                                   [FAMILY_BY_KEY] = "usw_reduce_by_key",
                                                   [FAMILY_SCAN] = "usw_scan_inclusive",
                                                   [FAMILY_SCAN_SEGMENTS] = "usw_scan_segments",
                                                   [FAMILY_SCAN_BY_KEY] = "usw_scan_by_key",
                                                   [FAMILY_SELECT] = "usw_select"};

#define FAMILY_OPERATION(name, OPERATION, streams, ...) {#name, USW_##OPERATION, streams},
static const struct {
  const char *name;
  usw_operation_t code;
  uint32_t streams;
} family_operations[] = {USW_FUNCTIONS(FAMILY_OPERATION, )};

#define FAMILY_TYPE(tag, CODE, ...) {#tag, USW_##CODE},
static const struct {
  const char *name;
  usw_type_t code;
} family_types[] = {USW_TYPES(FAMILY_TYPE, )};

enum {
  FAMILY_OPERATIONS = sizeof family_operations / sizeof *family_operations,
  FAMILY_TYPES = sizeof family_types / sizeof *family_types
};

/* What calls read and write; all but the number of runs, or of elements that are kept, is memory of their place. Reductions take host memory
 * for their results, too. */
typedef struct {
  const void *x;
  const int32_t *offsets, *keys;
  const uint8_t *flags;
  void *results; /* FAMILY_RESULT_BYTES */
  int32_t *unique;
  size_t count;
} family_data_t;

static const int32_t family_offsets[FAMILY_ROWS + 1] = {0, 5, 5, FAMILY_ITEMS};

/* Elements, each 0 or 1, of a type; their bytes. */
static inline size_t family_elements(usw_type_t type, char to[FAMILY_ITEMS * 16]) {
  size_t bytes = 1, pair = 0;
  uint64_t one = 1;
  switch (type) {
  case USW_I16:
  case USW_U16:
    bytes = 2;
    break;
  case USW_F16:
  case USW_BF16:
    bytes = 2;
    one = type == USW_F16 ? 0x3c00 : 0x3f80;
    break;
  case USW_I32:
  case USW_U32:
    bytes = 4;
    break;
  case USW_F32:
  case USW_CF32:
    bytes = 4;
    pair = type == USW_CF32;
    one = 0x3f800000;
    break;
  case USW_I64:
  case USW_U64:
    bytes = 8;
    break;
  case USW_F64:
  case USW_CF64:
    bytes = 8;
    pair = type == USW_CF64;
    one = 0x3ff0000000000000;
    break;
  default:
    break;
  }
  memset(to, 0, FAMILY_ITEMS * 16);
  for (size_t i = 0; i < FAMILY_ITEMS; i++)
    if (i * 37 % 5 < 3)
      memcpy(to + i * (bytes << pair), &one, bytes); /* little-endian */
  return FAMILY_ITEMS * (bytes << pair);
}

/* A call of the family; operations of two streams read x twice. */
static inline usw_status_t family_run(family_t family, size_t operation, usw_type_t type, family_data_t *data,
                                      const usw_options_t *options) {
  const usw_operation_t code = family_operations[operation].code;
  const int is_pair = family_operations[operation].streams == 2;
  const usw_array_t array = usw_array_2d(type, data->x, FAMILY_ROWS, FAMILY_COLUMNS);
  const usw_segments_t segments = usw_segments_by_offsets(USW_I32, data->offsets, FAMILY_ROWS);
  switch (family) {
  case FAMILY_AXES:
    return is_pair ? usw_reduce_axes_pair(code, &array, &array, USW_AXIS(1), data->results, options)
                   : usw_reduce_axes(code, &array, USW_AXIS(1), data->results, options);
  case FAMILY_SEGMENTS:
    return is_pair
               ? usw_reduce_segments_pair(code, type, data->x, data->x, FAMILY_ITEMS, &segments, data->results, options)
               : usw_reduce_segments(code, type, data->x, FAMILY_ITEMS, &segments, data->results, options);
  case FAMILY_BY_KEY:
    return usw_reduce_by_key(code, type, data->x, USW_I32, data->keys, FAMILY_ITEMS, data->unique, data->results,
                             &data->count, options);
  case FAMILY_SCAN:
    return usw_scan_inclusive(code, type, data->x, FAMILY_ITEMS, data->results, options);
  case FAMILY_SCAN_SEGMENTS:
    return usw_scan_segments(code, type, data->x, FAMILY_ITEMS, &segments, data->results, options);
  case FAMILY_SCAN_BY_KEY:
    return usw_scan_by_key(code, type, data->x, USW_I32, data->keys, FAMILY_ITEMS, data->results, options);
  default:
    return usw_select(type, data->x, data->flags, FAMILY_ITEMS, data->results, &data->count, options);
  }
}

#endif
