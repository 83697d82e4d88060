/* The guard of the speed: a run beside its baseline, and beside its peers. */
#include "bench.h"
#include "compare_report.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the baseline ---- */

static int ends_in(const char *text, const char *end) {
  const size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* A baseline of a folder is of the same device and suite. */
static int fits(const char *file, const cJSON *context) {
  bench_measurement_t found;
  static const char *const keys[] = {"device", "suite"};
  if (bench_measurement_read(file, &found))
    return 0;
  int same = 1;
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    same &= strcmp(bench_context_text(&found, keys[k]), cJSON_GetObjectItem(context, keys[k])->valuestring) == 0;
  bench_measurement_free(&found);
  return same;
}

/* The file itself or, of a folder, the first file <anything>-baseline.json that fits. Returns 0, or -1 if there is none. */
static int find_baseline(const char *name, const cJSON *context, char *file_out, size_t file_bytes) {
  struct stat status;
  struct dirent **entries;
  if (stat(name, &status) || !S_ISDIR(status.st_mode))
    return snprintf(file_out, file_bytes, "%s", name) < (int)file_bytes ? 0 : -1;
  const int count = scandir(name, &entries, NULL, alphasort);
  int found = 0;
  for (int k = 0; k < count; k++) {
    if (!found && ends_in(entries[k]->d_name, "-baseline.json") &&
        snprintf(file_out, file_bytes, "%s/%s", name, entries[k]->d_name) < (int)file_bytes)
      found = fits(file_out, context);
    free(entries[k]);
  }
  if (count >= 0)
    free(entries);
  return found ? 0 : -1;
}

/* ---- limits against peers of the same run ---- */

/* Upsweep's time by the fastest form of a competitor's, at most. They are no goals: whoever passes one is broken. */
static const struct {
  const char *place, *competitor;
  uint64_t least_n;
  double most;
} limits[] = {
    {"gpu", "plain_clause", 1, 0.67}, {"gpu", "cub", 1, 2},        {"gpu", "cub+copy", 1, 1.5},
    {"gpu", "cublas", 1, 1.25},       {"gpu", "read", 1 << 24, 3}, {"host", "libomp", 1 << 12, 4},
};

/* Cells that pass a limit; the list is the caller's to free. Returns how many. */
static int find_beyond_limits(const bench_measurement_t *after, const bench_cell_t **cells_out, FILE *stream) {
  int count = 0;
  for (int c = 0; c < after->cell_count; c++) {
    const bench_cell_t *cell = &after->cells[c];
    const bench_entry_t *own = bench_cell_own(cell);
    int is_beyond = 0;
    for (size_t k = 0; own && k < sizeof limits / sizeof *limits; k++) {
      const bench_entry_t *other = bench_cell_best(cell, limits[k].competitor, NULL);
      if (!other || strcmp(own->place, limits[k].place) != 0 || own->n < limits[k].least_n ||
          own->median_us <= limits[k].most * other->median_us)
        continue;
      is_beyond = 1;
      if (stream)
        fprintf(stream, "limit: %s %s, n = %llu: %.2f us, %.2f times %s; at most %.2f\n", own->kernel, own->type,
                (unsigned long long)own->n, own->median_us, own->median_us / other->median_us, other->competitor,
                limits[k].most);
    }
    if (is_beyond)
      cells_out[count++] = cell;
  }
  return count;
}

/* ---- measuring again ---- */

typedef struct suspect {
  char suite[32], kernel[32], type[8];
  uint64_t n;
} suspect_t;

struct bench_suspects {
  suspect_t *list;
  int count;
};

static void suspect(bench_suspects_t *suspects, const char *suite, const char *kernel, const char *type, uint64_t n) {
  suspect_t *added = &suspects->list[suspects->count++];
  snprintf(added->suite, sizeof added->suite, "%s", suite);
  snprintf(added->kernel, sizeof added->kernel, "%s", kernel);
  snprintf(added->type, sizeof added->type, "%s", type ? type : "");
  added->n = n;
}

static int is_suspect(const bench_suspects_t *suspects, const char *suite, const char *kernel, const char *type,
                      uint64_t n) {
  for (int k = 0; k < suspects->count; k++) {
    const suspect_t *one = &suspects->list[k];
    if (one->n == n && strcmp(one->kernel, kernel) == 0 && strcmp(one->suite, suite) == 0 &&
        strcmp(one->type, type ? type : "") == 0)
      return 1;
  }
  return 0;
}

int bench_is_wanted(const bench_session_t *session, const char *suite, const char *kernel, const char *type, size_t n) {
  return !session->suspects || is_suspect(session->suspects, suite, kernel, type, n);
}

static const char *text_of(const cJSON *entry, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(entry, key);
  return item ? item->valuestring : "";
}

/* Takes the entries of suspects out of the results. */
static void forget(const bench_suspects_t *suspects, cJSON *results) {
  for (cJSON *entry = results->child, *next; entry; entry = next) {
    next = entry->next;
    if (is_suspect(suspects, text_of(entry, "suite"), text_of(entry, "kernel"), text_of(entry, "type"),
                   (uint64_t)cJSON_GetObjectItemCaseSensitive(entry, "n")->valuedouble))
      cJSON_Delete(cJSON_DetachItemViaPointer(results, entry));
  }
}

/* One look at the results. Fills the suspects; prints what it found when it is the last look. Returns how many cells are
 * suspects, or -1 where it could not look. */
static int look(const cJSON *root, const bench_measurement_t *before, int is_last, bench_suspects_t *suspects) {
  bench_measurement_t after;
  bench_comparison_t comparison = {0};
  suspects->count = 0;
  if (bench_measurement_of(root, "this run", &after))
    return -1;
  const bench_cell_t **beyond = calloc((size_t)after.cell_count + 1, sizeof(const bench_cell_t *));
  free(suspects->list);
  suspects->list = calloc((size_t)after.entry_count * 8 + 1, sizeof *suspects->list);
  if (!beyond || !suspects->list || (before && bench_compare(before, &after, 0, &comparison))) {
    free(beyond);
    bench_measurement_free(&after);
    return -1;
  }
  for (int k = 0; k < comparison.count; k++) {
    const bench_shift_t *shift = &comparison.shifts[k];
    if (shift->verdict == BENCH_REGRESSION && !is_suspect(suspects, shift->suite, shift->kernel, shift->type, shift->n))
      suspect(suspects, shift->suite, shift->kernel, shift->type, shift->n);
  }
  const int beyond_count = find_beyond_limits(&after, beyond, NULL);
  for (int k = 0; k < beyond_count; k++) {
    const bench_entry_t *one = beyond[k]->entries;
    if (!is_suspect(suspects, one->suite, one->kernel, one->type, one->n))
      suspect(suspects, one->suite, one->kernel, one->type, one->n);
  }
  if (is_last || suspects->count == 0) {
    if (before)
      bench_print_comparison(stdout, &comparison, before, &after);
    find_beyond_limits(&after, beyond, stdout);
  }
  bench_comparison_free(&comparison);
  free(beyond);
  bench_measurement_free(&after);
  return suspects->count;
}

int bench_guard(bench_session_t *session, const bench_options_t *command, cJSON *root,
                int (*run_rows)(bench_session_t *, const bench_options_t *)) {
  enum { LOOKS = 3 };
  char file[4096];
  bench_measurement_t before;
  bench_suspects_t suspects = {NULL, 0};
  const int has_baseline =
      find_baseline(command->baseline, cJSON_GetObjectItem(root, "context"), file, sizeof file) == 0;
  int found = 0;
  if (!has_baseline)
    printf("no baseline of this device and suite in %s: limits against peers only\n", command->baseline);
  else if (bench_measurement_read(file, &before))
    return 1;
  for (int k = 1; k <= LOOKS; k++) {
    found = look(root, has_baseline ? &before : NULL, k == LOOKS, &suspects);
    if (found <= 0 || k == LOOKS)
      break;
    printf("%d cells look slower: measured again\n", found);
    session->suspects = &suspects;
    forget(&suspects, session->results);
    if (run_rows(session, command))
      found = -1;
    session->suspects = NULL;
    if (found < 0)
      break;
  }
  free(suspects.list);
  if (has_baseline)
    bench_measurement_free(&before);
  return found < 0 ? 1 : found;
}
