/* Operators of the user's that write to their parameters, themselves or through a helper that takes the address: structures
 * of several sizes, several kernels in one file. LLVM 19's OpenMPOpt has lost such writes on GPUs, where a file has many
 * functions: see offload/include/upsweep/engine/team_functions.h.
 *   by_value [--place NAME] */
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

enum { MOST_ITEMS = 50021 };

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* Sums and a maximum of COUNT numbers, by an operator that writes to x itself, and by one that hands its address on. */
#define TYPE(COUNT)                                                                                                    \
  typedef struct {                                                                                                     \
    uint16_t least;                                                                                                    \
    uint64_t at[COUNT];                                                                                                \
  } numbers_##COUNT;                                                                                                   \
  static inline void add_##COUNT(numbers_##COUNT *to, const numbers_##COUNT *from) {                                   \
    to->least = to->least < from->least ? to->least : from->least;                                                     \
    for (int k = 0; k < COUNT; k++)                                                                                    \
      to->at[k] = k % 2 ? to->at[k] + from->at[k] : to->at[k] > from->at[k] ? to->at[k] : from->at[k];                 \
  }                                                                                                                    \
  static inline numbers_##COUNT through_##COUNT(numbers_##COUNT x, numbers_##COUNT y) {                                \
    add_##COUNT(&x, &y);                                                                                               \
    return x;                                                                                                          \
  }                                                                                                                    \
  static inline numbers_##COUNT itself_##COUNT(numbers_##COUNT x, numbers_##COUNT y) {                                 \
    x.least = y.least < x.least ? y.least : x.least;                                                                   \
    for (int k = 0; k < COUNT; k++)                                                                                    \
      x.at[k] = k % 2 ? x.at[k] + y.at[k] : x.at[k] > y.at[k] ? x.at[k] : y.at[k];                                     \
    return x;                                                                                                          \
  }                                                                                                                    \
  static inline numbers_##COUNT scaled_##COUNT(numbers_##COUNT x, uint64_t factor) {                                   \
    for (int k = 0; k < COUNT; k++)                                                                                    \
      x.at[k] *= factor;                                                                                               \
    return x;                                                                                                          \
  }                                                                                                                    \
  static inline numbers_##COUNT none_##COUNT(void) {                                                                   \
    numbers_##COUNT none;                                                                                              \
    none.least = 65535;                                                                                                \
    for (int k = 0; k < COUNT; k++)                                                                                    \
      none.at[k] = 0;                                                                                                  \
    return none;                                                                                                       \
  }                                                                                                                    \
  static inline numbers_##COUNT numbers_of_##COUNT(uint64_t i, uint32_t x) {                                           \
    numbers_##COUNT numbers = none_##COUNT();                                                                          \
    numbers.least = (uint16_t)(x % 65521);                                                                             \
    for (int k = 0; k < COUNT; k++)                                                                                    \
      numbers.at[k] = (x >> k) + i % 7;                                                                                \
    return scaled_##COUNT(numbers, 3);                                                                                 \
  }
TYPE(1)
TYPE(2)
TYPE(4)
TYPE(7)
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

#define USW_KERNEL kernel_1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x)
#define USW_REDUCERS(R, S)                                                                                             \
  R(numbers_1, through, through_1, none_1()) R(numbers_1, itself, itself_1) S(numbers_1, bins, 3, through_1, none_1())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_combine(through, numbers_of_1(i, x));
  usw_combine(itself, numbers_of_1(i, x));
  usw_combine_at(bins, x % 3, numbers_of_1(i, x));
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL kernel_2
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x)
#define USW_REDUCERS(R, S)                                                                                             \
  R(numbers_2, through, through_2) R(numbers_2, itself, itself_2, none_2()) S(numbers_2, bins, 3, itself_2, none_2())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_combine(through, numbers_of_2(i, x));
  usw_combine(itself, numbers_of_2(i, x));
  usw_combine_at(bins, x % 3, numbers_of_2(i, x));
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL kernel_4
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x)
#define USW_REDUCERS(R, S)                                                                                             \
  R(numbers_4, through, through_4, none_4())                                                                           \
  R(numbers_4, itself, itself_4, none_4()) S(numbers_4, bins, 3, through_4, none_4())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_combine(through, numbers_of_4(i, x));
  usw_combine(itself, numbers_of_4(i, x));
  usw_combine_at(bins, x % 3, numbers_of_4(i, x));
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL kernel_7
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x)
#define USW_REDUCERS(R, S)                                                                                             \
  R(numbers_7, through, through_7, none_7())                                                                           \
  R(numbers_7, itself, itself_7, none_7()) S(numbers_7, bins, 3, itself_7, none_7())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_combine(through, numbers_of_7(i, x));
  usw_combine(itself, numbers_of_7(i, x));
  usw_combine_at(bins, x % 3, numbers_of_7(i, x));
}
#include <upsweep/kernel_end.h>

static uint32_t x[MOST_ITEMS];
static test_place_t place;

/* Numbers have padding: compared one by one. */
#define TEST(COUNT)                                                                                                    \
  static int same_##COUNT(const numbers_##COUNT *a, const numbers_##COUNT *b) {                                        \
    return a->least == b->least && memcmp(a->at, b->at, sizeof a->at) == 0;                                            \
  }                                                                                                                    \
  static void test_##COUNT(size_t n, usw_strategy_t strategy) {                                                        \
    numbers_##COUNT all = none_##COUNT(), expected[3] = {all, all, all}, through = all, itself = all;                  \
    numbers_##COUNT bins[3] = {all, all, all};                                                                         \
    place_memory_t memory = memory_get(&place, x, n * sizeof *x, 0);                                                   \
    usw_options_t options = place_options(&place);                                                                     \
    options.strategy = strategy;                                                                                       \
    options.accuracy = USW_FAST;                                                                                       \
    for (size_t i = 0; i < n; i++) {                                                                                   \
      const numbers_##COUNT item = numbers_of_##COUNT(i, x[i]);                                                        \
      add_##COUNT(&all, &item);                                                                                        \
      add_##COUNT(&expected[x[i] % 3], &item);                                                                         \
    }                                                                                                                  \
    CHECK_STATUS(USW_OK, kernel_##COUNT(n, (const uint32_t *)memory.data, &through, &itself, bins, &options));         \
    CHECK(same_##COUNT(&all, &through));                                                                               \
    CHECK(same_##COUNT(&all, &itself));                                                                                \
    for (int k = 0; k < 3; k++)                                                                                        \
      CHECK(same_##COUNT(&expected[k], &bins[k]));                                                                     \
    memory_free(&memory);                                                                                              \
  }
TEST(1)
TEST(2)
TEST(4)
TEST(7)

int main(int argc, char **argv) {
  static const size_t sizes[] = {1, 2, 33, 1000, 4097, MOST_ITEMS};
  static const usw_strategy_t strategies[] = {USW_AUTO_STRATEGY, USW_STRATEGY_TREE, USW_STRATEGY_MULTIPASS,
                                              USW_STRATEGY_CLAUSE};
  place = place_of_arguments(argc, argv);
  for (size_t i = 0; i < MOST_ITEMS; i++)
    x[i] = (uint32_t)(i * 2654435761u) >> 4;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t k = 0; k < (place.place == USW_HOST ? 1 : strcmp(place.target, "simt") == 0 ? 3 : 4); k++) {
      test_1(sizes[s], strategies[k]);
      test_2(sizes[s], strategies[k]);
      test_4(sizes[s], strategies[k]);
      test_7(sizes[s], strategies[k]);
    }
  return check_report();
}
