#include "measurement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const references[] = {"read", "copy", "cuda_read"};
static const char *const parts[] = {"cub_gpu_only"};

/* Peaks of memories by the device's name, where a file does not say it. */
static const struct {
  const char *device;
  double gb_per_s;
} peaks[] = {{"H200", 4800}, {"H100 80GB HBM3", 3350}, {"H100 PCIe", 2039}, {"A100-SXM4-80GB", 2039}};

static bench_role_t role_of(const char *competitor, int is_peer) {
  for (size_t k = 0; k < sizeof references / sizeof *references; k++)
    if (strcmp(competitor, references[k]) == 0)
      return BENCH_REFERENCE;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
    if (strcmp(competitor, parts[k]) == 0)
      return BENCH_PEER_PART;
  return is_peer ? BENCH_PEER : BENCH_OWN;
}

/* What is being read, for its complaints. */
typedef struct reader {
  const char *name;
  const cJSON *json; /* the entry */
  int position;
  int failed;
} reader_t;

static void complain(reader_t *reader, const char *key, const char *what) {
  if (!reader->failed)
    fprintf(stderr, "usw-bench: %s: result %d: '%s' is %s\n", reader->name, reader->position + 1, key, what);
  reader->failed = 1;
}

static const char *text_of(reader_t *reader, const char *key, int is_needed) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(reader->json, key);
  if (cJSON_IsString(item) && (*item->valuestring || !is_needed))
    return item->valuestring;
  if (item || is_needed)
    complain(reader, key, item ? "no text" : "missing");
  return "";
}

/* A number of at least `least`; `otherwise` where there is none and none is needed. */
static double number_of(reader_t *reader, const char *key, double least, double otherwise) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(reader->json, key);
  if (cJSON_IsNumber(item) && isfinite(item->valuedouble) && item->valuedouble >= least)
    return item->valuedouble;
  if (item || isnan(otherwise))
    complain(reader, key, !item ? "missing" : cJSON_IsNumber(item) ? "out of range" : "no number");
  return isnan(otherwise) ? least : otherwise;
}

enum { LEAST_TIME_PER_US = 1000000 }; /* nothing is faster than a picosecond */
static double time_of(reader_t *reader, const char *key, double otherwise) {
  return number_of(reader, key, 1.0 / LEAST_TIME_PER_US, otherwise);
}

static void read_rounds(reader_t *reader, bench_entry_t *entry, double *rounds_us_out) {
  const cJSON *rounds = cJSON_GetObjectItemCaseSensitive(reader->json, "rounds_us"), *round;
  if (rounds && !cJSON_IsArray(rounds))
    complain(reader, "rounds_us", "no list");
  entry->rounds_us = rounds_us_out;
  cJSON_ArrayForEach(round, rounds) {
    if (!cJSON_IsNumber(round) || !(round->valuedouble > 0) || !isfinite(round->valuedouble))
      complain(reader, "rounds_us", "no list of times");
    else
      rounds_us_out[entry->round_count++] = round->valuedouble;
  }
}

static void read_entry(reader_t *reader, bench_entry_t *entry, double *rounds_us_out) {
  const cJSON *peer = cJSON_GetObjectItemCaseSensitive(reader->json, "peer");
  if (!cJSON_IsObject(reader->json))
    complain(reader, "result", "no object");
  entry->place = text_of(reader, "place", 1);
  entry->suite = text_of(reader, "suite", 0);
  if (!*entry->suite)
    entry->suite = "functions";
  entry->kernel = text_of(reader, "kernel", 1);
  entry->type = text_of(reader, "type", 0);
  entry->competitor = text_of(reader, "competitor", 1);
  entry->form = text_of(reader, "form", 0);
  entry->strategy = text_of(reader, "strategy", 0);
  entry->accuracy = text_of(reader, "accuracy", 0);
  if (!cJSON_IsBool(peer))
    complain(reader, "peer", peer ? "neither true nor false" : "missing");
  entry->role = role_of(entry->competitor, cJSON_IsTrue(peer));
  const double n = number_of(reader, "n", 0, NAN);
  entry->n = n < 0x1p63 ? (uint64_t)n : 0;
  if (!(n < 0x1p63) || (double)entry->n != n)
    complain(reader, "n", "no length");
  entry->median_us = time_of(reader, "median_us", NAN);
  entry->least_us = time_of(reader, "least_us", entry->median_us);
  entry->first_quartile_us = time_of(reader, "first_quartile_us", entry->median_us);
  entry->third_quartile_us = time_of(reader, "third_quartile_us", entry->median_us);
  entry->gb_per_s = number_of(reader, "gb_per_s", 0, 0);
  entry->bytes = number_of(reader, "bytes", 0, entry->gb_per_s * entry->median_us * 1e3);
  const double teams = number_of(reader, "teams", 0, 0), repetitions = number_of(reader, "repetitions", 0, 0);
  entry->teams = teams < 1e9 ? (int)teams : 0;
  entry->repetitions = repetitions < 1e9 ? (int)repetitions : 0;
  if (number_of(reader, "wrong_results", 0, NAN) > 0)
    complain(reader, "wrong_results", "not 0: what computes wrong results has no times");
  read_rounds(reader, entry, rounds_us_out);
  entry->position = reader->position;
}

