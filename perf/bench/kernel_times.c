/* The second pass: how long the device's kernels alone take, by a clock that makes launches slower. */
#include "bench.h"
#include "kernel_clock.h"
#include "peers/plugin.h"

#include <math.h>

enum { TIMED_CALLS = 5 };

/* What one call keeps the device busy with. */
typedef struct busy {
  double seconds;
  int kernels, copies;
} busy_t;

static int time_call(const peer_kernel_clock_t *clock, const bench_competitor_t *competitor, const bench_case_t *what,
                     busy_t *busy_out) {
  bench_value_t value;
  if (clock->start())
    return -1;
  const usw_status_t status = competitor->run(competitor, what, NULL, &value);
  if (competitor->plugin)
    competitor->plugin->settle();
  return clock->stop(&busy_out->seconds, &busy_out->kernels, &busy_out->copies) || status != USW_OK ? -1 : 0;
}

void bench_time_kernels(const bench_session_t *session, const bench_case_t *what, const bench_competitor_t *competitors,
                        int count) {
  const peer_kernel_clock_t *clock = bench_kernel_clock();
  for (int k = 0; clock && k < count; k++) {
    cJSON *entry = bench_find_entry(session->results, what, session->place.name, &competitors[k]);
    double seconds[TIMED_CALLS];
    busy_t busy = {0};
    int failed = !entry || cJSON_GetObjectItem(entry, "kernel_us");
    for (int call = 0; call < TIMED_CALLS && !failed; call++) {
      failed = time_call(clock, &competitors[k], what, &busy);
      seconds[call] = busy.seconds;
    }
    if (failed)
      continue;
    cJSON_AddNumberToObject(entry, "kernel_us", round(bench_describe_times(seconds, TIMED_CALLS).median * 1e9) / 1e3);
    cJSON_AddNumberToObject(entry, "kernels", busy.kernels);
    cJSON_AddNumberToObject(entry, "copies", busy.copies);
  }
}
