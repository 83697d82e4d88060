/* Recipes by scans, which the pages about them show: ragged output, a pass of a radix sort, the median of a histogram, running maxima. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

static int failed(usw_status_t status) {
  if (status != USW_OK)
    fprintf(stderr, "%s\n", usw_error_text());
  return status != USW_OK;
}

/* Pieces of unlike lengths in one array: the exclusive scan of the lengths is where each one begins. */
static int write_ragged(void) {
  enum { PIECES = 6 };
  const int32_t lengths[PIECES] = {3, 0, 1, 4, 0, 2};
  int64_t offsets[PIECES]; /* sums of 32-bit integers have 64 bits */
  if (failed(usw_scan_exclusive(USW_PLUS, USW_I32, lengths, PIECES, offsets, NULL, NULL)))
    return 1;
  const int64_t total = offsets[PIECES - 1] + lengths[PIECES - 1];
  char *const text = calloc((size_t)total + 1, 1);
  if (!text)
    return 1;
  for (int p = 0; p < PIECES; p++) /* no piece waits for another one */
    memset(text + offsets[p], 'a' + p, (size_t)lengths[p]);
  printf("%d characters: %s\n", (int)total, text);
  const int is_wrong = strcmp(text, "aaacddddff") != 0;
  free(text);
  return is_wrong;
}

/* A pass of a radix sort: each block of keys counts its digits. The exclusive scan of the counts, the blocks of digit 0 first, is where each
 * block puts its keys of each digit. */
static int sort_by_last_digit(void) {
  enum { KEYS = 9, DIGITS = 10, BLOCKS = 3, KEYS_OF_BLOCK = KEYS / BLOCKS };
  const uint32_t keys[KEYS] = {31, 10, 22, 11, 30, 12, 21, 32, 20}, wanted[KEYS] = {10, 30, 20, 31, 11, 21, 22, 12, 32};
  uint32_t sorted[KEYS];
  int32_t counts[DIGITS][BLOCKS] = {{0}};
  int64_t places[DIGITS][BLOCKS];
  for (int i = 0; i < KEYS; i++)
    counts[keys[i] % DIGITS][i / KEYS_OF_BLOCK]++;
  if (failed(usw_scan_exclusive(USW_PLUS, USW_I32, counts, sizeof counts / sizeof **counts, places, NULL, NULL)))
    return 1;
  for (int i = 0; i < KEYS; i++) /* no block waits for another one; keys of one digit stay in order */
    sorted[places[keys[i] % DIGITS][i / KEYS_OF_BLOCK]++] = keys[i];
  for (int i = 0; i < KEYS; i++)
    printf("%u%c", (unsigned)sorted[i], i + 1 < KEYS ? ' ' : '\n');
  return memcmp(sorted, wanted, sizeof wanted) != 0;
}

/* The prefix of a histogram: how many items are in each bin or below it. The median is in the first bin that has half of them. */
static int find_median(void) {
  enum { BINS = 5 };
  const int32_t bins[BINS] = {2, 5, 9, 3, 1};
  int64_t up_to[BINS];
  int median = 0;
  if (failed(usw_scan_inclusive(USW_PLUS, USW_I32, bins, BINS, up_to, NULL)))
    return 1;
  while (2 * up_to[median] < up_to[BINS - 1])
    median++;
  printf("the median is in bin %d: %d of %d items are there or below\n", median, (int)up_to[median],
         (int)up_to[BINS - 1]);
  return median != 2 || up_to[median] != 16;
}

/* A running maximum in place, and sums behind an initial value. */
static int run_levels(void) {
  enum { LEVELS = 6 };
  double level[LEVELS] = {2, 1, 5, 3, 4, 8}, used = 100, behind[LEVELS];
  if (failed(usw_scan_exclusive(USW_PLUS, USW_F64, level, LEVELS, behind, &used, NULL)) ||
      failed(usw_scan_inclusive(USW_MAXIMUM, USW_F64, level, LEVELS, level, NULL)))
    return 1;
  for (int i = 0; i < LEVELS; i++)
    printf("sum before %g, maximum %g\n", behind[i], level[i]);
  return behind[0] != 100 || behind[5] != 115 || level[1] != 2 || level[4] != 5 || level[5] != 8;
}

int main(void) { return write_ragged() || sort_by_last_digit() || find_median() || run_levels(); }
