/* What parts.py calls besides the library's functions, as a shared library: a kernel whose result is a span, and one sum of host data over
 * several GPUs. */
#include <stddef.h>
#include <upsweep/upsweep.h>

enum { MOST_PARTS = 16 };

/* Element j of the span is the sum of the items j, j + extent, ... */
#define USW_KERNEL fold
#define USW_PARTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) VALUE(uint64_t, extent)
#define USW_REDUCERS(R, S) S(double, y, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_at(y, i % extent, x); }
#include <upsweep/kernel_end.h>

/* Parts of n items each, a multiple of the extent; each result, if there are some, is of a span in memory of its part's place. */
USW_API usw_status_t fold_of_parts(size_t count, double *const *x, size_t n, size_t extent, double *y,
                                   double *const *results);
usw_status_t fold_of_parts(size_t count, double *const *x, size_t n, size_t extent, double *y, double *const *results) {
  usw_kernel_part_t parts[MOST_PARTS];
  void *copies[MOST_PARTS];
  for (size_t k = 0; k < count && k < MOST_PARTS; k++) {
    parts[k] = fold_part(n, x[k], extent);
    if (results) {
      copies[k] = results[k];
      parts[k].results = &copies[k];
    }
  }
  return fold_parts_fresh(parts, count, y, extent, NULL);
}

/* Bit d of the devices is OpenMP device d; 0: device 0 by a call of one place. */
USW_API usw_status_t sum_of_staged(const double *x, size_t n, uint64_t devices, double *sum);
usw_status_t sum_of_staged(const double *x, size_t n, uint64_t devices, double *sum) {
  usw_options_t options = {USW_INIT(usw_options_t)};
  options.staging = USW_STAGING_ALWAYS;
  if (devices) {
    options.devices = devices;
  } else {
    options.place = USW_DEVICE;
    options.device = 0;
  }
  return usw_reduce(USW_PLUS, USW_F64, x, n, sum, &options);
}
