#include <upsweep/explain.h>
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

usw_status_t scenario_explanation(const usw_options_t *options, uint64_t *place_out) {
  usw_explanation_t explanation = {.size = sizeof explanation};
  const usw_status_t status = usw_explain(USW_PLUS, USW_F64, SCENARIO_ITEMS, options, &explanation);
  if (status == USW_OK)
    *place_out = explanation.place;
  return status;
}
