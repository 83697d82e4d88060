/* The strategies tree_atomic and atomic: every type and operator that atomics can combine, operators of the user with an
 * identity and without, grids of every size, several host threads at once; and what is refused.
 *   atomics [--place NAME] */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

enum { MOST_ITEMS = 20011, MOST_VARIABLES = 9, VARIABLES_BYTES = 16 * MOST_VARIABLES, THREADS = 8 };

static uint32_t all_words[MOST_ITEMS];
static test_place_t place;
static place_memory_t x_there;

#define ATOMIC_INTEGER 1
#define ATOMIC_BOOLEAN 2
#define ATOMIC_FLOATING 3
#define ATOMIC_HALF 4
#define ATOMIC_COMPLEX 5
#define ATOMIC_TAG i8
#define ATOMIC_IS ATOMIC_INTEGER
#include "atomic_kernel.h"
#define ATOMIC_TAG i16
#define ATOMIC_IS ATOMIC_INTEGER
#include "atomic_kernel.h"
#define ATOMIC_TAG i32
#define ATOMIC_IS ATOMIC_INTEGER
#include "atomic_kernel.h"
#define ATOMIC_TAG i64
#define ATOMIC_IS ATOMIC_INTEGER
#include "atomic_kernel.h"
#define ATOMIC_TAG u8
#define ATOMIC_IS ATOMIC_INTEGER
#include "atomic_kernel.h"
#define ATOMIC_TAG u16
#define ATOMIC_IS ATOMIC_INTEGER
#include "atomic_kernel.h"
#define ATOMIC_TAG u32
#define ATOMIC_IS ATOMIC_INTEGER
#include "atomic_kernel.h"
#define ATOMIC_TAG u64
#define ATOMIC_IS ATOMIC_INTEGER
#include "atomic_kernel.h"
#define ATOMIC_TAG b8
#define ATOMIC_IS ATOMIC_BOOLEAN
#include "atomic_kernel.h"
#define ATOMIC_TAG f64
#define ATOMIC_IS ATOMIC_FLOATING
#define ATOMIC_SCALE 1.0
#include "atomic_kernel.h"
#define ATOMIC_TAG f32 /* subnormal sums: a GPU's own atomic addition of floats would lose them */
#define ATOMIC_IS ATOMIC_FLOATING
#define ATOMIC_SCALE 0x1p-149f
#include "atomic_kernel.h"
#define ATOMIC_TAG f16
#define ATOMIC_IS ATOMIC_HALF
#include "atomic_kernel.h"
#define ATOMIC_TAG bf16
#define ATOMIC_IS ATOMIC_HALF
#include "atomic_kernel.h"
#define ATOMIC_TAG cf32
#define ATOMIC_IS ATOMIC_COMPLEX
#define ATOMIC_PART float
#include "atomic_kernel.h"
#define ATOMIC_TAG cf64
#define ATOMIC_IS ATOMIC_COMPLEX
#define ATOMIC_PART double
#include "atomic_kernel.h"

static const struct {
  const char *name;
  usw_status_t (*run)(size_t n, void *variables, const usw_options_t *options);
  int is_exact; /* as a kernel: no operator of it rounds */
} kernels[] = {{"i8", run_i8, 1},     {"i16", run_i16, 1},   {"i32", run_i32, 1},  {"i64", run_i64, 1},
               {"u8", run_u8, 1},     {"u16", run_u16, 1},   {"u32", run_u32, 1},  {"u64", run_u64, 1},
               {"b8", run_b8, 1},     {"f64", run_f64, 0},   {"f32", run_f32, 0},  {"f16", run_f16, 0},
               {"bf16", run_bf16, 0}, {"cf32", run_cf32, 0}, {"cf64", run_cf64, 0}};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

/* Operators of the user. */
#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* x -> a x + b over the integers modulo 2^32; those that are used share their fixed point 7, so they commute. */
typedef struct {
  uint32_t a, b;
} map_t;
static inline map_t compose(map_t f, map_t g) {
  const map_t both = {f.a * g.a, f.a * g.b + f.b};
  return both;
}
static inline map_t same(void) {
  const map_t map = {1, 0};
  return map;
}
static inline map_t about_seven(uint32_t a) {
  const map_t map = {a, 7 * (1 - a)};
  return map;
}
/* Three bytes, added each for itself. */
typedef struct {
  uint8_t a, b, c;
} three_t;
static inline three_t add_three(three_t p, three_t q) {
  const three_t sum = {(uint8_t)(p.a + q.a), (uint8_t)(p.b + q.b), (uint8_t)(p.c + q.c)};
  return sum;
}
static inline int32_t nearer(int32_t p, int32_t q) {
  const int32_t dp = p > 0 ? p : -p, dq = q > 0 ? q : -q;
  return dp < dq || (dp == dq && p < q) ? p : q;
}
static inline double larger(double p, double q) { return p > q ? p : q; }
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

