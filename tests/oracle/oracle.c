#include "oracle.h"

#include <float.h>
#include <math.h>

#include "pair.h"
#include "pattern.h"

static int is_nan(number_t x) { return isnan(x.re) || isnan(x.im); }
static int is_infinite(number_t x) { return isinf(x.re) || isinf(x.im); }
static int is_zero(number_t x) { return x.re == 0 && x.im == 0; }
/* No square of a double leaves a long double's range; an infinity beside a NaN is an infinity. */
static long double modulus(number_t x) {
  const long double squares = x.re * x.re + x.im * x.im;
  return x.im == 0 ? fabsl(x.re) : isfinite(squares) ? sqrtl(squares) : hypotl(x.re, x.im);
}
static number_t conjugate(number_t x) { return (number_t){x.re, -x.im}; }

/* An integer element modulo 2^64, and what such a number is in a type of that signedness and size. */
static uint64_t wrapped(number_t x) {
  const long double half = 0x1p63L;
  return x.re < half ? (uint64_t)llrintl(x.re) : (uint64_t)llrintl(x.re - half) + ((uint64_t)1 << 63);
}
static long double unwrapped(uint64_t x, int is_signed, size_t bytes) {
  const int unused = 64 - 8 * (int)bytes;
  return is_signed ? (long double)((int64_t)(x << unused) >> unused) : (long double)(x << unused >> unused);
}

/* The parts of an oracle. */

static oracle_part_t *expect(oracle_t *o, part_check_t check, long double value, long double error) {
  oracle_part_t *part = &o->part[o->count++];
  *part = (oracle_part_t){.check = check, .value = value, .error = error, .rounded = value};
  return part;
}

static void expect_same(oracle_t *o, long double value) { expect(o, PART_SAME, value, 0); }

/* Near a value, or open where the type may overflow on the way there; NaN comes whatever overflows. */
static oracle_part_t *expect_near(oracle_t *o, long double value, long double error, int may_overflow) {
  return expect(o, may_overflow && !isnan(value) ? PART_OPEN : PART_NEAR, value, error);
}

static format_t format_of(const type_facts_t *f) {
  const format_t format = {1 - ilogb(f->epsilon), ilogb(f->tiniest), f->largest};
  return format;
}

/* The number of the type that is nearest to value + rest, of which rest is below a last bit of value. */
static long double nearest(const type_facts_t *f, long double value, long double rest) {
  exact_t sum = {0};
  if (isfinite(value) && fabsl(value) > 2 * (long double)f->largest)
    return copysignl(INFINITY, value);
  if (fabsl(value) < (long double)f->tiniest / 4)
    return copysignl(0, value);
  exact_add(&sum, value);
  if (isfinite(value) && fabsl(rest) > (long double)f->tiniest * 0x1p-100L)
    exact_add(&sum, rest);
  return exact_rounded(&sum, format_of(f));
}

/* How a part is rounded: to the type's format, with a bound that is a share of magnitude. */
static void describe_rounding(oracle_part_t *part, const type_facts_t *f, long double rounded, long double magnitude,
                              long double underflow) {
  part->format = format_of(f);
  part->rounded = rounded;
  part->magnitude = magnitude;
  part->underflow = underflow;
}

/* Sums. */

typedef struct {
  exact_t exact;
  long double magnitudes; /* of what is added */
  long double sizes;      /* of the items that it comes from: |x[i]|, |x[i] * y[i]| */
  long double largest;    /* of those */
  long double of_sign[2]; /* magnitudes of what is positive, of what is negative */
} sum_t;

/* The larger one; a NaN counts for nothing. */
static long double larger(long double a, long double b) { return b > a || isnan(a) ? b : a; }

static void add(sum_t *s, long double x) {
  exact_add(&s->exact, x);
  s->magnitudes += isfinite(x) ? fabsl(x) : 0;
  s->of_sign[signbit(x) != 0] += isfinite(x) ? fabsl(x) : 0;
  s->largest = isfinite(x) ? larger(s->largest, fabsl(x)) : s->largest;
}

static void add_product(sum_t *s, long double x, long double y) {
  exact_add_product(&s->exact, (double)x, (double)y);
  const long double size = isfinite(x) && isfinite(y) ? fabsl(x * y) : 0;
  s->magnitudes += size;
  s->of_sign[signbit(x) != signbit(y)] += size;
  s->largest = larger(s->largest, size);
}

