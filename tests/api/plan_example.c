/* The example of the page on plans: two sums under way at once, and one that is run again and again. */
#include <stdio.h>
#include <upsweep/upsweep.h>

enum { N = 1000 };

int main(void) {
  static double x[N], y[N];
  double sums[2], sum;
  usw_plan_t *plan = NULL;
  usw_request_t requests[2];
  for (int i = 0; i < N; i++) {
    x[i] = 1;
    y[i] = 2;
  }
  usw_status_t status = usw_plan_create(&plan, USW_PLUS, USW_F64, NULL);
  for (int k = 0; k < 2 && status == USW_OK; k++)
    status = usw_plan_start(plan, k == 0 ? x : y, N, &sums[k], &requests[k]);
  for (int k = 0; k < 2 && status == USW_OK; k++) /* what else there is to do comes before */
    status = usw_request_wait(&requests[k]);
  for (size_t n = 1; n <= N && status == USW_OK; n *= 10)
    status = usw_plan_run(plan, x, n, &sum);
  if (status != USW_OK)
    puts(usw_error_text());
  usw_plan_destroy(plan);
  if (status != USW_OK)
    return 1;
  printf("%g %g %g\n", sums[0], sums[1], sum);
  return sums[0] != N || sums[1] != 2 * N || sum != N;
}
