/* expect: 'total' may be used uninitialized|‘total’ may be used uninitialized */
/* only: gcc -O2 -Wall -Werror */
/* A kernel adds to what its variables hold. The other call needs no value. */
#include <upsweep/upsweep.h>

#define USW_KERNEL add
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS) R(double, most, USW_MAXIMUM, USW_INITIALIZE_TO_IDENTITY)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(total, x);
  usw_combine(most, x);
}
#include <upsweep/kernel_end.h>

double sum_and_maximum(size_t n, const double *x);
double sum_and_maximum(size_t n, const double *x) {
  double total, most;
  return add(n, x, &total, &most, NULL) == USW_OK ? total + most : 0;
}