/* Cells are compared by their first entries. */
static int compare_keys(const bench_entry_t *left, const bench_entry_t *right) {
  int order = strcmp(left->place, right->place);
  order = order ? order : strcmp(left->suite, right->suite);
  order = order ? order : strcmp(left->kernel, right->kernel);
  order = order ? order : strcmp(left->type, right->type);
  return order ? order : (left->n > right->n) - (left->n < right->n);
}

int bench_cell_order(const bench_cell_t *left, const bench_cell_t *right) {
  return compare_keys(left->entries, right->entries);
}

static int compare_entries(const void *left, const void *right) {
  const bench_entry_t *a = left, *b = right;
  const int order = compare_keys(a, b);
  return order ? order : a->position - b->position;
}

static void make_cells(bench_measurement_t *measurement) {
  bench_entry_t *entries = measurement->entries;
  qsort(entries, (size_t)measurement->entry_count, sizeof *entries, compare_entries);
  for (int e = 0; e < measurement->entry_count; e++) {
    if (e == 0 || compare_keys(&entries[e - 1], &entries[e]) != 0)
      measurement->cells[measurement->cell_count++] = (bench_cell_t){&entries[e], 0};
    measurement->cells[measurement->cell_count - 1].count++;
  }
}

static size_t count_rounds(const cJSON *results) {
  const cJSON *entry;
  size_t count = 0;
  cJSON_ArrayForEach(entry, results) {
    const cJSON *rounds = cJSON_GetObjectItemCaseSensitive(entry, "rounds_us");
    if (cJSON_IsArray(rounds))
      count += (size_t)cJSON_GetArraySize(rounds);
  }
  return count;
}

static int refuse(const char *name, const char *why) {
  fprintf(stderr, "usw-bench: %s: %s\n", name, why);
  return -1;
}

int bench_measurement_of(const cJSON *root, const char *name, bench_measurement_t *measurement_out) {
  const cJSON *context = cJSON_GetObjectItemCaseSensitive(root, "context"), *json;
  const cJSON *results = cJSON_GetObjectItemCaseSensitive(root, "results");
  if (!cJSON_IsObject(context) || !cJSON_IsArray(results))
    return refuse(name, "not a file of usw-bench --json: it lacks 'context' or 'results'");
  const size_t count = (size_t)cJSON_GetArraySize(results);
  if (count == 0)
    return refuse(name, "has no results");
  bench_measurement_t made = {.name = strdup(name), .context = context};
  made.entries = calloc(count, sizeof *made.entries);
  made.cells = calloc(count, sizeof *made.cells);
  made.rounds_us = calloc(count_rounds(results) + 1, sizeof *made.rounds_us);
  if (!made.name || !made.entries || !made.cells || !made.rounds_us) {
    bench_measurement_free(&made);
    return refuse(name, "no memory for it");
  }
  reader_t reader = {.name = name};
  double *rounds_us = made.rounds_us;
  cJSON_ArrayForEach(json, results) {
    reader.json = json;
    read_entry(&reader, &made.entries[made.entry_count], rounds_us);
    rounds_us += made.entries[made.entry_count++].round_count;
    reader.position++;
  }
  if (reader.failed) {
    bench_measurement_free(&made);
    return -1;
  }
  make_cells(&made);
  *measurement_out = made;
  return 0;
}

