/* Data that lives on a GPU: the call runs where the address is. Without a GPU the array is in host memory,
 * and the call runs there. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <upsweep/upsweep.h>

enum { COUNT = 1 << 20 };

int main(void) {
  double *host = malloc(COUNT * sizeof(double));
  if (!host)
    return 1;
  for (int i = 0; i < COUNT; i++)
    host[i] = 0.5 * i;
  const int device = omp_get_num_devices() > 0 ? 0 : omp_get_initial_device();
  double *x = omp_target_alloc(COUNT * sizeof(double), device);
  if (!x || omp_target_memcpy(x, host, COUNT * sizeof(double), 0, 0, device, omp_get_initial_device()))
    return fprintf(stderr, "no memory on device %d\n", device), 1;
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .report = &report};
  double sum = 0;
  const usw_status_t status = usw_reduce(USW_PLUS, USW_F64, x, COUNT, &sum, &options);
  printf("gpu_data: %s, sum %.1f\n",
         status == USW_OK ? report.place == USW_DEVICE ? "ran on the GPU" : "ran on the host" : usw_error_text(), sum);
  omp_target_free(x, device);
  free(host);
  return status != USW_OK || sum != 274877644800.0;
}
