/* Sums, maxima and their places of segments: by offsets, by pairs of begins and ends, and of one length. */
#include <stdio.h>
#include <upsweep/upsweep.h>

static int failed(usw_status_t status) {
  if (status != USW_OK)
    fprintf(stderr, "%s\n", usw_error_text());
  return status != USW_OK;
}

int main(void) {
  enum { N = 8 };
  const double x[N] = {1, 5, 3, 4, 2, 6, 8, 7};
  const int32_t offsets[] = {0, 3, 3, 8}; /* segments of 3, 0 and 5 elements */
  const uint64_t begins[] = {4, 0}, ends[] = {8, 6};
  const usw_segments_t rows = usw_segments_by_offsets(USW_I32, offsets, 3);
  const usw_segments_t windows = usw_segments_by_pairs(USW_U64, begins, ends, 2);
  const usw_segments_t halves = usw_segments_of_length(4, 2);
  double sums[3], largest[2], products[3];
  usw_located_f64_t highest[2];
  if (failed(usw_reduce_segments(USW_PLUS, USW_F64, x, N, &rows, sums, NULL)) ||
      failed(usw_reduce_segments(USW_MAXIMUM, USW_F64, x, N, &windows, largest, NULL)) ||
      failed(usw_reduce_segments(USW_ARGMAX, USW_F64, x, N, &halves, highest, NULL)) ||
      failed(usw_reduce_segments_pair(USW_DOT, USW_F64, x, x, N, &rows, products, NULL)))
    return 1;
  printf("sums %g %g %g, dot products %g %g %g\n", sums[0], sums[1], sums[2], products[0], products[1], products[2]);
  printf("maxima %g %g\n", largest[0], largest[1]);
  for (int k = 0; k < 2; k++)
    printf("half %d: %g at %d\n", k, highest[k].value, (int)highest[k].index); /* counted from the segment's start */
  return sums[0] != 9 || sums[1] != 0 || sums[2] != 27 || products[0] != 35 || largest[0] != 8 || largest[1] != 6 ||
         highest[0].index != 1 || highest[1].value != 8 || highest[1].index != 2;
}
