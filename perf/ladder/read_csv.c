/* Reads what ladder_write_csv() wrote, perhaps on another machine. */
#include "ladder.h"

#include <math.h>
#include <string.h>

/* "# key: value": device, place, commit and n are kept, the last if it is a number of items. */
static void read_fact(const char *line, ladder_results_t *results) {
  char key[32], value[256];
  uint64_t number;
  if (sscanf(line, "# %31[^:]: %255[^\r\n]", key, value) != 2)
    return;
  if (strcmp(key, "device") == 0)
    snprintf(results->device, sizeof results->device, "%s", value);
  else if (strcmp(key, "place") == 0)
    snprintf(results->place, sizeof results->place, "%.15s", value);
  else if (strcmp(key, "commit") == 0)
    snprintf(results->commit, sizeof results->commit, "%.63s", value);
  else if (strcmp(key, "n") == 0 && bench_parse_number(value, (uint64_t)INT32_MAX * ladder_team_sizes[0], &number) == 0)
    results->n = (size_t)number;
}

/* Whether it took some time, and is of a size that the ladder has: the library chooses its own. */
static int is_entry(const ladder_entry_t *entry) {
  int is_known = entry->rung >= LADDER_KERNELS;
  for (int size = 0; size < LADDER_SIZES; size++)
    is_known |= entry->team_size == ladder_team_sizes[size];
  return is_known && entry->k > 0 && isfinite(entry->median_us) && entry->median_us > 0;
}

static int read_entry(const char *line, ladder_results_t *results) {
  ladder_entry_t entry = {.wrong = 0};
  char word[16];
  if (results->count == LADDER_MAX_ENTRIES ||
      sscanf(line, "%15[^,],\"%*[^\"]\",%u,%u,%u,%u,%lf,%lf,%lf,%*f,%*f,%*d,%d", word, &entry.team_size, &entry.k,
             &entry.teams, &entry.launches, &entry.first_quartile_us, &entry.median_us, &entry.third_quartile_us,
             &entry.wrong) != 9)
    return -1;
  for (int rung = 0; rung < LADDER_RUNGS; rung++) {
    if (strcmp(word, ladder_facts[rung].word) != 0)
      continue;
    entry.rung = (ladder_rung_t)rung;
    results->entries[results->count++] = entry;
    return is_entry(&entry) ? 0 : -1;
  }
  return -1;
}

/* Whether there is something of every rung, and what a plot is titled with. */
static int is_whole(const ladder_results_t *results) {
  uint32_t seen = 0;
  for (int e = 0; e < results->count; e++)
    seen |= 1u << results->entries[e].rung;
  return seen == (1u << LADDER_RUNGS) - 1 && results->n && results->device[0] && results->commit[0];
}

static int wrong_entries(const ladder_results_t *results) {
  int wrong = 0;
  for (int e = 0; e < results->count; e++)
    wrong += results->entries[e].wrong != 0;
  return wrong;
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
    else if (strncmp(line, "rung,", 5) != 0 && strspn(line, "\r\n") == 0)
      failed = read_entry(line, results_out);
  }
  fclose(stream);
  if (failed)
    fprintf(stderr, "usw-bench ladder: %s: line %d is no entry of a ladder\n", file, line_number);
  else if (!is_whole(results_out))
    fprintf(stderr, "usw-bench ladder: %s has not every rung, or lacks device, n or commit\n", file);
  else if (wrong_entries(results_out))
    fprintf(stderr, "usw-bench ladder: %s has wrong results\n", file);
  else {
    ladder_describe(results_out);
    return 0;
  }
  return -1;
}
