/* What every shape needs of its row: names made of the row's name, operator and type. Each shape defines USW_KERNEL and
 * its lists from these. */
#ifndef UPSWEEP_SHAPES_ROW_H
#define UPSWEEP_SHAPES_ROW_H

#include <upsweep/element.h>
#include <upsweep/order.h>
#include <upsweep/ranks.h>
#include <upsweep/reducer.h>
#include <upsweep/totals.h>

#define USW_TAGGED_(before, tag, after) before##tag##after
#define USW_TAGGED(before, tag, after) USW_TAGGED_(before, tag, after)
#define USW_ROW_KERNEL USW_CAT(USW_CAT(USW_ROW_NAME, _), USW_ROW_TYPE) /* sum_f64 */
#define USW_ROW_OPERATION USW_CAT(USW_, USW_ROW_OPERATOR)              /* USW_PLUS */
#define USW_ROW_ELEMENT USW_TAGGED(usw_, USW_ROW_TYPE, _t)             /* double */
#define USW_ROW_SUM USW_TAGGED(usw_sum_, USW_ROW_TYPE, _t)             /* what double adds up to */
#define USW_ROW_REAL USW_TAGGED(usw_real_, USW_ROW_TYPE, _t)           /* what a norm of doubles is */
#define USW_ROW_KEY USW_TAGGED(usw_key_, USW_ROW_TYPE, _t)             /* what orders double */
#define USW_ROW_CODE USW_TAGGED(USW_CODE_OF_, USW_ROW_TYPE, )          /* USW_F64 */

/* Elements of a block. */
#define USW_ROW_BLOCK ((uint32_t)(16 / sizeof(USW_ROW_ELEMENT)))

/* The functions of element.h and order.h for the row's type. */
#define USW_ROW_VALUE USW_CAT(usw_value_, USW_ROW_TYPE)
#define USW_ROW_TRUTH USW_CAT(usw_truth_, USW_ROW_TYPE)
#define USW_ROW_NONZERO USW_CAT(usw_nonzero_, USW_ROW_TYPE)
#define USW_ROW_ABSOLUTE USW_CAT(usw_absolute_, USW_ROW_TYPE)
#define USW_ROW_TO_KEY USW_CAT(usw_key_, USW_ROW_TYPE)
#define USW_ROW_FROM_KEY USW_CAT(usw_from_key_, USW_ROW_TYPE)
#define USW_ROW_ONLY_NANS USW_CAT(usw_only_nans_, USW_ROW_TYPE)

/* The functions of ranks.h. */
#define USW_ROW_LEAST(x, rows, nan, turn) USW_CAT(usw_least_, USW_ROW_TYPE)(x, rows, nan, (turn) == 0 ? 0 : UINT32_MAX)
#define USW_ROW_FIRST(x, rows, nan, turn, position)                                                                    \
  USW_CAT(usw_first_, USW_ROW_TYPE)(x, rows, nan, (turn) == 0 ? 0 : UINT32_MAX, position)

#define USW_ROW_BOUNDS(x, rows, least, greatest) USW_CAT(usw_bounds_, USW_ROW_TYPE)(x, rows, least, greatest)

/* Those of totals.h. */
#define USW_ROW_TOTAL(x, rows) USW_CAT(usw_total_, USW_ROW_TYPE)(x, rows)
#define USW_ROW_TOTAL_OF_PRODUCTS(x, y, rows) USW_CAT(usw_total_of_products_, USW_ROW_TYPE)(x, y, rows)
#define USW_ROW_PRODUCT(x, rows) USW_CAT(usw_product_, USW_ROW_TYPE)(x, rows)

/* What turns the keys so that the row's extremum is a minimum. */
#define USW_ROW_TURN ((USW_ROW_KEY)USW_CAT(USW_TURN_, USW_ROW_OPERATOR))
#define USW_TURN_MINIMUM 0
#define USW_TURN_MAXIMUM -1

/* USW_CODE_OF_f64 is USW_F64, USW_IS_INTEGER_f64 is 0. */
enum {
#define USW_ROW_TYPE_FACTS(tag, CODE, code, type, value, sum, real, key, class, ...)                                   \
  USW_CODE_OF_##tag = code, USW_IS_INTEGER_##tag = 0 USW_HAS_LOGICAL_##class(+1),
  USW_TYPES(USW_ROW_TYPE_FACTS, )
#undef USW_ROW_TYPE_FACTS
};

/* For the preprocessor: 0 for complex types, whose products OpenMP's own operator would make by C's rules. */
#define USW_ROW_IS_SCALAR !USW_CAT(USW_IS_COMPLEX_, USW_ROW_TYPE)
#define USW_IS_COMPLEX_cf32 1
#define USW_IS_COMPLEX_cf64 1

