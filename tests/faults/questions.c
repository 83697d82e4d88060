#include <upsweep/info.h>

#include "scenarios.h"

usw_status_t scenario_questions(void) {
  usw_info_t info = {.size = USW_INIT(usw_info_t)};
  usw_device_info_t device = {.size = sizeof device};
  usw_host_thread_t thread = {.size = sizeof thread};
  usw_status_t status = usw_info(&info);
  if (status == USW_OK)
    status = usw_host_thread(0, &thread);
  if (status == USW_OK && info.device_count > 0)
    status = usw_device_info(0, &device);
  if (status == USW_OK && info.driver_gpu_count > 0)
    status = usw_gpu_info(0, &device);
  return status;
}
