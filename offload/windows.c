/* Sums of windows: as wide as all doubles, and rounded once. */
#include <upsweep/engine/wide.h>
#include <upsweep/window.h>

_Static_assert((int)USW_WIDE_LIMBS == (int)USW_WINDOW_LIMBS, "a window's integer is a wide one");

static uint32_t sign_of(uint32_t highest_limb) { return highest_limb >> 31 ? UINT32_MAX : 0; }

void uswi_window_add(usw_window_sum_t *sum, const usw_window_t *window) {
  const int shift = window->unit - USW_WINDOW_LOWEST_UNIT, first = shift / USW_WIDE_LIMB_BITS;
  const int bits = shift % USW_WIDE_LIMB_BITS;
  uint32_t below = 0;
  uint64_t carry = 0;
  for (int k = first; k < USW_WINDOW_SUM_LIMBS; k++) {
    const uint32_t limb =
        k - first < USW_WINDOW_LIMBS ? window->limb[k - first] : sign_of(window->limb[USW_WINDOW_LIMBS - 1]);
    carry += (uint64_t)sum->limb[k] + (uint32_t)(((uint64_t)limb << 32 | below) >> (32 - bits));
    sum->limb[k] = (uint32_t)carry;
    carry >>= 32;
    below = limb;
  }
}

/* The limbs that hold digits besides copies of the sign, and the sign. */
static int limbs_of(const usw_window_sum_t *sum) {
  const uint32_t sign = sign_of(sum->limb[USW_WINDOW_SUM_LIMBS - 1]);
  int limbs = USW_WINDOW_SUM_LIMBS;
  while (limbs > 1 && sum->limb[limbs - 1] == sign && sign_of(sum->limb[limbs - 2]) == sign)
    limbs--;
  return limbs;
}

/* Of a long sum only the upper limbs are rounded. Where any digit below them is set, so is their lowest one: then they are
 * neither a number nor half-way between two, as the sum is not, and lie between the same two. */
double uswi_window_round(const usw_window_sum_t *sum, int digits, int least) {
  const int limbs = limbs_of(sum), first = limbs > USW_WIDE_LIMBS ? limbs - USW_WIDE_LIMBS : 0;
  usw_wide_t upper = usw_wide_zero(USW_WINDOW_LOWEST_UNIT + first * USW_WIDE_LIMB_BITS);
  uint32_t below = 0;
  for (int k = 0; k < first; k++)
    below |= sum->limb[k];
  for (int k = 0; k < USW_WIDE_LIMBS; k++)
    upper.limb[k] = sum->limb[first + k];
  upper.limb[0] |= below != 0;
  return usw_wide_round(&upper, digits, least);
}
