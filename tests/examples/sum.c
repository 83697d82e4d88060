/* Sum and smallest element of an array, from C.
 *   gcc sum.c $(pkg-config --cflags --libs upsweep) -o sum */
#include <stdio.h>
#include <upsweep/upsweep.h>

int main(void) {
  const int32_t x[] = {3, -1, 7, -1};
  int64_t sum = 0;
  usw_located_i32_t least = {0, 0};
  if (usw_sum(x, 4, &sum) != USW_OK || usw_argmin(x, 4, &least) != USW_OK) {
    fprintf(stderr, "%s\n", usw_error_text());
    return 1;
  }
  printf("C: sum %d, smallest %d at %d\n", (int)sum, (int)least.value, (int)least.index);
  return sum == 8 && least.index == 1 ? 0 : 1;
}
