/* JSON on standard output. */
#ifndef USW_TOOL_JSON_H
#define USW_TOOL_JSON_H

#include <cjson/cJSON.h>

/* Write the tree and free it; 0, or -1 without memory. */
int tool_print_json(cJSON *root);

#endif
