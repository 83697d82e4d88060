/** @defgroup kernels Kernels of your own
 *  <upsweep/kernel.h> opens a kernel. Define three macros, include it, write the body, include <upsweep/kernel_end.h>:
 *  @code{.c}
 *     #define USW_KERNEL residual
 *     #define USW_ARGS(IN, ARRAY, VALUE) IN(double, b) IN(double, ax) VALUE(double, tolerance)
 *     #define USW_REDUCERS(R, S) R(double, sum2, USW_PLUS) R(double, worst, USW_MAXIMUM) R(uint64_t, bad, USW_PLUS)
 *     #include <upsweep/kernel.h>
 *     USW_VISIT(i) {
 *       const double r = b - ax;
 *       usw_add(sum2, r * r);
 *       usw_combine(worst, fabs(r));
 *       if (fabs(r) > tolerance) usw_inc(bad);
 *     }
 *     #include <upsweep/kernel_end.h>
 *  @endcode
 * gives
 *  @code{.c}
 *     usw_status_t residual(size_t n, const double *b, const double *ax, double tolerance,
 *                           double *sum2, double *worst, uint64_t *bad, const usw_options_t *options);
 *  @endcode
 * Arguments: IN(T, x) is a stream; the body sees the element of its item (the engine loads it, 16 bytes at a time where
 * it can). ARRAY(T, a) is an address for random access. VALUE(T, v) is a scalar of at most 8 bytes.
 * The body is a function of the item's index i. It may combine any number of times, also not at all.
 * The original values of the variables are part of the result unless options->initialize_to_identity says otherwise.
 * Spans, S(...), are not in this version.
 * USW_NATIVE_CLAUSE, defined as 1 before, lets the strategy clause reduce by OpenMP's own operator: a little faster,
 * right for one reducer of an integer or floating type whose operator means in OpenMP what it means here (min and max
 * do not for floating types: NaN, -0).
 *  @{ */
#if !defined(USW_KERNEL) || !defined(USW_ARGS) || !defined(USW_REDUCERS)
#error "define USW_KERNEL, USW_ARGS(IN, ARRAY, VALUE) and USW_REDUCERS(R, S) before <upsweep/kernel.h>"
#endif

#include <upsweep/port.h>

#ifndef UPSWEEP_KERNEL_H
#define UPSWEEP_KERNEL_H
/** @cond */

/* A kernel has target regions when its file is compiled for at least one image. */
#if defined(USW_IMAGES) && defined(_OPENMP) && defined(__clang__)
#define USW_HAS_REGIONS 1
#else
#undef USW_IMAGES
#define USW_IMAGES ""
#define USW_HAS_REGIONS 0
#endif

/* Threads per team of the tree. 256 launches whatever the number of registers; more needs an audited kernel. */
#ifndef USW_TEAM_SIZE
#define USW_TEAM_SIZE 256
#endif

/* Names: USW_F(_acc) is residual_acc; USW_OF(_operate_, worst) is residual_operate_worst. */
#define USW_F(suffix) USW_CAT(USW_KERNEL, suffix)
#define USW_OF(what, name) USW_F(USW_CAT(what, name))

/* The kind of a reducer: KNOWN, GIVEN or NONE, from what follows its name in the list. */
#define USW_KIND(...) USW_CAT(USW_KIND_, USW_3RD(__VA_ARGS__, GIVEN, AUTO))(__VA_ARGS__)
#define USW_KIND_GIVEN(...) GIVEN
#define USW_KIND_AUTO(operation) USW_KIND_OF(USW_CAT(USW_NATIVE_, operation))
#define USW_KIND_OF(...) USW_4TH(__VA_ARGS__, KNOWN, NONE, NONE)