/* One rounding per addition, each at most half an epsilon of a partial sum, and some for each term: we allow twice that,
 * and that each term loses a subnormal. Whole numbers below 2 / epsilon are not rounded. Nothing at all sums to +0. Terms
 * of one sign overflow when their sum does; of both signs, perhaps on the way. */
static void expect_sum(oracle_t *o, const sum_t *s, const type_facts_t *f, size_t n, rounding_t rounding) {
  const int is_whole = rounding.is_exact && s->magnitudes <= 2 / f->epsilon;
  const long double underflow = (long double)n * f->tiniest;
  const long double error = is_whole ? 0 : (rounding.chain + 4) * f->epsilon * s->magnitudes + underflow;
  const long double value = exact_value(&s->exact), size = fabsl(value);
  const int has_no_overflow =
      fminl(s->of_sign[0], s->of_sign[1]) < f->largest / 2; /* of the sign that is not the sum's */
  const int has_one_sign =
      isfinite(value) && size >= s->magnitudes * (1 - 0x1p-50L) && s->magnitudes == s->sizes && has_no_overflow;
  if (n == 0)
    expect_same(o, 0.0L);
  else if (has_one_sign && size - error > f->largest)
    expect_same(o, copysignl(INFINITY, value));
  else
    describe_rounding(
        expect_near(o, value, error, has_one_sign ? size + error > f->largest : s->magnitudes > f->largest / 2), f,
        exact_rounded(&s->exact, format_of(f)), s->sizes, underflow);
  o->part[o->count - 1].largest = s->largest;
}

static void real_sum(oracle_t *o, const number_t *x, const number_t *y, size_t n, rounding_t rounding) {
  sum_t s = {0};
  for (size_t i = 0; i < n && !y; i++)
    add(&s, x[i].re);
  for (size_t i = 0; i < n && y; i++)
    add_product(&s, x[i].re, y[i].re);
  s.sizes = s.magnitudes;
  expect_sum(o, &s, type_facts(type_facts(o->row->type)->sum), n, rounding);
}

/* Adds item i of a sum, a dot or a conjugated dot: real and imaginary part. */
static void add_item(const oracle_t *o, sum_t *re, sum_t *im, number_t x, const number_t *y) {
  const number_t a = o->row->operation == USW_DOTC ? conjugate(x) : x;
  const long double size = y ? modulus(x) * modulus(*y) : modulus(x);
  if (!y) {
    add(re, x.re);
    add(im, x.im);
  } else {
    add_product(re, a.re, y->re);
    add_product(re, -a.im, y->im);
    add_product(im, a.re, y->im);
    add_product(im, a.im, y->re);
  }
  re->sizes += isfinite(size) ? size : 0;
}

static void complex_sum(oracle_t *o, const number_t *x, const number_t *y, size_t n, rounding_t rounding) {
  const type_facts_t *f = type_facts(type_facts(o->row->type)->sum);
  sum_t re = {0}, im = {0};
  for (size_t i = 0; i < n; i++)
    add_item(o, &re, &im, x[i], y ? &y[i] : NULL);
  im.sizes = re.sizes;
  expect_sum(o, &re, f, n, rounding);
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
  pair_t re, im;
  double rise, fall;
  int has_nan, has_infinity, has_zero;
} factors_t;

static void multiply_by(factors_t *f, number_t x) {
  const pair_t re = f->re, im = f->im, minus_im = {-im.high, -im.low};
  if (x.im == 0 && im.high == 0) {
    f->re = pair_times(re, x.re);
  } else {
    f->re = pair_plus(pair_times(re, x.re), pair_times(minus_im, x.im));
    f->im = pair_plus(pair_times(re, x.im), pair_times(im, x.re));
  }
}

static factors_t multiply(const number_t *x, size_t n) {
  factors_t f = {.re = {1, 0}};
  for (size_t i = 0; i < n; i++) {
    const long double size = modulus(x[i]);
    multiply_by(&f, x[i]);
    if (isfinite(size) && size != 0) {
      const double power = log2((double)size); /* a double holds the modulus of all tests' complex elements */
      *(power > 0 ? &f.rise : &f.fall) += fabs(power);
    } else {
      f.has_nan |= is_nan(x[i]);
      f.has_infinity |= is_infinite(x[i]);
      f.has_zero |= is_zero(x[i]);
    }
  }
  return f;
}

/* A product has n roundings, whatever the order. What it is depends on the order only where a partial product may leave
 * the range of the type; where that may happen and matter, the result is open. */
