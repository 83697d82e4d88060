/* Linked at configure time, once per image, to find out what this machine's tools can build. */
#include <math.h>

#ifdef USW_PROBE_BARE
static int probe(double *data) {
#pragma omp target teams ompx_bare num_teams(1) thread_limit(32) is_device_ptr(data)
  { data[0] = fabs(data[1]); }
  return 0;
}
#else
static int probe(double *data) {
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(tofrom : sum)
  for (int i = 0; i < 2; i++) {
    sum += fabs((double)i);
  }
  data[0] = sum;
  return 0;
}
#endif

int main(int argc, char **argv) {
  double data[2] = {argc, 1};
  (void)argv;
  return argc > 1 ? probe(data) : 0;
}
