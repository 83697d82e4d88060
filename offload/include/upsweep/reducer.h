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
#include <upsweep/half.h>
#include <upsweep/identity.h>

/* Where a file has many kernels, OpenMPOpt of LLVM 19 takes arguments of internal functions for constants that they are
 * not: tests/api/large_spans.c had items that were all the first. It keeps off functions that another definition could
 * replace, and so does the linker never see these. */
#if defined(USW_PORT_SIMT) || defined(USW_SMALL_CODE) /* where nothing has to be fast, but compiled in no time */
#define USW_INLINE static inline __attribute__((unused))
#elif defined(_OPENMP) && defined(__clang__)
#define USW_INLINE extern inline __attribute__((gnu_inline, always_inline, unused))
#else
#define USW_INLINE static inline __attribute__((always_inline, unused))
#endif
#define USW_UNUSED __attribute__((unused))
#if defined(__clang__) && defined(USW_PORT_SIMT) /* where nothing has to be in registers */
#define USW_UNROLL _Pragma("nounroll")
#elif defined(__clang__)
#define USW_UNROLL _Pragma("unroll")
#else
#define USW_UNROLL
#endif
#ifdef __clang__
#define USW_NO_UNROLL _Pragma("nounroll")
#else
#define USW_NO_UNROLL
#endif

/* USW_LAUNCH_WORDS as parameters, as arguments, as what a region captures, as members of a structure, and out of that. */
#define USW_WORD_PARAMETER(T, name) T name USW_UNUSED,
#define USW_WORD(T, name) name,
#define USW_WORD_PASS(T, name) usw_##name,
#define USW_WORD_MEMBER(T, name) T name;
#define USW_WORD_OF_CONTEXT(T, name) c->name,

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
#define USW_ASSERT_IN_EXPRESSION(condition, text) ([] { static_assert(condition, text); }())
#else
#define USW_ASSERT(condition, text) _Static_assert(condition, text)
#define USW_ASSERT_IN_EXPRESSION(condition, text)                                                                      \
  ((void)sizeof(struct {                                                                                               \
    _Static_assert(condition, text);                                                                                   \
    int usw_asserted;                                                                                                  \
  }))
#endif

/* The nine operators of SYCL and OpenMP: the name that OpenMP's reduction clause has for each, and a third word, by which
 * they are told from the user's functions. */
#define USW_NATIVE_USW_PLUS , +, 1
#define USW_NATIVE_USW_MULTIPLIES , *, 1
#define USW_NATIVE_USW_MINIMUM , min, 1
#define USW_NATIVE_USW_MAXIMUM , max, 1
#define USW_NATIVE_USW_BIT_AND , &, 1
#define USW_NATIVE_USW_BIT_OR , |, 1
#define USW_NATIVE_USW_BIT_XOR , ^, 1
#define USW_NATIVE_USW_LOGICAL_AND , &&, 1
#define USW_NATIVE_USW_LOGICAL_OR , ||, 1
/* Sums with an accumulator of their own (sums.h): a fourth word says so. */
#define USW_NATIVE_USW_PLUS_COMPENSATED , +, 0, SUM
#define USW_NATIVE_USW_PLUS_REPRODUCIBLE , +, 0, SUM
#define USW_NATIVE_USW_SQUARES_REPRODUCIBLE , +, 0, SUM
#define USW_NATIVE_USW_WHOLE_SQUARES_REPRODUCIBLE , +, 0, SUM

/* usw_operate(operation, a, b): a library operator applied to two scalars. One function per scalar type holds a switch
 * over the operators that the type has; the operation is a constant wherever it is used, so one branch remains.
 * USW_WRAP: integers add as unsigned long long and are cut back, so they wrap, whatever the compiler's flags. */
#define USW_SCALARS(ROW, ...)                                                                                          \
  ROW(char, c, INTEGER, __VA_ARGS__)                                                                                   \
  ROW(signed char, sc, INTEGER, __VA_ARGS__)                                                                           \
  ROW(unsigned char, uc, INTEGER, __VA_ARGS__)                                                                         \
  ROW(short, s, INTEGER, __VA_ARGS__)                                                                                  \
  ROW(unsigned short, us, INTEGER, __VA_ARGS__)                                                                        \
  ROW(int, i, INTEGER, __VA_ARGS__)                                                                                    \
  ROW(unsigned, ui, INTEGER, __VA_ARGS__)                                                                              \
  ROW(long, l, INTEGER, __VA_ARGS__)                                                                                   \
  ROW(unsigned long, ul, INTEGER, __VA_ARGS__)                                                                         \
  ROW(long long, ll, INTEGER, __VA_ARGS__)                                                                             \
  ROW(unsigned long long, ull, INTEGER, __VA_ARGS__)                                                                   \
  ROW(float, f, FLOATING, __VA_ARGS__)                                                                                 \
  ROW(double, d, FLOATING, __VA_ARGS__)                                                                                \
  ROW(usw_cf32_t, cf, COMPLEX, __VA_ARGS__)                                                                            \
  ROW(usw_cf64_t, cd, COMPLEX, __VA_ARGS__)                                                                            \
  ROW(usw_b8_t, b, BOOLEAN, __VA_ARGS__)
