/* What a kernel's list of reducers turns into: macros to be applied to its R(type, name, operator [, identity]) and
 * S(type, name, extent, operator [, identity]) entries. USW_R_x is for a variable, USW_S_x for a span; those of spans that
 * differ are in spans.h. In these macros n is the reducer's name. */
#ifndef UPSWEEP_ENGINE_REDUCERS_H
#define UPSWEEP_ENGINE_REDUCERS_H

/* Names: USW_F(_acc) is residual_acc; USW_OF(_operate_, worst) is residual_operate_worst. */
#define USW_F(suffix) USW_CAT(USW_KERNEL, suffix)
#define USW_OF(what, name) USW_F(USW_CAT(what, name))

/* The kind of a reducer: KNOWN, GIVEN, NONE or SUM (an accurate one of sums.h), from what follows its name (and its
 * extent) in the list. The word USW_INITIALIZE_TO_IDENTITY is two words for the preprocessor, so that it is found by
 * counting. */
#define USW_KIND(...) USW_CAT(USW_KIND_, USW_3RD(__VA_ARGS__, GIVEN, AUTO))(__VA_ARGS__)
#define USW_KIND_USW_WORD_FRESH(operation, ...) USW_KIND_GIVEN_OF(USW_CAT(USW_NATIVE_, operation))
#define USW_KIND_USW_WORD_END(operation, ...) USW_KIND_AUTO(operation)
#define USW_KIND_GIVEN(operation, ...) USW_KIND_GIVEN_OF(USW_CAT(USW_NATIVE_, operation))
#define USW_KIND_GIVEN_OF(...) USW_4TH(__VA_ARGS__, KNOWN, GIVEN, GIVEN)
#define USW_KIND_AUTO(operation) USW_KIND_OF(USW_CAT(USW_NATIVE_, operation))
#define USW_KIND_OF(...) USW_4TH(__VA_ARGS__, KNOWN, NONE, NONE)
#define USW_BY_KIND(what, ...) USW_CAT(what, USW_KIND(__VA_ARGS__))
/* The form of its accumulator: PLAIN (KNOWN or GIVEN), NONE or SUM; and a text for sums alone. */
#define USW_BY_FORM(what, ...) USW_CAT(what, USW_CAT(USW_FORM_OF_, USW_KIND(__VA_ARGS__)))
#define USW_FORM_OF_KNOWN PLAIN
#define USW_FORM_OF_GIVEN PLAIN
#define USW_FORM_OF_NONE NONE
#define USW_FORM_OF_SUM SUM
#define USW_IF_SUM(...) USW_BY_FORM(USW_IF_SUM_, __VA_ARGS__)
#define USW_IF_SUM_PLAIN(...)
#define USW_IF_SUM_NONE(...)
#define USW_IF_SUM_SUM(...) __VA_ARGS__

/* 1 where the list says USW_INITIALIZE_TO_IDENTITY. */
#define USW_IS_FRESH(...) USW_CAT(USW_IS_FRESH_, USW_3RD(__VA_ARGS__, GIVEN, AUTO))
#define USW_IS_FRESH_GIVEN 0
#define USW_IS_FRESH_AUTO 0
#define USW_IS_FRESH_USW_WORD_FRESH 1
#define USW_IS_FRESH_USW_WORD_END 1

/* The accumulator's fields. */
#define USW_FLAG_PLAIN(n)
#define USW_FLAG_NONE(n) unsigned char has_##n;
#define USW_FLAG_SUM(n)
#define USW_FIELD_PLAIN(T, ...) T
#define USW_FIELD_NONE(T, ...) T
#define USW_FIELD_SUM(T, ...) USW_SUM_OF(USW_1ST(__VA_ARGS__), T)
#define USW_R_FIELD(T, n, ...)                                                                                         \
  USW_BY_FORM(USW_FIELD_, __VA_ARGS__)(T, __VA_ARGS__) n;                                                              \
  USW_BY_FORM(USW_FLAG_, __VA_ARGS__)(n)

