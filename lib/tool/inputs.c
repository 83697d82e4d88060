#include "inputs.h"
#include "same_file.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LABEL_BYTES = 512 };

int tool_fail_source(const char *command, const tool_source_t *source) {
  char label[LABEL_BYTES];
  return tool_fail(command, tool_source_label(source, label, sizeof label), "%s", source->problem);
}

/* Members of an archive are data sets of their own, unless somebody says otherwise; beside other files somebody has to. */
static int check_members(const char *command, const tool_inputs_t *inputs, const tool_sources_t *sources,
                         size_t first) {
  const size_t members = sources->count - first;
  if (members < 2 || inputs->file_count == 1 || inputs->merges)
    return TOOL_OK;
  return tool_fail(command, sources->list[first].file,
                   "has %zu members: beside other files, name one by --member, or reduce all together by --merge",
                   members);
}

int tool_list_inputs(const char *command, const tool_inputs_t *inputs, tool_sources_t *sources) {
  for (size_t f = 0; f < inputs->file_count; f++) {
    const size_t before = sources->count;
    tool_source_t failed;
    if (tool_list_file(inputs->files[f], &inputs->input, sources, &failed)) {
      tool_fail_source(command, &failed);
      free(failed.member);
      return TOOL_BAD_INPUT;
    }
    const int refused = check_members(command, inputs, sources, before);
    if (refused != TOOL_OK)
      return refused;
  }
  return TOOL_OK;
}

int tool_check_types(const char *command, const tool_sources_t *sources) {
  const tool_source_t *first = sources->list;
  for (size_t s = 1; s < sources->count; s++) {
    tool_source_t *source = &sources->list[s];
    char label[LABEL_BYTES];
    if (source->type != first->type) {
      tool_problem(source, "its elements are %s, those of %s are %s", source->type->name,
                   tool_source_label(first, label, sizeof label), first->type->name);
      return tool_fail_source(command, source);
    }
  }
  return TOOL_OK;
}

/* ---- outputs ---- */

int tool_check_output_beside(const char *command, const char *output, const char *file) {
  struct stat written, read;
  if (!output || !file || stat(output, &written) != 0)
    return TOOL_OK;
  const int is_there = (strcmp(file, "-") == 0 ? fstat(STDIN_FILENO, &read) : stat(file, &read)) == 0;
  /* What is no regular file, a terminal for example, may be both. */
  return is_there && S_ISREG(read.st_mode) && tool_are_one_file(&written, &read)
             ? tool_fail(command, output, "is read, too: write the results to another file")
             : TOOL_OK;
}

int tool_check_output(const char *command, const char *output, const tool_sources_t *sources) {
  int refused = TOOL_OK;
  for (size_t s = 0; s < sources->count && refused == TOOL_OK; s++)
    refused = tool_check_output_beside(command, output, sources->list[s].file);
  return refused;
}

uint64_t tool_total_bytes(const tool_sources_t *sources) {
  uint64_t bytes = 0;
  for (size_t s = 0; s < sources->count; s++) {
    if (sources->list[s].count == TOOL_UNKNOWN_COUNT)
      return UINT64_MAX;
    bytes += sources->list[s].count * sources->list[s].type->bytes;
  }
  return bytes;
}