/* Structures to the language, numbers to us. */
#define USW_HALVES(ROW, ...)                                                                                           \
  ROW(usw_f16_t, f16, HALF, __VA_ARGS__)                                                                               \
  ROW(usw_bf16_t, bf16, HALF, __VA_ARGS__)

/* Complex numbers: C's own type and C++'s have nothing but the layout in common. z is a variable of the wanted type. */
#ifdef __cplusplus
#define USW_REAL_PART(z) ((z).real())
#define USW_IMAGINARY_PART(z) ((z).imag())
#define USW_COMPLEX_LIKE(z, real, imaginary) decltype(z)(real, imaginary)
#else
#define USW_REAL_PART(z) (__real__(z))
#define USW_IMAGINARY_PART(z) (__imag__(z))
#define USW_COMPLEX_LIKE(z, real, imaginary) __builtin_complex(real, imaginary)
#endif
#define USW_COMPLEX_PRODUCT(a, b)                                                                                      \
  USW_COMPLEX_LIKE(a, USW_REAL_PART(a) * USW_REAL_PART(b) - USW_IMAGINARY_PART(a) * USW_IMAGINARY_PART(b),             \
                   USW_REAL_PART(a) * USW_IMAGINARY_PART(b) + USW_IMAGINARY_PART(a) * USW_REAL_PART(b))

