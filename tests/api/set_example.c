#include <stdio.h>
#include <upsweep/upsweep.h>

int main(void) {
  enum { N = 100000, BINS = 10 };
  static double x[N], by_bin[BINS];
  static float y[N];
  static uint32_t bin[N];
  double sum = 1000; /* is part of the result */
  float largest = 0;
  usw_set_t *set = NULL;
  for (int i = 0; i < N; i++) {
    x[i] = 0.5 * i;
    y[i] = (float)(i % 777);
    bin[i] = (uint32_t)(i % BINS);
  }
  usw_status_t status = usw_set_create(&set);
  if (status == USW_OK)
    status = usw_set_add(set, USW_PLUS, USW_F64, x, 1, &sum, 0);
  if (status == USW_OK)
    status = usw_set_add(set, USW_MAXIMUM, USW_F32, y, 1, &largest, USW_SET_INITIALIZE_TO_IDENTITY);
  if (status == USW_OK)
    status = usw_set_add_span(set, USW_PLUS, USW_F64, x, 1, USW_U32, bin, by_bin, BINS, 0);
  if (status == USW_OK)
    status = usw_set_run(set, N, NULL); /* one launch, where x is */
  printf("%s: %.1f %.1f %.1f\n", status == USW_OK ? "set" : usw_error_text(), sum, (double)largest, by_bin[3]);
  usw_set_destroy(set);
  return status != USW_OK || sum != 2499976000.0 || largest != 776 || by_bin[3] != 249990000.0;
}
