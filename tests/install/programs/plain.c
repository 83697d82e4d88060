/* A C program without any OpenMP. */
#include <stdio.h>
#include <upsweep/upsweep.h>

int main(void) {
  const int32_t x[] = {3, -1, 7, -1};
  int64_t sum = 0;
  usw_located_i32_t least = {0, 0};
  const usw_status_t status = usw_sum(x, 4, &sum);
  const usw_status_t second = usw_argmin(x, 4, &least);
  printf("C: %s, sum %d, least at %d\n", usw_status_name(status), (int)sum, (int)least.index);
  return status == USW_OK && second == USW_OK && sum == 8 && least.index == 1 ? 0 : 1;
}
