#include "oracle.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pattern.h"

size_t result_bytes(usw_operation_t operation, usw_type_t type) {
  switch (operation) {
  case USW_MINIMUM:
  case USW_MAXIMUM:
    return type_bytes(type);
  case USW_ARGMIN:
    return sizeof(usw_located_f64_t);
  case USW_DESCRIBE:
    return sizeof(usw_describe_f64_t);
  default: /* sums and counts: 64 bits, but that of floats */
    return type == USW_F32 && operation != USW_COUNT ? sizeof(float) : 8;
  }
}

static double real_at(usw_type_t type, const void *x, size_t i) {
  return type == USW_F32 ? (double)((const float *)x)[i] : ((const double *)x)[i];
}

static uint64_t bits_at(usw_type_t type, const void *x, size_t i) {
  switch (type) {
  case USW_I64:
    return (uint64_t)((const int64_t *)x)[i];
  case USW_I32:
    return (uint64_t)(int64_t)((const int32_t *)x)[i];
  default:
    return ((const uint8_t *)x)[i];
  }
}

int number_is_below(double a, double b) { return a < b || (a == b && signbit(a) && !signbit(b)); }

/* Neumaier's sum, in long double; infinities and NaNs by IEEE's rules. */
typedef struct {
  long double sum, rest, magnitudes;
  int has_nan, has_plus, has_minus;
} exact_sum_t;

