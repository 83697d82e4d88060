/* The first example of the proposal for ND-range reductions: a dot product. The access mode of its accessor says whether
 * the variable's original value is in: read_write (it is) and discard_write (it is not).   dot_product [--place NAME] */
#include <upsweep/upsweep.h>

#include "strategies.h"

/* The proposal gives plus its identity, 0, although it is known: see identity_given.c. */
#define USW_KERNEL dot_product
#define USW_ARGS(IN, ARRAY, VALUE) IN(int, a) IN(int, b)
#define USW_REDUCERS(R, S) R(int, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, a * b); }
#include <upsweep/kernel_end.h>

/* By the item's index, as the text's body finds its elements. */
#define USW_KERNEL dot_product_by_index
#define USW_ARGS(IN, ARRAY, VALUE) ARRAY(int, a) ARRAY(int, b)
#define USW_REDUCERS(R, S) R(int, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, a[i] * b[i]); }
#include <upsweep/kernel_end.h>

#include "dot_product_check.h"

int main(int argc, char **argv) {
  static const dot_product_t kernels[] = {dot_product, dot_product_by_index};
  const test_place_t place = place_of_arguments(argc, argv);
  check_dot_products(&place, kernels, sizeof kernels / sizeof *kernels);
  return check_report();
}