/* The same: 1 where the operator is an accurate sum; 1 where OpenMP's own operator may reduce. */
#define USW_ROW_IS_ACCURATE USW_CAT(USW_IS_ACCURATE_, USW_ROW_OPERATOR)
#define USW_IS_ACCURATE_PLUS_COMPENSATED 1
#define USW_IS_ACCURATE_PLUS_REPRODUCIBLE 1
/* 1 where the square of an element takes more than a double. */
#define USW_ROW_IS_WIDE USW_CAT(USW_IS_WIDE_, USW_ROW_TYPE)
#define USW_IS_WIDE_f64 1
#define USW_IS_WIDE_cf64 1
/* 1 where ranks (ranks.h) tell the least of many elements; 2 where they tell the first such, too: of types of 8 and 16 bits. */
#define USW_ROW_RANKS USW_CAT(USW_RANKS_, USW_ROW_TYPE)
#define USW_RANKS_f32 1
#define USW_RANKS_f16 2
#define USW_RANKS_bf16 2
#define USW_RANKS_i16 2
#define USW_RANKS_i8 2
#define USW_RANKS_u16 2
#define USW_RANKS_u8 2
/* 1 where they tell the first of many elements; 2 where that takes longer than to compare an element at a time, unless more
 * is done with each. */
#define USW_ROW_HAS_FIRST (USW_ROW_RANKS > 1 ? 1 : USW_CAT(USW_HAS_FIRST_, USW_ROW_TYPE))
#define USW_HAS_FIRST_i64 1
#define USW_HAS_FIRST_u64 1
#define USW_HAS_FIRST_f64 2
#define USW_HAS_FIRST_f32 2
#define USW_HAS_FIRST_i32 2
#define USW_HAS_FIRST_u32 2
/* 1 where the host sooner looks for the least of some elements and then for its place than for both at once. */
#define USW_ROW_HAS_RUNS (!USW_CAT(USW_HAS_NO_RUNS_, USW_ROW_TYPE))
#define USW_HAS_NO_RUNS_f64 1
#define USW_ROW_IS_LONG USW_CAT(USW_IS_LONG_, USW_ROW_TYPE)
#define USW_IS_LONG_i64 1
#define USW_IS_LONG_u64 1
/* 1 where they are floats that the host compares by itself (extremum_of_run.h). */
#define USW_ROW_IS_COMPARED USW_CAT(USW_IS_COMPARED_, USW_ROW_TYPE)
#define USW_IS_COMPARED_f64 1
#define USW_IS_COMPARED_f32 1
#define USW_ROW_EXTREMUM_OF_RUN(OPERATOR) USW_CAT(USW_CAT(usw_, OPERATOR), USW_CAT(_of_run_, USW_ROW_TYPE))
/* 1 where they are floats of 16 bits. */
#define USW_ROW_IS_HALF USW_CAT(USW_IS_HALF_, USW_ROW_TYPE)
#define USW_IS_HALF_f16 1
#define USW_IS_HALF_bf16 1
/* 1 where they are integers of 32 or 64 bits. */
#define USW_ROW_IS_WORDS USW_CAT(USW_IS_WORDS_, USW_ROW_TYPE)
#define USW_IS_WORDS_i32 1
#define USW_IS_WORDS_u32 1
#define USW_IS_WORDS_i64 1
#define USW_IS_WORDS_u64 1
/* 1 where four elements are a word; 1 where totals.h has their totals. */
#define USW_ROW_IS_BYTES USW_CAT(USW_IS_BYTES_, USW_ROW_TYPE)
#define USW_IS_BYTES_i8 1
#define USW_IS_BYTES_u8 1
#define USW_ROW_HAS_TOTALS (USW_ROW_IS_BYTES || USW_CAT(USW_HAS_TOTALS_, USW_ROW_TYPE))
#define USW_HAS_TOTALS_i16 1
#define USW_HAS_TOTALS_u16 1
/* Of integers of 8 and 16 bits: what holds a product of so many of them. */
#define USW_ROW_WORD USW_CAT(USW_WORD_OF_, USW_ROW_TYPE)
#define USW_ROW_FACTORS (4 / (int)sizeof(USW_ROW_ELEMENT))
#define USW_WORD_OF_i8 int32_t
#define USW_WORD_OF_i16 int32_t
#define USW_WORD_OF_u8 uint32_t
#define USW_WORD_OF_u16 uint32_t
/* 1 where the host adds the elements of a run up in 32 bits sooner than in 64. Of u8 compilers know a shorter way. */
#define USW_ROW_HAS_NARROW_TOTALS USW_CAT(USW_HAS_NARROW_TOTALS_, USW_ROW_TYPE)
#define USW_HAS_NARROW_TOTALS_i8 1
#define USW_HAS_NARROW_TOTALS_i16 1
#define USW_HAS_NARROW_TOTALS_u16 1
#define USW_ROW_IS_NATIVE (USW_ROW_IS_SCALAR && !USW_ROW_IS_ACCURATE)

#define USW_ROW_IS_INTEGER USW_CAT(USW_IS_INTEGER_, USW_ROW_TYPE)

/* Sums of integers have the same bits in any order. */
#define USW_ROW_FACTS (USW_ROW_IS_INTEGER ? USW_FACT_EXACT : 0)

#endif
