/* The clocks of a GPU in a file's context: as the fake driver tells them, and nothing for a GPU that is not there. */
#include "measure/clocks.h"

#include "../support/check.h"

#include <string.h>

int main(void) {
  cJSON *context = cJSON_CreateObject();
  bench_add_clocks(context, 0);
  CHECK(!context->child);
  bench_add_clocks(context, 1);
  char *text = cJSON_PrintUnformatted(context);
  const char *expected =
      "{\"clocks\":{\"sm_mhz\":1001,\"sm_most_mhz\":2001,\"memory_mhz\":1002,\"memory_most_mhz\":2002,"
      "\"held_back_by\":[\"power limit\",\"temperature\",\"a reason without a name here\"],"
      "\"temperature_c\":61,\"power_w\":612.5}}"; /* it has no limit of power to tell */
  CHECK_AT(strcmp(text, expected) == 0, text);
  cJSON_free(text);
  cJSON_Delete(context);
  return check_report();
}
