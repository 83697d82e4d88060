/* JSON on standard output. */
#include "json.h"

#include <stdio.h>

int tool_print_json(cJSON *root) {
  char *text = cJSON_Print(root);
  cJSON_Delete(root);
  if (!text)
    return -1;
  puts(text);
  cJSON_free(text);
  return 0;
}
