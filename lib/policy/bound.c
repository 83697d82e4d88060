/* Bounds of errors: what a chain of operations, or the bins of a reproducible sum, can lose. All to first order; their
 * derivations are in scripts/docs/pages/reference/accuracy_bounds.md. */

#include "policy/bound.h"

#include <float.h>
#include <math.h>

static const double double_roundoff = 0x1p-53;

/* What a number loses in bins, at most, as a share of the largest one: half of the lowest bin's unit. */
static const double lost_of_double = 0x1p-80, lost_of_float = 0x1p-40;

/* Unit roundoff of what elements of this type are added up to; 0 for integers and booleans. */
static double unit_roundoff(usw_type_t type) {
  switch (type) {
  case USW_F16:
  case USW_BF16:
  case USW_F32:
  case USW_CF32:
    return 0x1p-24;
  case USW_F64:
  case USW_CF64:
    return double_roundoff;
  default:
    return 0;
  }
}

static int is_complex(usw_type_t type) { return type == USW_CF32 || type == USW_CF64; }
static int is_double(usw_type_t type) { return type == USW_F64 || type == USW_CF64; }
static int is_dot(usw_operation_t operation) { return operation == USW_DOT || operation == USW_DOTC; }

/* Roundings of one |z|, in units of the type that adds them: from the sum of two squares in double for cf32; from a
 * ratio, its square, a sum, a root and a product for cf64, of which the first three count for half. */
static double modulus_error(usw_type_t type) { return type == USW_CF32 ? 1.001 : type == USW_CF64 ? 4 : 0; }

/* Whether the result depends on the order of its operations, or would without accurate sums. */
static int is_rounded(usw_operation_t operation, usw_type_t type) {
  switch (operation) {
  case USW_PLUS:
  case USW_MULTIPLIES:
  case USW_NORM1:
  case USW_NORM2:
  case USW_DOT:
  case USW_DOTC:
    return unit_roundoff(type) > 0;
  default:
    return operation == USW_DESCRIBE;
  }
}

/* The relative errors of all partial products end up in a product, whatever its tree; a sum takes those of one chain. */
static void bound_plain(usw_explanation_t *e, usw_operation_t operation, usw_type_t type, size_t n) {
  const double u = unit_roundoff(type), chain = (double)e->chain_length;
  const double of_product = is_complex(type) ? 2.2360679774997898 : 1; /* sqrt(5): Brent, Percival, Zimmermann 2007 */
  const double factors = n > 1 ? (double)(n - 1) : 0;
  e->error_relative = "the result";
  switch (operation) {
  case USW_DESCRIBE: /* mean and variance are merged by a formula of their own */
    e->error_bound = NAN;
    e->error_relative = "";
    break;
  case USW_MULTIPLIES:
    e->error_bound = factors * of_product * u;
    break;
  case USW_NORM1:
    e->error_bound = (chain + modulus_error(type)) * u;
    break;
  case USW_NORM2:
    e->error_bound = (chain / 2 + 2) * u;
    break;
  default:
    e->error_bound = (chain + (is_dot(operation) ? of_product : 0)) * u;
    e->error_relative = is_dot(operation) ? "the sum of |x[i]*y[i]|" : "the sum of |x[i]|";
  }
}

/* In twice the precision: floats as doubles; for doubles errors are added up, whose sum loses a second-order share: an
 * error takes part in two additions for each of its sum's, and with the one of its product in one more. Real and imaginary
 * part of a product have two products each. */
static void bound_compensated(usw_explanation_t *e, usw_operation_t operation, usw_type_t type) {
  const double steps = (double)e->chain_length * (is_dot(operation) && is_complex(type) ? 2 : 1);
  e->error_bound = is_double(type) ? 2 * steps * (steps + is_dot(operation)) * double_roundoff * double_roundoff
                                   : steps * double_roundoff;
  e->error_relative = is_dot(operation) ? "the sum of |x[i]*y[i]|" : "the sum of |x[i]|";
}

/* Numbers that one item puts into one sum. An exact product or square of doubles is two. */
static double deposits_of(usw_operation_t operation, usw_type_t type) {
  const int is_product = is_dot(operation) || operation == USW_NORM2;
  const int is_one = operation == USW_NORM2 && type == USW_CF32; /* its squares are added before */
  return (is_product && is_double(type) ? 2 : 1) * (is_product && is_complex(type) && !is_one ? 2 : 1);
}

/* A remainder is half of its window's unit at most, so each sweep loses at most that share of what the one before has lost. */
static void bound_reproducible(usw_explanation_t *e, usw_operation_t operation, usw_type_t type, size_t n,
                               uint32_t sweeps) {
  const int is_in_double = is_double(type) || operation == USW_NORM2;
  const double of_number = sweeps > 0     ? fmax(pow(lost_of_double, (double)sweeps), DBL_TRUE_MIN)
                           : is_in_double ? lost_of_double
                                          : lost_of_float;
  const double lost = (double)n * deposits_of(operation, type) * of_number;
  e->error_bound = operation == USW_NORM2 ? lost / 2 : lost;
  e->error_relative = is_dot(operation) ? "the largest |x[i]*y[i]|" : "the largest |x[i]|";
}

/* The mean: a sum in double bins, of integers an exact one, divided by the count, and then rounded. */
static void bound_mean(usw_explanation_t *e, usw_type_t type) {
  e->error_bound = unit_roundoff(type) > 0 ? lost_of_double : 0;
  e->error_relative = e->error_bound > 0 ? "the largest |x[i]|" : "";
  e->result_bound = double_roundoff;
}

void uswi_bound_error(usw_explanation_t *e, const usw_kernel_t *kernel, size_t n, uint32_t sweeps) {
  const usw_operation_t operation = (usw_operation_t)kernel->operation;
  const usw_type_t type = (usw_type_t)kernel->type;
  const double u = unit_roundoff(type);
  e->error_bound = e->result_bound = 0;
  e->error_relative = "";
  if (operation == USW_NORM_INF && is_complex(type)) {
    e->error_bound = modulus_error(type) * u;
    e->error_relative = "the result";
  }
  if (!is_rounded(operation, type))
    return;
  if (kernel->accuracy < USW_COMPENSATED || (operation == USW_DESCRIBE && kernel->accuracy < USW_REPRODUCIBLE)) {
    bound_plain(e, operation, type, n);
    return;
  }
  if (operation == USW_DESCRIBE) {
    bound_mean(e, type);
    return;
  }
  if (kernel->accuracy == USW_COMPENSATED)
    bound_compensated(e, operation, type);
  else if (sweeps != USWI_ALL_SWEEPS)
    bound_reproducible(e, operation, type, n, sweeps);
  /* Of a norm also the roundings of moduli, and of the sum before its root. */
  e->result_bound = u * (operation == USW_NORM1   ? 1 + modulus_error(type)
                         : operation == USW_NORM2 ? (is_double(type) ? 1.5 : 1.001)
                                                  : 1);
}