/* What can be asked for: type, operator, dimensions, extent, position in the list. */
#define USW_CODE_KNOWN(...) USW_1ST(__VA_ARGS__)
#define USW_CODE_GIVEN(...) USW_NO_OPERATION
#define USW_CODE_NONE(...) USW_NO_OPERATION
#define USW_CODE_SUM(...) USW_CAT(USW_CODE_OF_, USW_1ST(__VA_ARGS__))
#define USW_CODE_OF_USW_PLUS_COMPENSATED USW_PLUS
#define USW_CODE_OF_USW_PLUS_REPRODUCIBLE USW_PLUS
#define USW_CODE_OF_USW_SQUARES_REPRODUCIBLE USW_NO_OPERATION
#define USW_CODE_OF_USW_WHOLE_SQUARES_REPRODUCIBLE USW_NO_OPERATION
/* What a reducer promises of its sum beyond any other: 0, or a usw_accuracy_t. */
#define USW_LEVEL_PLAIN(...) 0
#define USW_LEVEL_NONE(...) 0
#define USW_LEVEL_SUM(...) USW_CAT(USW_LEVEL_OF_, USW_1ST(__VA_ARGS__))
#define USW_LEVEL_OF_USW_PLUS_COMPENSATED USW_COMPENSATED
#define USW_LEVEL_OF_USW_PLUS_REPRODUCIBLE USW_REPRODUCIBLE
#define USW_LEVEL_OF_USW_SQUARES_REPRODUCIBLE USW_REPRODUCIBLE
#define USW_LEVEL_OF_USW_WHOLE_SQUARES_REPRODUCIBLE USW_REPRODUCIBLE
#define USW_CHECK_KNOWN(T, n, ...)                                                                                     \
  USW_ASSERT((USW_OPERATORS_OF(T) >> USW_1ST(__VA_ARGS__)) & 1,                                                        \
             "reducer '" #n "': its type does not have " USW_TEXT(USW_1ST(__VA_ARGS__)));
#define USW_CHECK_GIVEN(T, n, ...)
#define USW_CHECK_NONE(T, n, ...)                                                                                      \
  USW_ASSERT(!USW_IS_FRESH(__VA_ARGS__),                                                                               \
             "reducer '" #n "': USW_INITIALIZE_TO_IDENTITY, but its operator has no identity");
/* Value-changing arithmetic leaves nothing of an accurate sum. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__)
#define USW_IS_STRICT 0
#else
#define USW_IS_STRICT 1
#endif
#define USW_CHECK_SUM(T, n, ...)                                                                                       \
  USW_ASSERT(USW_HAS_ACCURATE_SUMS(T),                                                                                 \
             "reducer '" #n "': " USW_TEXT(USW_1ST(__VA_ARGS__)) " is for float, double and complex numbers of both"); \
  USW_ASSERT(USW_IS_STRICT,                                                                                            \
             "reducer '" #n "': " USW_TEXT(USW_1ST(__VA_ARGS__)) " and -ffast-math exclude each other");               \
  USW_ASSERT(!USW_ORDERED, "reducer '" #n "': " USW_TEXT(USW_1ST(__VA_ARGS__)) " has no order to keep");
#define USW_APPLY_KNOWN(x, y, ...) usw_operate(USW_1ST(__VA_ARGS__), x, y)
#define USW_APPLY_GIVEN(x, y, operation, ...) operation(x, y)
#define USW_APPLY_NONE(x, y, operation, ...) operation(x, y)
#define USW_APPLY_SUM(x, y, ...) (x) + (y)
#define USW_IDENTITY_VALUE_KNOWN(T, ...) USW_IDENTITY(USW_1ST(__VA_ARGS__), T)
#define USW_IDENTITY_VALUE_GIVEN(T, ...) USW_2ND(__VA_ARGS__)
#define USW_IDENTITY_VALUE_SUM(T, ...) USW_IDENTITY(USW_PLUS, T)
#define USW_HAS_IDENTITY_SUM 1
#define USW_HAS_IDENTITY_PLAIN 1
#define USW_HAS_IDENTITY_NONE 0
#define USW_IDENTITY_FUNCTION_PLAIN(T, n, ...)                                                                         \
  USW_INLINE T USW_OF(_identity_of_, n)(void) { return USW_BY_KIND(USW_IDENTITY_VALUE_, __VA_ARGS__)(T, __VA_ARGS__); }
#define USW_IDENTITY_FUNCTION_SUM(T, n, ...) USW_IDENTITY_FUNCTION_PLAIN(T, n, __VA_ARGS__)
#define USW_IDENTITY_FUNCTION_NONE(T, n, ...)                                                                          \
  USW_INLINE T USW_OF(_identity_of_, n)(void) {                                                                        \
    T nothing;                                                                                                         \
    __builtin_memset((void *)&nothing, 0, sizeof nothing);                                                             \
    return nothing;                                                                                                    \
  }
#define USW_TRAITS(T, n, dimensions, count, ...)                                                                       \
  typedef T USW_OF(_type_, n);                                                                                         \
  enum {                                                                                                               \
    USW_OF(_code_, n) = USW_BY_KIND(USW_CODE_, __VA_ARGS__)(__VA_ARGS__),                                              \
    USW_OF(_level_, n) = USW_BY_FORM(USW_LEVEL_, __VA_ARGS__)(__VA_ARGS__),                                            \
    USW_OF(_dimensions_, n) = dimensions,                                                                              \
    USW_OF(_extent_, n) = count,                                                                                       \
    USW_OF(_has_identity_, n) = USW_BY_FORM(USW_HAS_IDENTITY_, __VA_ARGS__),                                           \
    USW_OF(_fresh_, n) = USW_IS_FRESH(__VA_ARGS__)                                                                     \
  };                                                                                                                   \
  USW_BY_KIND(USW_CHECK_, __VA_ARGS__)(T, n, __VA_ARGS__) USW_INLINE T USW_OF(_operate_, n)(T x, T y) {                \
    return USW_BY_KIND(USW_APPLY_, __VA_ARGS__)(x, y, __VA_ARGS__, ~);                                                 \
  }                                                                                                                    \
  USW_BY_FORM(USW_IDENTITY_FUNCTION_, __VA_ARGS__)(T, n, __VA_ARGS__)
#define USW_R_TRAITS(T, n, ...) USW_TRAITS(T, n, 0, 1, __VA_ARGS__)
#define USW_S_TRAITS(T, n, extent, ...) USW_TRAITS(T, n, 1, USW_EXTENT(extent), __VA_ARGS__)
/* Whether its type is an integer and its operator the library's. */
#define USW_INTEGER_KNOWN(T) ((USW_OPERATORS_OF(T) >> USW_BIT_AND) & 1)
#define USW_INTEGER_GIVEN(T) 0
#define USW_INTEGER_NONE(T) 0
#define USW_INTEGER_SUM(T) 0
/* Whether any order of combination gives the same result: integers, and operators that round nothing. */
#define USW_EXACT_OPERATIONS                                                                                           \
  (1 << USW_MINIMUM | 1 << USW_MAXIMUM | 1 << USW_BIT_AND | 1 << USW_BIT_OR | 1 << USW_BIT_XOR |                       \
   1 << USW_LOGICAL_AND | 1 << USW_LOGICAL_OR)
#define USW_EXACT_KNOWN(T, n) (USW_INTEGER_KNOWN(T) || ((USW_EXACT_OPERATIONS >> (int)USW_OF(_code_, n)) & 1))
#define USW_EXACT_GIVEN(T, n) 0
#define USW_EXACT_NONE(T, n) 0
#define USW_EXACT_SUM(T, n) ((int)USW_OF(_level_, n) == USW_REPRODUCIBLE)
#define USW_R_AND_EXACT(T, n, ...) &&USW_BY_KIND(USW_EXACT_, __VA_ARGS__)(T, n)
#define USW_S_AND_EXACT(T, n, extent, ...) USW_R_AND_EXACT(T, n, __VA_ARGS__)
#define USW_R_AND_COMPENSATED(T, n, ...)                                                                               \
  &&((int)USW_OF(_level_, n) == USW_COMPENSATED || USW_BY_KIND(USW_EXACT_, __VA_ARGS__)(T, n))
#define USW_S_AND_COMPENSATED(T, n, extent, ...) USW_R_AND_COMPENSATED(T, n, __VA_ARGS__)
/* Whether a sum has a window that numbers must fit. */
#define USW_R_OR_BINNED(T, n, ...) || (int)USW_OF(_level_, n) == USW_REPRODUCIBLE
#define USW_S_OR_BINNED(T, n, extent, ...) USW_R_OR_BINNED(T, n, __VA_ARGS__)
#define USW_R_POSITION(T, n, ...) USW_OF(_position_, n),
#define USW_S_POSITION(T, n, ...) USW_OF(_position_, n),
#define USW_R_RESULT_NUMBER(T, n, ...) USW_OF(_result_, n),
#define USW_S_RESULT_NUMBER(T, n, ...) USW_OF(_result_, n),
#define USW_R_NOTHING(T, n, ...)
#define USW_R_ZERO(T, n, ...) +0
#define USW_R_AND_NOT(T, n, ...) &&0
#define USW_S_ONE(T, n, ...) +1

/* Start from the identity. */
#define USW_START_PLAIN(n) a->n = USW_OF(_identity_of_, n)();
#define USW_START_NONE(n) a->has_##n = 0;
#define USW_START_SUM(n) USW_ACCURATE(identity, a->n)(&a->n);
#define USW_R_START(T, n, ...) USW_BY_FORM(USW_START_, __VA_ARGS__)(n)

/* Combine a value in, if there is one. */
#define USW_STEP_PLAIN(n, value, has) a->n = USW_OF(_operate_, n)(a->n, value);
#define USW_STEP_NONE(n, value, has)                                                                                   \
  if (has) {                                                                                                           \
    a->n = a->has_##n ? USW_OF(_operate_, n)(a->n, value) : value;                                                     \
    a->has_##n = 1;                                                                                                    \
  }
#define USW_STEP_SUM(n, value, has) USW_ACCURATE(add, a->n)(&a->n, value, (int)s->usw_on_trial);
#define USW_R_COMBINE(T, n, ...)                                                                                       \
  USW_INLINE void USW_OF(_combine_, n)(USW_F(_acc) * a, const USW_F(_spans) * s USW_UNUSED, T value){                  \
      USW_BY_FORM(USW_STEP_, __VA_ARGS__)(n, value, 1)} USW_BY_KIND(USW_PRODUCT_, __VA_ARGS__)(T, n)
/* Combine a product in, for plus: what its rounding leaves is not lost to an accurate sum. */
#define USW_PRODUCT_KNOWN(T, n)                                                                                        \
  USW_INLINE void USW_OF(_combine_product_, n)(USW_F(_acc) * a, const USW_F(_spans) * s, T x, T y) {                   \
    USW_OF(_combine_, n)(a, s, usw_operate(USW_MULTIPLIES, x, y));                                                     \
  }
#define USW_PRODUCT_GIVEN(T, n)
#define USW_PRODUCT_NONE(T, n)
#define USW_PRODUCT_SUM(T, n)                                                                                          \
  USW_INLINE void USW_OF(_combine_product_, n)(USW_F(_acc) * a, const USW_F(_spans) * s, T x, T y) {                   \
    USW_ACCURATE(add_product, a->n)(&a->n, x, y, (int)s->usw_on_trial);                                                \
  }

/* Merge b, which comes after a. */
#define USW_HAS_PLAIN(a, n) 1
#define USW_HAS_NONE(a, n) (a)->has_##n
#define USW_HAS_SUM(a, n) 1
#define USW_MERGE_PLAIN(n) USW_STEP_PLAIN(n, b->n, 1)
#define USW_MERGE_NONE(n) USW_STEP_NONE(n, b->n, b->has_##n)
#define USW_MERGE_SUM(n) USW_ACCURATE(merge, a->n)(&a->n, &b->n);
#define USW_R_MERGE(T, n, ...) USW_BY_FORM(USW_MERGE_, __VA_ARGS__)(n)

/* The value of a variable, on the host. */
#define USW_TOTAL_PLAIN(n) a->n
#define USW_TOTAL_NONE(n) a->n
#define USW_TOTAL_SUM(n) USW_ACCURATE(value, a->n)(&a->n)
#define USW_R_TOTAL(T, n, ...)                                                                                         \
  static inline USW_UNUSED T USW_OF(_total_, n)(const USW_F(_acc) * a) {                                               \
    return USW_BY_FORM(USW_TOTAL_, __VA_ARGS__)(n);                                                                    \
  }

/* A trial: begin as ready for numbers as `other` is; whether all that came fitted; make room for what did not; add what
 * did. */
#define USW_R_LIKE(T, n, ...) USW_IF_SUM(__VA_ARGS__)(USW_ACCURATE(like, a->n)(&a->n, &other->n);)
#define USW_R_AND_FITS(T, n, ...) USW_IF_SUM(__VA_ARGS__)(&USW_ACCURATE(fits, a->n)(&a->n))
#define USW_R_OR_FULL(T, n, ...) USW_IF_SUM(__VA_ARGS__)(| USW_ACCURATE(is_full, a->n)(&a->n))
#define USW_R_AND_LEARN(T, n, ...) USW_IF_SUM(__VA_ARGS__)(&USW_ACCURATE(learn, a->n)(&a->n, &b->n))
#define USW_JOIN_TRIAL_PLAIN(n) USW_MERGE_PLAIN(n)
#define USW_JOIN_TRIAL_NONE(n) USW_MERGE_NONE(n)
#define USW_JOIN_TRIAL_SUM(n) USW_ACCURATE(join, a->n)(&a->n, &b->n, 1);
#define USW_R_JOIN_TRIAL(T, n, ...) USW_BY_FORM(USW_JOIN_TRIAL_, __VA_ARGS__)(n)
/* The same with a sum alone, which is not full and which the trial then has, too. */
#define USW_R_JOIN_SUM(T, n, ...)                                                                                      \
  USW_IF_SUM(__VA_ARGS__)(USW_ACCURATE(join, a->n)(&a->n, &trial->n, 0); trial->n = a->n;)

/* In a sub-group (sums.h). */
#define USW_R_AND_ALIGN(T, n, ...) USW_IF_SUM(__VA_ARGS__)(&USW_ACCURATE(align, a->n)(&a->n, values))
#define USW_ADD_ALIGNED_PLAIN(n) USW_MERGE_PLAIN(n)
#define USW_ADD_ALIGNED_NONE(n) USW_MERGE_NONE(n)
#define USW_ADD_ALIGNED_SUM(n) USW_ACCURATE(add_aligned, a->n)(&a->n, &b->n, is_quick);
#define USW_R_ADD_ALIGNED(T, n, ...) USW_BY_FORM(USW_ADD_ALIGNED_, __VA_ARGS__)(n)

/* A reproducible sum, if it is all that the kernel has, as columns (binned_exchange.h). */
#define USW_R_AND_IN_COLUMNS(T, n, ...)                                                                                \
  &&(int)USW_OF(_level_, n) == USW_REPRODUCIBLE && sizeof(((const USW_F(_acc) *)0)->n) == sizeof(USW_F(_acc))
#define USW_R_PACK(T, n, ...) USW_IF_SUM(__VA_ARGS__)(window = USW_ACCURATE(pack, a->n)(&a->n, most, units);)
#define USW_R_UNPACK(T, n, ...) USW_IF_SUM(__VA_ARGS__)(USW_ACCURATE(unpack, a->n)(&a->n, window, units);)

#define USW_R_SLIDE(T, n, ...) USW_IF_SUM(__VA_ARGS__)(USW_ACCURATE(slide_to, a->n)(&a->n, window);)

/* Checked builds remember the first index outside its span; the others trust the body. */
#ifdef USW_CHECKED
#define USW_CHECKED_FIELDS                                                                                             \
  uint64_t usw_bad_index;                                                                                              \
  uint64_t usw_bad_reducer; /* 1 + position; 0: none */
#define USW_CHECK_INDEX(n)                                                                                             \
  if (index >= USW_OF(_extent_in_, n)(s)) {                                                                            \
    if (a->usw_bad_reducer == 0) {                                                                                     \
      a->usw_bad_index = index;                                                                                        \
      a->usw_bad_reducer = 1u + USW_OF(_position_, n);                                                                 \
    }                                                                                                                  \
    return;                                                                                                            \
  }
#define USW_CHECKED_MERGE                                                                                              \
  if (a->usw_bad_reducer == 0) {                                                                                       \
    a->usw_bad_index = b->usw_bad_index;                                                                               \
    a->usw_bad_reducer = b->usw_bad_reducer;                                                                           \
  }
#else
#define USW_CHECKED_FIELDS
#define USW_CHECK_INDEX(n)
#define USW_CHECKED_MERGE
#endif

/* What the clause reduces by OpenMP's own operator: one variable. */
#define USW_R_TYPE(T, n, ...) T
#define USW_R_NAME(T, n, ...) n
#define USW_R_CLAUSE(T, n, ...) USW_2ND(USW_CAT(USW_NATIVE_, USW_1ST(__VA_ARGS__)))
#define USW_NO_SPAN(T, n, ...) USW_ASSERT(sizeof(T) == 0, "span '" #n "': USW_NATIVE_CLAUSE is for one variable");

#endif
