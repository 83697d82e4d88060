/* Reads what ladder_write_csv() wrote, perhaps on another machine. */
#include "ladder.h"

#include <string.h>

/* "# key: value": device, place, commit and n are kept. */
static void read_fact(const char *line, ladder_results_t *results) {
  char key[32], value[256];
  if (sscanf(line, "# %31[^:]: %255[^\n]", key, value) != 2)
    return;
  if (strcmp(key, "device") == 0)
    snprintf(results->device, sizeof results->device, "%s", value);
  else if (strcmp(key, "place") == 0)
    snprintf(results->place, sizeof results->place, "%.15s", value);
  else if (strcmp(key, "commit") == 0)
    snprintf(results->commit, sizeof results->commit, "%.63s", value);
  else if (strcmp(key, "n") == 0)
    sscanf(value, "%zu", &results->n);
}

static int read_entry(const char *line, ladder_results_t *results) {
  ladder_entry_t entry = {.wrong = 0};
  char word[16];
  if (results->count == LADDER_MAX_ENTRIES ||
      sscanf(line, "%15[^,],\"%*[^\"]\",%u,%u,%u,%u,%lf,%lf,%lf,", word, &entry.team_size, &entry.k, &entry.teams,
             &entry.launches, &entry.first_quartile_us, &entry.median_us, &entry.third_quartile_us) != 8)
    return -1;
  for (int rung = 0; rung < LADDER_RUNGS; rung++) {
    if (strcmp(word, ladder_facts[rung].word) != 0)
      continue;
    entry.rung = (ladder_rung_t)rung;
    results->entries[results->count++] = entry;
    return 0;
  }
  return -1;
}

/* Whether there is something of every rung, and what a plot is titled with. */
static int is_whole(const ladder_results_t *results) {
  uint32_t seen = 0;
  for (int e = 0; e < results->count; e++)
    seen |= results->entries[e].median_us > 0 ? 1u << results->entries[e].rung : 0;
  return seen == (1u << LADDER_RUNGS) - 1 && results->n && results->device[0] && results->commit[0];
}

int ladder_read_csv(const char *file, ladder_results_t *results_out) {
  char line[1024];
  int line_number = 0, failed = 0;
  FILE *stream = fopen(file, "r");
  *results_out = (ladder_results_t){.count = 0};
  if (!stream) {
    fprintf(stderr, "usw-bench ladder: %s cannot be read\n", file);
    return -1;
  }
  while (!failed && fgets(line, sizeof line, stream)) {
    line_number++;
    if (line[0] == '#')
      read_fact(line, results_out);
    else if (strncmp(line, "rung,", 5) != 0)
      failed = read_entry(line, results_out);
  }
  fclose(stream);
  if (failed)
    fprintf(stderr, "usw-bench ladder: %s: line %d is no entry of a ladder\n", file, line_number);
  else if (!is_whole(results_out))
    fprintf(stderr, "usw-bench ladder: %s has not every rung, or lacks device, n or commit\n", file);
  else {
    ladder_describe(results_out);
    return 0;
  }
  return -1;
}
