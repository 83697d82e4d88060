/* A product of 2x2 integer matrices, without an order being kept: all of them are powers and sums of powers of one matrix,
 * so they commute. With its identity, and without.   matrices [--place NAME] */
#include <upsweep/upsweep.h>

#include "strategies.h"

typedef struct {
  uint64_t a, b, c, d; /* rows a b and c d, modulo 2^64 */
} matrix_t;

static inline matrix_t one(void) {
  const matrix_t m = {1, 0, 0, 1};
  return m;
}

static inline matrix_t product(matrix_t x, matrix_t y) {
  const matrix_t m = {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
  return m;
}

/* p + q F with F = (1 1, 1 0), whose powers hold Fibonacci's numbers. */
static inline matrix_t polynomial(uint64_t p, uint64_t q) {
  const matrix_t m = {p + q, q, q, p};
  return m;
}

#define USW_KERNEL matrices
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint8_t, p) IN(uint8_t, q)
#define USW_REDUCERS(R, S)                                                                                             \
  R(matrix_t, from_identity, product, one())                                                                           \
  R(matrix_t, from_values, product)                                                                                    \
  R(matrix_t, fibonacci, product, one())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_combine(from_identity, polynomial(p, q));
  if (q % 2 == 1)
    usw_combine(from_values, polynomial(p, q));
  usw_combine(fibonacci, polynomial(0, 1));
}
#include <upsweep/kernel_end.h>

enum { ITEMS = 10007 };

static void check_matrix(matrix_t expected, matrix_t got, const char *what, size_t n) {
  check_count(expected.a == got.a && expected.b == got.b && expected.c == got.c && expected.d == got.d, __FILE__,
              __LINE__, "%s, n = %zu: another matrix", what, n);
}

static void check(size_t n, const uint8_t *p, const uint8_t *q, const place_memory_t *there, usw_options_t options) {
  for (uint64_t skip = 0; skip < 8; skip += 5) { /* the second one has no identity to start from */
    matrix_t expected[3] = {polynomial(5, 3), polynomial(7, 1), polynomial(2, 9)}, got[3];
    for (int k = 0; k < 3; k++)
      got[k] = expected[k];
    for (int k = 0; k < 3; k += 2)
      if (skip >> k & 1)
        expected[k] = one();
    for (size_t i = 0; i < n; i++) {
      expected[0] = product(expected[0], polynomial(p[i], q[i]));
      if (q[i] % 2 == 1)
        expected[1] = product(expected[1], polynomial(p[i], q[i]));
      expected[2] = product(expected[2], polynomial(0, 1));
    }
    options.initialize_to_identity = skip;
    CHECK_STATUS(USW_OK, matrices(n, (const uint8_t *)there[0].data, (const uint8_t *)there[1].data, &got[0], &got[1],
                                  &got[2], &options));
    check_matrix(expected[0], got[0], "with its identity", n);
    check_matrix(expected[1], got[1], "without one", n);
    check_matrix(expected[2], got[2], "powers of one matrix", n);
  }
}

/* The 90th power of F holds the last Fibonacci numbers below 2^63. */
static void check_fibonacci(const place_memory_t *there, usw_options_t options) {
  const matrix_t expected = {UINT64_C(4660046610375530309), UINT64_C(2880067194370816120),
                             UINT64_C(2880067194370816120), UINT64_C(1779979416004714189)};
  matrix_t ignored[2] = {one(), one()}, got = one();
  options.initialize_to_identity = 4;
  CHECK_STATUS(USW_OK, matrices(90, (const uint8_t *)there[0].data, (const uint8_t *)there[1].data, &ignored[0],
                                &ignored[1], &got, &options));
  check_matrix(expected, got, "Fibonacci", 90);
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 2, 31, 255, 257, 1000, ITEMS};
  static uint8_t p[ITEMS], q[ITEMS];
  const test_place_t place = place_of_arguments(argc, argv);
  const strategies_t strategies = strategies_of(&place);
  for (int i = 0; i < ITEMS; i++) {
    p[i] = (uint8_t)(i % 7 * 2);
    q[i] = (uint8_t)(1 + i * 5 % 11);
  }
  place_memory_t there[2] = {memory_get(&place, p, sizeof p, 0), memory_get(&place, q, sizeof q, 3)};
  for (int s = 0; s < strategies.count; s++) {
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
      check(sizes[k], p, q, there, strategies.options[s]);
    check_fibonacci(there, strategies.options[s]);
  }
  memory_free(&there[0]);
  memory_free(&there[1]);
  return check_report();
}
