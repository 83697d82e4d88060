/* The cases: kernels by code, their data, and what they have to give. */
#include "bench.h"

#include <math.h>

const bench_kernel_t bench_kernels[] = {
    {"sum", USW_PLUS, 1},    {"min", USW_MINIMUM, 1},   {"max", USW_MAXIMUM, 1},       {"dot", USW_DOT, 2},
    {"count", USW_COUNT, 1}, {"argmin", USW_ARGMIN, 1}, {"describe", USW_DESCRIBE, 1}, {NULL, USW_NO_OPERATION, 0},
};

const bench_type_t bench_types[] = {
#define TYPE(tag, CODE, code, type, sum, key, class) {#tag, USW_##CODE, sizeof(type)},
    USW_TYPES(TYPE)
#undef TYPE
        {NULL, USW_NO_TYPE, 0},
};

/* Does the library have the kernel for the type? An empty input answers without any data. */
int bench_has(const bench_kernel_t *kernel, const bench_type_t *type) {
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  bench_value_t value;
  const usw_status_t status = kernel->inputs == 2
                                  ? usw_reduce_pair(kernel->operation, type->type, NULL, NULL, 0, &value, &options)
                                  : usw_reduce(kernel->operation, type->type, NULL, 0, &value, &options);
  return status == USW_OK;
}

/* The data repeats every PERIOD elements. Values are small integers times a unit, so that sums of
 * doubles are exact; the extremes lie inside the period, not at its ends. Floats are spread around
 * 0: a plain loop over millions of them, as some peers run it, would otherwise lose more to
 * rounding than any check could allow. */
enum { PERIOD = 1000 };

static int is_floating(const bench_type_t *type) { return type->type == USW_F64 || type->type == USW_F32; }

static int64_t value_at(const bench_type_t *type, int input, size_t i) {
  const int64_t place = (int64_t)(i % PERIOD);
  if (input == 1)
    return place % 7 + 1;
  const int64_t turned = (place + PERIOD / 2) % PERIOD;
  if (type->type == USW_F32)
    return turned == 0 ? 0 : turned - PERIOD / 2;
  return type->type == USW_U8 ? turned % 251 : turned;
}

static double unit_of(const bench_type_t *type, int input) { return is_floating(type) ? (input == 0 ? 0.5 : 0.25) : 1; }

void bench_fill(const bench_type_t *type, int input, size_t n, void *elements_out) {
  const double unit = unit_of(type, input);
  for (size_t i = 0; i < n; i++) {
    const int64_t value = value_at(type, input, i);
    switch (type->type) {
    case USW_F64:
      ((double *)elements_out)[i] = (double)value * unit;
      break;
    case USW_F32:
      ((float *)elements_out)[i] = (float)((double)value * unit);
      break;
    case USW_I64:
      ((int64_t *)elements_out)[i] = value;
      break;
    case USW_I32:
      ((int32_t *)elements_out)[i] = (int32_t)value;
      break;
    default:
      ((uint8_t *)elements_out)[i] = (uint8_t)value;
      break;
    }
  }
}

/* What is true of the first n elements, in units. */
typedef struct facts {
  int64_t sum, dot, nonzero, least, greatest;
  double squares;
  int64_t least_index, greatest_index;
} facts_t;

static facts_t facts_of(const bench_type_t *type, size_t n) {
  facts_t facts = {0, 0, 0, INT64_MAX, INT64_MIN, 0, -1, -1};
  for (size_t i = 0; i < PERIOD && i < n; i++) {
    const int64_t times = (int64_t)((n - i - 1) / PERIOD + 1), v = value_at(type, 0, i);
    facts.sum += v * times;
    facts.dot += v * value_at(type, 1, i) * times;
    facts.nonzero += v != 0 ? times : 0;
    facts.squares += (double)(v * v) * (double)times;
    if (v < facts.least)
      facts.least = v, facts.least_index = (int64_t)i;
    if (v > facts.greatest)
      facts.greatest = v, facts.greatest_index = (int64_t)i;
  }
  return facts;
}

static int is_near(double value, double expected, double tolerance) { return fabs(value - expected) <= tolerance; }

static int describe_is_right(const bench_value_t *value, const facts_t *facts, size_t n, double unit) {
  const usw_describe_f64_t *found = &value->described;
  const double count = (double)n, mean = (double)facts->sum / count;
  const double variance = facts->squares / count - mean * mean;
  return found->count == n && is_near(found->mean, mean * unit, 1e-9 * mean) &&
         is_near(found->variance, variance * unit * unit, 1e-9 * (1 + variance)) &&
         found->minimum == (double)facts->least * unit && found->maximum == (double)facts->greatest * unit &&
         found->minimum_index == facts->least_index && found->maximum_index == facts->greatest_index;
}

/* Sums have their own type; minima and maxima have the elements'. */
double bench_as_number(const bench_call_t *call, const bench_value_t *value) {
  const usw_operation_t operation = call->kernel->operation;
  if (operation == USW_COUNT)
    return (double)value->u64;
  if (operation == USW_ARGMIN)
    return value->located.value;
  if (operation == USW_DESCRIBE)
    return value->described.mean;
  if (call->type->type == USW_F64)
    return value->f64;
  if (call->type->type == USW_F32)
    return (double)value->f32;
  if (operation == USW_MINIMUM || operation == USW_MAXIMUM) {
    if (call->type->type == USW_I32)
      return value->i32;
    if (call->type->type == USW_U8)
      return value->u8;
  }
  return (double)value->i64;
}

int bench_is_right(const bench_call_t *call, const bench_value_t *value) {
  const facts_t facts = facts_of(call->type, call->n);
  const double unit = unit_of(call->type, 0), number = bench_as_number(call, value);
  /* A sum of floats rounds: allow a millionth of the sum of their sizes, which are 125 on average.
   */
  const double tolerance = call->type->type == USW_F32 ? 125e-6 * (double)call->n : 0;
  switch (call->kernel->operation) {
  case USW_PLUS:
    return is_near(number, (double)facts.sum * unit, tolerance);
  case USW_DOT:
    return is_near(number, (double)facts.dot * unit * unit_of(call->type, 1), tolerance);
  case USW_MINIMUM:
    return number == (double)facts.least * unit;
  case USW_MAXIMUM:
    return number == (double)facts.greatest * unit;
  case USW_COUNT:
    return value->u64 == (uint64_t)facts.nonzero;
  case USW_ARGMIN:
    return number == (double)facts.least * unit && value->located.index == facts.least_index;
  case USW_DESCRIBE:
    return describe_is_right(value, &facts, call->n, unit);
  default:
    return 0;
  }
}
