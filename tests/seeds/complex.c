/* Complex numbers, the trivially copyable type that the library itself knows: sums and products, their identities, and an
 * operator of the user's without one.   complex [--place NAME] */
#include <string.h>
#include <upsweep/upsweep.h>

#include "strategies.h"

#define IDENTITY_REDUCERS(R)                                                                                           \
  R(IDENTITY_TYPE, plus, USW_PLUS)                                                                                     \
  R(IDENTITY_TYPE, multiplies, USW_MULTIPLIES)
#define IDENTITY_KERNEL identities_of_cf32
#define IDENTITY_TYPE usw_cf32_t
#include "identity_kernel.h"
#define IDENTITY_KERNEL identities_of_cf64
#define IDENTITY_TYPE usw_cf64_t
#include "identity_kernel.h"

/* Complex numbers by their parts, in C and in C++. */
static inline usw_cf64_t of_parts(double real, double imaginary) {
  const double parts[2] = {real, imaginary};
  usw_cf64_t z;
  memcpy((void *)&z, parts, sizeof z);
  return z;
}

static inline double part(usw_cf64_t z, int which) {
  double parts[2];
  memcpy(parts, (const void *)&z, sizeof parts);
  return parts[which];
}

/* The one of larger imaginary part, then of larger real part. */
static inline usw_cf64_t higher(usw_cf64_t x, usw_cf64_t y) {
  const double x_real = USW_REAL_PART(x), x_imaginary = USW_IMAGINARY_PART(x);
  const double y_real = USW_REAL_PART(y), y_imaginary = USW_IMAGINARY_PART(y);
  return y_imaginary > x_imaginary || (y_imaginary == x_imaginary && y_real > x_real) ? y : x;
}

#define USW_KERNEL complex_numbers
#define USW_ARGS(IN, ARRAY, VALUE) IN(usw_cf64_t, z) IN(usw_cf32_t, w)
#define USW_REDUCERS(R, S)                                                                                             \
  R(usw_cf64_t, sum, USW_PLUS)                                                                                         \
  R(usw_cf32_t, narrow_sum, USW_PLUS)                                                                                  \
  R(usw_cf64_t, product, USW_MULTIPLIES)                                                                               \
  R(usw_cf64_t, highest, higher)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(sum, z);
  usw_add(narrow_sum, w);
  if (i % 64 == 0)
    usw_combine(product, z);
  usw_combine(highest, z);
}
#include <upsweep/kernel_end.h>

enum { ITEMS = 3000, SUM = 1, NARROW_SUM = 2, PRODUCT = 4 };

/* Small integers and powers of i and of 1 + i: all sums and products are exact, in every order. */
static void fill(double *z, float *w) {
  static const double turns[4][2] = {{0, 1}, {-1, 0}, {1, 1}, {0, -1}};
  for (int i = 0; i < ITEMS; i++) {
    z[2 * i] = i % 64 == 0 ? turns[i / 64 % 4][0] : i % 50 - 25;
    z[2 * i + 1] = i % 64 == 0 ? turns[i / 64 % 4][1] : i * 7 % 40 - 10;
    w[2 * i] = (float)(i % 9 - 4);
    w[2 * i + 1] = (float)(i % 5);
  }
}

typedef struct {
  double sum[2], narrow_sum[2], product[2], highest[2];
} parts_t;

static parts_t serial(size_t n, const double *z, const float *w, uint64_t skip) {
  parts_t p = {{100, 200}, {3, 4}, {2, -1}, {7, 29}};
  if (skip & SUM)
    p.sum[0] = p.sum[1] = 0;
  if (skip & NARROW_SUM)
    p.narrow_sum[0] = p.narrow_sum[1] = 0;
  if (skip & PRODUCT) {
    p.product[0] = 1;
    p.product[1] = 0;
  }
  for (size_t i = 0; i < n; i++) {
    const double real = z[2 * i], imaginary = z[2 * i + 1];
    for (size_t k = 0; k < 2; k++) {
      p.sum[k] += z[2 * i + k];
      p.narrow_sum[k] += (double)w[2 * i + k];
    }
    if (i % 64 == 0) {
      const double product_real = p.product[0] * real - p.product[1] * imaginary;
      p.product[1] = p.product[0] * imaginary + p.product[1] * real;
      p.product[0] = product_real;
    }
    if (imaginary > p.highest[1] || (imaginary == p.highest[1] && real > p.highest[0])) {
      p.highest[0] = real;
      p.highest[1] = imaginary;
    }
  }
  return p;
}

static void check(size_t n, const place_memory_t *z, const place_memory_t *w, parts_t expected,
                  const usw_options_t *options) {
  usw_cf64_t sum = of_parts(100, 200), product = of_parts(2, -1), highest = of_parts(7, 29);
  const float narrow_original[2] = {3, 4};
  float narrow[2];
  usw_cf32_t narrow_sum;
  memcpy((void *)&narrow_sum, narrow_original, sizeof narrow_sum);
  CHECK_STATUS(USW_OK, complex_numbers(n, (const usw_cf64_t *)z->data, (const usw_cf32_t *)w->data, &sum, &narrow_sum,
                                       &product, &highest, options));
  memcpy(narrow, (const void *)&narrow_sum, sizeof narrow);
  for (int k = 0; k < 2; k++) {
    CHECK(expected.sum[k] == part(sum, k));
    CHECK(expected.narrow_sum[k] == (double)narrow[k]);
    CHECK(expected.product[k] == part(product, k));
    CHECK(expected.highest[k] == part(highest, k));
  }
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 2, 65, 255, 300, 1025, ITEMS};
  static double z[2 * ITEMS];
  static float w[2 * ITEMS];
  const test_place_t place = place_of_arguments(argc, argv);
  const strategies_t strategies = strategies_of(&place);
  fill(z, w);
  place_memory_t z_there = memory_get(&place, z, sizeof z, 0), w_there = memory_get(&place, w, sizeof w, 8);
  for (int s = 0; s < strategies.count; s++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      usw_options_t options = strategies.options[s];
      check_identities_of_cf32(sizes[k], options);
      check_identities_of_cf64(sizes[k], options);
      for (uint64_t skip = 0; skip < 8; skip++) {
        options.initialize_to_identity = skip;
        check(sizes[k], &z_there, &w_there, serial(sizes[k], z, w, skip), &options);
      }
    }
  memory_free(&z_there);
  memory_free(&w_there);
  return check_report();
}
