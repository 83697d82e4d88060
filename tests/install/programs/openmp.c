/* An OpenMP program built by gcc: its own libgomp, and the library with LLVM's runtime beside it. */
#include <omp.h>
#include <stdio.h>
#include <upsweep/upsweep.h>

#define COUNT 100000

int main(void) {
  static double x[COUNT];
#pragma omp parallel for
  for (int i = 0; i < COUNT; i++) {
    x[i] = i % 7;
  }
  double expected = 0;
#pragma omp parallel for reduction(+ : expected)
  for (int i = 0; i < COUNT; i++) {
    expected += x[i];
  }
  double sum = -1;
  usw_status_t status = usw_sum(x, COUNT, &sum);
  printf("%d threads of libgomp, %s, sum %.0f\n", omp_get_max_threads(), usw_status_name(status), sum);
  return status == USW_OK && sum == expected ? 0 : 1;
}
