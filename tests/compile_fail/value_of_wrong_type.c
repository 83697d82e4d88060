/* expect: (bad_combine_both|incompatible type).* */
/* A double for a reducer of a structure. */
typedef struct {
  double a, b;
} pair_t;
static inline pair_t add(pair_t x, pair_t y) {
  const pair_t sum = {x.a + y.a, x.b + y.b};
  return sum;
}
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(pair_t, both, add)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(both, x); }
#include <upsweep/kernel_end.h>
