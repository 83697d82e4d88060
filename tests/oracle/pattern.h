/* Element types as the oracle sees them, and patterns of data: what is likely to go wrong, by name. */
#ifndef USW_ORACLE_PATTERN_H
#define USW_ORACLE_PATTERN_H

#include <stddef.h>
#include <upsweep/export.h>
#include <upsweep/types.h>

USW_BEGIN_C

/* ROW(name, for which classes of types, exact): exact says that all elements are small integers, so that no order
 * may change a sum of them, or of products of two of them, that stays in the range of whole numbers. */
#define PATTERNS(ROW)                                                                                                  \
  ROW(ramp, ANY, 1)             /* -4 .. 8, again and again */                                                         \
  ROW(equal, ANY, 1)            /* all the same */                                                                     \
  ROW(ties, ANY, 1)             /* few values, each many times */                                                      \
  ROW(signs, ANY, 1)            /* 1 and -1 */                                                                         \
  ROW(zeros, ANY, 1)            /* -0 and +0 in turn */                                                                \
  ROW(zeros_plus_first, ANY, 1) /* +0, then -0 */                                                                      \
  ROW(zeros_minus_last, ANY, 1) /* +0, and at the end -0 */                                                            \
  ROW(one_zero, ANY, 1)         /* in the middle of 3 */                                                               \
  ROW(one_nonzero, ANY, 1)      /* 5, among zeros */                                                                   \
  ROW(least_last, ANY, 1)       /* 5, and at the end -3 */                                                             \
  ROW(greatest_first, ANY, 1)   /* 6, then 5 */                                                                        \
  ROW(offset, ANY, 1)           /* far from zero and close together: a careless variance cancels */                    \
  ROW(one_clear, INTEGERS, 0)   /* all bits set, but for some of one element */                                        \
  ROW(random, ANY, 0)           /* -1 .. 1, or any bits of integers */                                                 \
  ROW(near_one, ANY, 0)         /* 1 and few numbers close to it, of either sign; odd integers: for products */        \
  ROW(extremes, ANY, 0)         /* the type's limits in turn: integer sums wrap */                                     \
  ROW(cancelling, REALS, 0)     /* +1e16, 1, -1e16, ... */                                                             \
  ROW(wide, REALS, 0)           /* magnitudes from 1e-18 to 1e18 */                                                    \
  ROW(huge, REALS, 0)           /* whose squares overflow and whose sums do not */                                     \
  ROW(tiny, REALS, 0)           /* normal numbers whose squares underflow */                                           \
  ROW(huge_and_tiny, REALS, 0)                                                                                         \
  ROW(root_of_largest, REALS, 0) /* whose squares are about the largest number */                                      \
  ROW(root_of_least, REALS, 0)   /* whose squares are below the least normal number */                                 \
  ROW(subnormals, REALS, 0)      /* the smallest numbers there are */                                                  \
  ROW(near_largest, REALS, 0)    /* whose sum is close to the largest number, and below it */                          \
  ROW(over_largest, REALS, 0)    /* of which three are too large for a sum */                                          \
  ROW(nan_first, REALS, 0)                                                                                             \
  ROW(nan_middle, REALS, 0)                                                                                            \
  ROW(nan_last, REALS, 0)                                                                                              \
  ROW(nan_often, REALS, 0) /* every third, of either sign and any payload */                                           \
  ROW(nan_all, REALS, 0)                                                                                               \
  ROW(infinity_plus, REALS, 0) /* one of them, among numbers */                                                        \
  ROW(infinity_minus, REALS, 0)                                                                                        \
  ROW(infinity_both, REALS, 0)                                                                                         \
  ROW(infinity_all, REALS, 0)      /* nothing but +infinity */                                                         \
  ROW(infinity_near_one, REALS, 0) /* one of them, among numbers close to 1: for products */

typedef enum {
#define PATTERN_VALUE(name, types, exact) PATTERN_##name,
  PATTERNS(PATTERN_VALUE)
#undef PATTERN_VALUE
      PATTERN_COUNT
} pattern_t;

const char *pattern_name(pattern_t pattern);
int pattern_is_exact(pattern_t pattern);
/* Whether the pattern means something for the type. */
int pattern_fits(pattern_t pattern, usw_type_t type);

/* Fill x[0 .. n-1]; the seed changes what is random. The imaginary parts of complex numbers are the same pattern from
 * its other end. */
void pattern_fill(pattern_t pattern, usw_type_t type, void *x, size_t n, uint64_t seed);

typedef enum { CLASS_INTEGER, CLASS_HALF, CLASS_FLOATING, CLASS_COMPLEX, CLASS_BOOLEAN } type_class_t;

/* What must be known of an element type; the limits are those of one part of a complex number. */
typedef struct {
  const char *name;
  size_t bytes;
  type_class_t class_of;
  int is_signed;                /* integers */
  usw_type_t sum, real;         /* codes of the types of sums and norms; USW_NO_TYPE where there are none */
  double epsilon;               /* of floating types */
  double largest, least_normal; /* of floating types */
  double tiniest;               /* the smallest subnormal */
} type_facts_t;

/* The facts of a type; of USW_NO_TYPE or an unknown code: NULL. */
const type_facts_t *type_facts(usw_type_t type);
size_t type_bytes(usw_type_t type);
const char *type_name(usw_type_t type);
/* Whether elements can be NaN. */
int type_is_floating(usw_type_t type);

USW_END_C

#endif
