/* A sum of numbers whose bits depend on the numbers alone, not on their order: binned (indexed) accumulation.
 *
 * Included once per kind of bins, with
 *   USW_BINS              what type and functions are named by: usw_bins_d gives usw_bins_d_t, usw_bins_d_add(), ...
 *   USW_BINS_FOLD         how many bins there are
 *   USW_BINS_LOWEST_UNIT  exponent of the lowest bin's unit, a multiple of 40
 *   USW_BINS_HIGHEST_UNIT the same of the highest bin that is ever needed
 *   USW_BINS_SCALE        exponent of the scale for tiny numbers, and its negative for huge ones; 0: no number needs one
 *
 * The exponents of numbers are divided into bins of 40 bits, the same for all sums; the unit of a bin is what its lowest bit
 * is worth. A sum has the bins of a window, `fold` neighbours, the highest of which the largest number needs. A number is cut
 * into multiples of the units, the highest bin's first, each cut rounded to nearest, and each bin adds up its cuts, which is
 * exact. What is below the window is lost: at most half the lowest unit for each number. When a number comes that needs a
 * higher bin, the window slides up and what was in the lowest bins is forgotten: the same as if the largest number had
 * come first. So every bin's sum is a function of the numbers alone. (Demmel, Nguyen, "Parallel reproducible summation", IEEE
 * Trans. Computers 64, 2015; Ahrens, Demmel, Nguyen, "Algorithms for efficient reproducible floating point summation", ACM
 * TOMS 46, 2020. Cuts against an anchor that stays: Arteaga, Fuhrer, Hoefler, "Designing bit-reproducible portable
 * high-performance applications", IPDPS 2014.)
 *
 * To add a bin's anchor, 1.5 * 2^52 units, and to take it away again rounds a number to a multiple of the unit, of at most
 * 2^39 units. A bin adds up 8192 such cuts exactly, and two such sums; then multiples of 2^50 units are carried into another
 * double. Infinities and NaNs stay in the highest bin.
 *
 * A sum of squares (power 2) squares numbers that have been multiplied by the scale, so that no square over- or
 * underflows; other sums (power 1) scale what is added. The scale is a power of two and goes with the window. */

#ifndef UPSWEEP_ENGINE_BINS_ONCE
#define UPSWEEP_ENGINE_BINS_ONCE

/* What becomes of a number: added, after asking whether it fits; added, and whether all fitted is asked later; not added,
 * only seen; added, because it is known to fit. */
enum { USW_ASKS, USW_TRIES, USW_MEASURES, USW_FITS_ALL };

enum {
  USW_BIN_BITS = 40,       /* from one bin's unit to the next one's */
  USW_BIN_DEPOSITS = 8192, /* cuts of up to 2^39 units that a bin adds up before it has to carry */
  USW_BIN_LEFT = 1026,     /* as many are what a carry leaves, up to 2^49 units, and the two cuts that it was for */
  USW_BIN_CARRY_BITS = 50, /* what is carried is a multiple of 2^50 units */
  USW_BIN_SCALED_ABOVE = 900,
  USW_BIN_SCALED_BELOW = -600 /* windows whose limit's exponent is beyond these are scaled */
};

