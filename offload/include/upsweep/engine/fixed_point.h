/* Sums of real numbers in cells that many teams combine into by atomics, with the same bits on every run: as integers of a fixed point, whose
 * additions do not round. A cell is up to USW_FIXED_WORDS words of 64 bits, each with a part of the sum, `width` bits further up than the
 * one before; what is left of 64 bits keeps the carries of all additions.
 *
 * A launch measures the numbers first: the highest and the lowest bit of all, and how many there are. If they fit the words, the second
 * launch adds them: a number of 53 bits changes two or three words. Else, and where runs of equal keys would keep atomics waiting for each
 * other, that launch does nothing, and teams take turns (team_spans.h). What is found is in device memory, so nobody waits for the host.
 * The sum is exact; the fold rounds it once. */
#ifndef UPSWEEP_ENGINE_FIXED_POINT_H
#define UPSWEEP_ENGINE_FIXED_POINT_H

enum {
  USW_FIXED_PARTS = 3,        /* words that a number is in at most */
  USW_LEAST_FIXED_WIDTH = 27, /* for which that is so: 26 + 53 bits */
  USW_DOUBLE_BIAS = 1075,     /* what a double's exponent is more than its lowest bit's */
  USW_FIXED_BIAS = 1 << 12    /* numbers above 0, of which 0 is none */
};

/* What the launch that measures finds: the largest of all threads. */
typedef struct {
  uint32_t top, low;   /* USW_FIXED_BIAS more than the highest bit, and than 0 - the lowest */
  uint32_t is_special; /* 1: a NaN or an infinity */
  uint32_t most;       /* numbers of a thread */
  uint32_t in_runs;    /* threads whose numbers mostly have the key of the one before: the sum */
  uint32_t threads;    /* all of them */
} usw_measured_t;

