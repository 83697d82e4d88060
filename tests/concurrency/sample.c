/* The library's kernels that mixed.c calls, in place of all of them (offload/table.c): built with a sanitizer of their own
 * they are many. */
#include <stddef.h>
#include <upsweep/descriptor.h>

#define KERNELS(K) K(sum_f64) K(sum_i64) K(min_f64) K(max_i64) K(argmax_f64) K(dot_f64) K(sum_reproducible_f64)

#define DECLARE(name) extern const usw_kernel_t name##_kernel;
KERNELS(DECLARE)
#define ADDRESS(name) &name##_kernel,
extern const usw_kernel_t *const uswi_kernels[];
const usw_kernel_t *const uswi_kernels[] = {KERNELS(ADDRESS) NULL};
extern usw_alias_t uswi_aliases[];
usw_alias_t uswi_aliases[] = {{0, 0, NULL, NULL, {0}}};

/* Exact sums are not among the calls. */
const usw_kernel_t *uswi_window_kernel_on_host(usw_type_t type, int is_of_products);
const usw_kernel_t *uswi_window_kernel_on_host(usw_type_t type, int is_of_products) {
  (void)type, (void)is_of_products;
  return NULL;
}
