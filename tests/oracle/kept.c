/* NaNs that are passed over: the result is that of the items that are kept. */
#include <math.h>
#include <stdlib.h>

#include "oracle.h"
#include "pattern.h"

typedef enum { POLICY_NONE, POLICY_OF_EXTREMES, POLICY_OF_SUMS } policy_t;

static policy_t policy_of(const row_t *row) {
  switch (row->operation) {
  case USW_PLUS:
  case USW_MULTIPLIES:
  case USW_DOT:
  case USW_DOTC:
  case USW_NORM1:
  case USW_NORM2:
    return type_is_floating(row->type) ? POLICY_OF_SUMS : POLICY_NONE;
  case USW_MINIMUM:
  case USW_MAXIMUM:
  case USW_MINMAX:
  case USW_ARGMIN:
  case USW_ARGMAX:
  case USW_NORM_INF:
  case USW_DESCRIBE:
    return type_is_floating(row->type) ? POLICY_OF_EXTREMES : POLICY_NONE;
  default:
    return POLICY_NONE;
  }
}

static int is_number(number_t x) { return !isnan(x.re) && !isnan(x.im); }

oracle_t oracle_of(const row_t *row, const number_t *x, const number_t *y, size_t n, usw_nan_t nan,
                   rounding_t rounding) {
  const policy_t policy = nan == USW_NAN_IGNORE ? policy_of(row) : POLICY_NONE;
  if (policy != POLICY_OF_SUMS) {
    oracle_t oracle = oracle_of_all(row, x, y, n, nan, rounding);
    oracle.kept = policy == POLICY_OF_EXTREMES ? UINT64_MAX : n;
    return oracle;
  }
  number_t *kept = malloc((2 * n + 1) * sizeof *kept), *of_y = kept + n;
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    if (is_number(x[i]) && (!y || is_number(y[i]))) {
      kept[count] = x[i];
      of_y[count++] = y ? y[i] : x[i];
    }
  const oracle_t oracle = oracle_of_all(row, kept, y ? of_y : NULL, count, nan, rounding);
  free(kept);
  return oracle;
}