/* All of a file, with a 0 behind it, or NULL. */
static char *read_text(const char *file) {
  FILE *stream = fopen(file, "r");
  if (!stream)
    return NULL;
  size_t used = 0, room = 1 << 16;
  char *text = malloc(room + 1);
  while (text) {
    used += fread(text + used, 1, room - used, stream);
    if (used < room)
      break;
    char *larger = realloc(text, 2 * room + 1);
    if (!larger)
      free(text);
    text = larger;
    room *= 2;
  }
  if (text && ferror(stream)) {
    free(text);
    text = NULL;
  }
  fclose(stream);
  if (text)
    text[used] = 0;
  return text;
}

int bench_measurement_read(const char *file, bench_measurement_t *measurement_out) {
  char *text = read_text(file);
  if (!text)
    return refuse(file, "cannot be read");
  cJSON *root = cJSON_Parse(text);
  free(text);
  if (!root)
    return refuse(file, "is no JSON");
  if (bench_measurement_of(root, file, measurement_out)) {
    cJSON_Delete(root);
    return -1;
  }
  measurement_out->owned = root;
  return 0;
}

void bench_measurement_free(bench_measurement_t *measurement) {
  free(measurement->name);
  free(measurement->entries);
  free(measurement->cells);
  free(measurement->rounds_us);
  cJSON_Delete(measurement->owned);
  *measurement = (bench_measurement_t){.name = NULL};
}

const bench_entry_t *bench_cell_best(const bench_cell_t *cell, const char *competitor, const char *accuracy) {
  const bench_entry_t *best = NULL;
  for (int e = 0; e < cell->count; e++) {
    const bench_entry_t *entry = &cell->entries[e];
    if (strcmp(entry->competitor, competitor) != 0 || (accuracy && strcmp(entry->accuracy, accuracy) != 0))
      continue;
    if (!best || entry->median_us < best->median_us)
      best = entry;
  }
  return best;
}

static int is_dear(const char *accuracy) {
  return strcmp(accuracy, "compensated") == 0 || strcmp(accuracy, "reproducible") == 0 ||
         strcmp(accuracy, "exact") == 0;
}

const bench_entry_t *bench_cell_own(const bench_cell_t *cell) {
  const bench_entry_t *best = NULL;
  int is_best_auto = 0;
  for (int e = 0; e < cell->count; e++) {
    const bench_entry_t *entry = &cell->entries[e];
    if (entry->role != BENCH_OWN || is_dear(entry->accuracy))
      continue;
    const int is_auto = strcmp(entry->competitor, "auto") == 0 && strcmp(entry->accuracy, "fast") != 0;
    if (!best || is_auto > is_best_auto || (is_auto == is_best_auto && entry->median_us < best->median_us)) {
      best = entry;
      is_best_auto = is_auto;
    }
  }
  return best;
}

const char *bench_context_text(const bench_measurement_t *measurement, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(measurement->context, key);
  return cJSON_IsString(item) ? item->valuestring : "";
}

double bench_peak_gb_per_s(const bench_measurement_t *measurement) {
  const cJSON *peak = cJSON_GetObjectItemCaseSensitive(measurement->context, "peak_gb_per_s");
  if (cJSON_IsNumber(peak) && peak->valuedouble > 0)
    return peak->valuedouble;
  const char *device = bench_context_text(measurement, "device");
  for (size_t k = 0; k < sizeof peaks / sizeof *peaks; k++)
    if (strstr(device, peaks[k].device))
      return peaks[k].gb_per_s;
  return 0;
}

const char *bench_length_text(uint64_t n, char text_out[BENCH_LENGTH_BYTES]) {
  int power = 0;
  while (power < 63 && n >> (power + 1))
    power++;
  if (power >= 10 && n == (uint64_t)1 << power)
    snprintf(text_out, BENCH_LENGTH_BYTES, "2^%d", power);
  else
    snprintf(text_out, BENCH_LENGTH_BYTES, "%llu", (unsigned long long)n);
  return text_out;
}
