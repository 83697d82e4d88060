/* A sum of numbers whose bits depend on the numbers alone, not on their order: binned (indexed) accumulation.
 *
 * Included once per kind of bins, with
 *   USW_BINS              what type and functions are named by: usw_bins_d gives usw_bins_d_t, usw_bins_d_add(), ...
 *   USW_BINS_FOLD         how many bins there are
 *   USW_BINS_LOWEST_UNIT(power)  exponent of the lowest bin's unit, a multiple of 40
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
 * 2^39 units. As many as the cut has, the bits of the anchored number differ from those of the anchor, both taken for
 * integers: a bin adds up these, which is half as many operations on doubles, and in any order, as vectors need it. It has
 * room for 2^22 cuts and those of a tile more, and two such sums; then multiples of 2^50 units are carried into a double. That
 * of the highest bin keeps the infinities and NaNs.
 *
 * A sum of squares (power 2) squares numbers that have been multiplied by the scale, so that no square over- or
 * underflows; other sums (power 1) scale what is added. The scale is a power of two and goes with the window.
 *
 * An accumulator on trial adds up the anchored numbers' bits as they are: `deposits` anchors too much. */

#ifndef UPSWEEP_ENGINE_BINS_ONCE
#define UPSWEEP_ENGINE_BINS_ONCE

/* What becomes of a number: added, after asking whether it fits; added, and whether all fitted is asked later; not added,
 * only seen. */
enum { USW_ASKS, USW_TRIES, USW_MEASURES };

#ifndef USW_BIN_ROOM
#define USW_BIN_ROOM (1 << 22) /* cuts of up to 2^39 units that a bin adds up before it has to carry */
#endif

enum {
  USW_BIN_BITS = 40,       /* from one bin's unit to the next one's */
  USW_BIN_LEFT = 1026,     /* as many are what a carry leaves, up to 2^49 units, and the two cuts that it was for */
  USW_BIN_CARRY_BITS = 50, /* what is carried is a multiple of 2^50 units */
  USW_BIN_SCALED_ABOVE = 900,
  USW_BIN_SCALED_BELOW = -600,       /* windows whose limit's exponent is beyond these are scaled */
  USW_BIN_DIGITS_OF_ROOT_2 = 0x6a09e /* in the upper half */
};
#define USW_NO_WINDOW UINT32_MAX /* what no window is numbered */

