/* Where pieces of unlike lengths go in one array, by an exclusive scan of the lengths; and a running maximum in place. */
#include <stdio.h>
#include <string.h>
#include <upsweep/upsweep.h>

static int failed(usw_status_t status) {
  if (status != USW_OK)
    fprintf(stderr, "%s\n", usw_error_text());
  return status != USW_OK;
}

int main(void) {
  enum { PIECES = 6, ELEMENTS = 10 };
  const int32_t lengths[PIECES] = {3, 0, 1, 4, 0, 2};
  const int64_t wanted[PIECES] = {0, 3, 3, 4, 8, 8};
  int64_t offsets[PIECES], behind[PIECES], used = 100; /* sums of 32-bit integers have 64 bits */
  double level[PIECES] = {2, 1, 5, 3, 4, 8};
  char text[ELEMENTS + 1] = "";
  if (failed(usw_scan_exclusive(USW_PLUS, USW_I32, lengths, PIECES, offsets, NULL, NULL)) ||
      failed(usw_scan_exclusive(USW_PLUS, USW_I32, lengths, PIECES, behind, &used, NULL)) || /* behind 100 elements */
      failed(usw_scan_inclusive(USW_MAXIMUM, USW_F64, level, PIECES, level, NULL)))
    return 1;
  for (int p = 0; p < PIECES; p++) /* no piece waits for another one */
    memset(text + offsets[p], 'a' + p, (size_t)lengths[p]);
  printf("%s\n", text);
  for (int p = 0; p < PIECES; p++)
    printf("piece %d: from %d, or from %d, maximum %g\n", p, (int)offsets[p], (int)behind[p], level[p]);
  return memcmp(offsets, wanted, sizeof wanted) != 0 || behind[5] != 108 || strcmp(text, "aaacddddff") != 0 ||
         level[1] != 2 || level[4] != 5 || level[5] != 8;
}
