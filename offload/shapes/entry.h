/* What every shape needs of its entry: names made of the entry's name, operator and type. Each shape defines USW_KERNEL and
 * its lists from these. */
#ifndef UPSWEEP_SHAPES_ENTRY_H
#define UPSWEEP_SHAPES_ENTRY_H

#include <upsweep/element.h>
#include <upsweep/order.h>
#include <upsweep/ranks.h>
#include <upsweep/reducer.h>
#include <upsweep/totals.h>

#define USW_TAGGED_(before, tag, after) before##tag##after
#define USW_TAGGED(before, tag, after) USW_TAGGED_(before, tag, after)
#define USW_ENTRY_KERNEL USW_CAT(USW_CAT(USW_ENTRY_NAME, _), USW_ENTRY_TYPE) /* sum_f64 */
#define USW_ENTRY_OPERATION USW_CAT(USW_, USW_ENTRY_OPERATOR)                /* USW_PLUS */
#define USW_ENTRY_ELEMENT USW_TAGGED(usw_, USW_ENTRY_TYPE, _t)               /* double */
#define USW_ENTRY_SUM USW_TAGGED(usw_sum_, USW_ENTRY_TYPE, _t)               /* what double adds up to */
#define USW_ENTRY_REAL USW_TAGGED(usw_real_, USW_ENTRY_TYPE, _t)             /* what a norm of doubles is */
#define USW_ENTRY_KEY USW_TAGGED(usw_key_, USW_ENTRY_TYPE, _t)               /* what orders double */
#define USW_ENTRY_CODE USW_TAGGED(USW_CODE_OF_, USW_ENTRY_TYPE, )            /* USW_F64 */

/* Elements of a block. */
#define USW_ENTRY_BLOCK ((uint32_t)(16 / sizeof(USW_ENTRY_ELEMENT)))

/* The functions of element.h and order.h for the entry's type. */
#define USW_ENTRY_VALUE USW_CAT(usw_value_, USW_ENTRY_TYPE)
#define USW_ENTRY_TRUTH USW_CAT(usw_truth_, USW_ENTRY_TYPE)
#define USW_ENTRY_NONZERO USW_CAT(usw_nonzero_, USW_ENTRY_TYPE)
#define USW_ENTRY_ABSOLUTE USW_CAT(usw_absolute_, USW_ENTRY_TYPE)
#define USW_ENTRY_TO_KEY USW_CAT(usw_key_, USW_ENTRY_TYPE)
#define USW_ENTRY_FROM_KEY USW_CAT(usw_from_key_, USW_ENTRY_TYPE)
#define USW_ENTRY_ONLY_NANS USW_CAT(usw_only_nans_, USW_ENTRY_TYPE)
#define USW_ENTRY_KEY_OF_EQUALS USW_CAT(usw_key_of_equals_, USW_ENTRY_TYPE)

/* The functions of ranks.h. */
#define USW_ENTRY_LEAST(x, vectors, nan, turn)                                                                         \
  USW_CAT(usw_least_, USW_ENTRY_TYPE)(x, vectors, nan, (turn) == 0 ? 0 : UINT32_MAX)
#define USW_ENTRY_FIRST(x, vectors, nan, turn, position)                                                               \
  USW_CAT(usw_first_, USW_ENTRY_TYPE)(x, vectors, nan, (turn) == 0 ? 0 : UINT32_MAX, position)

/* That of running.h. */
#define USW_ENTRY_RUNNING(x, nan, turn, extreme, results)                                                              \
  USW_CAT(usw_running_, USW_ENTRY_TYPE)(x, nan, (turn) == 0 ? 0 : UINT32_MAX, extreme, results)

#define USW_ENTRY_BOUNDS(x, vectors, least, greatest) USW_CAT(usw_bounds_, USW_ENTRY_TYPE)(x, vectors, least, greatest)

/* Those of totals.h. */
#define USW_ENTRY_TOTAL(x, vectors) USW_CAT(usw_total_, USW_ENTRY_TYPE)(x, vectors)
#define USW_ENTRY_TOTAL_OF_PRODUCTS(x, y, vectors) USW_CAT(usw_total_of_products_, USW_ENTRY_TYPE)(x, y, vectors)
#define USW_ENTRY_PRODUCT(x, vectors) USW_CAT(usw_product_, USW_ENTRY_TYPE)(x, vectors)

/* What turns the keys so that the entry's extremum is a minimum. */
#define USW_ENTRY_TURN ((USW_ENTRY_KEY)USW_CAT(USW_TURN_, USW_ENTRY_OPERATOR))
#define USW_TURN_MINIMUM 0
#define USW_TURN_MAXIMUM -1

/* USW_CODE_OF_f64 is USW_F64. */
enum {
#define USW_ENTRY_TYPE_CODE(tag, CODE, code, ...) USW_CODE_OF_##tag = code,
  USW_TYPES(USW_ENTRY_TYPE_CODE, )
#undef USW_ENTRY_TYPE_CODE
};

