/* Functions of the library that tests call at different places, to compare bits. */
#ifndef USW_TESTS_FUNCTIONS_CALLED_H
#define USW_TESTS_FUNCTIONS_CALLED_H

#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/oracle.h"

typedef struct {
  usw_operation_t operation;
  usw_type_t type;
  usw_accuracy_t accuracy;
  int streams;
} function_t;

/* One of them, of one array or two; result is overwritten, or keeps what no result has. */
static inline usw_status_t call(const function_t *function, const void *first, const void *second, size_t n,
                                usw_options_t options, result_t *result) {
  memset(result, 0xa5, sizeof *result);
  options.accuracy = function->accuracy;
  return function->streams == 2
             ? usw_reduce_pair(function->operation, function->type, first, second, n, result, &options)
             : usw_reduce(function->operation, function->type, first, n, result, &options);
}

#endif
