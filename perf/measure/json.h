/* The writing of JSON files. */
#ifndef MEASURE_JSON_H
#define MEASURE_JSON_H

#include <cjson/cJSON.h>

/* Writes a JSON file and frees `root`. Returns 0, or -1 after a line on stderr. */
int bench_write_json(cJSON *root, const char *file);

#endif