static void add(exact_sum_t *s, double value) {
  if (isnan(value))
    s->has_nan = 1;
  else if (isinf(value))
    *(value > 0 ? &s->has_plus : &s->has_minus) = 1;
  else {
    const long double x = value, t = s->sum + x;
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

static void floating_sum(oracle_t *o, const void *x, const void *y, size_t n, double chain) {
  exact_sum_t s = {0};
  for (size_t i = 0; i < n; i++) {
    const double a = real_at(o->type, x, i);
    /* A product is rounded to a double before it is added. */
    volatile const double term = o->operation == USW_DOT ? a * real_at(o->type, y, i) : a;
    add(&s, term);
  }
  o->sum = total(&s);
  if (o->type == USW_F32)
    o->expected.f32 = (float)o->sum;
  else
    o->expected.f64 = (double)o->sum;
  /* One rounding per addition, each at most half an epsilon of a partial sum; we allow twice that. */
  const double epsilon = o->type == USW_F32 ? FLT_EPSILON : DBL_EPSILON;
  o->error = chain * epsilon * (double)s.magnitudes;
}

static void integer_sum(oracle_t *o, const void *x, size_t n) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += bits_at(o->type, x, i);
  o->expected.u64 = sum;
}

static void count(oracle_t *o, const void *x, size_t n) {
  for (size_t i = 0; i < n; i++)
    o->expected.u64 += type_is_floating(o->type) ? !(real_at(o->type, x, i) == 0) : bits_at(o->type, x, i) != 0;
}

static void integer_extremum(oracle_t *o, const void *x, size_t n) {
  const int minimum = o->operation == USW_MINIMUM;
  int64_t best = 0;
  switch (o->type) {
  case USW_I64:
    best = minimum ? INT64_MAX : INT64_MIN;
    break;
  case USW_I32:
    best = minimum ? INT32_MAX : INT32_MIN;
    break;
  default:
    best = minimum ? UINT8_MAX : 0;
  }
  for (size_t i = 0; i < n; i++) {
    const int64_t value = (int64_t)bits_at(o->type, x, i);
    if (minimum ? value < best : value > best)
      best = value;
  }
  switch (o->type) {
  case USW_I64:
    o->expected.i64 = best;
    break;
  case USW_I32:
    o->expected.i32 = (int32_t)best;
    break;
  default:
    o->expected.u8 = (uint8_t)best;
  }
}

/* The extremum and the lowest index that has it. Without items: the identity, at -1. Any NaN gives
 * the first NaN, or is passed over; if nothing else is there, it is NaN at -1. */
static usw_located_f64_t first_extremum(usw_type_t type, const void *x, size_t n, usw_nan_t nan, int minimum) {
  usw_located_f64_t best = {minimum ? INFINITY : -INFINITY, -1};
  size_t numbers = 0;
  for (size_t i = 0; i < n; i++) {
    const double value = real_at(type, x, i);
    if (isnan(value) && nan == USW_NAN_IGNORE)
      continue;
    if (isnan(value)) {
      best = (usw_located_f64_t){NAN, (int64_t)i};
      return best;
    }
    const int better = minimum ? number_is_below(value, best.value) : number_is_below(best.value, value);
    if (numbers++ == 0 || better)
      best = (usw_located_f64_t){value, (int64_t)i};
  }
  if (n > 0 && numbers == 0)
    best.value = NAN;
  return best;
}

/* Count, mean and variance of what counts; their errors grow with the largest magnitude. */
static void describe(oracle_t *o, const double *x, size_t n, usw_nan_t nan, double chain) {
  usw_describe_f64_t *d = &o->expected.describe;
  const usw_located_f64_t least = first_extremum(USW_F64, x, n, nan, 1);
  const usw_located_f64_t greatest = first_extremum(USW_F64, x, n, nan, 0);
  exact_sum_t sum = {0}, squares = {0};
  double largest = 0;
  for (size_t i = 0; i < n; i++) {
    if (isnan(x[i]) && nan == USW_NAN_IGNORE)
      continue;
    d->count++;
    add(&sum, x[i]);
    o->has_infinity |= isinf(x[i]);
    largest = fmax(largest, fabs(x[i]));
  }
  const long double mean = total(&sum) / (long double)d->count;
  for (size_t i = 0; i < n; i++) {
    if (isnan(x[i]) && nan == USW_NAN_IGNORE)
      continue;
    const long double distance = x[i] - mean;
    squares.sum += distance * distance;
  }
  d->mean = d->count ? (double)mean : NAN;
  d->variance = d->count ? (double)(squares.sum / (long double)d->count) : NAN;
  o->mean_error = (chain + 32) * (DBL_EPSILON * largest + DBL_TRUE_MIN);
  o->variance_error = (chain + 32) * (DBL_EPSILON * largest * largest + DBL_TRUE_MIN);
  /* Where NaNs count for nothing, nothing but NaNs is as empty as nothing at all. */
  d->minimum = d->count ? least.value : INFINITY;
  d->maximum = d->count ? greatest.value : -INFINITY;
  d->minimum_index = least.index;
  d->maximum_index = greatest.index;
}

oracle_t oracle_of(usw_operation_t operation, usw_type_t type, const void *x, const void *y, size_t n, usw_nan_t nan,
                   double chain) {
  oracle_t o = {.operation = operation, .type = type};
  switch (operation) {
  case USW_COUNT:
    count(&o, x, n);
    break;
  case USW_ARGMIN:
    o.expected.located = first_extremum(type, x, n, nan, 1);
    break;
  case USW_DESCRIBE:
    describe(&o, x, n, nan, chain);
    break;
  case USW_MINIMUM:
  case USW_MAXIMUM:
    if (!type_is_floating(type))
      integer_extremum(&o, x, n);
    else if (type == USW_F64)
      o.expected.f64 = first_extremum(type, x, n, nan, operation == USW_MINIMUM).value;
    else
      o.expected.f32 = (float)first_extremum(type, x, n, nan, operation == USW_MINIMUM).value;
    break;
  case USW_PLUS:
  case USW_DOT:
    if (type_is_floating(type))
      floating_sum(&o, x, y, n, chain);
    else
      integer_sum(&o, x, n);
    break;
  default:
    fprintf(stderr, "the oracle does not know operation %d\n", (int)operation);
    abort();
  }
  return o;
}

/* The same number, the sign of zero included, or both NaN. */
static int same_real(double a, double b) { return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b); }

static int same_located(usw_located_f64_t a, usw_located_f64_t b) {
  return same_real(a.value, b.value) && a.index == b.index;
}

