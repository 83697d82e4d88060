/* Patterns of data: what is likely to go wrong, by name. */
#ifndef USW_TESTS_PATTERN_H
#define USW_TESTS_PATTERN_H

#include <stddef.h>
#include <upsweep/types.h>

/* ROW(name, for which class of types, exact): exact says that every partial sum of elements, and of
 * products of two of them, is an integer that the type holds, so that no order may change the sum. */
#define PATTERNS(ROW)                                                                                                  \
  ROW(ramp, ANY, 1)             /* -4 .. 8, again and again */                                                         \
  ROW(equal, ANY, 1)            /* all the same */                                                                     \
  ROW(ties, ANY, 1)             /* few values, each many times */                                                      \
  ROW(zeros, ANY, 1)            /* -0 and +0 in turn */                                                                \
  ROW(zeros_plus_first, ANY, 1) /* +0, then -0 */                                                                      \
  ROW(least_last, ANY, 1)       /* 5, and at the end -3 */                                                             \
  ROW(greatest_first, ANY, 1)   /* 6, then 5 */                                                                        \
  ROW(random, ANY, 0)           /* -1 .. 1, or any bits of integers */                                                 \
  ROW(extremes, ANY, 0)         /* the type's limits in turn: integer sums wrap */                                     \
  ROW(cancelling, FLOATING, 0)  /* +1e16, 1, -1e16, ... */                                                             \
  ROW(wide, FLOATING, 0)        /* magnitudes from 1e-18 to 1e18 */                                                    \
  ROW(subnormals, FLOATING, 0)  /* the smallest numbers there are */                                                   \
  ROW(nan_first, FLOATING, 0)                                                                                          \
  ROW(nan_middle, FLOATING, 0)                                                                                         \
  ROW(nan_last, FLOATING, 0)                                                                                           \
  ROW(nan_often, FLOATING, 0) /* every third, of either sign */                                                        \
  ROW(nan_all, FLOATING, 0)                                                                                            \
  ROW(infinity_plus, FLOATING, 0) /* one of them, among numbers */                                                     \
  ROW(infinity_minus, FLOATING, 0)                                                                                     \
  ROW(infinity_both, FLOATING, 0)                                                                                      \
  ROW(infinity_all, FLOATING, 0) /* nothing but +infinity */

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

/* Fill x[0 .. n-1]; the seed changes what is random. */
void pattern_fill(pattern_t pattern, usw_type_t type, void *x, size_t n, uint64_t seed);

size_t type_bytes(usw_type_t type);
const char *type_name(usw_type_t type);
int type_is_floating(usw_type_t type);

#endif
