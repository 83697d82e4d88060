/* Order keys: integers that order as numbers do, with the cases that `<` leaves open decided.
 *
 * -0 comes before +0. A NaN is either first of all (it wins: USW_NAN_PROPAGATE) or after every number (it loses:
 * USW_NAN_IGNORE). After both comes "nothing seen". A minimum over keys is a plain integer minimum, so it is the same for
 * every order and place, and OpenMP's own `min` reduces it. For a maximum the numbers' keys are turned round: turn is all
 * ones then, else 0. Integers are their own keys.
 *
 *   key(x, nan, turn)     the key of x
 *   from_key(key, turn)   the number again; the identity (an infinity, an extreme) for "nothing seen"
 *   only_nans(key)        whether it is the key of NaNs that were passed over
 *   key_of_equals(key)    the key that stands for all that compare equal: both zeros have -0's, of either turn. Places are
 *                         compared by it, values are not */
#ifndef UPSWEEP_ORDER_H
#define UPSWEEP_ORDER_H

#include <upsweep/reducer.h>

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif

/* The key of -0, or turned round of +0; the other zero's is 0. */
#define USW_KEY_OF_ZEROS (-1)

/* USW_FLOATING_ORDER(f64, double, int64_t, INT64_MAX, bits of infinity, bits of a NaN, whether x or its bits are a NaN).
 * The three keys that are no number's, NaN lost, nothing seen and NaN won, are beyond any infinity's. */
#define USW_FLOATING_ORDER(tag, T, K, K_MAX, INFINITY_BITS, NAN_BITS, IS_NAN)                                          \
  USW_INLINE K usw_flip_##tag(K bits) { return (K)(bits ^ ((bits >> (8 * sizeof(K) - 1)) & K_MAX)); }                  \
  USW_INLINE K usw_key_##tag(T x, uint64_t nan, K turn) {                                                              \
    K bits;                                                                                                            \
    __builtin_memcpy(&bits, &x, sizeof bits);                                                                          \
    return (K)(IS_NAN ? (nan == USW_NAN_IGNORE ? K_MAX - 1 : -K_MAX - 1) : usw_flip_##tag(bits) ^ turn);               \
  }                                                                                                                    \
  USW_INLINE int usw_only_nans_##tag(K key) { return key == K_MAX - 1; }                                               \
  USW_INLINE K usw_key_of_equals_##tag(K key) { return key == 0 ? USW_KEY_OF_ZEROS : key; }                            \
  USW_INLINE T usw_from_key_##tag(K key, K turn) {                                                                     \
    const K number = usw_flip_##tag((K)(key ^ turn)), nothing = (K)(INFINITY_BITS | (turn & (-K_MAX - 1)));            \
    const int is_nan = key == K_MAX - 1 || key == -K_MAX - 1;                                                          \
    const K bits = (K)(key == K_MAX ? nothing : is_nan ? NAN_BITS : number);                                           \
    T x;                                                                                                               \
    __builtin_memcpy(&x, &bits, sizeof x);                                                                             \
    return x;                                                                                                          \
  }
USW_FLOATING_ORDER(f64, double, int64_t, INT64_MAX, 0x7ff0000000000000, 0x7ff8000000000000, (x != x))
USW_FLOATING_ORDER(f32, float, int32_t, INT32_MAX, 0x7f800000, 0x7fc00000, (x != x))
enum { USW_NAN_BITS_f16 = 0x7e00, USW_NAN_BITS_bf16 = 0x7fc0 };
USW_FLOATING_ORDER(f16, usw_f16_t, int16_t, INT16_MAX, 0x7c00, USW_NAN_BITS_f16, ((bits & INT16_MAX) > 0x7c00))
USW_FLOATING_ORDER(bf16, usw_bf16_t, int16_t, INT16_MAX, 0x7f80, USW_NAN_BITS_bf16, ((bits & INT16_MAX) > 0x7f80))

#define USW_INTEGER_ORDER(tag, CODE, code, T, value, sum, real, K, class, ...)                                         \
  USW_HAS_INTEGER_##class(                                                                                             \
      USW_INLINE K usw_key_##tag(T x, uint64_t nan USW_UNUSED, K turn) {                                               \
        return (K)(x ^ turn);                                                                                          \
      } USW_INLINE int usw_only_nans_##tag(K key USW_UNUSED) {                                                         \
        return 0;                                                                                                      \
      } USW_INLINE K usw_key_of_equals_##tag(K key) { return key; } USW_INLINE T usw_from_key_##tag(K key, K turn) {   \
        return (T)(key ^ turn);                                                                                        \
      })
USW_TYPES(USW_INTEGER_ORDER, )

#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif
#endif
