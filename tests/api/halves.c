/* Reducers of 16-bit floating types: each step is rounded to the type; NaN and -0 as for the wider ones; spans of them; the
 * known identities.   halves [--place NAME] */
#include <math.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

enum { BINS = 3, MOST_ITEMS = 20011 };

/* For a type: extremes of all numbers, sums of whole numbers (exact, as long as they are small), products of powers of 2. */
#define USW_KERNEL of_f16
#define USW_ARGS(IN, ARRAY, VALUE) IN(usw_f16_t, x) IN(uint8_t, bin) VALUE(float, step)
#define USW_REDUCERS(R, S)                                                                                             \
  R(usw_f16_t, least, USW_MINIMUM)                                                                                     \
  R(usw_f16_t, most, USW_MAXIMUM)                                                                                      \
  R(usw_f16_t, sum, USW_PLUS)                                                                                          \
  R(usw_f16_t, product, USW_MULTIPLIES)                                                                                \
  S(usw_f16_t, most_of, BINS, USW_MAXIMUM)                                                                             \
  S(usw_f16_t, sums, BINS, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_combine(least, x);
  usw_combine(most, x);
  usw_combine(most, usw_identity_of(most));
  if (i % 97 == 0)
    usw_add(sum, usw_float_to_f16(step));
  usw_multiply(product, usw_float_to_f16(i % 3 == 0 ? 2 : i % 3 == 1 ? -0.5f : -1));
  usw_combine_at(most_of, bin, x);
  if (i % 97 == 0)
    usw_add_at(sums, bin, usw_float_to_f16(1));
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL of_bf16
#define USW_ARGS(IN, ARRAY, VALUE) IN(usw_bf16_t, x) IN(uint8_t, bin) VALUE(float, step)
#define USW_REDUCERS(R, S)                                                                                             \
  R(usw_bf16_t, least, USW_MINIMUM)                                                                                    \
  R(usw_bf16_t, most, USW_MAXIMUM)                                                                                     \
  R(usw_bf16_t, sum, USW_PLUS)                                                                                         \
  R(usw_bf16_t, product, USW_MULTIPLIES)                                                                               \
  S(usw_bf16_t, most_of, BINS, USW_MAXIMUM)                                                                            \
  S(usw_bf16_t, sums, BINS, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_combine(least, x);
  usw_combine(most, x);
  usw_combine(most, usw_identity_of(most));
  if (i % 97 == 0)
    usw_add(sum, usw_float_to_bf16(step));
  usw_multiply(product, usw_float_to_bf16(i % 3 == 0 ? 2 : i % 3 == 1 ? -0.5f : -1));
  usw_combine_at(most_of, bin, x);
  if (i % 97 == 0)
    usw_add_at(sums, bin, usw_float_to_bf16(1));
}
#include <upsweep/kernel_end.h>

USW_ASSERT(USW_HAS_KNOWN_IDENTITY(USW_PLUS, usw_f16_t) && USW_HAS_KNOWN_IDENTITY(USW_MAXIMUM, usw_bf16_t),
           "identities");
USW_ASSERT(!USW_HAS_KNOWN_IDENTITY(USW_BIT_OR, usw_f16_t) && !USW_HAS_KNOWN_IDENTITY(USW_LOGICAL_OR, usw_bf16_t),
           "bits");
USW_ASSERT(USW_REDUCER_OPERATION(of_bf16, most_of) == (int)USW_MAXIMUM, "operators");

static uint8_t bin[MOST_ITEMS];
static test_place_t place;
static place_memory_t bin_there;

/* The order that minimum and maximum have: -0 before +0. */
static int before(float a, float b) { return a < b || (a == b && signbit(a) && !signbit(b)); }
static float least_of(float a, float b) { return isnan(a) || isnan(b) ? NAN : before(b, a) ? b : a; }
static float most_of(float a, float b) { return isnan(a) || isnan(b) ? NAN : before(a, b) ? b : a; }

/* HALF(tag, n, k): the run over the first n of the tag's numbers, against a loop over floats. */
#define HALF_TEST(tag)                                                                                                 \
  static usw_##tag##_t x_##tag[MOST_ITEMS];                                                                            \
  static place_memory_t x_##tag##_there;                                                                               \
  static void compare_##tag(size_t n, usw_##tag##_t original, unsigned skip) {                                         \
    usw_##tag##_t least = original, most = original, product = usw_float_to_##tag(1), sum = usw_float_to_##tag(3);     \
    usw_##tag##_t most_of_bin[BINS] = {original, original, original}, sums[BINS];                                      \
    float low = usw_##tag##_to_float(original), high = low, whole = 3, power = 1, highs[BINS], counts[BINS];           \
    usw_options_t options = place_options(&place);                                                                     \
    options.initialize_to_identity = skip; /* of least */                                                              \
    low = skip ? INFINITY : low;                                                                                       \
    for (int k = 0; k < BINS; k++) {                                                                                   \
      sums[k] = usw_float_to_##tag(0);                                                                                 \
      counts[k] = 0;                                                                                                   \
      highs[k] = high;                                                                                                 \
    }                                                                                                                  \
    for (size_t i = 0; i < n; i++) {                                                                                   \
      const float x = usw_##tag##_to_float(x_##tag[i]);                                                                \
      low = least_of(low, x);                                                                                          \
      high = most_of(high, x);                                                                                         \
      highs[bin[i]] = most_of(highs[bin[i]], x);                                                                       \
      whole += i % 97 == 0 ? 1.0f : 0.0f;                                                                              \
      counts[bin[i]] += i % 97 == 0 ? 1.0f : 0.0f;                                                                     \
      power *= i % 3 == 0 ? 2 : i % 3 == 1 ? -0.5f : -1;                                                               \
    }                                                                                                                  \
    CHECK_STATUS(USW_OK, of_##tag(n, (const usw_##tag##_t *)x_##tag##_there.data, (const uint8_t *)bin_there.data, 1,  \
                                  &least, &most, &sum, &product, most_of_bin, sums, &options));                        \
    CHECK_F64((double)low, (double)usw_##tag##_to_float(least));                                                       \
    CHECK_F64((double)high, (double)usw_##tag##_to_float(most));                                                       \
    CHECK_F64((double)whole, (double)usw_##tag##_to_float(sum));                                                       \
    CHECK_F64((double)power, (double)usw_##tag##_to_float(product));                                                   \
    for (int k = 0; k < BINS; k++) {                                                                                   \
      CHECK_F64((double)highs[k], (double)usw_##tag##_to_float(most_of_bin[k]));                                       \
      CHECK_F64((double)counts[k], (double)usw_##tag##_to_float(sums[k]));                                             \
    }                                                                                                                  \
  }                                                                                                                    \
  /* A sum that needs one bit more than the type has is rounded at once, ties to even. */                              \
  static void rounds_##tag(float first_even, float step, float expected) {                                             \
    usw_##tag##_t least, most, product, sum = usw_float_to_##tag(first_even), most_of_bin[BINS], sums[BINS];           \
    usw_options_t options = place_options(&place);                                                                     \
    options.initialize_to_identity = 0x3b;                                                                             \
    CHECK_STATUS(USW_OK, of_##tag(1, (const usw_##tag##_t *)x_##tag##_there.data, (const uint8_t *)bin_there.data,     \
                                  step, &least, &most, &sum, &product, most_of_bin, sums, &options));                  \
    CHECK_F64((double)expected, (double)usw_##tag##_to_float(sum));                                                    \
  }                                                                                                                    \
  /* Numbers of both signs, then the ones that decide about zeros, infinities and NaN, at their places. */             \
  static void run_##tag(uint16_t infinity) {                                                                           \
    static const size_t sizes[] = {0, 1, 2, 7, 16, 255, 4097, MOST_ITEMS};                                             \
    const uint16_t specials[] = {0,                                                                                    \
                                 0x8000,                                                                               \
                                 1,                                                                                    \
                                 0x8001,                                                                               \
                                 infinity,                                                                             \
                                 (uint16_t)(infinity | 0x8000),                                                        \
                                 (uint16_t)(infinity + 1),                                                             \
                                 (uint16_t)(infinity + 0x8001),                                                        \
                                 0x7fff,                                                                               \
                                 0xffff};                                                                              \
    const size_t special_count = sizeof specials / sizeof *specials;                                                   \
    for (size_t s = 0; s <= special_count; s++) {                                                                      \
      const int zeros = s < 4;                                                                                         \
      for (size_t i = 0; i < MOST_ITEMS; i++)                                                                          \
        x_##tag[i] = usw_float_to_##tag(zeros ? 0.0f : (float)(i * 2654435761u % 2003) - 1001);                        \
      if (s < special_count) {                                                                                         \
        x_##tag[0].bits = x_##tag[4096].bits = specials[s];                                                            \
        x_##tag[MOST_ITEMS - 1].bits = specials[s];                                                                    \
      }                                                                                                                \
      x_##tag##_there = memory_get(&place, x_##tag, sizeof x_##tag, s % 2 * 2);                                        \
      for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)                                                        \
        compare_##tag(sizes[k], usw_float_to_##tag(zeros ? -0.0f : 0.5f), s % 2);                                      \
      if (s == 0) {                                                                                                    \
        const float first_even = infinity == 0x7c00 ? 2048 : 256;                                                      \
        rounds_##tag(first_even, 1, first_even);                                                                       \
        rounds_##tag(first_even, 3, first_even + 4);                                                                   \
      }                                                                                                                \
      memory_free(&x_##tag##_there);                                                                                   \
    }                                                                                                                  \
  }
HALF_TEST(f16)
HALF_TEST(bf16)

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  for (size_t i = 0; i < MOST_ITEMS; i++)
    bin[i] = (uint8_t)(i * 7 % 11 % BINS);
  bin_there = memory_get(&place, bin, sizeof bin, 1);
  run_f16(0x7c00);
  run_bf16(0x7f80);
  memory_free(&bin_there);
  return check_report();
}
