#include <stdio.h>
#include <upsweep/upsweep.h>

int main(void) {
  enum { N = 1 << 20 };
  static double x[N], sum;
  for (int i = 0; i < N; i++)
    x[i] = 0.5 * i;
  const usw_status_t status = usw_sum(x, N, &sum); /* runs where x is */
  printf("%s: %.1f\n", status == USW_OK ? "sum" : usw_error_text(), sum);
  return status != USW_OK || sum != 274877644800.0;
}
