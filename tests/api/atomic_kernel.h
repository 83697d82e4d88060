/* A kernel with the operators of one type, for atomics.c, which holds the items. Set before:
 *   ATOMIC_TAG   the type's tag: u8, f64, ...
 *   ATOMIC_IS    ATOMIC_INTEGER, ATOMIC_BOOLEAN, ATOMIC_FLOATING, ATOMIC_HALF or ATOMIC_COMPLEX
 * Gives run_<tag>(n, variables, options): the variables, one after the other, started from the identity. Floating sums
 * and products round nothing, so that any order gives the same bits. */
#define ATOMIC_NAME(before, after) USW_CAT(USW_CAT(before, ATOMIC_TAG), after)
#define ATOMIC_TYPE ATOMIC_NAME(usw_, _t)

#define USW_KERNEL ATOMIC_NAME(combine_, )
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x)
#if ATOMIC_IS == ATOMIC_INTEGER
#define USW_REDUCERS(R, S)                                                                                             \
  R(ATOMIC_TYPE, sum, USW_PLUS)                                                                                        \
  R(ATOMIC_TYPE, product, USW_MULTIPLIES)                                                                              \
  R(ATOMIC_TYPE, least, USW_MINIMUM)                                                                                   \
  R(ATOMIC_TYPE, most, USW_MAXIMUM)                                                                                    \
  R(ATOMIC_TYPE, both, USW_BIT_AND)                                                                                    \
  R(ATOMIC_TYPE, either, USW_BIT_OR)                                                                                   \
  R(ATOMIC_TYPE, odd, USW_BIT_XOR)                                                                                     \
  R(ATOMIC_TYPE, every, USW_LOGICAL_AND)                                                                               \
  R(ATOMIC_TYPE, some, USW_LOGICAL_OR)
#elif ATOMIC_IS == ATOMIC_BOOLEAN
#define USW_REDUCERS(R, S) R(ATOMIC_TYPE, every, USW_LOGICAL_AND) R(ATOMIC_TYPE, some, USW_LOGICAL_OR)
#elif ATOMIC_IS == ATOMIC_COMPLEX
#define USW_REDUCERS(R, S) R(ATOMIC_TYPE, sum, USW_PLUS)
#else
#define USW_REDUCERS(R, S)                                                                                             \
  R(ATOMIC_TYPE, sum, USW_PLUS)                                                                                        \
  R(ATOMIC_TYPE, product, USW_MULTIPLIES)                                                                              \
  R(ATOMIC_TYPE, least, USW_MINIMUM)                                                                                   \
  R(ATOMIC_TYPE, most, USW_MAXIMUM)
#endif
#include <upsweep/kernel.h>
USW_VISIT(i) {
#if ATOMIC_IS == ATOMIC_INTEGER
  usw_add(sum, (ATOMIC_TYPE)(x * 3));
  usw_multiply(product, (ATOMIC_TYPE)(x | 1));
  usw_combine(least, (ATOMIC_TYPE)x);
  usw_combine(most, (ATOMIC_TYPE)(x ^ 0x55555555u));
  usw_and(both, (ATOMIC_TYPE)(x | 0x41414141u));
  usw_or(either, (ATOMIC_TYPE)(x & 0x14141414u));
  usw_xor(odd, (ATOMIC_TYPE)x);
  usw_combine(every, (ATOMIC_TYPE)(i != 700));
  usw_combine(some, (ATOMIC_TYPE)(i == 17));
#elif ATOMIC_IS == ATOMIC_BOOLEAN
  usw_combine(every, i != 700);
  usw_combine(some, i == 17);
#elif ATOMIC_IS == ATOMIC_COMPLEX
  usw_add(sum, USW_COMPLEX_LIKE((ATOMIC_TYPE)0, (ATOMIC_PART)((int)(x % 64) - 32), (ATOMIC_PART)(x % 16)));
#elif ATOMIC_IS == ATOMIC_FLOATING
  usw_add(sum, (ATOMIC_TYPE)((int)(x % 64) - 32) * ATOMIC_SCALE);
  usw_multiply(product, (ATOMIC_TYPE)(x % 5 ? 1 : -1));
  usw_combine(least, (ATOMIC_TYPE)(x % 4096) - 7);
  usw_combine(most, -(ATOMIC_TYPE)(x % 4096));
#else
  usw_add(sum, ATOMIC_NAME(usw_float_to_, )(i % 500 ? 0.0f : 1.0f));
  usw_multiply(product, ATOMIC_NAME(usw_float_to_, )(x % 5 ? 1.0f : -1.0f));
  usw_combine(least, ATOMIC_NAME(usw_float_to_, )((float)(x % 999) - 500));
  usw_combine(most, ATOMIC_NAME(usw_float_to_, )(-1 - (float)(x % 999)));
#endif
}
#include <upsweep/kernel_end.h>

static usw_status_t ATOMIC_NAME(run_, )(size_t n, void *variables, const usw_options_t *options) {
  ATOMIC_TYPE *const v = (ATOMIC_TYPE *)variables;
  usw_options_t fresh = *options;
  const uint32_t *items = options->place == USW_HOST ? all_words : (const uint32_t *)x_there.data;
  fresh.initialize_to_identity = (1u << MOST_VARIABLES) - 1;
#if ATOMIC_IS == ATOMIC_INTEGER
  return ATOMIC_NAME(combine_, )(n, items, v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7, v + 8, &fresh);
#elif ATOMIC_IS == ATOMIC_BOOLEAN
  return ATOMIC_NAME(combine_, )(n, items, v, v + 1, &fresh);
#elif ATOMIC_IS == ATOMIC_COMPLEX
  return ATOMIC_NAME(combine_, )(n, items, v, &fresh);
#else
  return ATOMIC_NAME(combine_, )(n, items, v, v + 1, v + 2, v + 3, &fresh);
#endif
}

#undef ATOMIC_TAG
#undef ATOMIC_IS
#undef ATOMIC_PART
#undef ATOMIC_SCALE
