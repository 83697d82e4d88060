/* What is said of the entries: a table, CSV, JSON. */
#include "ladder.h"

#include <string.h>

void ladder_describe(ladder_results_t *results) {
  double own[3] = {0}; /* of usw_sum and of usw_dot, or of usw_scan, by arrays */
  ladder_entry_t *best[LADDER_RUNGS] = {NULL};
  for (int e = 0; e < results->count; e++) {
    ladder_entry_t *entry = &results->entries[e];
    const int arrays = ladder_facts[entry->rung].arrays;
    entry->gb_per_s = (double)results->n * arrays * sizeof(double) / entry->median_us * 1e-3;
    if (!best[entry->rung] || entry->median_us < best[entry->rung]->median_us)
      best[entry->rung] = entry;
    if (ladder_facts[entry->rung].is_own)
      own[arrays] = entry->gb_per_s;
  }
  for (int e = 0; e < results->count; e++)
    results->entries[e].share = results->entries[e].gb_per_s / own[ladder_facts[results->entries[e].rung].arrays];
  for (int rung = 0; rung < LADDER_RUNGS; rung++)
    if (best[rung])
      best[rung]->is_best = 1;
}

void ladder_print(const ladder_results_t *results) {
  printf("place %s: %s; n = %zu, work_group_load %u; %d calls in turns; * is the best of a rung\n", results->place,
         results->device, results->n, results->work_group_load, results->repetitions);
  printf("  %-7s %-30s %5s %4s %10s %8s %11s %11s %11s %8s %8s\n", "rung", "", "size", "k", "teams", "launches",
         "median, us", "quartile 1", "quartile 3", "GB/s", "of own");
  for (int e = 0; e < results->count; e++) {
    const ladder_entry_t *entry = &results->entries[e];
    printf("%c %-7s %-30s %5u %4u %10u %8u %11.2f %11.2f %11.2f %8.1f %6.1f %%%s\n", entry->is_best ? '*' : ' ',
           ladder_facts[entry->rung].word, ladder_facts[entry->rung].title, entry->team_size, entry->k, entry->teams,
           entry->launches, entry->median_us, entry->first_quartile_us, entry->third_quartile_us, entry->gb_per_s,
           entry->share * 100, entry->wrong ? "  WRONG" : "");
  }
  fflush(stdout);
}

/* The context as lines of comment. */
static void print_context(FILE *stream, const cJSON *context) {
  for (const cJSON *fact = context->child; fact; fact = fact->next) {
    if (cJSON_IsString(fact))
      fprintf(stream, "# %s: %s\n", fact->string, fact->valuestring);
    else if (cJSON_IsNumber(fact))
      fprintf(stream, "# %s: %.0f\n", fact->string, fact->valuedouble);
  }
}

int ladder_write_csv(const ladder_results_t *results, const cJSON *context, const char *file) {
  FILE *stream = fopen(file, "w");
  int failed = !stream;
  if (stream) {
    print_context(stream, context);
    fputs("rung,title,team_size,k,teams,launches,first_quartile_us,median_us,third_quartile_us,gb_per_s,share_of_own,"
          "is_best,wrong_results\n",
          stream);
    for (int e = 0; e < results->count; e++) {
      const ladder_entry_t *entry = &results->entries[e];
      fprintf(stream, "%s,\"%s\",%u,%u,%u,%u,%.2f,%.2f,%.2f,%.1f,%.4f,%d,%d\n", ladder_facts[entry->rung].word,
              ladder_facts[entry->rung].title, entry->team_size, entry->k, entry->teams, entry->launches,
              entry->first_quartile_us, entry->median_us, entry->third_quartile_us, entry->gb_per_s, entry->share,
              entry->is_best, entry->wrong);
    }
    failed = ferror(stream);
    failed |= fclose(stream) != 0;
  }
  if (failed)
    fprintf(stderr, "usw-bench ladder: %s cannot be written\n", file);
  return failed ? -1 : 0;
}

void ladder_add_entries(const ladder_results_t *results, cJSON *array) {
  for (int e = 0; e < results->count; e++) {
    const ladder_entry_t *entry = &results->entries[e];
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(array, object);
    cJSON_AddStringToObject(object, "rung", ladder_facts[entry->rung].word);
    cJSON_AddStringToObject(object, "title", ladder_facts[entry->rung].title);
    cJSON_AddNumberToObject(object, "team_size", entry->team_size);
    cJSON_AddNumberToObject(object, "k", entry->k);
    cJSON_AddNumberToObject(object, "teams", entry->teams);
    cJSON_AddNumberToObject(object, "launches", entry->launches);
    cJSON_AddNumberToObject(object, "first_quartile_us", entry->first_quartile_us);
    cJSON_AddNumberToObject(object, "median_us", entry->median_us);
    cJSON_AddNumberToObject(object, "third_quartile_us", entry->third_quartile_us);
    cJSON_AddNumberToObject(object, "gb_per_s", entry->gb_per_s);
    cJSON_AddNumberToObject(object, "share_of_own", entry->share);
    cJSON_AddBoolToObject(object, "is_best", entry->is_best);
    cJSON_AddNumberToObject(object, "wrong_results", entry->wrong);
  }
}
