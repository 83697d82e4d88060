#include "oracle.h"

#include <float.h>
#include <math.h>

#include "pattern.h"

static int is_nan(number_t x) { return isnan(x.re) || isnan(x.im); }
static int is_infinite(number_t x) { return isinf(x.re) || isinf(x.im); }
static int is_zero(number_t x) { return x.re == 0 && x.im == 0; }
static long double modulus(number_t x) { return x.im == 0 ? fabsl(x.re) : hypotl(x.re, x.im); }
static number_t conjugate(number_t x) { return (number_t){x.re, -x.im}; }
static number_t product_of(number_t a, number_t b) {
  return (number_t){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* An integer element modulo 2^64, and what such a number is in a type of that signedness and size. */
static uint64_t wrapped(number_t x) { return x.re < 0 ? (uint64_t)(int64_t)x.re : (uint64_t)x.re; }
static long double unwrapped(uint64_t x, int is_signed, size_t bytes) {
  const int unused = 64 - 8 * (int)bytes;
  return is_signed ? (long double)((int64_t)(x << unused) >> unused) : (long double)(x << unused >> unused);
}

/* The parts of an oracle. */

static void expect(oracle_t *o, part_check_t check, long double value, long double error) {
  o->part[o->count].check = check;
  o->part[o->count].value = value;
  o->part[o->count++].error = error;
}

static void expect_same(oracle_t *o, long double value) { expect(o, PART_SAME, value, 0); }

/* Near a value, or open where the type may overflow on the way there; NaN comes whatever overflows. */
static void expect_near(oracle_t *o, long double value, long double error, int may_overflow) {
  expect(o, may_overflow && !isnan(value) ? PART_OPEN : PART_NEAR, value, error);
}

/* Sums. */

/* Neumaier's sum; infinities and NaNs by IEEE's rules. */
typedef struct {
  long double sum, rest, magnitudes;
  int has_nan, has_plus, has_minus;
} exact_sum_t;

static void add(exact_sum_t *s, long double x) {
  if (isnan(x))
    s->has_nan = 1;
  else if (isinf(x))
    *(x > 0 ? &s->has_plus : &s->has_minus) = 1;
  else {
    const long double t = s->sum + x;
    s->rest += fabsl(s->sum) >= fabsl(x) ? (s->sum - t) + x : (x - t) + s->sum;
    s->sum = t;
    s->magnitudes += fabsl(x);
  }
}

static long double total(const exact_sum_t *s) {
  if (s->has_nan || (s->has_plus && s->has_minus))
    return NAN;
  return s->has_plus ? INFINITY : s->has_minus ? -INFINITY : s->sum + s->rest;
}

/* One rounding per addition, each at most half an epsilon of a partial sum, and some for each term: we allow twice that,
 * and that each term loses a subnormal. Whole numbers below 2 / epsilon are not rounded. Nothing at all sums to +0. */
static void expect_sum(oracle_t *o, const exact_sum_t *s, const type_facts_t *f, size_t n, rounding_t rounding) {
  const int is_whole = rounding.is_exact && s->magnitudes <= 2 / f->epsilon;
  const long double error = (rounding.chain + 4) * f->epsilon * s->magnitudes + (long double)n * f->tiniest;
  if (n == 0)
    expect_same(o, 0.0L);
  else
    expect_near(o, total(s), is_whole ? 0 : error, s->magnitudes > f->largest / 2);
}

/* Item i of a sum, a dot or a conjugated dot. */
static number_t term_of(const oracle_t *o, const number_t *x, const number_t *y, size_t i) {
  if (!y)
    return x[i];
  return product_of(o->row->operation == USW_DOTC ? conjugate(x[i]) : x[i], y[i]);
}

static void floating_sum(oracle_t *o, const number_t *x, const number_t *y, size_t n, rounding_t rounding) {
  const type_facts_t *f = type_facts(type_facts(o->row->type)->sum);
  exact_sum_t re = {0}, im = {0};
  for (size_t i = 0; i < n; i++) {
    const number_t term = term_of(o, x, y, i);
    add(&re, term.re);
    add(&im, term.im);
    if (y && f->class_of == CLASS_COMPLEX && !is_nan(term) && !is_infinite(term)) {
      /* a difference of products is rounded by the size of the products */
      re.magnitudes += fabsl(x[i].re * y[i].re) + fabsl(x[i].im * y[i].im) - fabsl(term.re);
      im.magnitudes += fabsl(x[i].re * y[i].im) + fabsl(x[i].im * y[i].re) - fabsl(term.im);
    }
  }
  expect_sum(o, &re, f, n, rounding);
  if (f->class_of == CLASS_COMPLEX)
    expect_sum(o, &im, f, n, rounding);
}

static void integer_sum(oracle_t *o, const number_t *x, const number_t *y, size_t n) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += wrapped(x[i]) * (y ? wrapped(y[i]) : 1);
  expect_same(o, unwrapped(sum, type_facts(o->row->type)->is_signed, 8));
}

/* Products. */

static void integer_product(oracle_t *o, const number_t *x, size_t n) {
  uint64_t product = 1;
  for (size_t i = 0; i < n; i++)
    product *= wrapped(x[i]);
  expect_same(o, unwrapped(product, type_facts(o->row->type)->is_signed, 8));
}

/* What is known of a product: it, and how far the partial products of any order may rise and fall, in powers of two. */
typedef struct {
  number_t product;
  double rise, fall;
  int has_nan, has_infinity, has_zero;
} factors_t;

static factors_t multiply(const number_t *x, size_t n) {
  factors_t f = {.product = {1, 0}};
  for (size_t i = 0; i < n; i++) {
    const long double size = modulus(x[i]);
    f.product = x[i].im == 0 && f.product.im == 0 ? (number_t){f.product.re * x[i].re, 0} : product_of(f.product, x[i]);
    f.has_nan |= is_nan(x[i]);
    f.has_infinity |= is_infinite(x[i]);
    f.has_zero |= is_zero(x[i]);
    if (!isfinite(size) || size == 0 || size == 1)
      continue;
    const double power = log2((double)size); /* a double holds the modulus of all tests' complex elements */
    *(power > 0 ? &f.rise : &f.fall) += fabs(power);
  }
  return f;
}

/* A product has n roundings, whatever the order. What it is depends on the order only where a partial product may leave
 * the range of the type; where that may happen and matter, the result is open. */
static void real_product(oracle_t *o, const factors_t *f, const type_facts_t *type, size_t n) {
  const int may_overflow = f->rise > log2(type->largest) - 2, may_underflow = f->fall > -log2(type->least_normal) - 2;
  const long double p = f->product.re;
  const long double error = (long double)n * (type->epsilon * fabsl(p) + exp2l(f->rise) * type->tiniest);
  if (f->has_nan || (f->has_zero && f->has_infinity))
    expect_same(o, NAN);
  else if (f->has_zero ? !may_overflow : f->has_infinity && !may_underflow)
    expect_same(o, p);
  else if (f->has_zero || f->has_infinity)
    expect(o, PART_OPEN, p, 0);
  else if (may_overflow && f->fall == 0 && f->rise > log2(type->largest) + 2)
    expect_same(o, copysignl(INFINITY, p));
  else
    expect_near(o, p, may_underflow ? error : (long double)n * type->epsilon * fabsl(p), may_overflow);
}

static void floating_product(oracle_t *o, const number_t *x, size_t n) {
  const type_facts_t *type = type_facts(type_facts(o->row->type)->sum);
  const factors_t f = multiply(x, n);
  if (type->class_of != CLASS_COMPLEX) {
    real_product(o, &f, type, n);
    return;
  }
  const int may_overflow = f.rise > log2(type->largest) - 2, may_underflow = f.fall > -log2(type->least_normal) - 2;
  const int has_other = f.has_nan || f.has_infinity;
  for (int part = 0; part < 2; part++) {
    const long double value = part ? f.product.im : f.product.re, size = modulus(f.product);
    if (has_other)
      expect(o, n > 1 ? PART_NOT_FINITE : PART_OPEN, value, 0);
    else if (may_overflow || may_underflow)
      expect(o, PART_OPEN, value, 0);
    else
      expect(o, PART_NEAR, value, 4 * (long double)n * type->epsilon * size);
  }
}

/* Bits and logic. */

static void bits(oracle_t *o, const number_t *x, size_t n) {
  const type_facts_t *f = type_facts(o->row->type);
  uint64_t all = o->row->operation == USW_BIT_AND ? UINT64_MAX : 0;
  for (size_t i = 0; i < n; i++)
    all = o->row->operation == USW_BIT_AND  ? all & wrapped(x[i])
          : o->row->operation == USW_BIT_OR ? all | wrapped(x[i])
                                            : all ^ wrapped(x[i]);
  expect_same(o, unwrapped(all, f->is_signed, f->bytes));
}

/* A NaN is not zero. */
static void logic(oracle_t *o, const number_t *x, size_t n) {
  uint64_t others = 0;
  for (size_t i = 0; i < n; i++)
    others += !is_zero(x[i]);
  expect_same(o, o->row->operation == USW_COUNT         ? (long double)others
                 : o->row->operation == USW_LOGICAL_AND ? others == n
                                                        : others > 0);
}

/* Extremes. */

static int is_below(long double a, long double b) { return a < b || (a == b && signbit(a) && !signbit(b)); }

/* The type's identity of a minimum or maximum. */
static long double limit(const type_facts_t *f, int of_minimum) {
  if (f->class_of != CLASS_INTEGER)
    return of_minimum ? INFINITY : -INFINITY;
  const uint64_t ones = UINT64_MAX >> (64 - 8 * f->bytes), largest = f->is_signed ? ones >> 1 : ones;
  return unwrapped(of_minimum ? largest : ~largest, f->is_signed, f->bytes);
}

typedef struct {
  long double value, index;
} located_t;

/* The extremum and the lowest index that has it. Without items: the identity, at -1. Any NaN gives the first NaN, or is
 * passed over; if nothing else is there, it is NaN at -1. */
static located_t first_extremum(const oracle_t *o, const number_t *x, size_t n, usw_nan_t nan, int of_minimum) {
  located_t best = {limit(type_facts(o->row->type), of_minimum), -1};
  size_t numbers = 0;
  for (size_t i = 0; i < n; i++) {
    const long double value = x[i].re;
    if (isnan(value) && nan == USW_NAN_IGNORE)
      continue;
    if (isnan(value))
      return (located_t){NAN, (long double)i};
    if (numbers++ == 0 || (of_minimum ? is_below(value, best.value) : is_below(best.value, value)))
      best = (located_t){value, (long double)i};
  }
  if (n > 0 && numbers == 0)
    best.value = NAN;
  return best;
}

static void extremes(oracle_t *o, const number_t *x, size_t n, usw_nan_t nan) {
  const located_t least = first_extremum(o, x, n, nan, 1), greatest = first_extremum(o, x, n, nan, 0);
  const int of_minimum = o->row->operation == USW_MINIMUM || o->row->operation == USW_ARGMIN;
  if (o->row->operation == USW_MINMAX) {
    expect_same(o, least.value);
    expect_same(o, greatest.value);
    return;
  }
  expect_same(o, of_minimum ? least.value : greatest.value);
  if (o->row->result == RESULT_LOCATED)
    expect_same(o, of_minimum ? least.index : greatest.index);
}

/* Norms. */

static void norm1(oracle_t *o, const number_t *x, size_t n, rounding_t rounding) {
  exact_sum_t s = {0};
  for (size_t i = 0; i < n; i++)
    add(&s, modulus(x[i]));
  rounding.is_exact &= type_facts(o->row->type)->class_of != CLASS_COMPLEX; /* whose moduli are rounded */
  expect_sum(o, &s, type_facts(type_facts(o->row->type)->real), n, rounding);
}

/* A norm that may round to infinity at the edge of the type, and is infinity beyond it. */
static void expect_norm(oracle_t *o, const type_facts_t *f, long double value, long double epsilons) {
  const long double error = epsilons * f->epsilon * value;
  if (value == 0)
    expect_same(o, 0);
  else if (isfinite(value) && value - error > f->largest)
    expect_same(o, INFINITY);
  else
    expect_near(o, value, error + f->tiniest, value + error > f->largest && epsilons > 2);
}

/* A long double holds the square of every element. */
static void norm2(oracle_t *o, const number_t *x, size_t n, rounding_t rounding) {
  long double squares = 0;
  int has_nan = 0, has_infinity = 0;
  for (size_t i = 0; i < n; i++) {
    has_nan |= is_nan(x[i]);
    has_infinity |= is_infinite(x[i]);
    squares += x[i].re * x[i].re + x[i].im * x[i].im;
  }
  const long double norm = has_nan ? NAN : has_infinity ? INFINITY : sqrtl(squares);
  const double epsilons = n > 1 ? rounding.chain / 2 + 4 : 2;
  expect_norm(o, type_facts(type_facts(o->row->type)->real), norm, epsilons);
}

static void norm_inf(oracle_t *o, const number_t *x, size_t n, usw_nan_t nan) {
  const type_facts_t *f = type_facts(o->row->type);
  long double largest = 0;
  size_t numbers = 0;
  for (size_t i = 0; i < n; i++) {
    if (is_nan(x[i]) && nan == USW_NAN_IGNORE)
      continue;
    numbers++;
    if (is_nan(x[i]) || isnan(largest))
      largest = NAN;
    else
      largest = fmaxl(largest, modulus(x[i]));
  }
  if (n > 0 && numbers == 0)
    largest = NAN;
  if (f->class_of == CLASS_COMPLEX)
    expect_norm(o, type_facts(f->real), largest, 2);
  else
    expect_same(o, largest);
}

/* Descriptions. */

/* Moments in double. The error of the mean grows with the largest magnitude; that of the variance with the spread, and
 * with what the mean's error adds to it. */
static void moments(oracle_t *o, const number_t *x, size_t n, usw_nan_t nan, double chain) {
  exact_sum_t sum = {0};
  long double squares = 0, largest = 0, spread = 0, count = 0;
  int has_infinity = 0;
  for (size_t i = 0; i < n; i++) {
    if (isnan(x[i].re) && nan == USW_NAN_IGNORE)
      continue;
    count++;
    add(&sum, x[i].re);
    has_infinity |= is_infinite(x[i]);
    largest = fmaxl(largest, fabsl(x[i].re));
  }
  const long double mean = count > 0 ? total(&sum) / count : NAN;
  for (size_t i = 0; i < n; i++) {
    if (isnan(x[i].re) && nan == USW_NAN_IGNORE)
      continue;
    squares += (x[i].re - mean) * (x[i].re - mean);
    spread = fmaxl(spread, 2 * fabsl(x[i].re - mean));
  }
  expect_same(o, count);
  if (has_infinity && !sum.has_nan) { /* the contract leaves open which non-number the mean is */
    expect(o, PART_NOT_FINITE, mean, 0);
    expect_same(o, NAN);
    return;
  }
  const long double roundings = (chain + 32) * DBL_EPSILON;
  expect_near(o, mean, roundings * largest + (chain + 32) * DBL_TRUE_MIN, largest > DBL_MAX / 4);
  expect_near(o, count > 0 ? squares / count : NAN,
              roundings * (spread * (spread + largest) + roundings * largest * largest) + (chain + 32) * DBL_TRUE_MIN,
              largest * largest * count > DBL_MAX / 8);
}

static void description(oracle_t *o, const number_t *x, size_t n, usw_nan_t nan, double chain) {
  const type_facts_t *f = type_facts(o->row->type);
  const located_t least = first_extremum(o, x, n, nan, 1), greatest = first_extremum(o, x, n, nan, 0);
  /* Where NaNs count for nothing, nothing but NaNs is as empty as nothing at all. */
  const int is_empty = least.index < 0;
  expect_same(o, is_empty ? limit(f, 1) : least.value);
  expect_same(o, is_empty ? limit(f, 0) : greatest.value);
  expect_same(o, least.index);
  expect_same(o, greatest.index);
  moments(o, x, n, nan, chain);
}

oracle_t oracle_of(const row_t *row, const number_t *x, const number_t *y, size_t n, usw_nan_t nan,
                   rounding_t rounding) {
  oracle_t o = {.row = row};
  const int is_integer = type_facts(row->type)->class_of == CLASS_INTEGER;
  switch (row->operation) {
  case USW_PLUS:
  case USW_DOT:
  case USW_DOTC:
    if (is_integer)
      integer_sum(&o, x, y, n);
    else
      floating_sum(&o, x, y, n, rounding);
    break;
  case USW_MULTIPLIES:
    if (is_integer)
      integer_product(&o, x, n);
    else
      floating_product(&o, x, n);
    break;
  case USW_BIT_AND:
  case USW_BIT_OR:
  case USW_BIT_XOR:
    bits(&o, x, n);
    break;
  case USW_LOGICAL_AND:
  case USW_LOGICAL_OR:
  case USW_COUNT:
    logic(&o, x, n);
    break;
  case USW_NORM1:
    norm1(&o, x, n, rounding);
    break;
  case USW_NORM2:
    norm2(&o, x, n, rounding);
    break;
  case USW_NORM_INF:
    norm_inf(&o, x, n, nan);
    break;
  case USW_DESCRIBE:
    description(&o, x, n, nan, rounding.chain);
    break;
  default: /* minimum, maximum, argmin, argmax, minmax */
    extremes(&o, x, n, nan);
  }
  return o;
}