static void real_product(oracle_t *o, const factors_t *f, const type_facts_t *type, size_t n) {
  const int may_overflow = f->rise > log2(type->largest) - 2, may_underflow = f->fall > -log2(type->least_normal) - 2;
  const long double p = f->re.high;
  const long double underflow = may_underflow ? (long double)n * exp2l(f->rise) * type->tiniest : 0;
  const long double error = (long double)n * type->epsilon * fabsl(p) + underflow;
  if (f->has_nan || (f->has_zero && f->has_infinity))
    expect_same(o, NAN);
  else if (f->has_zero ? !may_overflow : f->has_infinity && !may_underflow)
    expect_same(o, p);
  else if (f->has_zero || f->has_infinity)
    expect(o, PART_OPEN, p, 0);
  else if (may_overflow && f->fall == 0 && f->rise > log2(type->largest) + 2)
    expect_same(o, copysignl(INFINITY, p));
  else
    describe_rounding(expect_near(o, p, error, may_overflow), type, nearest(type, p, f->re.low), fabsl(p), underflow);
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
    const pair_t pair = part ? f.im : f.re;
    const long double value = pair.high, size = modulus((number_t){f.re.high, f.im.high});
    if (has_other)
      expect(o, n > 1 ? PART_NOT_FINITE : PART_OPEN, value, 0);
    else if (may_overflow || may_underflow)
      expect(o, PART_OPEN, value, 0);
    else
      describe_rounding(expect(o, PART_NEAR, value, 4 * (long double)n * type->epsilon * size), type,
                        nearest(type, value, pair.low), size, 0);
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

static int is_below(long double a, long double b) { return a == b ? signbit(a) && !signbit(b) : a < b; }

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

/* The extremum and the lowest index of those that compare equal. Without items: the identity, at -1. Any NaN gives the first
 * NaN, or is passed over; if nothing else is there, it is NaN at -1. */
static located_t first_extremum(const oracle_t *o, const number_t *x, size_t n, usw_nan_t nan, int of_minimum) {
  const size_t none = n;
  size_t best = none;
  for (size_t i = 0; i < n; i++) {
    if (isnan(x[i].re) && nan == USW_NAN_PROPAGATE)
      return (located_t){NAN, (long double)i};
    if (!isnan(x[i].re) && (best == none || (of_minimum ? x[i].re < x[best].re : x[best].re < x[i].re)))
      best = i;
  }
  if (best == none)
    return (located_t){n > 0 ? NAN : limit(type_facts(o->row->type), of_minimum), -1};
  return (located_t){x[best].re, (long double)best};
}

/* The extremum, of zeros -0 as the minimum and +0 as the maximum. */
static long double extremum(const oracle_t *o, const number_t *x, size_t n, usw_nan_t nan, int of_minimum) {
  long double value = first_extremum(o, x, n, nan, of_minimum).value;
  for (size_t i = 0; i < n; i++)
    if (x[i].re == value && (of_minimum ? is_below(x[i].re, value) : is_below(value, x[i].re)))
      value = x[i].re;
  return value;
}

static void extremes(oracle_t *o, const number_t *x, size_t n, usw_nan_t nan) {
  const int of_minimum = o->row->operation != USW_MAXIMUM && o->row->operation != USW_ARGMAX;
  const located_t located = first_extremum(o, x, n, nan, of_minimum);
  expect_same(o, o->row->result == RESULT_LOCATED ? located.value : extremum(o, x, n, nan, of_minimum));
  if (o->row->result == RESULT_LOCATED)
    expect_same(o, located.index);
  if (o->row->operation == USW_MINMAX)
    expect_same(o, extremum(o, x, n, nan, 0));
}

/* Norms. */

static void norm1(oracle_t *o, const number_t *x, size_t n, rounding_t rounding) {
  sum_t s = {0};
  for (size_t i = 0; i < n; i++)
    add(&s, modulus(x[i]));
  s.sizes = s.magnitudes;
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
    describe_rounding(expect_near(o, value, error + f->tiniest, value + error > f->largest && epsilons > 2), f,
                      nearest(f, value, 0), value, f->tiniest);
}

static void norm2(oracle_t *o, const number_t *x, size_t n, rounding_t rounding) {
  exact_t squares = {0};
  long double most = 0;
  int has_nan = 0, has_infinity = 0;
  for (size_t i = 0; i < n; i++) {
    most = larger(most, modulus(x[i]));
    has_nan |= is_nan(x[i]);
    has_infinity |= is_infinite(x[i]);
    exact_add_product(&squares, (double)x[i].re, (double)x[i].re);
    exact_add_product(&squares, (double)x[i].im, (double)x[i].im);
  }
  const long double norm = has_nan ? NAN : has_infinity ? INFINITY : sqrtl(exact_value(&squares));
  const double epsilons = n > 1 ? rounding.chain / 2 + 4 : 2;
  expect_norm(o, type_facts(type_facts(o->row->type)->real), norm, epsilons);
  o->part[0].largest = most;
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
      largest = larger(largest, modulus(x[i]));
  }
  if (n > 0 && numbers == 0)
    largest = NAN;
  if (f->class_of == CLASS_COMPLEX)
    expect_norm(o, type_facts(f->real), largest, 2);
  else
    expect_same(o, largest);
}