#define USW_KERNEL users
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, item)
#define USW_REDUCERS(R, S)                                                                                             \
  R(map_t, map, compose, same())                                                                                       \
  R(three_t, three, add_three)                                                                                         \
  R(int32_t, nearest, nearer)                                                                                          \
  R(int32_t, never, nearer)                                                                                            \
  R(uint16_t, items, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const three_t of_item = {(uint8_t)i, (uint8_t)item, 1};
  usw_combine(map, about_seven(2 * item + 1));
  usw_combine(three, of_item);
  if (i % 3 == 2)
    usw_combine(nearest, (int32_t)(item % 5000) + 20);
  if (item == 0)
    usw_combine(never, 1);
  usw_inc(items);
}
#include <upsweep/kernel_end.h>

/* What has no room in a word. */
#define USW_KERNEL product_of_complex
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, item)
#define USW_REDUCERS(R, S) R(uint32_t, sum, USW_PLUS) R(usw_cf64_t, product, USW_MULTIPLIES)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(sum, item);
  usw_combine(product, (usw_cf64_t)1);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL large_without_identity
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, item)
#define USW_REDUCERS(R, S) R(uint32_t, sum, USW_PLUS) R(double, largest, larger)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(sum, item);
  usw_combine(largest, (double)item);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL counts
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, item)
#define USW_REDUCERS(R, S) S(uint32_t, bins, 4, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_inc_at(bins, item % 4); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL in_order
#define USW_ORDERED 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, item)
#define USW_REDUCERS(R, S) R(map_t, map, compose, same())
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(map, about_seven(item)); }
#include <upsweep/kernel_end.h>

static usw_options_t options_of(usw_strategy_t strategy, uint32_t teams) {
  usw_options_t options = place_options(&place);
  options.strategy = strategy;
  options.accuracy = USW_FAST;
  options.teams = teams;
  return options;
}

/* What the host gives is what atomics must give. Twice: the cells are zero again after each launch. */
static void check_kernel(int k, size_t n, usw_strategy_t strategy, uint32_t teams) {
  static const usw_options_t on_host = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  unsigned char expected[VARIABLES_BYTES] = {0}, got[VARIABLES_BYTES] = {0}, again[VARIABLES_BYTES] = {0};
  usw_options_t options = options_of(strategy, teams);
  char note[120];
  snprintf(note, sizeof note, "%s, n %zu, strategy %d, teams %u", kernels[k].name, n, (int)strategy, teams);
  options.accuracy = kernels[k].is_exact ? USW_REPEATABLE : USW_FAST;
  CHECK_AT(kernels[k].run(n, expected, &on_host) == USW_OK, note);
  CHECK_AT(kernels[k].run(n, got, &options) == USW_OK, note);
  CHECK_AT(kernels[k].run(n, again, &options) == USW_OK, note);
  CHECK_AT(memcmp(expected, got, sizeof got) == 0 && memcmp(expected, again, sizeof got) == 0, note);
  options.accuracy = USW_REPEATABLE;
  memset(again, 0xa5, sizeof again);
  memset(got, 0xa5, sizeof got);
  if (!kernels[k].is_exact) {
    CHECK_AT(kernels[k].run(n, again, &options) == USW_ERROR_UNSUPPORTED && memcmp(again, got, sizeof got) == 0, note);
    CHECK_TEXT_HAS(usw_error_text(), "ask for USW_FAST");
  }
}

