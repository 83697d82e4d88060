/* The operators of a reducer that stand for combine, one for each operator that has one, identity() inside the body, and
 * the member types and constants of every reducer.   shorthands [--place NAME] */
#include <upsweep/upsweep.h>

#include "strategies.h"

enum { ITEMS = 12345, MODULUS = 1009 };

static inline uint32_t add_modulo(uint32_t x, uint32_t y) { return (x + y) % MODULUS; }

/* The later letter of the alphabet; there might be one before a. */
static inline char later(char x, char y) { return x > y ? x : y; }

#define USW_KERNEL shorthands
#define USW_ARGS(IN, ARRAY, VALUE) IN(int32_t, x)
#define USW_REDUCERS(R, S)                                                                                             \
  R(int64_t, sum, USW_PLUS)                                                                                            \
  R(float, halves, USW_PLUS)                                                                                           \
  R(uint32_t, count, USW_PLUS)                                                                                         \
  R(uint64_t, product, USW_MULTIPLIES)                                                                                 \
  R(double, sign, USW_MULTIPLIES)                                                                                      \
  R(uint8_t, in_all, USW_BIT_AND)                                                                                      \
  R(uint16_t, in_any, USW_BIT_OR)                                                                                      \
  R(int64_t, parity, USW_BIT_XOR)                                                                                      \
  R(int32_t, most, USW_MAXIMUM)                                                                                        \
  R(uint32_t, rest, add_modulo, 0)                                                                                     \
  R(char, letter, later)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(sum, x);
  usw_add(halves, (float)(i % 4) / 2);
  usw_inc(count);
  usw_multiply(product, 2 * (uint64_t)i + 1);
  usw_multiply(sign, x < 0 ? -1 : 1);
  usw_and(in_all, (uint8_t)(x | 0x81));
  usw_or(in_any, (uint16_t)(x & 0x1234));
  usw_xor(parity, x);
  usw_combine(most, i % 2 == 0 ? x : usw_identity_of(most));
  usw_combine(rest, i % 3 == 0 ? (uint32_t)(i % MODULUS) : usw_identity_of(rest));
  usw_add(sum, usw_identity_of(sum));
  usw_combine(letter, (char)('a' + i % 20));
}
#include <upsweep/kernel_end.h>

/* value_type (declared once more as what it must be), binary_operation, dimensions; whether there is an identity. */
#define IS_REDUCER(reducer, T, code, identity)                                                                         \
  extern T type_of_##reducer;                                                                                          \
  extern USW_REDUCER_TYPE(shorthands, reducer) type_of_##reducer;                                                      \
  USW_ASSERT(USW_REDUCER_OPERATION(shorthands, reducer) == (int)code, "the operator of " #reducer);                    \
  USW_ASSERT(USW_REDUCER_DIMENSIONS(shorthands, reducer) == 0, "the dimensions of " #reducer);                         \
  USW_ASSERT(USW_REDUCER_HAS_IDENTITY(shorthands, reducer) == identity, "the identity of " #reducer)
IS_REDUCER(sum, int64_t, USW_PLUS, 1);
IS_REDUCER(halves, float, USW_PLUS, 1);
IS_REDUCER(count, uint32_t, USW_PLUS, 1);
IS_REDUCER(product, uint64_t, USW_MULTIPLIES, 1);
IS_REDUCER(sign, double, USW_MULTIPLIES, 1);
IS_REDUCER(in_all, uint8_t, USW_BIT_AND, 1);
IS_REDUCER(in_any, uint16_t, USW_BIT_OR, 1);
IS_REDUCER(parity, int64_t, USW_BIT_XOR, 1);
IS_REDUCER(most, int32_t, USW_MAXIMUM, 1);
IS_REDUCER(rest, uint32_t, USW_NO_OPERATION, 1);
IS_REDUCER(letter, char, USW_NO_OPERATION, 0);

typedef struct {
  int64_t sum, parity;
  uint64_t product;
  double sign;
  float halves;
  uint32_t count, rest;
  int32_t most;
  uint16_t in_any;
  uint8_t in_all;
  char letter;
} results_t;

static const results_t originals = {-9, 0x7777, 5, -1, 1.5f, 100, 8, -12345678, 0x4000, 0xff, 'c'};

static results_t serial(size_t n, const int32_t *x) {
  results_t r = originals;
  for (size_t i = 0; i < n; i++) {
    r.sum += x[i];
    r.halves += (float)(i % 4) / 2;
    r.count++;
    r.product *= 2 * (uint64_t)i + 1;
    r.sign *= x[i] < 0 ? -1 : 1;
    r.in_all = (uint8_t)(r.in_all & (x[i] | 0x81));
    r.in_any = (uint16_t)(r.in_any | (x[i] & 0x1234));
    r.parity ^= x[i];
    r.most = i % 2 == 0 && x[i] > r.most ? x[i] : r.most;
    r.rest = i % 3 == 0 ? add_modulo(r.rest, (uint32_t)(i % MODULUS)) : r.rest;
    r.letter = later(r.letter, (char)('a' + i % 20));
  }
  return r;
}

static void check(size_t n, const int32_t *x, const int32_t *x_there, const usw_options_t *options) {
  const results_t expected = serial(n, x);
  results_t got = originals;
  CHECK_STATUS(USW_OK, shorthands(n, x_there, &got.sum, &got.halves, &got.count, &got.product, &got.sign, &got.in_all,
                                  &got.in_any, &got.parity, &got.most, &got.rest, &got.letter, options));
  CHECK_I64(expected.sum, got.sum);
  CHECK_F64((double)expected.halves, (double)got.halves);
  CHECK_U64(expected.count, got.count);
  CHECK_U64(expected.product, got.product);
  CHECK_F64(expected.sign, got.sign);
  CHECK_U64(expected.in_all, got.in_all);
  CHECK_U64(expected.in_any, got.in_any);
  CHECK_I64(expected.parity, got.parity);
  CHECK_I64(expected.most, got.most);
  CHECK_U64(expected.rest, got.rest);
  CHECK_I64(expected.letter, got.letter);
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 2, 3, 33, 256, 257, 4097, ITEMS};
  static int32_t x[ITEMS];
  const test_place_t place = place_of_arguments(argc, argv);
  const strategies_t strategies = strategies_of(&place);
  for (int i = 0; i < ITEMS; i++)
    x[i] = i * 48271 % 99991 - 40000;
  place_memory_t there = memory_get(&place, x, sizeof x, 0);
  for (int s = 0; s < strategies.count; s++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
      check(sizes[k], x, (const int32_t *)there.data, &strategies.options[s]);
  memory_free(&there);
  return check_report();
}
