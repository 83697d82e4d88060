/* A kernel of your own in a CMake project. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#define USW_KERNEL residual
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, b) IN(double, ax) VALUE(double, tolerance)
#define USW_REDUCERS(R, S) R(double, square, USW_PLUS) R(double, worst, USW_MAXIMUM) R(uint64_t, bad, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  double r = b - ax;
  usw_add(square, r * r);
  usw_combine(worst, fabs(r));
  if (fabs(r) > tolerance)
    usw_inc(bad);
}
#include <upsweep/kernel_end.h>

#define COUNT 1000

int main(void) {
  static double b[COUNT], ax[COUNT];
  for (int i = 0; i < COUNT; i++) {
    b[i] = i;
    ax[i] = i + (i % 10 == 0 ? 2 : 1);
  }
  double square = 0, worst = 0;
  uint64_t bad = 0;
  usw_status_t status = residual(COUNT, b, ax, 1.5, &square, &worst, &bad, NULL);
  printf("%s: square %g, worst %g, bad %d\n", usw_status_name(status), square, worst, (int)bad);
  return status == USW_OK && square == 1300 && worst == 2 && bad == 100 ? 0 : 1;
}
