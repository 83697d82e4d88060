/* The proposal's two examples as they are written there: plus with its identity, 0, given although it is known. It is
 * still the same operator, with its shorthands, for a variable and for a span.   identity_given [--place NAME] */
#include <upsweep/upsweep.h>

#include "strategies.h"

#define USW_KERNEL dot_product
#define USW_ARGS(IN, ARRAY, VALUE) IN(int, a) IN(int, b)
#define USW_REDUCERS(R, S) R(int, sum, USW_PLUS, 0)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, a * b); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL counters
#define USW_ARGS(IN, ARRAY, VALUE) IN(int, in)
#define USW_REDUCERS(R, S) S(int, out, 4, USW_PLUS, 0)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_at(out, i * 7 % 4, in); }
#include <upsweep/kernel_end.h>

#include "dot_product_check.h"
#include "span_check.h"

int main(int argc, char **argv) {
  static const dot_product_t kernels[] = {dot_product};
  const test_place_t place = place_of_arguments(argc, argv);
  check_dot_products(&place, kernels, 1);
  check_counters(&place, counters);
  return check_report();
}
