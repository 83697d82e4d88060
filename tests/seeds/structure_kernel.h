/* A kernel whose variable is a structure of STRUCTURE_WORDS 8-byte words. Include with STRUCTURE_KERNEL (its name),
 * STRUCTURE (its type), STRUCTURE_WORDS and STRUCTURE_HAS_IDENTITY (0 or 1) set. */
typedef struct {
  uint64_t word[STRUCTURE_WORDS];
} STRUCTURE;

static inline STRUCTURE USW_CAT(STRUCTURE, _of)(uint64_t x) {
  STRUCTURE item;
  for (int k = 0; k < STRUCTURE_WORDS; k++)
    item.word[k] = (x + (uint64_t)k) * UINT64_C(0x9e3779b97f4a7c15) >> (k % 17);
  return item;
}

#if STRUCTURE_HAS_IDENTITY /* sums, maxima and exclusive ors in turn: 0 is the identity of all three */
#define STRUCTURE_WORD(k, a, b) ((k) % 3 == 0 ? (a) + (b) : (k) % 3 == 1 ? ((a) > (b) ? (a) : (b)) : (a) ^ (b))
#define STRUCTURE_REDUCTION USW_CAT(STRUCTURE, _operate), USW_CAT(STRUCTURE, _zero)()
static inline STRUCTURE USW_CAT(STRUCTURE, _zero)(void) {
  STRUCTURE zero;
  for (int k = 0; k < STRUCTURE_WORDS; k++)
    zero.word[k] = 0;
  return zero;
}
#else /* minima */
#define STRUCTURE_WORD(k, a, b) ((a) < (b) ? (a) : (b))
#define STRUCTURE_REDUCTION USW_CAT(STRUCTURE, _operate)
#endif

static inline STRUCTURE USW_CAT(STRUCTURE, _operate)(STRUCTURE x, STRUCTURE y) {
  for (int k = 0; k < STRUCTURE_WORDS; k++)
    x.word[k] = STRUCTURE_WORD(k, x.word[k], y.word[k]);
  return x;
}

#define USW_KERNEL STRUCTURE_KERNEL
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x)
#define USW_REDUCERS(R, S) R(STRUCTURE, total, STRUCTURE_REDUCTION)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  if (i % 3 != 0) /* the first item has nothing to say */
    usw_combine(total, USW_CAT(STRUCTURE, _of)(x));
}
#include <upsweep/kernel_end.h>

static void USW_CAT(check_, STRUCTURE_KERNEL)(size_t n, const uint32_t *x, const uint32_t *x_there,
                                              usw_options_t options) {
  for (uint64_t skip = 0; skip <= STRUCTURE_HAS_IDENTITY; skip++) {
    STRUCTURE expected = USW_CAT(STRUCTURE, _of)(77), got = expected;
    for (int k = 0; k < STRUCTURE_WORDS && skip; k++)
      expected.word[k] = 0;
    for (size_t i = 0; i < n; i++)
      if (i % 3 != 0)
        expected = USW_CAT(STRUCTURE, _operate)(expected, USW_CAT(STRUCTURE, _of)(x[i]));
    options.initialize_to_identity = skip;
    CHECK_STATUS(USW_OK, STRUCTURE_KERNEL(n, x_there, &got, &options));
    int wrong = 0;
    for (int k = 0; k < STRUCTURE_WORDS; k++)
      wrong += got.word[k] != expected.word[k];
    check_count(wrong == 0, __FILE__, __LINE__, "%d bytes, n = %zu: %d words are wrong", (int)sizeof(STRUCTURE), n,
                wrong);
  }
}
#undef STRUCTURE_KERNEL
#undef STRUCTURE
#undef STRUCTURE_WORDS
#undef STRUCTURE_HAS_IDENTITY
#undef STRUCTURE_WORD
#undef STRUCTURE_REDUCTION
