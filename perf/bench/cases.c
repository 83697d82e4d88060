/* The cases: kernels and types of the library's lists, and the data. */
#include "bench.h"

#include <complex.h>
#include <upsweep/half.h>

#define HAS(tag, CODE, code, type, value, sum, real, key, class, GROUP) USW_HAS_##GROUP##_##class(| 1u << code)
#define DATA_OF(operation) ((operation) == USW_MULTIPLIES ? BENCH_FACTORS : BENCH_GENERAL)
const bench_kernel_t bench_kernels[] = {
#define KERNEL(name, OPERATION, streams, RESULT, GROUP, what, ...)                                                     \
  {#name, USW_##OPERATION, streams, BENCH_RESULT_##RESULT, DATA_OF(USW_##OPERATION), 0 USW_TYPES(HAS, GROUP)},
    USW_FUNCTIONS(KERNEL, ){NULL, USW_NO_OPERATION, 0, BENCH_RESULT_SUM, BENCH_GENERAL, 0},
};

/* Types of sums and norms are C types in types.def; here they are codes. */
#define CODE_OF(T)                                                                                                     \
  _Generic((T)0,                                                                                                       \
      int64_t: USW_I64,                                                                                                \
      uint64_t: USW_U64,                                                                                               \
      float: USW_F32,                                                                                                  \
      double: USW_F64,                                                                                                 \
      usw_cf32_t: USW_CF32,                                                                                            \
      usw_cf64_t: USW_CF64,                                                                                            \
      usw_b8_t: USW_BOOL)
const bench_type_t bench_types[] = {
#define TYPE(tag, CODE, code, T, V, S, R, K, CLASS, ...)                                                               \
  {.name = #tag,                                                                                                       \
   .type = USW_##CODE,                                                                                                 \
   .bytes = sizeof(T),                                                                                                 \
   .class = BENCH_##CLASS,                                                                                             \
   .is_signed = #tag[0] != 'u',                                                                                        \
   .sum = CODE_OF(S),                                                                                                  \
   .real = CODE_OF(R),                                                                                                 \
   USW_HAS_ORDERED_##CLASS(.describe_index_bytes = offsetof(usw_describe_##tag##_t, minimum_index))},
    USW_TYPES(TYPE, ){.name = NULL},
};

/* Values are small integers times a unit, so that sums of doubles are exact; the extremes lie inside the period, not at
 * its ends. Types that add in float are spread around 0: a plain loop over millions of them, as some peers run it, would
 * otherwise lose more to rounding than any check could allow. */
static int64_t general(const bench_type_t *type, size_t i) {
  const int64_t turned = (int64_t)((i + BENCH_PERIOD / 2) % BENCH_PERIOD);
  if (type->class == BENCH_BOOLEAN)
    return turned % 3 != 0;
  if (type->bytes == 1 || type->type == USW_BF16) /* 8 bits of value */
    return turned % 251 - (type->is_signed ? 125 : 0);
  if (type->sum == USW_F32 || type->sum == USW_CF32)
    return turned == 0 ? 0 : turned - BENCH_PERIOD / 2;
  return type->is_signed ? turned - 300 : turned;
}

/* Integers are odd, for no power of 2 makes a product vanish. Floats are 1 or -1 but for a 2 and a 1/2, side by side, so
 * that no part of the data has a product that is far from 1; complex numbers turn around the origin as well. */
static bench_element_t factor(const bench_type_t *type, size_t i) {
  const int64_t place = (int64_t)(i % BENCH_PERIOD);
  if (type->class == BENCH_INTEGER)
    return (bench_element_t){(type->is_signed && place % 2 ? -1 : 1) * (place % 7 * 2 + 1), 0};
  const int64_t halves = place == 100 ? 4 : place == 101 ? 1 : 2;
  if (type->class != BENCH_COMPLEX)
    return (bench_element_t){place % 3 == 0 ? -halves : halves, 0};
  static const int64_t turns[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  return (bench_element_t){turns[place % 3][0] * halves, turns[place % 3][1] * halves};
}

bench_element_t bench_element(const bench_type_t *type, bench_data_t data, int input, size_t i) {
  if (data == BENCH_FACTORS)
    return factor(type, i);
  const int64_t place = (int64_t)(i % BENCH_PERIOD);
  const int is_complex = type->class == BENCH_COMPLEX;
  if (input == 1)
    return (bench_element_t){place % 7 + 1, is_complex ? place % 5 - 1 : 0};
  return (bench_element_t){general(type, i), is_complex ? general(type, i + BENCH_PERIOD / 4) : 0};
}

double bench_unit(const bench_type_t *type, int input) {
  if (type->class == BENCH_INTEGER || type->class == BENCH_BOOLEAN)
    return 1;
  return input == 0 ? 0.5 : 0.25;
}

/* From a number of the data to an element, by class. */
#define FROM_INTEGER(tag, T, re, im) ((T)(re))
#define FROM_BOOLEAN(tag, T, re, im) ((T)(re))
#define FROM_HALF(tag, T, re, im) ((void)(im), usw_float_to_##tag((float)(re)))
#define FROM_FLOATING(tag, T, re, im) ((T)(re))
#define FROM_COMPLEX(tag, T, re, im) ((T)((re) + (im) * I))

void bench_fill(const bench_type_t *type, bench_data_t data, int input, size_t n, void *elements_out) {
  const double unit = bench_unit(type, input);
  if (data == BENCH_WIDE) {
    bench_fill_wide(type, input, n, elements_out);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    const bench_element_t element = bench_element(type, data, input, i);
    const double re = (double)element.real * unit, im = (double)element.imaginary * unit;
    switch (type->type) {
#define STORE(tag, CODE, code, T, value, sum, real, key, class, ...)                                                   \
  case USW_##CODE:                                                                                                     \
    ((T *)elements_out)[i] = FROM_##class(tag, T, re, im);                                                             \
    break;
      USW_TYPES(STORE, )
    default:
      return;
    }
  }
}
