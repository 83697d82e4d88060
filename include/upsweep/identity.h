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

/** The identity of a library operator for a scalar type, as a constant expression of that type. A half's is a value: in C
 *  strict compilers do not take it for a static object.
 *
 *  usw_identity() answers the same by codes, for every type.
 *  @param[in] operation a constant of usw_operation_t that is an operator.
 *  @param[in] T         an integer or floating type, usw_f16_t or usw_bf16_t.
 *  @since 0.1  @see usw_identity(), tests/api/queries.c */
#ifdef __cplusplus
#define USW_IDENTITY(operation, T) usw_identities<T>::of(operation)
#else
#define USW_IDENTITY(operation, T)                                                                                     \
  _Generic(*(T *)0,                                                                                                    \
      usw_f16_t: (usw_f16_t){USW_IDENTITY_BITS(operation, f16)},                                                       \
      usw_bf16_t: (usw_bf16_t){USW_IDENTITY_BITS(operation, bf16)},                                                    \
      default: USW_SCALAR_IDENTITY(operation, USW_SCALAR_OF(T)))
#endif
/** @cond */
#define USW_SCALAR_IDENTITY(operation, T) ((T)(USW_OPERATORS(USW_IDENTITY_CASE, operation, T)(T) 0))
#define USW_IDENTITY_CASE(NAME, name, code, group, integers, reals, complexes, identity, operation, T)                 \
  (operation) == code ? (T)USW_IDENTITY_##identity(T):
#define USW_IDENTITY_ZERO(T) 0
#define USW_IDENTITY_ONE(T) 1
#define USW_IDENTITY_ONES(T) -1
#define USW_IDENTITY_LARGEST(T) USW_LARGEST(T)
#define USW_IDENTITY_SMALLEST(T) USW_SMALLEST(T)

/* The bits of a half. */
#define USW_IDENTITY_BITS(operation, tag) ((uint16_t)(USW_OPERATORS(USW_IDENTITY_BITS_CASE, operation, tag) 0))
#define USW_IDENTITY_BITS_CASE(NAME, name, code, group, integers, reals, complexes, identity, operation, tag)          \
  (operation) == code ? USW_IDENTITY_BITS_##identity(tag):
#define USW_IDENTITY_BITS_ZERO(tag) 0
#define USW_IDENTITY_BITS_ONE(tag) USW_ONE_BITS_##tag
#define USW_IDENTITY_BITS_ONES(tag) 0 /* no half has it */
#define USW_IDENTITY_BITS_LARGEST(tag) USW_INFINITY_BITS_##tag
#define USW_IDENTITY_BITS_SMALLEST(tag) (0x8000 | USW_INFINITY_BITS_##tag)
#define USW_ONE_BITS_f16 0x3c00
#define USW_ONE_BITS_bf16 0x3f80
#define USW_INFINITY_BITS_f16 0x7c00
#define USW_INFINITY_BITS_bf16 0x7f80

#ifdef __cplusplus
template <class T> struct usw_identities {
  static constexpr T of(int operation) { return USW_SCALAR_IDENTITY(operation, T); }
};
template <> struct usw_identities<usw_f16_t> {
  static constexpr usw_f16_t of(int operation) { return usw_f16_t{USW_IDENTITY_BITS(operation, f16)}; }
};
template <> struct usw_identities<usw_bf16_t> {
  static constexpr usw_bf16_t of(int operation) { return usw_bf16_t{USW_IDENTITY_BITS(operation, bf16)}; }
};
#else
/* T, or an integer in the place of a half, so that what is not chosen compiles too. */
#define USW_SCALAR_OF(T)                                                                                               \
  __typeof__(_Generic(*(T *)0, usw_f16_t: (uint16_t)0, usw_bf16_t: (uint16_t)0, default: *(T *)0))
#endif
/** @endcond */

/** @} */
#endif