/* What traits.def says of the entry's type, for the preprocessor. */
#define USW_TRAIT_OF(pick, ...) pick(__VA_ARGS__)
#define USW_TRAIT(pick) USW_TRAIT_OF(pick, USW_CAT(USW_TRAITS_, USW_ENTRY_TYPE))
#define USW_ENTRY_IS_COMPLEX USW_TRAIT(USW_TRAIT_COMPLEX)
#define USW_ENTRY_IS_HALF USW_TRAIT(USW_TRAIT_HALF)
#define USW_ENTRY_IS_WIDE USW_TRAIT(USW_TRAIT_WIDE)
#define USW_ENTRY_INTEGER_BYTES USW_TRAIT(USW_TRAIT_INTEGER_BYTES)
#define USW_ENTRY_RANKS USW_TRAIT(USW_TRAIT_RANKS)
#define USW_ENTRY_HAS_FIRST USW_TRAIT(USW_TRAIT_FIRST)
#define USW_ENTRY_HAS_RUNS USW_TRAIT(USW_TRAIT_RUNS)
#define USW_ENTRY_HAS_NARROW_TOTALS USW_TRAIT(USW_TRAIT_NARROW_TOTALS)
#include "traits.def"

#define USW_ENTRY_IS_INTEGER (USW_ENTRY_INTEGER_BYTES > 0)
#define USW_ENTRY_IS_BYTES (USW_ENTRY_INTEGER_BYTES == 1)
#define USW_ENTRY_IS_LONG (USW_ENTRY_INTEGER_BYTES == 8)
#define USW_ENTRY_IS_WORDS (USW_ENTRY_INTEGER_BYTES >= 4)
/* 1 for floats that the host compares by itself (extremum_of_run.h). */
#define USW_ENTRY_IS_COMPARED (!USW_ENTRY_IS_COMPLEX && !USW_ENTRY_IS_HALF && USW_ENTRY_INTEGER_BYTES == 0)
/* 1 where totals.h has totals of the type. */
#define USW_ENTRY_HAS_TOTALS (USW_ENTRY_INTEGER_BYTES == 1 || USW_ENTRY_INTEGER_BYTES == 2)

/* 1 where the operator is an accurate sum. */
#define USW_ENTRY_IS_ACCURATE USW_CAT(USW_IS_ACCURATE_, USW_ENTRY_OPERATOR)
#define USW_IS_ACCURATE_PLUS_COMPENSATED 1
#define USW_IS_ACCURATE_PLUS_REPRODUCIBLE 1
/* 1 where OpenMP's own operator may reduce a real number: one variable, which it adds. */
#define USW_ENTRY_IS_NATIVE (!USW_ENTRY_IS_ACCURATE && !USW_ENTRY_PASSES_NANS)

#define USW_ENTRY_EXTREMUM_OF_RUN(OPERATOR) USW_CAT(USW_CAT(usw_, OPERATOR), USW_CAT(_of_run_, USW_ENTRY_TYPE))

/* Of integers of 8 and 16 bits: what holds a product of so many of them. */
#define USW_ENTRY_WORD USW_CAT(USW_WORD_OF_, USW_ENTRY_TYPE)
#define USW_ENTRY_FACTORS (4 / (int)sizeof(USW_ENTRY_ELEMENT))
#define USW_WORD_OF_i8 int32_t
#define USW_WORD_OF_i16 int32_t
#define USW_WORD_OF_u8 uint32_t
#define USW_WORD_OF_u16 uint32_t

/* Sums of integers have the same bits in any order. */
#define USW_ENTRY_FACTS                                                                                                \
  ((USW_ENTRY_IS_INTEGER ? USW_FACT_EXACT : 0) | (USW_ENTRY_PASSES_NANS ? USW_FACT_PASSES_NANS : 0))

/* Where NaNs are passed over: a last reducer that counts what was not, and the fact that says so. A complex number is a NaN if
 * one of its parts is. */
#define USW_ENTRY_BY_POLICY(what) USW_CAT(what, USW_ENTRY_PASSES_NANS)
#define USW_ENTRY_KEPT(R) USW_ENTRY_BY_POLICY(USW_KEPT_)(R)
#define USW_ENTRY_KEEP(is_number) USW_ENTRY_BY_POLICY(USW_KEEP_)(is_number)
#define USW_ENTRY_IS_NUMBER(x) USW_ENTRY_BY_POLICY(USW_IS_NUMBER_)(x)
#define USW_KEPT_0(R)
#define USW_KEPT_1(R) R(uint64_t, kept, USW_PLUS)
#define USW_KEEP_0(is_number) (void)(is_number)
#define USW_KEEP_1(is_number) usw_combine(kept, (uint64_t)(is_number))
#define USW_IS_NUMBER_0(x) 1
#define USW_IS_NUMBER_1(x) (int)(USW_ENTRY_VALUE(x) == USW_ENTRY_VALUE(x))

#endif

/* As a scan an entry writes a result for each item. (kernel_end.h undefines it, and a file may have several entries.) */
#if USW_SCAN && !defined(USW_OUTPUTS)
#define USW_OUTPUTS(OUT) OUT(USW_RESULT, result)
#endif