#define USW_PICK_INTEGER(integers, reals, complexes) integers
#define USW_PICK_BOOLEAN(integers, reals, complexes) integers
#define USW_PICK_FLOATING(integers, reals, complexes) reals
#define USW_PICK_COMPLEX(integers, reals, complexes) complexes
#define USW_WRAP(x) ((unsigned long long)(x))
#define USW_OPERATE_CASE(NAME, name, code, group, integers, reals, complexes, identity, T, CLASS)                      \
  USW_CAT(USW_HAS_##group##_, CLASS)(case code : return (T)(USW_CAT(USW_PICK_, CLASS)(integers, reals, complexes));)

/* The operators that a scalar type has, as a set of bits 1 << code: USW_OPERATORS_OF(T). */
#define USW_OPERATOR_BIT(NAME, name, code, group, integers, reals, complexes, identity, CLASS)                         \
  USW_CAT(USW_HAS_##group##_, CLASS)(| 1 << code)
#define USW_OPERATORS_OF_CLASS(T, tag, CLASS, ...)                                                                     \
  enum { USW_CAT(usw_operators_of_, tag) = 0 USW_OPERATORS(USW_OPERATOR_BIT, CLASS) };
USW_SCALARS(USW_OPERATORS_OF_CLASS, )
USW_HALVES(USW_OPERATORS_OF_CLASS, )
#ifdef __cplusplus
template <class T> struct usw_operators_of {
  enum { set = 0 };
};
template <class T> struct usw_operators_of<const T> : usw_operators_of<T> {};
template <class T> struct usw_operators_of<volatile T> : usw_operators_of<T> {};
template <class T> struct usw_operators_of<const volatile T> : usw_operators_of<T> {};
#define USW_OPERATORS_OF_TYPE(T, tag, CLASS, ...)                                                                      \
  template <> struct usw_operators_of<T> {                                                                             \
    enum { set = USW_CAT(usw_operators_of_, tag) };                                                                    \
  };
USW_SCALARS(USW_OPERATORS_OF_TYPE, )
USW_HALVES(USW_OPERATORS_OF_TYPE, )
#define USW_OPERATORS_OF(T) usw_operators_of<T>::set
#else
#define USW_OPERATORS_OF_TYPE(T, tag, CLASS, ...) , T : USW_CAT(usw_operators_of_, tag)
#define USW_OPERATORS_OF(T)                                                                                            \
  _Generic(*(T *)0 USW_SCALARS(USW_OPERATORS_OF_TYPE, ) USW_HALVES(USW_OPERATORS_OF_TYPE, ), default: 0)
#endif

/** 1 if the library knows an identity of the operator for the type, at compile time; USW_IDENTITY(operation, T) is it. */
#define USW_HAS_KNOWN_IDENTITY(operation, T) ((USW_OPERATORS_OF(T) >> (operation)) & 1)

#if defined(_OPENMP) && defined(__clang__) /* gcc 12 does not know `begin` */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wstatic-in-inline" /* halves are converted by static functions */
#pragma omp begin declare target
#endif

/* Minimum and maximum of floating numbers: a NaN gives NaN, -0 is below +0. A processor's own instruction, which is what
 * `a < b ? a : b` becomes, leaves both cases to the order of its operands: it is asked in both orders, and the bits of the
 * two answers are joined. There is no branch in that, so clang finds vectors; a GPU and gcc do better with comparisons.
 * Where the calling thread's arithmetic takes subnormal numbers for zero, so do these two. */
#ifdef __cplusplus
#define USW_LOWER_NAME(tag) usw_lower
#define USW_HIGHER_NAME(tag) usw_higher
#else
#define USW_LOWER_NAME(tag) usw_lower_##tag
#define USW_HIGHER_NAME(tag) usw_higher_##tag
#define usw_lower(a, b) _Generic((a), float: usw_lower_f, default: usw_lower_d)(a, b)
#define usw_higher(a, b) _Generic((a), float: usw_higher_f, default: usw_higher_d)(a, b)
#endif
#if defined(__clang__) && defined(__x86_64__) && !defined(__NVPTX__) && !defined(__AMDGCN__)
#define USW_EXTREME_FUNCTIONS(T, tag, B)                                                                               \
  USW_INLINE T USW_LOWER_NAME(tag)(T a, T b) {                                                                         \
    const T one = a < b ? a : b, other = b < a ? b : a;                                                                \
    B bits, other_bits;                                                                                                \
    __builtin_memcpy(&bits, &one, sizeof bits);                                                                        \
    __builtin_memcpy(&other_bits, &other, sizeof other_bits);                                                          \
    bits |= other_bits;                                                                                                \
    T lower;                                                                                                           \
    __builtin_memcpy(&lower, &bits, sizeof lower);                                                                     \
    return lower;                                                                                                      \
  }                                                                                                                    \
  USW_INLINE T USW_HIGHER_NAME(tag)(T a, T b) {                                                                        \
    const T one = a > b ? a : b, other = b > a ? b : a;                                                                \
    B bits, other_bits;                                                                                                \
    __builtin_memcpy(&bits, &one, sizeof bits);                                                                        \
    __builtin_memcpy(&other_bits, &other, sizeof other_bits);                                                          \
    other_bits ^= bits; /* the sign of -0 and +0; or one of them is a NaN */                                           \
    bits |= other_bits;                                                                                                \
    T joined, difference;                                                                                              \
    __builtin_memcpy(&joined, &bits, sizeof joined);                                                                   \
    __builtin_memcpy(&difference, &other_bits, sizeof difference);                                                     \
    return joined - difference; /* x - 0, -0 - -0, or a NaN */                                                         \
  }
#else
#define USW_EXTREME_FUNCTIONS(T, tag, B)                                                                               \
  USW_INLINE T USW_LOWER_NAME(tag)(T a, T b) { return a < b || a != a || (a == b && __builtin_signbit(a)) ? a : b; }   \
  USW_INLINE T USW_HIGHER_NAME(tag)(T a, T b) { return a > b || a != a || (a == b && !__builtin_signbit(a)) ? a : b; }
#endif
USW_EXTREME_FUNCTIONS(float, f, uint32_t)
USW_EXTREME_FUNCTIONS(double, d, uint64_t)

#define USW_OPERATE_FUNCTION(T, tag, CLASS, ...)                                                                       \
  USW_INLINE T USW_OPERATE_NAME(tag)(int operation, T a, T b) {                                                        \
    switch (operation) { USW_OPERATORS(USW_OPERATE_CASE, T, CLASS) default : return a; }                               \
  }
#ifdef __cplusplus
#define USW_OPERATE_NAME(tag) usw_operate
#else
#define USW_OPERATE_NAME(tag) usw_operate_##tag
#define USW_OPERATE_ASSOCIATION(T, tag, CLASS, ...) , T : usw_operate_##tag
#define usw_operate(operation, a, b)                                                                                   \
  _Generic((a)USW_SCALARS(USW_OPERATE_ASSOCIATION, ) USW_HALVES(USW_OPERATE_ASSOCIATION, ))(operation, a, b)
#endif
USW_SCALARS(USW_OPERATE_FUNCTION, )

/* Halves: sums and products by way of float, each rounded to the type again. Minimum and maximum by an integer that orders
 * as the numbers do, which is the bits with those of a negative number turned round; `nans` moves all NaNs to the front, or
 * to the back if it is negative. */
#define USW_HALF_FUNCTION(T, tag, CLASS, ...)                                                                          \
  USW_INLINE int16_t usw_rank_##tag(T x, int nans) { return (int16_t)((x.bits ^ (x.bits >> 15) * 0x7fff) + nans); }    \
  USW_INLINE T USW_OPERATE_NAME(tag)(int operation, T a, T b) {                                                        \
    const int nans = 0x7fff - USW_INFINITY_BITS_##tag;                                                                 \
    if (operation == USW_MINIMUM)                                                                                      \
      return usw_rank_##tag(a, nans) < usw_rank_##tag(b, nans) ? a : b;                                                \
    if (operation == USW_MAXIMUM)                                                                                      \
      return usw_rank_##tag(a, -nans) > usw_rank_##tag(b, -nans) ? a : b;                                              \
    const float x = usw_##tag##_to_float(a), y = usw_##tag##_to_float(b);                                              \
    return usw_float_to_##tag(USW_OPERATE_NAME(f)(operation, x, y));                                                   \
  }
USW_HALVES(USW_HALF_FUNCTION, )

#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#pragma clang diagnostic pop
#endif
#endif
