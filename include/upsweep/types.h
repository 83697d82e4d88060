/** @defgroup types Types, operations and results
 *  Codes of element types and operations, and the structures that results come in; @ref function_table has tables.
 *
 *  `usw_<tag>_t` is an element of the type with that tag: usw_i8_t to usw_cf64_t. Beside it stand `usw_sum_<tag>_t`,
 *  what sums, products and dot products return, and `usw_real_<tag>_t`, what norms return.
 *  @{ */
#ifndef UPSWEEP_TYPES_H
#define UPSWEEP_TYPES_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/functions.def>
#include <upsweep/operators.def>
#include <upsweep/types.def>

#ifdef __cplusplus
#include <complex>
typedef std::complex<float> usw_cf32_t;
typedef std::complex<double> usw_cf64_t;
typedef bool usw_b8_t;
#else
#include <stdbool.h> /* results of usw_all() and usw_any() are bool */
typedef float _Complex usw_cf32_t;  /**< Complex of two floats: std::complex<float> in C++. */
typedef double _Complex usw_cf64_t; /**< Complex of two doubles: std::complex<double> in C++. */
typedef _Bool usw_b8_t;             /**< A truth value: bool in C++. */
#endif

/** An IEEE 754 binary16 number, as stored: cast the address of `_Float16` or `__half` arrays to it. */
typedef struct {
  uint16_t bits; /**< sign, 5 bits of exponent, 10 of fraction */
} usw_f16_t;

/** A bfloat16 number, as stored: the upper half of a float. */
typedef struct {
  uint16_t bits; /**< sign, 8 bits of exponent, 7 of fraction */
} usw_bf16_t;

/** Element types by code. */
typedef enum usw_type {
  USW_NO_TYPE = 0, /**< of user kernels */
#define USW_TYPE_VALUE(tag, CODE, code, type, value, sum, real, key, class, ...) USW_##CODE = code, /**< type */
  USW_TYPES(USW_TYPE_VALUE, )
#undef USW_TYPE_VALUE
} usw_type_t;

/** What to compute, by code: the operators, then reductions that are more than one operator. */
typedef enum usw_operation {
  USW_NO_OPERATION = 0, /**< of user kernels */
#define USW_OPERATOR_VALUE(NAME, name, code, group, integers, reals, complexes, identity, ...)                         \
  USW_##NAME = code, /**< operator: group types, identity identity */
  USW_OPERATORS(USW_OPERATOR_VALUE, )
#undef USW_OPERATOR_VALUE
      USW_DOT = 32,  /**< sum of x[i] * y[i] */
  USW_COUNT = 33,    /**< number of elements that are not zero */
  USW_ARGMIN = 34,   /**< smallest element and its lowest index */
  USW_DESCRIBE = 35, /**< count, mean, variance, minimum, maximum and their indices */
  USW_ARGMAX = 36,   /**< largest element and its lowest index */
  USW_MINMAX = 37,   /**< smallest and largest element */
  USW_DOTC = 38,     /**< sum of conj(x[i]) * y[i] */
  USW_NORM1 = 39,    /**< sum of absolute values */
  USW_NORM2 = 40,    /**< square root of the sum of squared absolute values */
  USW_NORM_INF = 41, /**< largest absolute value */
} usw_operation_t;

/** @cond */
/* USW_HAS_<group>_<class>(text): the text where a class of types belongs to a group, nothing where it does not. */
#define USW_HAS_ARITHMETIC_INTEGER(...) __VA_ARGS__
#define USW_HAS_ARITHMETIC_HALF(...) __VA_ARGS__
#define USW_HAS_ARITHMETIC_FLOATING(...) __VA_ARGS__
#define USW_HAS_ARITHMETIC_COMPLEX(...) __VA_ARGS__
#define USW_HAS_ARITHMETIC_BOOLEAN(...)
#define USW_HAS_ORDERED_INTEGER(...) __VA_ARGS__
#define USW_HAS_ORDERED_HALF(...) __VA_ARGS__
#define USW_HAS_ORDERED_FLOATING(...) __VA_ARGS__
#define USW_HAS_ORDERED_COMPLEX(...)
#define USW_HAS_ORDERED_BOOLEAN(...)
#define USW_HAS_INTEGER_INTEGER(...) __VA_ARGS__
#define USW_HAS_INTEGER_HALF(...)
#define USW_HAS_INTEGER_FLOATING(...)
#define USW_HAS_INTEGER_COMPLEX(...)
#define USW_HAS_INTEGER_BOOLEAN(...)
#define USW_HAS_LOGICAL_INTEGER(...) __VA_ARGS__
#define USW_HAS_LOGICAL_HALF(...)
#define USW_HAS_LOGICAL_FLOATING(...)
#define USW_HAS_LOGICAL_COMPLEX(...)
#define USW_HAS_LOGICAL_BOOLEAN(...) __VA_ARGS__
#define USW_HAS_CONTINUOUS_INTEGER(...)
#define USW_HAS_CONTINUOUS_HALF(...) __VA_ARGS__
#define USW_HAS_CONTINUOUS_FLOATING(...) __VA_ARGS__
#define USW_HAS_CONTINUOUS_COMPLEX(...) __VA_ARGS__
#define USW_HAS_CONTINUOUS_BOOLEAN(...)
#define USW_HAS_COMPLEX_INTEGER(...)
#define USW_HAS_COMPLEX_HALF(...)
#define USW_HAS_COMPLEX_FLOATING(...)
#define USW_HAS_COMPLEX_COMPLEX(...) __VA_ARGS__
#define USW_HAS_COMPLEX_BOOLEAN(...)
#define USW_HAS_EVERY_INTEGER(...) __VA_ARGS__
#define USW_HAS_EVERY_HALF(...) __VA_ARGS__
#define USW_HAS_EVERY_FLOATING(...) __VA_ARGS__
#define USW_HAS_EVERY_COMPLEX(...) __VA_ARGS__
#define USW_HAS_EVERY_BOOLEAN(...) __VA_ARGS__
/** @endcond */

