/* Minimum and maximum over one stream, as an integer minimum over order keys (order.h); a maximum turns the order round.
 * Row: name, MINIMUM or MAXIMUM, type. */
#include "row.h"

#include <upsweep/order.h>

/* Turn x so that the extremum asked for is a minimum; the same again turns it back. */
#if defined(USW_TURN)
#error "one extremum per file"
#endif
#define USW_TURN_MINIMUM(x) (x)
#define USW_TURN_MAXIMUM(x) (USW_ROW_IS_FLOATING ? -(x) : (USW_ROW_ELEMENT) ~(int64_t)(x))
#define USW_TURN(x) ((USW_ROW_ELEMENT)USW_CAT(USW_TURN_, USW_ROW_OPERATOR)(x))

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* Integers are their own keys. */
#define USW_INTEGER_KEY(tag, K)                                                                                        \
  USW_INLINE K usw_key_##tag(K x, uint64_t nan USW_UNUSED) { return x; }                                               \
  USW_INLINE K usw_from_key_##tag(K key, K nothing USW_UNUSED) { return key; }
USW_INTEGER_KEY(i32, int32_t)
USW_INTEGER_KEY(i64, int64_t)
USW_INTEGER_KEY(u8, uint8_t)
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

#define USW_KERNEL USW_ROW_KERNEL
#define USW_OPERATION USW_ROW_OPERATION
#define USW_TYPE USW_ROW_CODE
#define USW_FACTS (USW_FACT_EXACT | USW_FACT_NAN_POLICY)
#define USW_RESULT USW_ROW_ELEMENT
#define USW_KEYS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ROW_ELEMENT, x) VALUE(uint64_t, nan)
#define USW_REDUCERS(R, S) R(USW_ROW_KEY, key, USW_MINIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(key, USW_CAT(usw_key_, USW_ROW_TYPE)(USW_TURN(x), nan)); }
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) {
  *result = USW_TURN(USW_CAT(usw_from_key_, USW_ROW_TYPE)(a->key, USW_LARGEST(USW_ROW_ELEMENT)));
}
#include <upsweep/kernel_end.h>

usw_status_t USW_ROW_FUNCTION(const USW_ROW_ELEMENT *x, size_t n, USW_ROW_ELEMENT *result_out) {
  const uint64_t slots[] = {(uint64_t)(uintptr_t)x, USW_NAN_PROPAGATE};
  void *variables[] = {result_out};
  return usw_kernel_run(&USW_ROW_DESCRIPTOR, n, slots, variables, NULL);
}
