/* Order keys: integers that order as floating-point numbers do, with the cases that `<` leaves open decided.
 *
 * -0 comes before +0. A NaN is either first of all (it wins: USW_NAN_PROPAGATE) or after every number (it loses:
 * USW_NAN_IGNORE). After both comes "nothing seen". A minimum over keys is a plain integer minimum, so it is the same for
 * every order and place, and OpenMP's own `min` reduces it. A maximum is the negated minimum of the negated numbers. */
#ifndef UPSWEEP_ORDER_H
#define UPSWEEP_ORDER_H

#include <upsweep/reducer.h>

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif

/* USW_ORDER_KEY(f64, double, int64_t, INT64_MAX): the functions for one floating type.
 *   key(x, nan)            the key of x for a minimum
 *   from_key(key, nothing) the number again; `nothing` for the key of "nothing seen"
 * The three keys that are no number's, LOST_NAN, NOTHING and WON_NAN, are larger or smaller than any infinity's. */
#define USW_ORDER_KEY(tag, T, K, K_MAX)                                                                                \
  USW_INLINE K usw_flip_##tag(K bits) { return bits ^ ((bits >> (8 * sizeof(K) - 1)) & K_MAX); }                       \
  USW_INLINE K usw_key_##tag(T x, uint64_t nan) {                                                                      \
    K bits;                                                                                                            \
    __builtin_memcpy(&bits, &x, sizeof bits);                                                                          \
    return x == x ? usw_flip_##tag(bits) : nan == USW_NAN_IGNORE ? K_MAX - 1 : -K_MAX - 1;                             \
  }                                                                                                                    \
  USW_INLINE T usw_from_key_##tag(K key, T nothing) {                                                                  \
    const K bits = usw_flip_##tag(key);                                                                                \
    T x;                                                                                                               \
    __builtin_memcpy(&x, &bits, sizeof x);                                                                             \
    if (key == K_MAX)                                                                                                  \
      return nothing;                                                                                                  \
    return key == K_MAX - 1 || key == -K_MAX - 1 ? (T)NAN : x;                                                         \
  }

USW_ORDER_KEY(f64, double, int64_t, INT64_MAX)
USW_ORDER_KEY(f32, float, int32_t, INT32_MAX)

#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif
#endif
