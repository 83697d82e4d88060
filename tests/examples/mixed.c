/* A program with OpenMP regions of its own, built by gcc: its libgomp, and the library's LLVM runtime beside it.
 *   gcc -fopenmp mixed.c $(pkg-config --cflags --libs upsweep) -o mixed */
#include <omp.h>
#include <stdio.h>
#include <upsweep/upsweep.h>

#define COUNT 100000

int main(void) {
  static double x[COUNT];
#pragma omp parallel for
  for (int i = 0; i < COUNT; i++)
    x[i] = i % 7;
  double expected = 0;
#pragma omp parallel for reduction(+ : expected)
  for (int i = 0; i < COUNT; i++)
    expected += x[i];
  double sum = -1;
  const usw_status_t status = usw_sum(x, COUNT, &sum);
  printf("mixed: %d threads of libgomp, %s, sum %.0f\n", omp_get_max_threads(), usw_status_name(status), sum);
  return status == USW_OK && sum == expected ? 0 : 1;
}
