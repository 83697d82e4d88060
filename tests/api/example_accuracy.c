#include <stdio.h>
#include <upsweep/upsweep.h>

int main(void) {
  const double x[] = {1e16, 1, -1e16, 0x1p-60}, shuffled[] = {1, 1e16, 0x1p-60, -1e16};
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .accuracy = USW_REPRODUCIBLE};
  double sum, again;
  if (usw_reduce(USW_PLUS, USW_F64, x, 4, &sum, &options) != USW_OK ||
      usw_reduce(USW_PLUS, USW_F64, shuffled, 4, &again, &options) != USW_OK)
    return puts(usw_error_text()), 1;
  printf("%a, in another order %a\n", sum, again);
  return sum != 1 || again != sum;
}
