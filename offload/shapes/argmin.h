/* The smallest element and its lowest index: the first of the smallest (key, index) pairs. Row: name, MINIMUM, type. */
#include "row.h"

#include <upsweep/order.h>

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* An order key and where it was first found; index -1, the largest, when nothing was. */
typedef struct {
  USW_ROW_KEY key;
  uint64_t index;
} usw_place_of_key_t;

USW_INLINE usw_place_of_key_t usw_no_place(void) {
  const usw_place_of_key_t nothing = {USW_LARGEST(USW_ROW_KEY), UINT64_MAX};
  return nothing;
}

USW_INLINE usw_place_of_key_t usw_first_place(usw_place_of_key_t a, usw_place_of_key_t b) {
  return b.key < a.key || (b.key == a.key && b.index < a.index) ? b : a;
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

#define USW_KERNEL USW_ROW_KERNEL
#define USW_OPERATION USW_ARGMIN
#define USW_TYPE USW_ROW_CODE
#define USW_FACTS (USW_FACT_EXACT | USW_FACT_NAN_POLICY)
#define USW_RESULT USW_TAGGED(usw_located_, USW_ROW_TYPE, _t)
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ROW_ELEMENT, x) VALUE(uint64_t, nan)
#define USW_REDUCERS(R, S) R(usw_place_of_key_t, first, usw_first_place, usw_no_place())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const usw_place_of_key_t here = {USW_CAT(usw_key_, USW_ROW_TYPE)(x, nan), i};
  usw_combine(first, here);
}
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) {
  const int ignored = a->first.key == USW_LARGEST(USW_ROW_KEY) - 1; /* NaNs only, and they do not count */
  result->value = USW_CAT(usw_from_key_, USW_ROW_TYPE)(a->first.key, USW_LARGEST(USW_ROW_ELEMENT));
  result->index = ignored ? -1 : (int64_t)a->first.index;
}
#include <upsweep/kernel_end.h>

usw_status_t USW_ROW_FUNCTION(const USW_ROW_ELEMENT *x, size_t n,
                              USW_TAGGED(usw_located_, USW_ROW_TYPE, _t) * result_out) {
  const uint64_t slots[] = {(uint64_t)(uintptr_t)x, USW_NAN_PROPAGATE};
  void *variables[] = {result_out};
  return usw_kernel_run(&USW_ROW_DESCRIPTOR, n, slots, variables, NULL);
}
