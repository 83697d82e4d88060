/* Binned sums by themselves (engine/bins.h, by way of sums.h): whatever the order, the windows and the trials, the bits that
 * the definition gives, which is computed here from scratch: the window that the largest number needs, every number cut into
 * it, the cuts added exactly, the sum rounded once.   bins [--place NAME], which decides how magnitudes are compared */
#define USW_BIN_ROOM 8192 /* so few that carries are many */
#include <upsweep/engine/team.h>
#include <upsweep/sums.h>

#include <stdlib.h>
#include <string.h>

#include "oracle/exact.h"
#include "support/check.h"

enum { MOST = 40000, BIN = USW_BIN_BITS };

/* What is summed: doubles, floats, products of both, squares of doubles in three bins and in four. */
typedef enum { DOUBLES, FLOATS, PRODUCTS, PRODUCTS_F, SQUARES, WHOLE_SQUARES, SUMS } kind_t;
static const char *const names[SUMS] = {"doubles", "floats",       "products", "products of floats",
                                        "squares", "whole squares"};
static int is_square(kind_t kind) { return kind == SQUARES || kind == WHOLE_SQUARES; }

static uint64_t random_state = 0x2545f4914f6cdd1du;
static uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}
static int random_below(int n) { return (int)(random_bits() % (uint64_t)n); }
/* A quarter of them are powers of two: the least numbers of their windows are, or, of squares, those about the root of two. */
static double random_number(int least, int count) {
  const double about_root = 0x1.6a09ep0 + (random_below(3) - 1) * 0x1p-52;
  const double digits = random_below(4) == 0   ? 1
                        : random_below(8) == 0 ? about_root
                                               : 1 + (double)(random_bits() >> 12) * 0x1p-52;
  const int exponent = least + random_below(count);
  return ldexp(random_bits() & 1 ? digits : -digits, exponent);
}

/* ---- any of the sums ---- */

typedef union {
  usw_bins_d_t d;
  usw_bins_f_t f;
  usw_squares_d_t s;
  usw_whole_squares_d_t w;
} bins_t;

#define BY_KIND(kind, call_d, call_f, call_s, call_w)                                                                  \
  ((kind) == SQUARES                          ? (call_s)                                                               \
   : (kind) == WHOLE_SQUARES                  ? (call_w)                                                               \
   : (kind) == FLOATS || (kind) == PRODUCTS_F ? (call_f)                                                               \
                                              : (call_d))

static bins_t nothing(kind_t kind) {
  bins_t b;
  memset(&b, 0, sizeof b);
  BY_KIND(kind, usw_reproducible_d_identity(&b.d), usw_reproducible_f_identity(&b.f), usw_squares_d_identity(&b.s),
          usw_whole_squares_d_identity(&b.w));
  return b;
}
static void add(kind_t kind, bins_t *b, double x, double y, int on_trial) {
  if (kind == DOUBLES)
    usw_reproducible_d_add(&b->d, x, on_trial);
  else if (kind == FLOATS)
    usw_reproducible_f_add(&b->f, (float)x, on_trial);
  else if (kind == PRODUCTS)
    usw_reproducible_d_add_product(&b->d, x, y, on_trial);
  else if (kind == PRODUCTS_F)
    usw_reproducible_f_add_product(&b->f, (float)x, (float)y, on_trial);
  else if (kind == SQUARES)
    usw_squares_d_add(&b->s, x, on_trial);
  else
    usw_whole_squares_d_add(&b->w, x, on_trial);
}
static void merge(kind_t kind, bins_t *a, const bins_t *b) {
  BY_KIND(kind, usw_reproducible_d_merge(&a->d, &b->d), usw_reproducible_f_merge(&a->f, &b->f),
          usw_squares_d_merge(&a->s, &b->s), usw_whole_squares_d_merge(&a->w, &b->w));
}
static double value(kind_t kind, const bins_t *b) {
  return BY_KIND(kind, usw_reproducible_d_value(&b->d), (double)usw_reproducible_f_value(&b->f),
                 usw_squares_d_value(&b->s), usw_whole_squares_d_value(&b->w));
}

