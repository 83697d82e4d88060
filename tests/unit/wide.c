/* Integers of 640 bits (engine/wide.h) and their rounding: against exact sums of the oracle, against __int128, and by laws. */
#include <upsweep/engine/wide.h>

#include <stdlib.h>

#include "oracle/exact.h"
#include "support/check.h"

enum { BITS = USW_WIDE_LIMBS * USW_WIDE_LIMB_BITS, ROUNDS = 3000 };

static const format_t f64 = {53, -1074, DBL_MAX}, f32 = {24, -149, FLT_MAX};

static uint64_t random_state = 0x9e3779b97f4a7c15u;
static uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

/* Of any length, also 0. */
static int64_t random_integer(void) {
  const uint64_t bits = random_bits() >> (random_bits() % 64);
  return random_bits() % 16 == 0 ? 0 : (int64_t)(random_bits() & 1 ? bits : 0 - bits);
}

static usw_wide_t wide_of(int64_t x, int shift) {
  usw_wide_t a = usw_wide_zero(0);
  usw_wide_add_integer(&a, x, shift);
  return a;
}

static int is_same(const usw_wide_t *a, const usw_wide_t *b) {
  for (int k = 0; k < USW_WIDE_LIMBS; k++)
    if (a->limb[k] != b->limb[k])
      return 0;
  return a->exponent == b->exponent;
}

static double rounded(const usw_wide_t *a, const format_t *format) {
  return usw_wide_round(a, format->bits, format->least_bit);
}

/* Sums of integers with shifts that reach every limb, in every exponent whose sums the oracle has. */
static void sums(void) {
  for (int round = 0; round < ROUNDS; round++) {
    const int exponent = -1290 + (int)(random_bits() % 1700), span = 1 + (int)(random_bits() % (BITS - 66));
    const int is_float = random_bits() & 1, count = 1 + (int)(random_bits() % 9);
    usw_wide_t sum = usw_wide_zero(exponent);
    exact_t exact = {0};
    for (int k = 0; k < count; k++) {
      const int shift = (int)(random_bits() % (uint64_t)span);
      const int64_t x = random_integer();
      usw_wide_add_integer(&sum, x, shift);
      exact_add(&exact, ldexpl((long double)x, shift + exponent));
    }
    const format_t *format = is_float ? &f32 : &f64;
    CHECK_F64((double)exact_rounded(&exact, *format),
              is_float ? (double)(float)rounded(&sum, format) : rounded(&sum, format));
    usw_wide_t negative = sum;
    usw_wide_negate(&negative);
    const int is_zero = usw_wide_highest(&sum) < 0;
    CHECK_F64(is_zero ? 0 : -rounded(&sum, format), rounded(&negative, format));
    usw_wide_negate(&negative);
    CHECK(is_same(&sum, &negative));
    CHECK(usw_wide_is_negative(&sum) == (exact_value(&exact) < 0));
  }
}

/* What __int128 can do, at every shift. */
static void small(void) {
  for (int round = 0; round < ROUNDS; round++) {
    const int64_t x = random_integer(), y = random_integer();
    const int shift = (int)(random_bits() % 62), more = (int)(random_bits() % (BITS - 192));
    const unsigned __int128 expected = ((unsigned __int128)(__int128)x << shift) + (unsigned __int128)(__int128)y;
    usw_wide_t a = wide_of(x, shift + more), product;
    usw_wide_add_integer(&a, y, more);
    CHECK_U64((uint64_t)expected, usw_wide_bits(&a, more));
    CHECK_U64((uint64_t)(expected >> 64), usw_wide_bits(&a, more + 64));
    CHECK_U64((uint64_t)((__int128)expected >> 127), usw_wide_bits(&a, BITS - 64));
    CHECK(usw_wide_is_negative(&a) == ((__int128)expected < 0));
    a = wide_of(x, 0);
    product = wide_of(y, more / 2 % 200);
    product = usw_wide_product(&a, &product);
    const unsigned __int128 of_both = (unsigned __int128)((__int128)x * y);
    CHECK_U64((uint64_t)of_both, usw_wide_bits(&product, more / 2 % 200));
    CHECK_U64((uint64_t)(of_both >> 64), usw_wide_bits(&product, more / 2 % 200 + 64));
  }
}

/* Numbers of up to 310 bits. */
static usw_wide_t random_wide(void) {
  usw_wide_t a = usw_wide_zero(0);
  const int count = (int)(random_bits() % 7);
  for (int k = 0; k < count; k++)
    usw_wide_add_integer(&a, random_integer(), (int)(random_bits() % 240));
  return a;
}

static void laws(void) {
  for (int round = 0; round < ROUNDS; round++) {
    const usw_wide_t a = random_wide(), b = random_wide(), c = random_wide();
    const int shift = (int)(random_bits() % 320);
    usw_wide_t sum = a, other = usw_wide_product(&b, &c), shifted = usw_wide_zero(0), power = wide_of(1, shift);
    usw_wide_add(&sum, &b, 0);
    sum = usw_wide_product(&sum, &c);
    usw_wide_t of_parts = usw_wide_product(&a, &c);
    usw_wide_add(&of_parts, &other, 0);
    CHECK(is_same(&sum, &of_parts)); /* (a + b) c = a c + b c */
    other = usw_wide_product(&c, &b);
    usw_wide_add(&shifted, &a, shift);
    power = usw_wide_product(&power, &a);
    CHECK(is_same(&shifted, &power)); /* a shifted = a times a power of 2 */
    of_parts = usw_wide_product(&b, &c);
    CHECK(is_same(&other, &of_parts));
    usw_wide_negate(&other);
    usw_wide_add(&of_parts, &other, 0);
    CHECK_I64(-1, usw_wide_highest(&of_parts)); /* less itself: nothing is left */
    CHECK(!usw_wide_any_below(&of_parts, BITS));
  }
  usw_wide_t a = usw_wide_zero(-3), b = usw_wide_zero(5);
  CHECK_I64(2, usw_wide_product(&a, &b).exponent);
}

