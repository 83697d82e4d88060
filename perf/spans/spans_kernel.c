/* What spans.py calls besides the library's functions, as a shared library: kernels with a span each, of as many elements as the call says. */
#include <stddef.h>
#include <stdint.h>
#include <upsweep/upsweep.h>

#define USW_KERNEL counts_of_keys
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, key)
#define USW_REDUCERS(R, S) S(uint64_t, y, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_inc_at(y, key); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL sums_by_key
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(uint32_t, key)
#define USW_REDUCERS(R, S) S(double, y, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_at(y, key, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL largest_by_key
#define USW_ARGS(IN, ARRAY, VALUE) IN(float, x) IN(uint32_t, key)
#define USW_REDUCERS(R, S) S(float, y, USW_DYNAMIC_EXTENT, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine_at(y, key, x); }
#include <upsweep/kernel_end.h>

/* The elements begin with identities. */
USW_API usw_status_t span_of_counts(const uint32_t *key, size_t n, uint64_t *y, size_t extent);
usw_status_t span_of_counts(const uint32_t *key, size_t n, uint64_t *y, size_t extent) {
  return counts_of_keys_fresh(n, key, y, extent, NULL);
}

USW_API usw_status_t span_of_sums(const double *x, const uint32_t *key, size_t n, double *y, size_t extent,
                                  usw_accuracy_t accuracy);
usw_status_t span_of_sums(const double *x, const uint32_t *key, size_t n, double *y, size_t extent,
                          usw_accuracy_t accuracy) {
  const usw_options_t options = {USW_INIT(usw_options_t), .accuracy = accuracy};
  return sums_by_key_fresh(n, x, key, y, extent, &options);
}

USW_API usw_status_t span_of_largest(const float *x, const uint32_t *key, size_t n, float *y, size_t extent);
usw_status_t span_of_largest(const float *x, const uint32_t *key, size_t n, float *y, size_t extent) {
  return largest_by_key_fresh(n, x, key, y, extent, NULL);
}
