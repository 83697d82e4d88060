/** @addtogroup types
 *  @{ */
#ifndef UPSWEEP_IDENTITY_H
#define UPSWEEP_IDENTITY_H

#include <limits.h>
#include <math.h>
#include <upsweep/types.h>

#ifdef __cplusplus
#include <limits>
#endif

/* Extremes of a scalar type: infinities where it has them. */
/** @cond */
#ifdef __cplusplus
template <class T> constexpr T usw_largest() {
  return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
}
template <class T> constexpr T usw_smallest() {
  return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
}
#define USW_LARGEST(T) usw_largest<T>()
#define USW_SMALLEST(T) usw_smallest<T>()
#else
#define USW_BY_TYPE(T, f, c, sc, uc, s, us, i, ui, l, ul, ll, ull)                                                     \
  ((T) _Generic((T)0,                                                                                                  \
       float: f,                                                                                                       \
       double: f,                                                                                                      \
       char: c,                                                                                                        \
       signed char: sc,                                                                                                \
       unsigned char: uc,                                                                                              \
       short: s,                                                                                                       \
       unsigned short: us,                                                                                             \
       int: i,                                                                                                         \
       unsigned: ui,                                                                                                   \
       long: l,                                                                                                        \
       unsigned long: ul,                                                                                              \
       long long: ll,                                                                                                  \
       unsigned long long: ull,                                                                                        \
       default: 0)) /* types without an order */
#define USW_LARGEST(T)                                                                                                 \
  USW_BY_TYPE(T, INFINITY, CHAR_MAX, SCHAR_MAX, UCHAR_MAX, SHRT_MAX, USHRT_MAX, INT_MAX, UINT_MAX, LONG_MAX,           \
              ULONG_MAX, LLONG_MAX, ULLONG_MAX)
#define USW_SMALLEST(T)                                                                                                \
  USW_BY_TYPE(T, -INFINITY, CHAR_MIN, SCHAR_MIN, 0, SHRT_MIN, 0, INT_MIN, 0u, LONG_MIN, 0ul, LLONG_MIN, 0ull)
#endif

/** @endcond */

/** The identity of a library operator for a scalar type, as a constant expression of that type.
 *
 *  usw_identity() answers the same by codes, for every type.
 *  @param[in] operation a constant of usw_operation_t that is an operator.
 *  @param[in] T         an integer or floating type.
 *  @since 0.1  @see usw_identity(), tests/api/queries.c */
#define USW_IDENTITY(operation, T) ((T)(USW_OPERATORS(USW_IDENTITY_CASE, operation, T)(T) 0))
/** @cond */
#define USW_IDENTITY_CASE(NAME, name, code, group, integers, reals, complexes, identity, operation, T)                 \
  (operation) == code ? (T)USW_IDENTITY_##identity(T):
#define USW_IDENTITY_ZERO(T) 0
#define USW_IDENTITY_ONE(T) 1
#define USW_IDENTITY_ONES(T) -1
#define USW_IDENTITY_LARGEST(T) USW_LARGEST(T)
#define USW_IDENTITY_SMALLEST(T) USW_SMALLEST(T)
/** @endcond */

/** @} */
#endif