/* The numbers [first, last) on trial: 1 if they fitted, else they are to come again. */
static int try_once(kind_t kind, bins_t *b, const double *x, const double *y, int first, int last, int *may_try_again) {
  bins_t trial = nothing(kind);
  BY_KIND(kind, usw_reproducible_d_like(&trial.d, &b->d), usw_reproducible_f_like(&trial.f, &b->f),
          usw_squares_d_like(&trial.s, &b->s), usw_whole_squares_d_like(&trial.w, &b->w));
  for (int i = first; i < last; i++)
    add(kind, &trial, x[i], y[i], 1);
  if (BY_KIND(kind, usw_reproducible_d_fits(&trial.d), usw_reproducible_f_fits(&trial.f), usw_squares_d_fits(&trial.s),
              usw_whole_squares_d_fits(&trial.w))) {
    BY_KIND(kind, usw_reproducible_d_join(&b->d, &trial.d, 1), usw_reproducible_f_join(&b->f, &trial.f, 1),
            usw_squares_d_join(&b->s, &trial.s, 1), usw_whole_squares_d_join(&b->w, &trial.w, 1));
    return 1;
  }
  *may_try_again = BY_KIND(kind, usw_reproducible_d_learn(&b->d, &trial.d), usw_reproducible_f_learn(&b->f, &trial.f),
                           usw_squares_d_learn(&b->s, &trial.s), usw_whole_squares_d_learn(&b->w, &trial.w));
  return 0;
}

/* The same as the engine visits items: on trial, once more on trial if that may do, and else one by one. 1 if the first
 * trial did. */
static int try_some(kind_t kind, bins_t *b, const double *x, const double *y, int first, int last) {
  int may_try_again = 0;
  if (try_once(kind, b, x, y, first, last, &may_try_again))
    return 1;
  if (may_try_again && random_below(4) > 0) {
    CHECK(try_once(kind, b, x, y, first, last, &may_try_again));
    return 0;
  }
  for (int i = first; i < last; i++)
    add(kind, b, x[i], y[i], 0);
  return 0;
}

/* ---- the definition ---- */

/* Cut from bin `first` on: multiples of 2^unit, 2^(unit - 40), ... */
static void cut(exact_t *sum, double x, int unit, int first, int fold) {
  for (int k = 0; k < fold; k++) {
    const double part = k < first ? 0 : ldexp(rint(ldexp(x, BIN * k - unit)), unit - BIN * k);
    exact_add(sum, part);
    x -= part;
  }
}

/* The exponent of a number's magnitude: of what is below the normal numbers, that of the least of those; and of a square's, as
 * if the root of two had the digits of its upper half alone. */
static int magnitude(double x, int power) {
  int exponent;
  const double fraction = frexp(x, &exponent);
  exponent = exponent < -1022 ? -1022 : exponent;
  return power == 2 ? 2 * exponent - (fabs(fraction) < 0x1.6a09ep-1) : exponent;
}

/* The unit of the highest bin that a magnitude needs: the number is below 2^39 of them. */
static int unit_of(int exponent) {
  const int above = exponent - (BIN - 1) + 100 * BIN;
  return (above + BIN - 1) / BIN * BIN - 100 * BIN;
}

static double define(kind_t kind, const double *x, const double *y, int n) {
  const int is_float = kind == FLOATS || kind == PRODUCTS_F, power = is_square(kind) ? 2 : 1;
  const int fold = is_float ? 2 : kind == WHOLE_SQUARES ? 4 : 3;
  int unit = is_float ? -280 : -1520, scale = 0;
  exact_t sum;
  memset(&sum, 0, sizeof sum);
  for (int i = 0; i < n; i++) {
    const double number = kind == PRODUCTS || kind == PRODUCTS_F ? x[i] * y[i] : x[i];
    if (!isfinite(number))
      exact_add(&sum, is_square(kind) ? number * number : number);
    else if (number != 0 && unit < unit_of(magnitude(number, power)))
      unit = unit_of(magnitude(number, power));
  }
  if (is_square(kind)) /* so that the largest numbers are about 1 */
    scale = -unit / 2 / BIN * BIN - 20;
  for (int i = 0; i < n; i++) {
    const double a = ldexp(x[i], scale), b = is_square(kind) ? a : y[i];
    const double number = kind == DOUBLES || kind == FLOATS ? a : a * b;
    if (!isfinite(number))
      continue;
    cut(&sum, number, unit + 2 * scale, 0, fold);
    if (kind == PRODUCTS || is_square(kind))
      cut(&sum, fma(a, b, -number), unit + 2 * scale, 1, fold);
  }
  int least = (is_float ? -149 : -1074) + 2 * scale;
  least = least < EXACT_LEAST_BIT ? EXACT_LEAST_BIT : least;
  const format_t format = {is_float ? 24 : 53, least, ldexpl(is_float ? (long double)FLT_MAX : DBL_MAX, 2 * scale)};
  const long double rounded = exact_rounded(&sum, format);
  return (double)ldexpl(rounded, -2 * scale);
}

