/* expect: reducer .?'total.?': USW_PLUS_COMPENSATED is for float, double and complex numbers of both */
/* Nobody knows what the parts of a type of the user are. */
#include <stdint.h>
typedef struct {
  double a, b;
} pair_t;
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(pair_t, total, USW_PLUS_COMPENSATED)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const pair_t both = {x, x};
  usw_combine(total, both);
}
#include <upsweep/kernel_end.h>