/* usw_value_f64_t, usw_sum_f64_t, usw_real_f64_t, usw_key_f64_t: the types beside an element type. */
/** @cond */
#define USW_TYPE_NAMES(tag, CODE, code, type, value, sum, real, key, class, ...)                                       \
  typedef value usw_value_##tag##_t;                                                                                   \
  typedef sum usw_sum_##tag##_t;                                                                                       \
  typedef real usw_real_##tag##_t;                                                                                     \
  USW_HAS_ORDERED_##class(typedef key usw_key_##tag##_t;)
USW_TYPES(USW_TYPE_NAMES, )
#undef USW_TYPE_NAMES
#define USW_SCALAR_NAMES(tag, CODE, code, type, value, sum, real, key, class, ...)                                     \
  USW_HAS_INTEGER_##class(typedef type usw_##tag##_t;)
USW_TYPES(USW_SCALAR_NAMES, )
#undef USW_SCALAR_NAMES
typedef float usw_f32_t;
typedef double usw_f64_t;
/** @endcond */

/** @defgroup results Structures of results
 *  For every type that has an order:
 *
 *  @verbatim
 *   usw_located_<tag>_t   an element and where it was found
 *     value               the element; the identity for an empty input
 *     index               its index, counted in elements; -1 if there is none
 *   usw_extremes_<tag>_t  the smallest and the largest element
 *     minimum, maximum    the identities for an empty input
 *   usw_describe_<tag>_t  what usw_describe() finds in one pass
 *     count               elements described
 *     mean                NaN if count is 0
 *     variance            of the population (divided by count); NaN if count is 0
 *     minimum, maximum    the identities if count is 0
 *     minimum_index       lowest index of the minimum; -1 if count is 0
 *     maximum_index       lowest index of the maximum; -1 if count is 0
 *  @endverbatim */
/** @cond */
#define USW_RESULT_STRUCTURES(tag, type)                                                                               \
  typedef struct {                                                                                                     \
    type value;                                                                                                        \
    int64_t index;                                                                                                     \
  } usw_located_##tag##_t;                                                                                             \
  typedef struct {                                                                                                     \
    type minimum, maximum;                                                                                             \
  } usw_extremes_##tag##_t;                                                                                            \
  typedef struct {                                                                                                     \
    uint64_t count;                                                                                                    \
    double mean, variance;                                                                                             \
    type minimum, maximum;                                                                                             \
    int64_t minimum_index, maximum_index;                                                                              \
  } usw_describe_##tag##_t;
#define USW_ORDERED_STRUCTURES(tag, CODE, code, type, value, sum, real, key, class, ...)                               \
  USW_HAS_ORDERED_##class(USW_RESULT_STRUCTURES(tag, type))
USW_TYPES(USW_ORDERED_STRUCTURES, )
#undef USW_ORDERED_STRUCTURES
#undef USW_RESULT_STRUCTURES
/** @endcond */

/* The type of a result, by its kind in functions.def and the tag of the elements. */
/** @cond */
#define USW_RESULT_SUM(tag) usw_sum_##tag##_t
#define USW_RESULT_ELEMENT(tag) usw_##tag##_t
#define USW_RESULT_REAL(tag) usw_real_##tag##_t
#define USW_RESULT_BOOL(tag) usw_b8_t
#define USW_RESULT_COUNT(tag) uint64_t
#define USW_RESULT_LOCATED(tag) usw_located_##tag##_t
#define USW_RESULT_EXTREMES(tag) usw_extremes_##tag##_t
#define USW_RESULT_DESCRIBE(tag) usw_describe_##tag##_t
/** @endcond */

/** @} */
#endif