/* ---- orders ---- */

static void shuffle(double *x, double *y, int n) {
  for (int i = n - 1; i > 0; i--) {
    const int k = random_below(i + 1);
    const double a = x[i], b = y[i];
    x[i] = x[k], y[i] = y[k];
    x[k] = a, y[k] = b;
  }
}

static int by_magnitude(const void *a, const void *b) {
  const double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
  return (x > y) - (x < y);
}

/* Parts of random sizes, each added or tried, merged in a random order. */
static double in_parts(kind_t kind, const double *x, const double *y, int n) {
  enum { PARTS = 9 };
  bins_t parts[PARTS];
  for (int k = 0; k < PARTS; k++)
    parts[k] = nothing(kind);
  for (int first = 0, last; first < n; first = last) {
    bins_t *part = &parts[random_below(PARTS)];
    last = first + 1 + random_below(random_below(3) == 0 ? 3000 : 70);
    last = last < n ? last : n;
    if (random_below(3) > 0)
      try_some(kind, part, x, y, first, last);
    else
      for (int i = first; i < last; i++)
        add(kind, part, x[i], y[i], 0);
  }
  for (int left = PARTS; left > 1; left--) {
    const int into = random_below(left - 1);
    merge(kind, &parts[into], &parts[left - 1]);
  }
  return value(kind, &parts[0]);
}

static void check_numbers(kind_t kind, double *x, double *y, int n, const char *what) {
  const double expected = define(kind, x, y, n);
  for (int round = 0; round < 5; round++) {
    bins_t all = nothing(kind);
    if (round == 1)
      shuffle(x, y, n);
    if (round == 3 && kind != PRODUCTS && kind != PRODUCTS_F) /* every number may slide the window */
      qsort(x, (size_t)n, sizeof *x, by_magnitude);
    for (int i = 0; i < n; i++)
      add(kind, &all, x[i], y[i], 0);
    const double got = round % 2 ? value(kind, &all) : in_parts(kind, x, y, n);
    check_count(memcmp(&expected, &got, sizeof got) == 0, __FILE__, __LINE__, "%s, %s, n %d, round %d: %a, not %a",
                names[kind], what, n, round, got, expected);
  }
}

/* ---- numbers ---- */

static double x[MOST], y[MOST];

static void fill(kind_t kind, int n, int least, int count) {
  for (int i = 0; i < n; i++) {
    x[i] = random_number(least, count);
    y[i] = random_number(least, count);
    if (kind == FLOATS || kind == PRODUCTS_F)
      x[i] = (double)(float)x[i], y[i] = (double)(float)y[i];
  }
}

static void ranges(kind_t kind) {
  const int is_float = kind == FLOATS || kind == PRODUCTS_F;
  const int lowest = is_float ? -149 : -1074, highest = kind == PRODUCTS ? 511 : is_float ? 127 : 1023;
  static const int sizes[] = {1, 2, 3, 40, 1000};
  for (int round = 0; round < 150; round++) {
    const int count = round % 3 == 0 ? highest - lowest + 1 : 1 + random_below(round % 3 == 1 ? 8 : 130);
    const int least = round % 8 == 1   ? lowest
                      : round % 8 == 2 ? highest - count + 1
                                       : lowest + random_below(highest - lowest + 2 - count);
    const int n = sizes[round % 5];
    fill(kind, n, least, count);
    if (round % 7 == 0)
      x[random_below(n)] = random_below(2) ? 0.0 : -0.0;
    check_numbers(kind, x, y, n, "numbers of a range");
    for (int i = 0; i < n / 2; i++) /* cancels but for what lies between */
      x[n - 1 - i] = -x[i], y[n - 1 - i] = y[i];
    check_numbers(kind, x, y, n, "pairs that cancel");
  }
}

/* More numbers than a bin adds exactly, nearly all of one sign and at the upper end of their window; at last one of the next
 * window, to which all of that slides, where there is one. */
