/* Operators, identities and what a kernel's list of reducers turns into.
 *
 * A reducer is written in a list as R(type, name, operator [, identity]):
 *     R(double, sum, USW_PLUS)                 a library operator: its identity is known
 *     R(affine, map, compose, affine_one())    the user's operator with its identity
 *     R(double, near, closer)                  the user's operator, which has none: a flag says "no value yet"
 * Which of the three it is, is found by pasting the operator's name onto USW_NATIVE_. */
#ifndef UPSWEEP_REDUCER_H
#define UPSWEEP_REDUCER_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <upsweep/descriptor.h>
#include <upsweep/identity.h>

#define USW_INLINE static inline __attribute__((always_inline, unused))
#define USW_UNUSED __attribute__((unused))

#define USW_CAT_(a, b) a##b
#define USW_CAT(a, b) USW_CAT_(a, b)
#define USW_TEXT_(...) #__VA_ARGS__
#define USW_TEXT(...) USW_TEXT_(__VA_ARGS__)
#define USW_1ST_(a, ...) a
#define USW_2ND_(a, b, ...) b
#define USW_3RD_(a, b, c, ...) c
#define USW_4TH_(a, b, c, d, ...) d
#define USW_1ST(...) USW_1ST_(__VA_ARGS__, ~)
#define USW_2ND(...) USW_2ND_(__VA_ARGS__, ~)
#define USW_3RD(...) USW_3RD_(__VA_ARGS__, ~)
#define USW_4TH(...) USW_4TH_(__VA_ARGS__, ~)

#ifdef __cplusplus
#define USW_ASSERT(condition, text) static_assert(condition, text)
#else
#define USW_ASSERT(condition, text) _Static_assert(condition, text)
#endif

/* The nine operators of SYCL and OpenMP: the name that OpenMP's reduction clause has for each, and 1 where that means
 * exactly ours. OpenMP's min and max leave NaN and -0 open: they are ours for integers only. */
#define USW_NATIVE_USW_PLUS , +, 1
#define USW_NATIVE_USW_MULTIPLIES , *, 1
#define USW_NATIVE_USW_MINIMUM , min, 10
#define USW_NATIVE_USW_MAXIMUM , max, 10
#define USW_NATIVE_USW_BIT_AND , &, 1
#define USW_NATIVE_USW_BIT_OR , |, 1
#define USW_NATIVE_USW_BIT_XOR , ^, 1
#define USW_NATIVE_USW_LOGICAL_AND , &&, 1
#define USW_NATIVE_USW_LOGICAL_OR , ||, 1

/* usw_operate(operation, a, b): a library operator applied to two scalars. One function per scalar type holds a switch
 * over the operators that the type has; the operation is a constant wherever it is used, so one branch remains.
 * USW_WRAP: integers add as unsigned long long and are cut back, so they wrap, whatever the compiler's flags. */
#define USW_SCALARS(ROW)                                                                                               \
  ROW(char, c, INTEGER)                                                                                                \
  ROW(signed char, sc, INTEGER)                                                                                        \
  ROW(unsigned char, uc, INTEGER)                                                                                      \
  ROW(short, s, INTEGER)                                                                                               \
  ROW(unsigned short, us, INTEGER)                                                                                     \
  ROW(int, i, INTEGER)                                                                                                 \
  ROW(unsigned, ui, INTEGER)                                                                                           \
  ROW(long, l, INTEGER)                                                                                                \
  ROW(unsigned long, ul, INTEGER)                                                                                      \
  ROW(long long, ll, INTEGER)                                                                                          \
  ROW(unsigned long long, ull, INTEGER)                                                                                \
  ROW(float, f, FLOATING)                                                                                              \
  ROW(double, d, FLOATING)

#define USW_BELOW(T, a, b) (a < b || a != a || (a == b && __builtin_signbit(a)))
#define USW_ABOVE(T, a, b) (a > b || a != a || (a == b && !__builtin_signbit(a)))
#define USW_PICK_INTEGER(integers, reals) integers
#define USW_PICK_FLOATING(integers, reals) reals
#define USW_WRAP(x) ((unsigned long long)(x))
#define USW_OPERATE_CASE(NAME, name, code, types, integers, reals, identity, T, CLASS)                                 \
  USW_CAT(USW_HAS_##types##_, CLASS)(case code : return (T)(USW_CAT(USW_PICK_, CLASS)(integers, reals));)

#if defined(_OPENMP) && defined(__clang__) /* gcc 12 does not know `begin` */
#pragma omp begin declare target
#endif

#define USW_OPERATE_FUNCTION(T, tag, CLASS)                                                                            \
  USW_INLINE T USW_OPERATE_NAME(tag)(int operation, T a, T b) {                                                        \
    switch (operation) { USW_OPERATORS(USW_OPERATE_CASE, T, CLASS) default : return a; }                               \
  }
#ifdef __cplusplus
#define USW_OPERATE_NAME(tag) usw_operate
#else
#define USW_OPERATE_NAME(tag) usw_operate_##tag
#define usw_operate(operation, a, b)                                                                                   \
  _Generic((a),                                                                                                        \
      char: usw_operate_c,                                                                                             \
      signed char: usw_operate_sc,                                                                                     \
      unsigned char: usw_operate_uc,                                                                                   \
      short: usw_operate_s,                                                                                            \
      unsigned short: usw_operate_us,                                                                                  \
      int: usw_operate_i,                                                                                              \
      unsigned: usw_operate_ui,                                                                                        \
      long: usw_operate_l,                                                                                             \
      unsigned long: usw_operate_ul,                                                                                   \
      long long: usw_operate_ll,                                                                                       \
      unsigned long long: usw_operate_ull,                                                                             \
      float: usw_operate_f,                                                                                            \
      double: usw_operate_d)(operation, a, b)
#endif
USW_SCALARS(USW_OPERATE_FUNCTION)

#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif
#endif