/* Descriptions. */

/* The sum of squared distances from the mean, divided by the count: the distances are right to a last bit of a long
 * double, and so is what is compensated of their squares (Neumaier), which are all positive. What the mean is off by, as it
 * is rounded, they have in common: it shows where the elements are nearly the same. */
static long double variance_of(const number_t *x, size_t n, long double mean, long double count) {
  long double sum = 0, rest = 0, distances = 0;
  for (size_t i = 0; i < n; i++) {
    const long double square = (x[i].re - mean) * (x[i].re - mean), both = sum + square;
    if (isnan(x[i].re))
      continue;
    rest += sum >= square ? (sum - both) + square : (square - both) + sum;
    sum = both;
    distances += x[i].re - mean;
  }
  const long double off = distances / count;
  return (sum + rest) / count - off * off;
}

/* Moments in double. The error of the mean grows with the largest magnitude; that of the variance with the spread, and
 * with what the mean's error adds to it. */
static void moments(oracle_t *o, const number_t *x, size_t n, usw_nan_t nan, double chain) {
  const type_facts_t *f64 = type_facts(USW_F64);
  exact_t sum = {0};
  long double largest = 0, spread = 0, count = 0;
  int has_infinity = 0;
  for (size_t i = 0; i < n; i++) {
    if (isnan(x[i].re) && nan == USW_NAN_IGNORE)
      continue;
    count++;
    exact_add(&sum, x[i].re);
    has_infinity |= is_infinite(x[i]);
    largest = larger(largest, fabsl(x[i].re));
  }
  const long double mean = count > 0 ? exact_value(&sum) / count : NAN;
  for (size_t i = 0; i < n; i++)
    spread = larger(spread, 2 * fabsl(x[i].re - mean));
  expect_same(o, count);
  if (has_infinity && !sum.has_nan) { /* the contract leaves open which non-number the mean is */
    expect(o, PART_NOT_FINITE, mean, 0);
    expect_same(o, NAN);
    return;
  }
  const long double roundings = (chain + 32) * DBL_EPSILON,
                    variance = isnan(mean) ? NAN : variance_of(x, n, mean, count);
  oracle_part_t *part = expect_near(o, mean, roundings * largest + (chain + 32) * DBL_TRUE_MIN, 0);
  describe_rounding(part, f64, nearest(f64, mean, 0), largest, f64->tiniest);
  part->largest = largest;
  const int is_too_large = variance > 2 * (long double)DBL_MAX;
  part = expect_near(o, is_too_large ? INFINITY : variance,
                     roundings * (spread * (spread + largest) + roundings * largest * largest) +
                         (chain + 32) * DBL_TRUE_MIN,
                     !is_too_large && largest * largest * count > DBL_MAX / 8);
  const long double deviation = sqrtl(variance);
  describe_rounding(part, f64, nearest(f64, variance, 0), deviation * (deviation + largest), f64->tiniest);
  part->largest = largest;
  part->variance_of = count;
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

oracle_t oracle_of_all(const row_t *row, const number_t *x, const number_t *y, size_t n, usw_nan_t nan,
                       rounding_t rounding) {
  oracle_t o = {.row = row, .kept = n};
  const int is_integer = type_facts(row->type)->class_of == CLASS_INTEGER;
  switch (row->operation) {
  case USW_PLUS:
  case USW_DOT:
  case USW_DOTC:
    if (is_integer)
      integer_sum(&o, x, y, n);
    else
      (type_facts(row->type)->class_of == CLASS_COMPLEX ? complex_sum : real_sum)(&o, x, y, n, rounding);
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