static int same_extremes(const usw_describe_f64_t *a, const usw_describe_f64_t *b) {
  return a->count == b->count && same_real(a->minimum, b->minimum) && same_real(a->maximum, b->maximum) &&
         a->minimum_index == b->minimum_index && a->maximum_index == b->maximum_index;
}

static int is_real(usw_operation_t operation, usw_type_t type) {
  return type_is_floating(type) && operation != USW_COUNT;
}

int results_equal(usw_operation_t operation, usw_type_t type, const result_t *a, const result_t *b) {
  const usw_describe_f64_t *d = &a->describe, *e = &b->describe;
  if (operation == USW_ARGMIN)
    return same_located(a->located, b->located);
  if (operation == USW_DESCRIBE)
    return same_extremes(d, e) && same_real(d->mean, e->mean) && same_real(d->variance, e->variance);
  if (is_real(operation, type))
    return type == USW_F32 ? same_real((double)a->f32, (double)b->f32) : same_real(a->f64, b->f64);
  return memcmp(a, b, result_bytes(operation, type)) == 0;
}

/* Within the error of the exact value; what is no number must be the same. */
static int near(long double expected, double got, double error) {
  if (isnan(expected) || isinf(expected))
    return same_real((double)expected, got);
  return fabsl((long double)got - expected) <= (long double)error;
}

static int describe_agrees(const oracle_t *o, const usw_describe_f64_t *got) {
  const usw_describe_f64_t *d = &o->expected.describe;
  if (!same_extremes(d, got))
    return 0;
  if (o->has_infinity) /* the contract leaves open which non-number the moments are */
    return !isfinite(got->mean) && isnan(got->variance);
  return near(d->mean, got->mean, o->mean_error) && near(d->variance, got->variance, o->variance_error);
}

static void show(const oracle_t *o, const result_t *r, char *text, size_t bytes) {
  const usw_describe_f64_t *d = &r->describe;
  if (o->operation == USW_ARGMIN)
    snprintf(text, bytes, "%.17g at %lld", r->located.value, (long long)r->located.index);
  else if (o->operation == USW_DESCRIBE)
    snprintf(text, bytes, "count %llu mean %.17g variance %.17g min %.17g at %lld max %.17g at %lld",
             (unsigned long long)d->count, d->mean, d->variance, d->minimum, (long long)d->minimum_index, d->maximum,
             (long long)d->maximum_index);
  else if (is_real(o->operation, o->type))
    snprintf(text, bytes, "%.17g", o->type == USW_F32 ? (double)r->f32 : r->f64);
  else
    snprintf(text, bytes, "0x%0*llx", (int)(2 * result_bytes(o->operation, o->type)),
             (unsigned long long)(o->type == USW_U8 && result_bytes(o->operation, o->type) == 1 ? r->u8
                                  : result_bytes(o->operation, o->type) == 4                    ? (uint32_t)r->i32
                                                                                                : r->u64));
}

int oracle_agrees(const oracle_t *oracle, const result_t *got, char *why, size_t why_bytes) {
  const int is_sum = oracle->operation == USW_PLUS || oracle->operation == USW_DOT;
  int agrees;
  if (oracle->operation == USW_DESCRIBE)
    agrees = describe_agrees(oracle, &got->describe);
  else if (is_sum && is_real(oracle->operation, oracle->type))
    agrees = near(oracle->type == USW_F32 ? (long double)oracle->expected.f32 : oracle->sum,
                  oracle->type == USW_F32 ? (double)got->f32 : got->f64, oracle->error);
  else
    agrees = results_equal(oracle->operation, oracle->type, &oracle->expected, got);
  if (!agrees) {
    char expected_text[256], got_text[256];
    show(oracle, &oracle->expected, expected_text, sizeof expected_text);
    show(oracle, got, got_text, sizeof got_text);
    snprintf(why, why_bytes, "expected %s (error at most %g), got %s", expected_text,
             is_sum ? oracle->error : oracle->mean_error, got_text);
  }
  return agrees;
}