/* A quotient times its divisor, and a rest that is less than that. */
static void quotients(void) {
  for (int round = 0; round < ROUNDS; round++) {
    const uint64_t some = random_bits() >> (random_bits() % 64), divisor = some ? some : 1;
    usw_wide_t rest = random_wide(), by = wide_of((int64_t)(divisor >> 1), 1);
    if (usw_wide_is_negative(&rest))
      usw_wide_negate(&rest);
    usw_wide_t quotient = rest;
    const int has_rest = usw_wide_divide(&quotient, divisor);
    usw_wide_add_integer(&by, (int64_t)(divisor & 1), 0);
    by = usw_wide_product(&quotient, &by);
    usw_wide_negate(&by);
    usw_wide_add(&rest, &by, 0);
    CHECK(!usw_wide_is_negative(&quotient) && !usw_wide_is_negative(&rest));
    CHECK(usw_wide_highest(&rest) < 64 && usw_wide_bits(&rest, 0) < divisor);
    CHECK(has_rest == (usw_wide_highest(&rest) >= 0));
  }
}

/* One bit at every place. */
static void bits(void) {
  for (int place = 0; place < BITS - 1; place++) {
    const usw_wide_t one = wide_of(1, place);
    usw_wide_t minus = one;
    usw_wide_negate(&minus);
    CHECK_I64(place, usw_wide_highest(&one));
    CHECK_I64(BITS - 1, usw_wide_highest(&minus));
    CHECK(!usw_wide_any_below(&one, place) && usw_wide_any_below(&one, place + 1));
    CHECK_U64(1, usw_wide_bits(&one, place));
    CHECK_U64(0, usw_wide_bits(&one, place + 1));
    CHECK_U64(place < 63 ? (uint64_t)1 << place : place == 63 ? (uint64_t)1 << 63 : 0, usw_wide_bits(&one, 0));
    CHECK_F64(ldexp(1, place), rounded(&one, &f64));
  }
}

/* Halves, and what lies beside them, of numbers of every kind: Python's Fraction says the same. */
static void rounding(void) {
  static const struct {
    int64_t high, low; /* high * 2^100 + low */
    int exponent;
    double as_double, as_float;
  } cases[] = {
      {0, 0, 0, 0, 0},
      {0, 1, -1074, 0x1p-1074, 0},
      {0, -1, -1200, -0.0, -0.0}, /* the sign stays */
      {-1, 0, -1300, -0.0, -0.0},
      {0, 1, -1075, 0, 0}, /* a tie: to even */
      {0, 3, -1076, 0x1p-1074, 0},
      {0, -3, -1075, -0x1p-1073, -0.0},
      {0, -5, -1075, -0x1p-1073, -0.0},
      {0, 1, -1200, 0, 0},
      {1, 0, -1175, 0, 0},
      {1, 1, -1175, 0x1p-1074, 0},
      {1, -1, -1175, 0, 0},
      {0, 0x1fffffffffffff, -1075, 0x1p-1022, 0}, /* the largest subnormal and a half */
      {0, 0x1ffffffffffffe, -1075, 0x0.fffffffffffffp-1022, 0},
      {0, 0x20000000000001, 0, 0x1p53, 0x1p53},
      {0, 0x20000000000003, 0, 0x1.0000000000002p53, 0x1p53},
      {0, 0x1000001, 0, 0x1.000001p24, 0x1p24},
      {0, 0x1000003, 0, 0x1.000003p24, 0x1.000004p24},
      {0, 0x3ffffff, -151, 0x1.ffffff8p-126, 0x1p-125},
      {0, 1, -150, 0x1p-150, 0},
      {0, 3, -151, 0x1.8p-150, 0x1p-149},
      {1, 0, -250, 0x1p-150, 0},
      {1, 1, -250, 0x1p-150, 0x1p-149},
      {-1, -1, -250, -0x1p-150, -0x1p-149},
      {-1, 1, -250, -0x1p-150, -0.0},
      {0x1fffffffffffff, 0, 871, DBL_MAX, INFINITY},
      {0x3fffffffffffff, -1, 870, DBL_MAX, INFINITY},
      {0x3fffffffffffff, 0, 870, INFINITY, INFINITY},
      {-0x3fffffffffffff, 0, 870, -INFINITY, -INFINITY},
      {0x1ffffff, -1, 3, 0x1.ffffffp127, FLT_MAX},
      {0x1ffffff, 0, 3, 0x1.ffffffp127, INFINITY},
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    usw_wide_t a = usw_wide_zero(cases[k].exponent);
    usw_wide_add_integer(&a, cases[k].high, 100);
    usw_wide_add_integer(&a, cases[k].low, 0);
    CHECK_F64(cases[k].as_double, rounded(&a, &f64));
    CHECK_F64(cases[k].as_float, (double)(float)rounded(&a, &f32));
  }
}

int main(void) {
  sums();
  small();
  laws();
  quotients();
  bits();
  rounding();
  return check_report();
}