static void check_users(size_t n, usw_strategy_t strategy, uint32_t teams) {
  map_t map = about_seven(3), expected_map = map;
  three_t three = {1, 2, 3}, expected_three = three;
  int32_t nearest = 4000, expected_nearest = nearest, never = 77;
  uint16_t items = 11;
  const usw_options_t options = options_of(strategy, teams);
  char note[120];
  for (size_t i = 0; i < n; i++) {
    const three_t of_item = {(uint8_t)i, (uint8_t)all_words[i], 1};
    expected_map = compose(expected_map, about_seven(2 * all_words[i] + 1));
    expected_three = add_three(expected_three, of_item);
    expected_nearest = i % 3 == 2 ? nearer(expected_nearest, (int32_t)(all_words[i] % 5000) + 20) : expected_nearest;
  }
  snprintf(note, sizeof note, "n %zu, strategy %d, teams %u", n, (int)strategy, teams);
  CHECK_AT(users(n, (const uint32_t *)x_there.data, &map, &three, &nearest, &never, &items, &options) == USW_OK, note);
  CHECK_AT(map.a == expected_map.a && map.b == expected_map.b, note);
  CHECK_AT(memcmp(&three, &expected_three, sizeof three) == 0, note);
  CHECK_AT(nearest == expected_nearest && never == 77 && items == (uint16_t)(n + 11), note);
}

/* Refused with a text that names kernel and reducer; nothing is written. */
static void check_refused(usw_strategy_t strategy) {
  const uint32_t *items = (const uint32_t *)x_there.data;
  const usw_options_t options = options_of(strategy, 0);
  uint32_t sum = 5, bins[4] = {5, 5, 5, 5};
  usw_cf64_t product = 5;
  double largest = 5;
  map_t map = {5, 5};
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, product_of_complex(100, items, &sum, &product, &options));
  CHECK_TEXT_HAS(usw_error_text(), "product_of_complex: USW_STRATEGY_");
  CHECK_TEXT_HAS(usw_error_text(), "'product'");
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, large_without_identity(100, items, &sum, &largest, &options));
  CHECK_TEXT_HAS(usw_error_text(), "'largest'");
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, counts(100, items, bins, &options));
  CHECK_TEXT_HAS(usw_error_text(), "'bins'");
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, in_order(100, items, &map, &options));
  CHECK_TEXT_HAS(usw_error_text(), "order");
  CHECK(sum == 5 && bins[0] == 5 && bins[3] == 5 && largest == 5 && map.a == 5 && map.b == 5);
}

/* Threads that share nothing but the device: kernels, strategies and grids in another order in each. */
static void *call_often(void *number) {
  const size_t thread = (size_t)number;
  const size_t calls =
      is_quick_tier() && strcmp(place.target, "simt") == 0 ? 10 : 40; /* of an emulated GPU some take long */
  for (size_t call = 0; call < calls; call++) {
    const size_t k = call * (2 * thread + 1) + thread;
    check_kernel((int)(k % KERNELS), 5003, k % 2 ? USW_STRATEGY_ATOMIC : USW_STRATEGY_TREE_ATOMIC, (uint32_t)(k % 9));
    check_users(3001, k % 2 ? USW_STRATEGY_TREE_ATOMIC : USW_STRATEGY_ATOMIC, (uint32_t)(k % 7));
  }
  return NULL;
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 2, 3, 33, 257, 5003, MOST_ITEMS};
  static const uint32_t teams[] = {0, 1, 2, 7, 64};
  pthread_t threads[THREADS];
  place = place_of_arguments(argc, argv);
  for (uint32_t i = 0; i < MOST_ITEMS; i++)
    all_words[i] = (i + 1) * 2654435761u;
  x_there = memory_get(&place, all_words, sizeof all_words, 0);
  for (int s = USW_STRATEGY_TREE_ATOMIC; s <= USW_STRATEGY_ATOMIC; s++) {
    const usw_strategy_t strategy = (usw_strategy_t)s;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
      for (size_t t = 0; t < sizeof teams / sizeof teams[0]; t++) {
        for (int kernel = 0; kernel < KERNELS; kernel++)
          if (place_takes_next(&place, 12))
            check_kernel(kernel, sizes[k], strategy, teams[t]);
        if (place_takes_next(&place, 12))
          check_users(sizes[k], strategy, teams[t]);
      }
    check_users(MOST_ITEMS, strategy, strategy == USW_STRATEGY_ATOMIC && simt_takes_next(&place, 2) ? 65535 : 4099);
    check_refused(strategy);
  }
  for (size_t k = 0; k < THREADS; k++)
    pthread_create(&threads[k], NULL, call_often, (void *)k);
  for (size_t k = 0; k < THREADS; k++)
    pthread_join(threads[k], NULL);
  memory_free(&x_there);
  return check_report();
}