static void carries(kind_t kind) {
  static const int exponents[] = {-1062, -1022, -602, -562, -42, -2, 38, 318, 878, 918, 958};
  for (size_t k = 0; k < sizeof exponents / sizeof exponents[0]; k++) {
    const int exponent = exponents[k] < -120 || exponents[k] > 100
                             ? kind == FLOATS || kind == PRODUCTS_F ? 38 : exponents[k]
                             : exponents[k];
    if ((kind == PRODUCTS || is_square(kind)) && abs(exponent) > 500)
      continue;
    for (int i = 0; i < MOST; i++) {
      const int is_float = kind == FLOATS || kind == PRODUCTS_F;
      const double digits =
          1 - (2 * random_below(500) + 1) * (is_float ? 0x1p-24 : 0x1p-39); /* an odd number of units */
      x[i] = ldexp(i % 50 == 7 ? -0x1p-30 : digits, exponent + 1);
      y[i] = kind == PRODUCTS_F ? 1 - 0x1p-15 : 1;
    }
    check_numbers(kind, x, y, MOST, "carries");
    x[MOST - 1] = ldexp(1, exponent + 30 > 127 && exponent < 900 ? exponent : exponent + 30);
    check_numbers(kind, x, y, MOST, "carries that slide");
  }
}

/* The least number of a window beside many of the one below, all of which cancel but for what is little. */
static void edges(kind_t kind) {
  const int is_float = kind == FLOATS || kind == PRODUCTS_F, n = 101;
  for (int round = 0; !is_square(kind) && round < 60; round++) {
    const int edge = BIN * (is_float           ? random_below(5) - 2
                            : kind == PRODUCTS ? random_below(20) - 10
                                               : random_below(48) - 24);
    fill(kind, n, edge - 1, BIN);
    x[0] = ldexp(1, edge + BIN - 1);
    for (int i = 0; i < n; i++)
      y[i] = kind == PRODUCTS && i != 0 && i != n - 1 ? 1 + 0x1p-52 : 1;
    for (int i = 0; i < n / 2; i++)
      x[n - 1 - i] = -x[i];
    x[n / 2] = ldexp(1 + (is_float ? 0x1p-20 : 0x1p-50), edge - 40);
    shuffle(x, y, n);
    check_numbers(kind, x, y, n, "edges");
  }
}

/* Squares do not cancel, so that only rounding tells what their window was: of a number whose square needs no higher one
 * than its exponent would. Many tiny squares decide, of which that window has room for some bits more. */
static void window_of_squares(void) {
  usw_squares_d_t tiny = nothing(SQUARES).s;
  int differ = 0;
  usw_squares_d_add(&tiny, 0x1.4p-21, 0); /* 0.39 * 2^-40 */
  for (int k = 0; k < 20; k++) {
    const usw_squares_d_t half = tiny;
    usw_squares_d_merge(&tiny, &half);
  }
  for (int round = 0; round < 3000; round++) {
    const double number = 0x1p19 * (1 + random_below(1 << 20) * 0.4 / (1 << 20)); /* below 2^19.5 */
    usw_squares_d_t up = tiny, down = nothing(SQUARES).s;
    usw_squares_d_add(&up, 1, 0);
    usw_squares_d_add(&up, number, 0);
    usw_squares_d_add(&down, number, 0);
    usw_squares_d_add(&down, 1, 0);
    usw_squares_d_merge(&down, &tiny);
    differ += usw_squares_d_value(&up) != usw_squares_d_value(&down);
  }
  CHECK_I64(0, differ);
}

/* Infinities and NaNs, in windows of any height, first, last or between. */
static void specials(kind_t kind) {
  static const double sets[][3] = {{INFINITY, 1, 1},   {-INFINITY, -INFINITY, 1}, {INFINITY, -INFINITY, 1}, {NAN, 1, 1},
                                   {NAN, INFINITY, 1}, {INFINITY, INFINITY, NAN}, {-INFINITY, -0.0, 0x1p90}};
  for (int round = 0; round < 70; round++) {
    const double *const set = sets[round % 7];
    const int n = 3 + random_below(30), is_float = kind == FLOATS || kind == PRODUCTS_F;
    fill(kind, n, is_float ? -140 : -1000, is_float ? 200 : kind == PRODUCTS ? 1400 : 1900);
    for (int k = 0; k < 3; k++) {
      const int at = k * (n - 1) / 2;
      x[at] = set[k], y[at] = 1;
    }
    double expected = 0;
    for (int k = 0; k < 3; k++)
      expected += is_square(kind) ? set[k] * set[k] : set[k];
    for (int order = 0; order < 4; order++) {
      bins_t all = nothing(kind);
      for (int i = 0; i < n; i++)
        add(kind, &all, x[i], y[i], 0);
      const double got = value(kind, &all), nan = (double)NAN;
      CHECK_F64(expected, got);
      CHECK(!isnan(got) || memcmp(&nan, &got, sizeof got) == 0); /* the same NaN everywhere */
      CHECK_F64(expected, in_parts(kind, x, y, n));
      shuffle(x, y, n);
    }
  }
}