/* The larger one, where others write too. */
USW_INLINE void usw_raise(uint32_t *at, uint32_t x) {
  uint32_t seen = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (seen < x && !__atomic_compare_exchange_n(at, &seen, x, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

/* The fixed point that follows; words 0: the numbers do not fit. */
typedef struct {
  uint32_t words, width;
  int32_t low;
} usw_fixed_point_t;

USW_INLINE usw_fixed_point_t usw_fixed_point_of(const usw_measured_t *m) {
  const uint64_t numbers = m->most * (uint64_t)m->threads + 1; /* a thread's 2^32, 2^20 threads: far below 2^61 */
  const uint32_t bits = m->top + m->low - 2 * USW_FIXED_BIAS + 1, width = (uint32_t)__builtin_clzll(numbers) - 2;
  const uint32_t words = m->top == 0 ? 1 : (bits + width - 1) / width;
  const int fits =
      !m->is_special && m->in_runs <= m->threads / 2 && width >= USW_LEAST_FIXED_WIDTH && words <= USW_FIXED_WORDS;
  const usw_fixed_point_t fixed = {fits ? words : 0, width, USW_FIXED_BIAS - (int32_t)m->low};
  return fixed;
}

/* A thread's numbers, for all of its sub-group, to where those of all threads meet. */
USW_INLINE void usw_tell_measured(const usw_measured_t *own, uint32_t numbers_in_runs, usw_measured_t *all) {
  const uint32_t top = usw_port_sub_group_max(own->top), low = usw_port_sub_group_max(own->low);
  const uint32_t is_special = usw_port_sub_group_max(own->is_special), most = usw_port_sub_group_max(own->most);
  const uint32_t in_runs = usw_port_count(numbers_in_runs > own->most / 2, USW_SUB_GROUP);
  if (usw_port_thread() % USW_SUB_GROUP > 0)
    return;
  usw_raise(&all->top, top);
  usw_raise(&all->low, low);
  usw_raise(&all->is_special, is_special);
  usw_raise(&all->most, most);
  __atomic_fetch_add(&all->in_runs, in_runs, __ATOMIC_RELAXED);
  usw_raise(&all->threads, usw_port_teams() * usw_port_threads());
}

/* A number as an integer without zeros at its end, times a power of two; 0 has none. */
typedef struct {
  uint64_t integer;
  int32_t low; /* of its lowest bit */
  uint32_t is_negative, is_special;
} usw_number_t;

USW_INLINE usw_number_t usw_number_of(double value) {
  uint64_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  const uint32_t exponent = (uint32_t)(bits >> 52) & 0x7ff;
  const uint64_t fraction = bits & (((uint64_t)1 << 52) - 1),
                 integer = exponent ? fraction | (uint64_t)1 << 52 : fraction;
  const uint32_t zeros = integer ? (uint32_t)__builtin_ctzll(integer) : 0;
  const usw_number_t number = {integer >> zeros, (int32_t)(exponent ? exponent : 1) - USW_DOUBLE_BIAS + (int32_t)zeros,
                               (uint32_t)(bits >> 63), exponent == 0x7ff};
  return number;
}

USW_INLINE void usw_measure_number(usw_measured_t *m, double value) {
  const usw_number_t number = usw_number_of(value);
  m->most++;
  m->is_special |= number.is_special;
  if (number.integer == 0)
    return;
  const uint32_t top = (uint32_t)(USW_FIXED_BIAS + number.low + 63 - __builtin_clzll(number.integer));
  const uint32_t low = (uint32_t)(USW_FIXED_BIAS - number.low);
  m->top = m->top < top ? top : m->top;
  m->low = m->low < low ? low : m->low;
}

/* What a number adds to words from *first_out on. */
USW_INLINE void usw_split_number(double value, usw_fixed_point_t fixed, uint32_t *first_out, uint64_t *parts_out) {
  const usw_number_t number = usw_number_of(value);
  const uint32_t at = number.integer ? (uint32_t)(number.low - fixed.low) : 0;
  const uint32_t first = at / fixed.width, shift = at % fixed.width;
  const uint64_t mask = ((uint64_t)1 << fixed.width) - 1;
  uint64_t below = number.integer << shift, above = shift ? number.integer >> (64 - shift) : 0;
  *first_out = first;
  USW_UNROLL for (int p = 0; p < USW_FIXED_PARTS; p++) {
    const uint64_t part = below & mask;
    parts_out[p] = number.is_negative ? 0 - part : part;
    below = below >> fixed.width | above << (64 - fixed.width);
    above >>= fixed.width;
  }
}

/* 2 to a power from -1022 to 1023. */
USW_INLINE double usw_power_of_two(int32_t exponent) {
  const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
  double power;
  __builtin_memcpy(&power, &bits, sizeof power);
  return power;
}

/* The 64 highest bits of a sum, of which the lowest also says whether something follows; how far up they are; and the sign. */
typedef struct {
  uint64_t bits;
  int32_t low;
  uint32_t is_negative;
} usw_sum_bits_t;

USW_INLINE usw_sum_bits_t usw_sum_of_words(const uint64_t *words, usw_fixed_point_t fixed) {
  const uint64_t mask = ((uint64_t)1 << fixed.width) - 1;
  uint64_t digits[USW_FIXED_WORDS + 1];
  int64_t carry = 0;
  USW_UNROLL for (uint32_t w = 0; w < USW_FIXED_WORDS; w++) {
    const int64_t word = carry + (w < fixed.words ? (int64_t)words[w] : 0);
    digits[w] = (uint64_t)word & mask;
    carry = word >> fixed.width;
  }
  digits[USW_FIXED_WORDS] = (uint64_t)carry;
  usw_sum_bits_t sum = {0, fixed.low, carry < 0};
  uint64_t borrow = sum.is_negative;
  USW_UNROLL for (uint32_t w = 0; w <= USW_FIXED_WORDS; w++) {
    const uint64_t digit =
        sum.is_negative ? (w < USW_FIXED_WORDS ? ~digits[w] & mask : ~digits[w]) + borrow : digits[w];
    digits[w] = w < USW_FIXED_WORDS ? digit & mask : digit;
    borrow = w < USW_FIXED_WORDS ? digit >> fixed.width : 0;
  }
  uint32_t follows = 0;
  for (int w = USW_FIXED_WORDS; w >= 0; w--) {
    const uint32_t room = sum.bits ? (uint32_t)__builtin_clzll(sum.bits) : 64;
    const uint32_t taken = room < fixed.width ? room : fixed.width, left = fixed.width - taken;
    if (sum.bits == 0) {
      sum.bits = digits[w];
      sum.low = fixed.low + w * (int32_t)fixed.width;
    } else {
      sum.bits = taken == 64 ? digits[w] : sum.bits << taken | digits[w] >> left;
      sum.low -= (int32_t)taken;
      follows |= (digits[w] & (((uint64_t)1 << left) - 1)) != 0;
    }
  }
  sum.bits |= follows;
  return sum;
}

/* The sum as a double or float: rounded when its bits become one. Below the normal numbers there is nothing to round. */
USW_INLINE void usw_put_rounded(void *cell, usw_sum_bits_t sum, int bytes) {
  const double scale = usw_power_of_two(sum.low / 2), rest = usw_power_of_two(sum.low - sum.low / 2);
  if (bytes == 8) {
    const double value = (double)sum.bits * scale * rest, with_sign = sum.is_negative ? -value : value;
    __builtin_memcpy(cell, &with_sign, sizeof with_sign);
  } else {
    const float value = (float)((double)(float)sum.bits * scale * rest), with_sign = sum.is_negative ? -value : value;
    __builtin_memcpy(cell, &with_sign, sizeof with_sign);
  }
}

#endif
