/* What a reduction must give, computed one item after the other by the words of the contract, with nothing of the
 * engine: elements and results are turned into long doubles, which hold every element type; sums are exact (exact.h),
 * extremes found by comparisons. */
#ifndef USW_ORACLE_H
#define USW_ORACLE_H

#include <stddef.h>
#include <upsweep/upsweep.h>

#include "exact.h"
#include "row.h"

USW_BEGIN_C

/* Any result of the library. */
typedef union {
  double f64;
  int64_t i64;
  uint64_t u64;
  unsigned char bytes[64];
} result_t;

/* An element: a complex number, or a real one with im = 0. */
typedef struct {
  long double re, im;
} number_t;

typedef enum {
  PART_SAME,       /* the same number, the sign of zero included; NaN is NaN */
  PART_NEAR,       /* within the error; what is no finite number must be the same */
  PART_NOT_FINITE, /* infinity or NaN: the contract leaves open which */
  PART_OPEN        /* anything: an overflow or underflow may come on the way or not */
} part_check_t;

/* One number of a result. */
typedef struct {
  part_check_t check;
  long double value;       /* exact, to 64 bits or more */
  long double error;       /* that PART_NEAR allows */
  long double rounded;     /* the value in the result's format, rounded once */
  format_t format;         /* of what is rounded; 0 bits: of an integer, a truth value or a chosen element */
  long double magnitude;   /* what usw_explain()'s bound is a share of; of moments, what cancels */
  long double largest;     /* of the items: |x[i]|, |x[i]*y[i]|, where that is what the bound is a share of */
  long double underflow;   /* what products and roots below the format's normal numbers may add to that bound */
  long double variance_of; /* so many items, if it is a variance, of which usw_explain() says nothing; else 0 */
} oracle_part_t;

enum { MOST_PARTS = 7 };

/* The numbers that a result is made of: in structures the extremes come first, then indices, count, mean, variance. */
typedef struct {
  const row_t *row;
  uint64_t kept; /* as usw_report_t::kept */
  int count;
  oracle_part_t part[MOST_PARTS];
} oracle_t;

/* Elements as numbers: x[0 .. n-1] of the type. */
void numbers_of(usw_type_t type, const void *x, size_t n, number_t *numbers_out);

/* How a reduction may round: chain is the most additions that any element goes through, is_exact says that the elements
 * are small integers (pattern.h). */
typedef struct {
  double chain;
  int is_exact;
} rounding_t;

/* The result of n items x (and y, of two streams). */
oracle_t oracle_of(const row_t *row, const number_t *x, const number_t *y, size_t n, usw_nan_t nan,
                   rounding_t rounding);

/* The same where the NaN policy is for extremes, norm_inf and describe alone. */
oracle_t oracle_of_all(const row_t *row, const number_t *x, const number_t *y, size_t n, usw_nan_t nan,
                       rounding_t rounding);

/* Whether one of its numbers is right. */
int oracle_part_agrees(const oracle_part_t *part, long double got);

/* Whether a result is right; if not, why says in a line what was expected and what came. */
int oracle_agrees(const oracle_t *oracle, const result_t *got, char *why, size_t why_bytes);

/* Whether the order of the items may show in the last bits: sums, products, norms and moments of floating types. */
int row_is_rounded(const row_t *row);

/* The numbers of a result; returns how many. */
int result_parts(const row_t *row, const result_t *result, long double parts_out[MOST_PARTS]);

/* Whether two results of the same reduction have the same bits; every NaN counts as the same. */
int results_equal(const row_t *row, const result_t *a, const result_t *b);

USW_END_C

#endif