/* The largest numbers: what over- and underflows on the way, and what does in the end. */
static void ends(void) {
  bins_t b = nothing(DOUBLES);
  for (int i = 0; i < 5000; i++)
    usw_reproducible_d_add(&b.d, DBL_MAX, 0);
  CHECK_F64(INFINITY, usw_reproducible_d_value(&b.d));
  for (int i = 0; i < 4999; i++)
    usw_reproducible_d_add(&b.d, -DBL_MAX, 0);
  CHECK_F64(DBL_MAX, usw_reproducible_d_value(&b.d));
  b = nothing(FLOATS);
  usw_reproducible_f_add(&b.f, FLT_MAX, 0);
  usw_reproducible_f_add(&b.f, FLT_MAX, 0);
  CHECK_F64(INFINITY, (double)usw_reproducible_f_value(&b.f));
  usw_reproducible_f_add(&b.f, -FLT_MAX, 0);
  CHECK_F64((double)FLT_MAX, (double)usw_reproducible_f_value(&b.f));
  b = nothing(FLOATS); /* a tie for a float but for the last number, which is too little for a double */
  usw_reproducible_f_add(&b.f, 0x1p38f, 0);
  usw_reproducible_f_add(&b.f, 0x1p14f, 0);
  usw_reproducible_f_add(&b.f, 0x1p-30f, 0);
  CHECK_F64(0x1.000002p38, (double)usw_reproducible_f_value(&b.f));
  b = nothing(PRODUCTS_F);
  usw_reproducible_f_add_product(&b.f, FLT_MAX, FLT_MAX, 0);
  usw_reproducible_f_add_product(&b.f, -FLT_MAX, FLT_MAX, 0);
  CHECK_F64(0, (double)usw_reproducible_f_value(&b.f));
  b = nothing(SQUARES);
  usw_squares_d_add(&b.s, DBL_MAX, 0);
  CHECK_F64(INFINITY, usw_squares_d_value(&b.s));
  CHECK_F64(DBL_MAX, usw_squares_d_root(&b.s));
  b = nothing(SQUARES);
  for (int i = 0; i < 9; i++)
    usw_squares_d_add(&b.s, DBL_TRUE_MIN, 0);
  CHECK_F64(0, usw_squares_d_value(&b.s));
  CHECK_F64(3 * DBL_TRUE_MIN, usw_squares_d_root(&b.s));
  b = nothing(SQUARES);
  usw_squares_d_add(&b.s, 0x3p-1074, 0);
  usw_squares_d_add(&b.s, 0x4p-1074, 0);
  CHECK_F64(0x5p-1074, usw_squares_d_root(&b.s));
}

