/* Data that is hard to add up: exact numbers made from integers alone, so that every machine has the same. */
#ifndef USW_TESTS_HARD_DATA_H
#define USW_TESTS_HARD_DATA_H

#include "oracle/items.h"

#define HARD_SETS(ROW)                                                                                                 \
  ROW(unit)            /* evenly from -1 to 1 */                                                                       \
  ROW(condition_1e16)  /* the sum of the absolute values is 1e16 times the sum (2^25 times for f16) */                 \
  ROW(whole_range)     /* every exponent of the type down to its least subnormal number */                             \
  ROW(subnormals)      /* nothing else */                                                                              \
  ROW(largest)         /* of either sign in turn: partial sums and norms overflow */                                   \
  ROW(ties)            /* half-way between multiples of a lowest unit, beside large numbers that cancel */             \
  ROW(one_large)       /* so that a window slides whose bins have carried */                                           \
  ROW(low_scale)       /* the same where a window slides that scales tiny numbers, or tiny squares */                  \
  ROW(high_scale)      /* the same of huge numbers, or huge squares */                                                 \
  ROW(one_infinity)    /* among numbers from -1 to 1, as the next two */                                               \
  ROW(both_infinities) /* of opposite sign */                                                                          \
  ROW(one_nan)                                                                                                         \
  ROW(zeros) /* of either sign; -0 alone where n is odd */

typedef enum {
#define HARD_VALUE(name) HARD_##name,
  HARD_SETS(HARD_VALUE)
#undef HARD_VALUE
      HARD_COUNT
} hard_set_t;

const char *hard_name(hard_set_t set);

/* Whether there is such data of the type. */
int hard_fits(hard_set_t set, usw_type_t type);

/* n items of the set, and a second stream whose products with them are as hard. No numbers: those pointers are NULL. Free
 * them with items_free(). */
items_t hard_items(hard_set_t set, usw_type_t type, size_t n);

/* Add their values as numbers. */
void hard_numbers(items_t *items);

/* The same items in another order, which the seed decides; 0: reversed. */
items_t hard_shuffled(const items_t *items, uint64_t seed);

#endif