USW_INLINE uint64_t usw_bits_of(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
USW_INLINE double usw_of_bits(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

/* The upper half of the bits of |x|: exponents are in its upper 12. */
USW_INLINE uint32_t usw_upper_half(double x) { return (uint32_t)(usw_bits_of(x) >> 32) & 0x7fffffffu; }
USW_INLINE double usw_from_upper_half(uint32_t upper) { return usw_of_bits((uint64_t)upper << 32); }
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
USW_INLINE usw_magnitude_t usw_magnitude(double x) { return usw_bits_of(x) & INT64_MAX; }
#endif

/* How many whole bins there are in so many bits, up to 2^15. (Compilers that know them to be so few divide integers of 16 bits,
 * which takes an NVIDIA GPU three times as many instructions.) */
USW_INLINE uint32_t usw_bins_in(uint32_t bits) { return (bits * ((1u << 21) / USW_BIN_BITS + 1)) >> 21; }

/* An e with |x|^power < 2^e, the least one but for squares of numbers that differ from a root of two below their upper halves
 * alone: one more. All subnormal numbers count as 2^-1023: they need the same window as the least normal numbers, and their
 * squares fit every window. */
USW_INLINE int usw_magnitude_of(double x, int power) {
  const uint32_t upper = usw_upper_half(x);
  const int exponent = (int)(upper >> 20) - 1023;
  return power == 1 ? exponent + 1 : 2 * exponent + 1 + ((upper & 0xfffffu) >= USW_BIN_DIGITS_OF_ROOT_2);
}
#endif

#define USW_B(what) USW_CAT(USW_BINS, what)

typedef struct {
  uint64_t units[USW_BINS_FOLD]; /* of each bin, the highest first: how many of its units, in two's complement */
  union {
    double carry[USW_BINS_FOLD]; /* in 2^50 units */
    usw_magnitude_t largest;     /* of an accumulator on trial, in which nothing is carried: the largest |x| */
  };
  double scale;      /* what numbers are multiplied by */
  uint32_t limit;    /* upper half of the least |value| that needs a higher window: 2^39 of the highest units */
  uint32_t deposits; /* cuts that each bin may hold, of up to 2^39 units */
} USW_B(_t);

/* The exponent of the lowest window's limit. All numbers fit that are not normal. */
USW_INLINE int USW_B(_lowest_limit)(int power) {
  (void)power;
  return USW_BINS_LOWEST_UNIT(power) + USW_BIN_BITS - 1 + USW_BIN_BITS * (USW_BINS_FOLD - 1);
}

/* 1.5 * 2^52 units of bin k. */
USW_INLINE double USW_B(_anchor)(uint32_t limit, int k) {
  return usw_from_upper_half(limit + ((uint32_t)(13 - USW_BIN_BITS * k) << 20) + 0x80000u);
}

/* Nothing, in the window of `limit`. */
USW_INLINE void USW_B(_clear)(USW_B(_t) * b, uint32_t limit, double scale) {
  USW_UNROLL for (int k = 0; k < USW_BINS_FOLD; k++) {
    b->units[k] = 0;
    b->carry[k] = 0;
  }
  b->scale = scale;
  b->limit = limit;
  b->deposits = 0;
}
USW_INLINE void USW_B(_identity)(USW_B(_t) * b, int power) {
  USW_B(_clear)(b, (uint32_t)(USW_B(_lowest_limit)(power) + 1023) << 20, usw_power_of_2(USW_BINS_SCALE));
}
USW_INLINE void USW_B(_like)(USW_B(_t) * b, const USW_B(_t) * other) {
  const uint32_t limit = other->limit;
  const double scale = other->scale;
  USW_B(_clear)(b, limit, scale);
}

/* Carry as much as can be, if a bin might otherwise have no room for as much again. The nearest multiple: little is left. */
USW_INLINE void USW_B(_carry_if_full)(USW_B(_t) * b) {
  const uint64_t half = (uint64_t)1 << (USW_BIN_CARRY_BITS - 1);
  if (b->deposits <= USW_BIN_ROOM)
    return;
  USW_UNROLL for (int k = 0; k < USW_BINS_FOLD; k++) {
    const int64_t whole = (int64_t)(b->units[k] + half) >> USW_BIN_CARRY_BITS;
    b->units[k] -= (uint64_t)whole << USW_BIN_CARRY_BITS;
    b->carry[k] += (double)whole;
  }
  b->deposits = USW_BIN_LEFT;
}

/* The exponent of a window's limit before any scale. */
USW_INLINE int USW_B(_real_limit)(const USW_B(_t) * b, int power) {
  return (int)(b->limit >> 20) - 1023 - power * usw_exponent_of(b->scale);
}

/* The exponent of the scale that goes with it. */
USW_INLINE int USW_B(_scale_of)(int real_limit) {
  return real_limit > USW_BIN_SCALED_ABOVE ? -USW_BINS_SCALE : real_limit < USW_BIN_SCALED_BELOW ? USW_BINS_SCALE : 0;
}

/* Slide the window up until the exponent of its limit is `real_limit`. */
USW_INLINE void USW_B(_slide)(USW_B(_t) * b, int real_limit, int power) {
  const int bins = (real_limit - USW_B(_real_limit)(b, power)) / USW_BIN_BITS;
  if (bins <= 0)
    return;
  const int scale = USW_B(_scale_of)(real_limit);
  USW_UNROLL for (int k = USW_BINS_FOLD - 1; k >= 0; k--) {
    uint64_t units = 0;
    double carry = 0;
    USW_UNROLL for (int from = 0; from < k; from++) {
      units = k - from == bins ? b->units[from] : units;
      carry = k - from == bins ? b->carry[from] : carry;
    }
    b->units[k] = units;
    b->carry[k] = carry;
  }
  b->scale = usw_power_of_2(scale);
  b->limit = (uint32_t)(real_limit + power * scale + 1023) << 20;
}

/* Slide the window up, if need be, to where numbers below 2^magnitude fit. */
USW_INLINE void USW_B(_reach)(USW_B(_t) * b, int magnitude, int power) {
  const int unit = (int)usw_bins_in((uint32_t)(magnitude + 64 * USW_BIN_BITS)) * USW_BIN_BITS - 64 * USW_BIN_BITS;
  const int highest = USW_BINS_HIGHEST_UNIT * power;
  USW_B(_slide)(b, (unit < highest ? unit : highest) + USW_BIN_BITS - 1, power);
}

/* Make room for one more number. */
USW_INLINE void USW_B(_make_room)(USW_B(_t) * b, double x, int power) {
  USW_B(_carry_if_full)(b);
  USW_B(_reach)(b, usw_magnitude_of(x, power), power);
}

/* What numbers are multiplied by; those of squares have been before. */
USW_INLINE double USW_B(_scale)(const USW_B(_t) * b) { return USW_BINS_SCALE ? b->scale : 1; }

/* Cut a value that fits the window, from bin `first` on. */
USW_INLINE void USW_B(_deposit)(USW_B(_t) * b, double value, int first, int on_trial) {
  USW_UNROLL for (int k = 0; k < USW_BINS_FOLD; k++) {
    const double anchor = USW_B(_anchor)(b->limit, k), anchored = k < first ? anchor : value + anchor;
    b->units[k] += usw_bits_of(anchored) - (on_trial == USW_ASKS ? usw_bits_of(anchor) : 0);
    value -= anchored - anchor;
  }
}
/* The same, or keep an infinity or NaN: 0. */
USW_INLINE int USW_B(_put)(USW_B(_t) * b, double value, int on_trial) {
  const int is_special = on_trial == USW_ASKS && usw_upper_half(value) >= 0x7ff00000u;
  if (is_special)
    b->carry[0] += value;
  else
    USW_B(_deposit)(b, value, 0, on_trial);
  return !is_special;
}

/* The upper half of the least |x| that needs a higher window; an infinity does. Limits of squares are odd powers of two. */
USW_INLINE uint32_t USW_B(_limit_of_numbers)(const USW_B(_t) * b, int power) {
  const int limit = USW_B(_real_limit)(b, power), exponent = power == 2 ? limit / 2 - (limit < 0) : limit;
  const uint32_t upper = (uint32_t)(exponent + 1023) << 20 | (power == 2 ? USW_BIN_DIGITS_OF_ROOT_2 : 0);
  return upper < 0x7ff00000u ? upper : 0x7ff00000u;
}

/* Whether a number fits that comes in so many parts. An accumulator on trial says yes, and fits() tells later; one that only
 * measures, too, and learn() makes use of it. */
USW_INLINE int USW_B(_takes)(USW_B(_t) * b, double x, uint32_t parts, int on_trial, int power) {
  const usw_magnitude_t magnitude = usw_magnitude(x);
  b->deposits += parts;
  if (on_trial == USW_ASKS)
    return !((usw_upper_half(x) >= USW_B(_limit_of_numbers)(b, power)) | (b->deposits > USW_BIN_ROOM));
  b->largest = magnitude > b->largest ? magnitude : b->largest;
  return 1;
}

/* Add x. */
USW_INLINE void USW_B(_add)(USW_B(_t) * b, double x, int on_trial) {
  if (!USW_B(_takes)(b, x, 1, on_trial, 1))
    USW_B(_make_room)(b, x, 1);
  if (on_trial != USW_MEASURES)
    USW_B(_put)(b, x * USW_B(_scale)(b), on_trial);
}

/* Add the exact product: what rounding leaves of it is 2^-53 of it at most, too little for the highest bin. */
USW_INLINE void USW_B(_add_product)(USW_B(_t) * b, double x, double y, int on_trial) {
  const double product = x * y, error = __builtin_fma(x, y, -product);
  if (!USW_B(_takes)(b, product, 2, on_trial, 1))
    USW_B(_make_room)(b, product, 1);
  if (on_trial == USW_MEASURES)
    return;
  if (USW_B(_put)(b, product * USW_B(_scale)(b), on_trial))
    USW_B(_deposit)(b, error * USW_B(_scale)(b), 1, on_trial);
}

/* Add the exact square: the window is that of a sum of squares. */
USW_INLINE void USW_B(_add_square)(USW_B(_t) * b, double x, int on_trial) {
  if (!USW_B(_takes)(b, x, 2, on_trial, 2))
    USW_B(_make_room)(b, x, 2);
  if (on_trial == USW_MEASURES)
    return;
  const double value = x * b->scale, square = value * value;
  if (USW_B(_put)(b, square, on_trial))
    USW_B(_deposit)(b, __builtin_fma(value, value, -square), 1, on_trial);
}

/* After a trial: whether all that came fitted. */
USW_INLINE int USW_B(_fits)(USW_B(_t) * trial, int power) {
  return (USW_UPPER_HALF_OF(trial->largest) < USW_B(_limit_of_numbers)(trial, power)) &
         (trial->deposits <= USW_BIN_ROOM);
}

/* Whether it has to carry before a trial is joined to it. */
USW_INLINE int USW_B(_is_full)(const USW_B(_t) * b) { return b->deposits > USW_BIN_ROOM; }

/* After a trial that failed: make room in the accumulator that it began like. 0: another trial would not do, because there was
 * an infinity, a NaN, or too much. */
USW_INLINE int USW_B(_learn)(USW_B(_t) * b, const USW_B(_t) * trial, int power) {
  const double largest = usw_from_upper_half(USW_UPPER_HALF_OF(trial->largest));
  const int is_known = (usw_upper_half(largest) < 0x7ff00000u) & (trial->deposits <= USW_BIN_ROOM);
  if (is_known)
    USW_B(_reach)(b, usw_magnitude_of(largest, power), power);
  return is_known;
}

/* Add the units of another accumulator of the same window, where nothing has been carried and there is room. */
USW_INLINE void USW_B(_add_units)(USW_B(_t) * into, const USW_B(_t) * from) {
  USW_UNROLL for (int k = 0; k < USW_BINS_FOLD; k++) into->units[k] += from->units[k];
  into->deposits += from->deposits;
}

/* Add what another accumulator of the same window has. */
USW_INLINE void USW_B(_add_bins)(USW_B(_t) * into, const USW_B(_t) * from) {
  USW_UNROLL for (int k = 0; k < USW_BINS_FOLD; k++) into->carry[k] += from->carry[k];
  USW_B(_add_units)(into, from);
  USW_B(_carry_if_full)(into);
}

/* Add what fitted in a trial, and carry if need be; or leave that to whoever asks whether it is full. */
USW_INLINE void USW_B(_join)(USW_B(_t) * into, const USW_B(_t) * trial, int carries) {
  USW_UNROLL for (int k = 0; k < USW_BINS_FOLD; k++) into->units[k] +=
      trial->units[k] - trial->deposits * usw_bits_of(USW_B(_anchor)(trial->limit, k));
  into->deposits += trial->deposits;
  if (carries)
    USW_B(_carry_if_full)(into);
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
/* Windows by number: the lowest one is 1, the next one USW_BIN_BITS more. */
USW_INLINE int USW_B(_lowest_real_limit)(int power) { return USW_B(_lowest_limit)(power) - power * USW_BINS_SCALE; }
USW_INLINE uint32_t USW_B(_window)(const USW_B(_t) * b, int power) {
  return (uint32_t)(USW_B(_real_limit)(b, power) - USW_B(_lowest_real_limit)(power)) + 1;
}
USW_INLINE int USW_B(_real_limit_of)(uint32_t window, int power) {
  return USW_B(_lowest_real_limit)(power) + (int)window - 1;
}
USW_INLINE void USW_B(_slide_to)(USW_B(_t) * b, uint32_t window, int power) {
  USW_B(_slide)(b, USW_B(_real_limit_of)(window, power), power);
}

/* Before the accumulators of a sub-group are folded, of which `values` count: slide all of them to the highest window there.
 * 1: it is enough to add their units, because nothing has been carried and there is room. */
USW_INLINE int USW_B(_align)(USW_B(_t) * b, uint32_t values, int power) {
  USW_B(_slide_to)(b, usw_port_sub_group_max(USW_B(_window)(b, power)), power);
  uint64_t carried = 0;
  USW_UNROLL for (int k = 0; k < USW_BINS_FOLD; k++) carried |= usw_bits_of(b->carry[k]);
  return !usw_port_sub_group_any(b->deposits > USW_BIN_ROOM / values || carried != 0);
}

/* A sum as columns: its units, and its window's number. 0 in place of that: a sum of zeros or of nothing, which goes with any
 * window; USW_NO_WINDOW: it has carried, or more than `most` cuts. */
USW_INLINE uint32_t USW_B(_pack)(const USW_B(_t) * b, uint32_t most, uint64_t *units, int power) {
  const uint32_t window = USW_B(_window)(b, power);
  uint64_t carried = 0, some = 0;
  USW_UNROLL for (int k = 0; k < USW_BINS_FOLD; k++) {
    units[k] = b->units[k];
    some |= b->units[k];
    carried |= usw_bits_of(b->carry[k]);
  }
  if ((carried != 0) | (b->deposits > most))
    return USW_NO_WINDOW;
  return window == 1 && some == 0 ? 0 : window;
}
/* A sum again, of up to 2^61 units. */
USW_INLINE void USW_B(_unpack)(USW_B(_t) * b, uint32_t window, const uint64_t *units, int power) {
  const int real_limit = USW_B(_real_limit_of)(window, power), scale = USW_B(_scale_of)(real_limit);
  USW_B(_identity)(b, power);
  if (window == 0)
    return;
  USW_B(_clear)(b, (uint32_t)(real_limit + power * scale + 1023) << 20, usw_power_of_2(scale));
  USW_UNROLL for (int k = 0; k < USW_BINS_FOLD; k++) b->units[k] = units[k];
  b->deposits = USW_BIN_ROOM;
}
#endif

#undef USW_B
#undef USW_BINS
#undef USW_BINS_FOLD
#undef USW_BINS_LOWEST_UNIT
#undef USW_BINS_HIGHEST_UNIT
#undef USW_BINS_SCALE