/* What is set stays, bit by bit; and a trial says no where a number does not fit or too many came. */
static void small_things(void) {
  static const double kept[] = {-0.0, 0.0, 1.5, INFINITY, -DBL_TRUE_MIN, DBL_MAX};
  for (size_t k = 0; k < sizeof kept / sizeof kept[0]; k++) {
    bins_t b = nothing(DOUBLES);
    usw_reproducible_d_set(&b.d, kept[k]);
    CHECK_F64(kept[k], usw_reproducible_d_value(&b.d));
  }
  for (int i = 0; i < MOST; i++)
    x[i] = y[i] = 1;
  bins_t b = nothing(DOUBLES);
  CHECK(!try_some(DOUBLES, &b, x, y, 0, 1));
  CHECK(try_some(DOUBLES, &b, x, y, 0, USW_BIN_ROOM));
  CHECK(!try_some(DOUBLES, &b, x, y, 0, USW_BIN_ROOM + 1));
  CHECK_F64(2 * USW_BIN_ROOM + 2, usw_reproducible_d_value(&b.d));
  for (int i = 0; i < MOST; i++)
    x[i] = 0x1p39 - 1; /* an odd number of units, at the upper end of the window */
  b = nothing(DOUBLES);
  usw_reproducible_d_add(&b.d, x[0], 0);
  for (int round = 0; round < 20; round++)
    CHECK(try_some(DOUBLES, &b, x, y, 0, USW_BIN_ROOM));
  for (int k = 0; k < 20 * USW_BIN_ROOM; k++)
    usw_reproducible_d_add(&b.d, 1 - 0x1p39, 0);
  CHECK_F64(x[0], usw_reproducible_d_value(&b.d));
  bins_t part = nothing(DOUBLES), sum = nothing(DOUBLES);
  for (int k = 0; k < USW_BIN_ROOM; k++)
    usw_reproducible_d_add(&part.d, x[0], 0);
  for (int round = 0; round < 64; round++)
    merge(DOUBLES, &sum, &part);
  for (int k = 1; k < 64 * USW_BIN_ROOM; k++)
    usw_reproducible_d_add(&sum.d, 1 - 0x1p39, 0);
  CHECK_F64(x[0], usw_reproducible_d_value(&sum.d));
  x[3] = NAN;
  CHECK(!try_some(DOUBLES, &b, x, y, 0, 5));
  CHECK_F64(NAN, usw_reproducible_d_value(&b.d));
}

/* As much as there can be in a bin, by the count of its deposits, when the fullest trial joins it. */
static void fullest(void) {
  const double most = 0x1p39 - 0.25; /* rounds up, to 2^39 units */
  bins_t b = nothing(DOUBLES);
  int count = 0;
  for (; count < 5120; count++)
    usw_reproducible_d_add(&b.d, most, 0);
  while (b.d.deposits < USW_BIN_ROOM)
    usw_reproducible_d_add(&b.d, 0, 0);
  do { /* first a carry, which leaves as much as it can: 2^49 units */
    usw_reproducible_d_add(&b.d, most, 0);
    count++;
  } while (b.d.deposits < USW_BIN_ROOM);
  for (int i = 0; i < USW_BIN_ROOM; i++)
    x[i] = i == 0 ? 0x1p39 - 1 : most;
  CHECK(try_some(DOUBLES, &b, x, y, 0, USW_BIN_ROOM));
  for (count += USW_BIN_ROOM - 1; count > 0; count--)
    usw_reproducible_d_add(&b.d, -most, 0);
  CHECK_F64(x[0], usw_reproducible_d_value(&b.d));
}

/* What is quickly made of bins that have not carried, is what the exact sum rounds to: units of any size, ties and numbers just
 * beside them, in any window. */
static void short_values(void) {
  for (int round = 0; round < 200000; round++) {
    bins_t d = nothing(DOUBLES), f = nothing(FLOATS);
    const double most = random_number(-1000, 1990);
    usw_reproducible_d_add(&d.d, most, 0);
    usw_reproducible_f_add(&f.f, (float)ldexp(most, ilogb(most) / 8 - ilogb(most)), 0);
    for (int k = 0; k < 3; k++) {
      const int digits = random_below(62);
      const uint64_t units = digits == 0 ? 0 : random_bits() >> (64 - digits), mask = ~(uint64_t)0 << random_below(62);
      d.d.units[k] = random_bits() & 1 ? units & mask : -(units & mask);
      if (k < (int)(sizeof f.f.units / sizeof f.f.units[0]))
        f.f.units[k] = d.d.units[k];
    }
    const usw_wide_t exact = usw_bins_d_exact(&d.d, 1), exact_f = usw_bins_f_exact(&f.f, 1);
    CHECK_F64(usw_wide_round(&exact, DBL_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG), usw_reproducible_d_value(&d.d));
    CHECK_F64((double)(float)usw_wide_round(&exact_f, FLT_MANT_DIG, FLT_MIN_EXP - FLT_MANT_DIG),
              (double)usw_reproducible_f_value(&f.f));
  }
}

int main(void) {
  for (int kind = 0; kind < SUMS; kind++) {
    ranges((kind_t)kind);
    carries((kind_t)kind);
    edges((kind_t)kind);
    specials((kind_t)kind);
  }
  window_of_squares();
  ends();
  small_things();
  fullest();
  short_values();
  return check_report();
}