/* The reducer's code, its step (accumulator field with a value), its start and its flag, by kind. */
#define USW_CODE_KNOWN(operation) operation
#define USW_CODE_GIVEN(...) USW_NO_OPERATION
#define USW_CODE_NONE(...) USW_NO_OPERATION
#define USW_CHECK_KNOWN(T, n, operation)                                                                               \
  USW_ASSERT((USW_OPERATORS_OF(T) >> operation) & 1, "reducer '" #n "': its type does not have " #operation);
#define USW_CHECK_GIVEN(T, n, ...)
#define USW_CHECK_NONE(T, n, ...)
#define USW_APPLY_KNOWN(x, y, operation) usw_operate(operation, x, y)
#define USW_APPLY_GIVEN(x, y, operation, identity) operation(x, y)
#define USW_APPLY_NONE(x, y, operation) operation(x, y)
#define USW_START_KNOWN(T, n, operation) a->n = USW_IDENTITY(operation, T);
#define USW_START_GIVEN(T, n, operation, identity) a->n = identity;
#define USW_START_NONE(T, n, operation) a->has_##n = 0;
#define USW_FLAG_KNOWN(n)
#define USW_FLAG_GIVEN(n)
#define USW_FLAG_NONE(n) unsigned char has_##n;
#define USW_HAS_KNOWN(a, n) 1
#define USW_HAS_GIVEN(a, n) 1
#define USW_HAS_NONE(a, n) (a)->has_##n
#define USW_STEP_KNOWN(n, value, has) a->n = USW_OF(_operate_, n)(a->n, value);
#define USW_STEP_GIVEN(n, value, has) USW_STEP_KNOWN(n, value, has)
#define USW_STEP_NONE(n, value, has)                                                                                   \
  if (has) {                                                                                                           \
    a->n = a->has_##n ? USW_OF(_operate_, n)(a->n, value) : value;                                                     \
    a->has_##n = 1;                                                                                                    \
  }
#define USW_BY_KIND(what, ...) USW_CAT(what, USW_KIND(__VA_ARGS__))

/* Visitors of the reducer list, one for each thing that a list turns into. */
#define USW_R_FIELD(T, n, ...)                                                                                         \
  T n;                                                                                                                 \
  USW_BY_KIND(USW_FLAG_, __VA_ARGS__)(n)
#define USW_R_TRAITS(T, n, ...)                                                                                        \
  typedef T USW_OF(_type_, n);                                                                                         \
  enum { USW_OF(_code_, n) = USW_BY_KIND(USW_CODE_, __VA_ARGS__)(__VA_ARGS__) };                                       \
  USW_BY_KIND(USW_CHECK_, __VA_ARGS__)(T, n, __VA_ARGS__) USW_INLINE T USW_OF(_operate_, n)(T x, T y) {                \
    return USW_BY_KIND(USW_APPLY_, __VA_ARGS__)(x, y, __VA_ARGS__);                                                    \
  }
#define USW_R_START(T, n, ...) USW_BY_KIND(USW_START_, __VA_ARGS__)(T, n, __VA_ARGS__)
#define USW_R_COMBINE(T, n, ...)                                                                                       \
  USW_INLINE void USW_OF(_combine_, n)(USW_F(_acc) * a, T value) { USW_BY_KIND(USW_STEP_, __VA_ARGS__)(n, value, 1) }
#define USW_R_MERGE(T, n, ...) USW_BY_KIND(USW_STEP_, __VA_ARGS__)(n, b->n, USW_BY_KIND(USW_HAS_, __VA_ARGS__)(b, n))
#define USW_R_COUNT(T, n, ...) +1
#define USW_R_TYPE(T, n, ...) T
#define USW_R_NAME(T, n, ...) n
#define USW_R_CLAUSE(T, n, ...) USW_2ND(USW_CAT(USW_NATIVE_, USW_1ST(__VA_ARGS__)))
#define USW_NO_SPAN(T, n, ...) USW_ASSERT(sizeof(T) == 0, "reducer '" #n "': spans are not in this version");

/* Visitors of the argument list. */
#define USW_PARAMETER_IN(T, n) , const T n USW_UNUSED
#define USW_PARAMETER_ARRAY(T, n) , const T *n USW_UNUSED
#define USW_PARAMETER_VALUE(T, n) , const T n USW_UNUSED

/** @endcond */

/* What a body may say. */

/** Combine a value into a reducer.
 *
 *  @param[in] reducer name of a reducer in USW_REDUCERS.
 *  @param[in] value   of the reducer's type; taken by its operator.
 *  @note Threads: bodies run side by side; nothing else has to be done about it.  @since 0.1
 *  @see tests/api/user_kernel.c */
#define usw_combine(reducer, value)                                                                                    \
  ((void)sizeof(USW_OF(_type_, reducer)), USW_OF(_combine_, reducer)(usw_accumulator, (value)))
/** @cond */
#define USW_SHORTHAND(reducer, operation, value, text)                                                                 \
  do {                                                                                                                 \
    USW_ASSERT((int)USW_OF(_code_, reducer) == (int)operation,                                                         \
               text " does not fit the operator of reducer '" #reducer "': use usw_combine");                          \
    usw_combine(reducer, value);                                                                                       \
  } while (0)
/** @endcond */
/** reducer += value, for USW_PLUS; does not compile for another operator.
 *
 *  @param[in] reducer name of a reducer in USW_REDUCERS.
 *  @param[in] value   of the reducer's type.
 *  @note Threads: as usw_combine().  @since 0.1 */
#define usw_add(reducer, value) USW_SHORTHAND(reducer, USW_PLUS, value, "usw_add")
/** ++reducer, for USW_PLUS over an integer; does not compile otherwise.
 *
 *  @param[in] reducer name of a reducer in USW_REDUCERS.
 *  @note Threads: as usw_combine().  @since 0.1 */
#define usw_inc(reducer)                                                                                               \
  do {                                                                                                                 \
    USW_ASSERT((USW_OF(_type_, reducer))0.5 == 0, "usw_inc: reducer '" #reducer "' is not an integer");                \
    usw_add(reducer, 1);                                                                                               \
  } while (0)

/** The body: USW_VISIT(i) { ... }, a function that runs once per item.
 *
 *  @param[in] i name of the item's index in the body, a size_t.
 *  @since 0.1 */
#define USW_VISIT(i)                                                                                                   \
  USW_INLINE void USW_F(_visit)(                                                                                       \
      USW_F(_acc) * usw_accumulator USW_UNUSED,                                                                        \
      const size_t i USW_UNUSED USW_ARGS(USW_PARAMETER_IN, USW_PARAMETER_ARRAY, USW_PARAMETER_VALUE))
#endif
/** @} */
/** @cond */

#if USW_HAS_REGIONS
#pragma omp begin declare target
#endif

typedef struct __attribute__((aligned(4))) {
  USW_REDUCERS(USW_R_FIELD, USW_NO_SPAN)
} USW_F(_acc);

USW_REDUCERS(USW_R_TRAITS, USW_NO_SPAN)
USW_REDUCERS(USW_R_COMBINE, USW_NO_SPAN)

USW_INLINE void USW_F(_identity)(USW_F(_acc) * a) {
  __builtin_memset((void *)a, 0, sizeof *a); /* padding too: accumulators are moved as words */
  USW_REDUCERS(USW_R_START, USW_NO_SPAN)
}

USW_INLINE void USW_F(_merge)(USW_F(_acc) * a, const USW_F(_acc) * b) { USW_REDUCERS(USW_R_MERGE, USW_NO_SPAN) }
/** @endcond */
