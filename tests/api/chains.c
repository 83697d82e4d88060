/* The chain that usw_explain() tells is one that no call exceeds: a kernel whose operator counts how deep its own
 * combination is.   chains [--place NAME] */
#include <upsweep/explain.h>
#include <upsweep/upsweep.h>

/* One deeper than the deeper of the two. */
static inline double deeper(double x, double y) { return (x > y ? x : y) + 1; }

#define USW_KERNEL depth_of_combination
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, depth, deeper, 0)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(depth, x); }
#include <upsweep/kernel_end.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 1 << 21 };

/* Sums of f64 have this kernel's layout: items and accumulator of 8 bytes, of which the order matters. */
static void one(const test_place_t *place, usw_strategy_t strategy, uint32_t teams, const double *x, size_t n) {
  double depth = 0;
  usw_explanation_t e = {.size = USW_INIT(usw_explanation_t)};
  usw_options_t options = place_options(place);
  options.strategy = strategy;
  options.teams = teams;
  options.accuracy = USW_FAST;
  options.work_group_load = 4;
  CHECK_STATUS(USW_OK, usw_explain(USW_PLUS, USW_F64, n, &options, &e));
  CHECK_STATUS(USW_OK, depth_of_combination(n, x, &depth, &options));
  const double measured = depth - 1; /* the original value is one more */
  check_count(measured <= (double)e.chain_length + 1, __FILE__, __LINE__,
              "n=%zu strategy=%d teams=%u: depth %.0f, explained as %.0f", n, (int)strategy, teams, measured,
              (double)e.chain_length);
  check_count((double)e.chain_length <= 2 * measured + 16, __FILE__, __LINE__,
              "n=%zu strategy=%d teams=%u: depth %.0f, explained as %.0f: far too long", n, (int)strategy, teams,
              measured, (double)e.chain_length);
}

/* Launches of multipass: until at most `load` partials are left, each team taking so many, or two. */
static void check_launches(const test_place_t *place) {
  static const struct {
    uint32_t teams, load, launches;
  } cases[] = {{1, 1, 1},   {2, 1, 2},      {100, 4, 4},   {100, 0, 1},    {256, 0, 1},
               {257, 0, 2}, {65535, 1, 17}, {65535, 0, 2}, {65535, 2, 16}, {65535, 65535, 1}};
  usw_options_t options = place_options(place);
  options.strategy = USW_STRATEGY_MULTIPASS;
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    usw_explanation_t e = {.size = USW_INIT(usw_explanation_t)};
    options.teams = cases[k].teams;
    options.work_group_load = cases[k].load;
    CHECK_STATUS(USW_OK, usw_explain(USW_PLUS, USW_F64, ITEMS, &options, &e));
    CHECK_U64(cases[k].launches, e.launches);
  }
}

static double bound_of_largest(usw_type_t type) {
  usw_explanation_t e = {.size = USW_INIT(usw_explanation_t)};
  CHECK_STATUS(USW_OK, usw_explain(USW_NORM_INF, type, 100, NULL, &e));
  return e.error_bound;
}

int main(int argc, char **argv) {
  const test_place_t place = place_of_arguments(argc, argv);
  static const size_t sizes[] = {1,    2,    7,     8,     24,     40,     256,    512,     2047,
                                 2048, 2049, 16384, 20000, 100000, 262144, 300000, 1000001, ITEMS};
  static const uint32_t teams[] = {0, 1, 3, 100};
  static double zeros[ITEMS];
  place_memory_t x = memory_get(&place, zeros, sizeof zeros, 0);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t t = 0; t < sizeof teams / sizeof *teams; t++) {
      one(&place, USW_AUTO_STRATEGY, teams[t], x.data, sizes[s]);
      if (place.place == USW_DEVICE) {
        one(&place, USW_STRATEGY_TREE, teams[t], x.data, sizes[s]);
        one(&place, USW_STRATEGY_HOST_FINISH, teams[t], x.data, sizes[s]);
        one(&place, USW_STRATEGY_TREE_ATOMIC, teams[t], x.data, sizes[s]);
        one(&place, USW_STRATEGY_ATOMIC, teams[t], x.data, sizes[s]);
        one(&place, USW_STRATEGY_MULTIPASS, teams[t], x.data, sizes[s]);
      }
    }
  memory_free(&x);
  if (place.place == USW_DEVICE)
    check_launches(&place);
  CHECK_F64(0, bound_of_largest(USW_F64)); /* one of the elements; a modulus is rounded */
  CHECK_F64(4 * 0x1p-53, bound_of_largest(USW_CF64));
  return check_report();
}
