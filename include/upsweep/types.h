/* Codes of element types and operations, and the structures that results come in. */
#ifndef UPSWEEP_TYPES_H
#define UPSWEEP_TYPES_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/operators.def>
#include <upsweep/types.def>

/** Element types by code. */
typedef enum usw_type {
  USW_NO_TYPE = 0, /**< of user kernels */
#define USW_TYPE_VALUE(tag, CODE, code, type, sum, key, class) USW_##CODE = code,
  USW_TYPES(USW_TYPE_VALUE)
#undef USW_TYPE_VALUE
} usw_type_t;

/** What to compute, by code: the operators, then reductions that are more than one operator. */
typedef enum usw_operation {
  USW_NO_OPERATION = 0, /**< of user kernels */
#define USW_OPERATOR_VALUE(NAME, name, code, types, integers, reals, identity, ...) USW_##NAME = code,
  USW_OPERATORS(USW_OPERATOR_VALUE, )
#undef USW_OPERATOR_VALUE
      USW_DOT = 32,  /**< sum of x[i] * y[i] */
  USW_COUNT = 33,    /**< number of elements that are not zero */
  USW_ARGMIN = 34,   /**< smallest element and its lowest index */
  USW_DESCRIBE = 35, /**< count, mean, variance, minimum, maximum and their indices */
} usw_operation_t;

/* usw_f64_t, usw_sum_f64_t, usw_key_f64_t, ...: a type, the type its sum has, and the type that
 * orders it. */
#define USW_TYPE_NAMES(tag, CODE, code, type, sum, key, class)                                                         \
  typedef type usw_##tag##_t;                                                                                          \
  typedef sum usw_sum_##tag##_t;                                                                                       \
  typedef key usw_key_##tag##_t;
USW_TYPES(USW_TYPE_NAMES)
#undef USW_TYPE_NAMES

/** An element and where it was found. */
typedef struct {
  double value;  /**< the element; the identity for an empty input */
  int64_t index; /**< its index, counted in elements; -1 if there is none */
} usw_located_f64_t;

/** What usw_describe() finds in one pass. */
typedef struct {
  uint64_t count;        /**< elements described */
  double mean;           /**< NaN if count is 0 */
  double variance;       /**< of the population (divided by count); NaN if count is 0 */
  double minimum;        /**< +infinity if count is 0 */
  double maximum;        /**< -infinity if count is 0 */
  int64_t minimum_index; /**< lowest index of the minimum; -1 if count is 0 */
  int64_t maximum_index; /**< lowest index of the maximum; -1 if count is 0 */
} usw_describe_f64_t;

#endif
