#include "json.h"

#include <stdio.h>

/* A line for every result: a file of thousands of them is still one that a person and a diff can read. */
static int print_json(FILE *stream, const cJSON *root) {
  const cJSON *part, *entry;
  int failed = 0;
  const char *separator = "{";
  cJSON_ArrayForEach(part, root) {
    const int is_list = cJSON_IsArray(part) && cJSON_IsObject(part->child);
    char *text = is_list ? NULL : cJSON_Print(part);
    failed |= fprintf(stream, "%s\n\"%s\": %s", separator, part->string, is_list ? "[" : text) < 0;
    cJSON_free(text);
    separator = "\n";
    const cJSON *list = is_list ? part : NULL;
    cJSON_ArrayForEach(entry, list) {
      text = cJSON_PrintUnformatted(entry);
      failed |= !text || fprintf(stream, "%s%s", separator, text) < 0;
      cJSON_free(text);
      separator = ",\n";
    }
    failed |= fputs(is_list ? "\n]" : "", stream) < 0;
    separator = ",";
  }
  return failed | (fputs("\n}\n", stream) < 0);
}

int bench_write_json(cJSON *root, const char *file) {
  FILE *stream = fopen(file, "w");
  int failed = !stream;
  if (stream) {
    failed = print_json(stream, root);
    failed |= fclose(stream) != 0;
  }
  if (failed)
    fprintf(stderr, "%s: cannot be written\n", file);
  cJSON_Delete(root);
  return failed ? -1 : 0;
}
