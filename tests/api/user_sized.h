/* A user kernel whose accumulator has SIZED_BYTES bytes: sums of bytes. Include with SIZED_KERNEL,
 * SIZED_TYPE and SIZED_BYTES set. */
typedef struct {
  uint8_t byte[SIZED_BYTES];
} SIZED_TYPE;

static inline SIZED_TYPE USW_CAT(SIZED_TYPE, _zero)(void) {
  SIZED_TYPE zero;
  for (int k = 0; k < SIZED_BYTES; k++)
    zero.byte[k] = 0;
  return zero;
}

static inline SIZED_TYPE USW_CAT(SIZED_TYPE, _add)(SIZED_TYPE x, SIZED_TYPE y) {
  for (int k = 0; k < SIZED_BYTES; k++)
    x.byte[k] = (uint8_t)(x.byte[k] + y.byte[k]);
  return x;
}

#define USW_KERNEL SIZED_KERNEL
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint8_t, x)
#define USW_REDUCERS(R, S) R(SIZED_TYPE, sums, USW_CAT(SIZED_TYPE, _add), USW_CAT(SIZED_TYPE, _zero)())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  SIZED_TYPE item;
  for (int k = 0; k < SIZED_BYTES; k++)
    item.byte[k] = (uint8_t)(x * (k + 1) + k);
  usw_combine(sums, item);
}
#include <upsweep/kernel_end.h>

static void USW_CAT(check_, SIZED_KERNEL)(const test_place_t *place, usw_strategy_t strategy, size_t n,
                                          const uint8_t *x, const uint8_t *x_there) {
  SIZED_TYPE expected = USW_CAT(SIZED_TYPE, _zero)(), got = USW_CAT(SIZED_TYPE, _zero)();
  usw_options_t options = place_options(place);
  options.strategy = strategy;
  options.work_group_load = 1;
  options.accuracy = strategy == USW_STRATEGY_CLAUSE ? USW_FAST : USW_REPEATABLE;
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < SIZED_BYTES; k++)
      expected.byte[k] = (uint8_t)(expected.byte[k] + x[i] * (k + 1) + k);
  CHECK_STATUS(USW_OK, SIZED_KERNEL(n, x_there, &got, &options));
  int wrong = 0;
  for (int k = 0; k < SIZED_BYTES; k++)
    wrong += got.byte[k] != expected.byte[k];
  check_count(wrong == 0, __FILE__, __LINE__, "%d bytes, n=%zu, strategy %d: %d bytes are wrong", SIZED_BYTES, n,
              (int)strategy, wrong);
}
#undef SIZED_KERNEL
#undef SIZED_TYPE
#undef SIZED_BYTES