/* The upper half of the bits of |x|: exponents are in its upper 12. */
USW_INLINE uint32_t usw_upper_half(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return (uint32_t)(bits >> 32) & 0x7fffffffu;
}
USW_INLINE double usw_from_upper_half(uint32_t upper) {
  const uint64_t bits = (uint64_t)upper << 32;
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
USW_INLINE double usw_power_of_2(int exponent) { return usw_from_upper_half((uint32_t)(exponent + 1023) << 20); }
USW_INLINE int usw_exponent_of(double x) { return (int)(usw_upper_half(x) >> 20) - 1023; }

/* What |x| is compared by: all of its bits where vectors of them are compared, else the upper half. */
#if USW_SUB_GROUP > 1
typedef uint32_t usw_magnitude_t;
#define USW_UPPER_HALF_OF(magnitude) (magnitude)
USW_INLINE usw_magnitude_t usw_magnitude(double x) { return usw_upper_half(x); }
#else
typedef uint64_t usw_magnitude_t;
#define USW_UPPER_HALF_OF(magnitude) ((uint32_t)((magnitude) >> 32))
USW_INLINE usw_magnitude_t usw_magnitude(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits & INT64_MAX;
}
#endif

/* The least e with |x|^power < 2^e, for power 2 of the square as it is rounded. All subnormal numbers count as 2^-1023: they
 * need the same window as the least normal numbers, and their squares fit every window. */
USW_INLINE int usw_magnitude_of(double x, int power) {
  const int exponent = usw_exponent_of(x);
  if (power == 1)
    return exponent + 1;
  uint64_t bits;
  double fraction; /* 1 to 2: its square may or may not reach 2 */
  __builtin_memcpy(&bits, &x, sizeof bits);
  bits = (bits & 0xfffffffffffffu) | (uint64_t)1023 << 52;
  __builtin_memcpy(&fraction, &bits, sizeof fraction);
  return 2 * exponent + usw_exponent_of(fraction * fraction) + 1;
}

/* a + b where nothing is rounded: compilers may split a loop of such sums into vectors. */
USW_INLINE double usw_add_exactly(double a, double b) {
#ifdef __clang__
#pragma clang fp reassociate(on)
#endif
  return a + b;
}
#endif

#define USW_B(what) USW_CAT(USW_BINS, what)

typedef struct {
  double sum[USW_BINS_FOLD]; /* of each bin, the highest first */
  union {
    double carry[USW_BINS_FOLD]; /* in 2^50 units */
    usw_magnitude_t largest;     /* of an accumulator on trial, in which nothing is carried: the largest |value| */
  };
  double scale;      /* what numbers are multiplied by */
  uint32_t limit;    /* upper half of the least |value| that needs a higher window: 2^39 of the highest units */
  uint32_t deposits; /* cuts that each sum may hold, of up to 2^39 units */
} USW_B(_t);

enum { USW_B(_lowest_limit) = USW_BINS_LOWEST_UNIT + USW_BIN_BITS - 1 + USW_BIN_BITS * (USW_BINS_FOLD - 1) };

/* 1.5 * 2^52 units of bin k, 2^50 of them, and the inverse of that. */
USW_INLINE double USW_B(_anchor)(uint32_t limit, int k) {
  return usw_from_upper_half(limit + ((uint32_t)(13 - USW_BIN_BITS * k) << 20) + 0x80000u);
}
USW_INLINE double USW_B(_carry_unit)(uint32_t limit, int k) {
  return usw_from_upper_half(limit + ((uint32_t)(11 - USW_BIN_BITS * k) << 20));
}
USW_INLINE double USW_B(_inverse_carry_unit)(uint32_t limit, int k) {
  return usw_from_upper_half((2046u << 20) - limit - ((uint32_t)(11 - USW_BIN_BITS * k) << 20));
}

/* Nothing, in the window of `limit`. */
USW_INLINE void USW_B(_clear)(USW_B(_t) * b, uint32_t limit, double scale) {
  USW_UNROLL for (int k = 0; k < USW_BINS_FOLD; k++) {
    b->sum[k] = 0;
    b->carry[k] = 0;
  }
  b->scale = scale;
  b->limit = limit;
  b->deposits = 0;
}
USW_INLINE void USW_B(_identity)(USW_B(_t) * b) {
  USW_B(_clear)(b, (uint32_t)(USW_B(_lowest_limit) + 1023) << 20, usw_power_of_2(USW_BINS_SCALE));
}
USW_INLINE void USW_B(_like)(USW_B(_t) * b, const USW_B(_t) * other) {
  const uint32_t limit = other->limit;
  const double scale = other->scale;
  USW_B(_clear)(b, limit, scale);
}

/* Set a bin's sum, of which as much as can be is carried. Infinities and NaNs stay. */
USW_INLINE void USW_B(_set_bin)(USW_B(_t) * b, int k, double sum) {
  const double carries = sum * USW_B(_inverse_carry_unit)(b->limit, k);
  const double whole = __builtin_fabs(carries) < 64 ? (carries + 0x1.8p52) - 0x1.8p52 : 0;
  b->sum[k] = sum - whole * USW_B(_carry_unit)(b->limit, k);
  b->carry[k] += whole;
}
USW_INLINE void USW_B(_carry_all)(USW_B(_t) * b) {
  USW_UNROLL for (int k = 0; k < USW_BINS_FOLD; k++) USW_B(_set_bin)(b, k, b->sum[k]);
  b->deposits = USW_BIN_LEFT;
}

/* The exponent of a window's limit before any scale. */
USW_INLINE int USW_B(_real_limit)(const USW_B(_t) * b, int power) {
  return (int)(b->limit >> 20) - 1023 - power * usw_exponent_of(b->scale);
}

/* Slide the window up until the exponent of its limit is `real_limit`. */
USW_INLINE void USW_B(_slide)(USW_B(_t) * b, int real_limit, int power) {
  const int bins = (real_limit - USW_B(_real_limit)(b, power)) / USW_BIN_BITS;
  if (bins <= 0)
    return;
  const int scale = real_limit > USW_BIN_SCALED_ABOVE   ? -USW_BINS_SCALE
                    : real_limit < USW_BIN_SCALED_BELOW ? USW_BINS_SCALE
                                                        : 0;
  const int difference = scale - usw_exponent_of(b->scale);
  const uint32_t limit = (uint32_t)(real_limit + power * scale + 1023) << 20;
  USW_UNROLL for (int k = USW_BINS_FOLD - 1; k >= 0; k--) {
    double sum = 0, carry = 0;
    USW_UNROLL for (int from = 0; from < k; from++) {
      const double once = USW_BINS_SCALE ? b->sum[from] * usw_power_of_2(difference) : b->sum[from];
      const double moved = USW_BINS_SCALE && power == 2 ? once * usw_power_of_2(difference) : once;
      sum = k - from == bins ? moved : sum;
      carry = k - from == bins ? b->carry[from] : carry;
    }
    b->sum[k] = sum;
    b->carry[k] = carry;
  }
  b->scale = usw_power_of_2(scale);
  b->limit = limit;
}

/* Slide the window up, if need be, to where numbers below 2^magnitude fit. */
USW_INLINE void USW_B(_reach)(USW_B(_t) * b, int magnitude, int power) {
  const int needed = magnitude - (USW_BIN_BITS - 1) + 64 * USW_BIN_BITS; /* positive, for the division */
  const int unit = ((needed + USW_BIN_BITS - 1) / USW_BIN_BITS - 64) * USW_BIN_BITS;
  const int highest = USW_BINS_HIGHEST_UNIT * power;
  USW_B(_slide)(b, (unit < highest ? unit : highest) + USW_BIN_BITS - 1, power);
}

/* Make room for one more number. */
USW_INLINE void USW_B(_make_room)(USW_B(_t) * b, double x, int power) {
  USW_B(_carry_all)(b);
  USW_B(_reach)(b, usw_magnitude_of(x, power), power);
}

/* Cut a value that fits the window, from bin `first` on. */
USW_INLINE void USW_B(_deposit)(USW_B(_t) * b, double value, int first) {
  USW_UNROLL for (int k = first; k < USW_BINS_FOLD; k++) {
    const double anchor = USW_B(_anchor)(b->limit, k), cut = (value + anchor) - anchor;
    b->sum[k] = usw_add_exactly(b->sum[k], cut);
    value -= cut;
  }
}

/* Whether a value fits that comes in so many parts. An accumulator on trial says yes, and fits() tells later; one that only
 * measures, too, and prepare() makes use of it. */
USW_INLINE int USW_B(_takes)(USW_B(_t) * b, double value, uint32_t parts, int on_trial) {
  const usw_magnitude_t magnitude = usw_magnitude(value);
  b->deposits += parts;
  if (on_trial == USW_ASKS)
    return !((USW_UPPER_HALF_OF(magnitude) >= b->limit) | (b->deposits > USW_BIN_DEPOSITS));
  if (on_trial != USW_FITS_ALL)
    b->largest = magnitude > b->largest ? magnitude : b->largest;
  return 1;
}

/* Add x. */
USW_INLINE void USW_B(_add)(USW_B(_t) * b, double x, int on_trial) {
  double value = USW_BINS_SCALE ? x * b->scale : x;
  if (!USW_B(_takes)(b, value, 1, on_trial)) {
    USW_B(_make_room)(b, x, 1);
    value = USW_BINS_SCALE ? x * b->scale : x;
  }
  if (on_trial != USW_MEASURES)
    USW_B(_deposit)(b, value, 0);
}

/* Add the exact product: what rounding leaves of it is 2^-53 of it at most, too little for the highest bin. */
USW_INLINE void USW_B(_add_product)(USW_B(_t) * b, double x, double y, int on_trial) {
  const double product = x * y, error = __builtin_fma(x, y, -product);
  double value = USW_BINS_SCALE ? product * b->scale : product;
  if (!USW_B(_takes)(b, value, 2, on_trial)) {
    USW_B(_make_room)(b, product, 1);
    value = USW_BINS_SCALE ? product * b->scale : product;
  }
  if (on_trial == USW_MEASURES)
    return;
  USW_B(_deposit)(b, value, 0);
  USW_B(_deposit)(b, USW_BINS_SCALE ? error * b->scale : error, 1);
}

/* Add the exact square: the window is that of a sum of squares. */
USW_INLINE void USW_B(_add_square)(USW_B(_t) * b, double x, int on_trial) {
  double value = x * b->scale, square = value * value;
  if (!USW_B(_takes)(b, square, 2, on_trial)) {
    USW_B(_make_room)(b, x, 2);
    value = x * b->scale;
    square = value * value;
  }
  if (on_trial == USW_MEASURES)
    return;
  USW_B(_deposit)(b, square, 0);
  USW_B(_deposit)(b, __builtin_fma(value, value, -square), 1);
}

/* After a trial: whether all that came fitted. */
USW_INLINE int USW_B(_fits)(USW_B(_t) * trial) {
  return (USW_UPPER_HALF_OF(trial->largest) < trial->limit) & (trial->deposits <= USW_BIN_DEPOSITS);
}

/* After a trial that failed: make room in the accumulator that it began like. 0: another trial would not do, because there was
 * an infinity, a NaN, a number that the scale made one, or too much. */
USW_INLINE int USW_B(_learn)(USW_B(_t) * b, const USW_B(_t) * trial, int power) {
  const int scaled = (int)(USW_UPPER_HALF_OF(trial->largest) >> 20) - 1022;
  const int is_known = (scaled <= 1024) & (trial->deposits <= USW_BIN_DEPOSITS);
  if (is_known)
    USW_B(_reach)(b, scaled - power * usw_exponent_of(trial->scale), power);
  return is_known;
}

/* Add the sums of another accumulator of the same window, where nothing has been carried and there is room. */
USW_INLINE void USW_B(_add_sums)(USW_B(_t) * into, const USW_B(_t) * from) {
  USW_UNROLL for (int k = 0; k < USW_BINS_FOLD; k++) into->sum[k] += from->sum[k];
  into->deposits += from->deposits;
}

/* Make room for numbers that another accumulator, which began like this one, has measured. 0: as learn(). */
USW_INLINE int USW_B(_prepare)(USW_B(_t) * b, const USW_B(_t) * seen, int power) {
  if ((USW_UPPER_HALF_OF(seen->largest) < b->limit) & (b->deposits + seen->deposits <= USW_BIN_DEPOSITS))
    return 1;
  if (b->deposits != 0) /* else there is nothing to carry, and all the room that a bin has */
    USW_B(_carry_all)(b);
  return USW_B(_learn)(b, seen, power);
}

/* Add what another accumulator of the same window has. */
USW_INLINE void USW_B(_add_bins)(USW_B(_t) * into, const USW_B(_t) * from) {
  USW_UNROLL for (int k = 0; k < USW_BINS_FOLD; k++) {
    into->sum[k] += from->sum[k];
    into->carry[k] += from->carry[k];
  }
  into->deposits += from->deposits;
  if (into->deposits > USW_BIN_DEPOSITS)
    USW_B(_carry_all)(into);
}

/* Add what fitted in a trial. */
USW_INLINE void USW_B(_join)(USW_B(_t) * into, USW_B(_t) * trial) {
  trial->carry[0] = 0; /* `largest` till now */
  USW_B(_add_bins)(into, trial);
}

/* The higher window stays, and the other one slides up to it. */
USW_INLINE void USW_B(_merge)(USW_B(_t) * into, const USW_B(_t) * from, int power) {
  USW_B(_t) other = *from;
  if (USW_B(_real_limit)(into, power) < USW_B(_real_limit)(&other, power)) {
    const USW_B(_t) lower = *into;
    *into = other;
    other = lower;
  }
  USW_B(_slide)(&other, USW_B(_real_limit)(into, power), power);
  USW_B(_add_bins)(into, &other);
}

#if USW_SUB_GROUP > 1
/* Before the accumulators of a sub-group are folded, of which `values` count: slide all of them to the highest window there.
 * 1: their sums alone are what has to be added, because nothing has been carried and there is room. */
USW_INLINE int USW_B(_align)(USW_B(_t) * b, uint32_t values, int power) {
  const int lowest = USW_B(_lowest_limit) - power * USW_BINS_SCALE;
  const uint32_t window = (uint32_t)(USW_B(_real_limit)(b, power) - lowest) / USW_BIN_BITS;
  USW_B(_slide)(b, (int)usw_port_sub_group_max(window) * USW_BIN_BITS + lowest, power);
  return !usw_port_sub_group_any(b->deposits > USW_BIN_DEPOSITS / values);
}
#endif

#undef USW_B
#undef USW_BINS
#undef USW_BINS_FOLD
#undef USW_BINS_LOWEST_UNIT
#undef USW_BINS_HIGHEST_UNIT
#undef USW_BINS_SCALE
