/* What a reduction must give, computed one item after the other by the words of the contract, with
 * nothing of the engine: sums in extended precision with compensation, extremes by comparisons. */
#ifndef USW_TESTS_ORACLE_H
#define USW_TESTS_ORACLE_H

#include <stddef.h>
#include <upsweep/upsweep.h>

/* Any result of the library. */
typedef union {
  double f64;
  float f32;
  int64_t i64;
  uint64_t u64;
  int32_t i32;
  uint8_t u8;
  usw_located_f64_t located;
  usw_describe_f64_t describe;
  unsigned char bytes[64];
} result_t;

typedef struct {
  usw_operation_t operation;
  usw_type_t type;
  result_t expected;
  long double sum;   /* floating sums and dots: before rounding */
  double error;      /* largest distance that is right, of a sum or dot */
  double mean_error; /* of a description's mean */
  double variance_error;
  int has_infinity; /* of a description: moments are not numbers */
} oracle_t;

/* Bytes that usw_reduce() writes. */
size_t result_bytes(usw_operation_t operation, usw_type_t type);

/* The result of n items of contiguous x (and y, for USW_DOT). chain is the most additions that any
 * element goes through, and 0 says that every partial sum is exact. */
oracle_t oracle_of(usw_operation_t operation, usw_type_t type, const void *x, const void *y, size_t n, usw_nan_t nan,
                   double chain);

/* Whether a result is right; if not, why says in a line what was expected and what came. */
int oracle_agrees(const oracle_t *oracle, const result_t *got, char *why, size_t why_bytes);

/* Whether two results of the same reduction have the same bits; every NaN counts as the same. */
int results_equal(usw_operation_t operation, usw_type_t type, const result_t *a, const result_t *b);

/* -0 < +0, and otherwise by value; neither may be NaN. */
int number_is_below(double a, double b);

#endif
