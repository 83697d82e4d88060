/* Many short reductions in one launch: a set whose reducers have arrays of their own.
 *   gcc batch.c $(pkg-config --cflags --libs upsweep) -o batch */
#include <stdio.h>
#include <upsweep/upsweep.h>

enum { ROWS = 64, MOST = 1000 };

int main(void) {
  static double x[ROWS][MOST], sums[ROWS], expected[ROWS];
  usw_set_t *batch = NULL;
  usw_status_t status = usw_set_create(&batch);
  for (int row = 0; row < ROWS; row++) {
    const size_t length = (size_t)(MOST - row); /* each its own */
    for (size_t i = 0; i < length; i++) {
      x[row][i] = row;
      expected[row] += x[row][i];
    }
    if (status == USW_OK)
      status = usw_set_add_array(batch, USW_PLUS, USW_F64, x[row], length, 1, &sums[row], 0);
  }
  if (status == USW_OK)
    status = usw_set_run(batch, 0, NULL);
  int wrong = 0;
  for (int row = 0; row < ROWS; row++)
    wrong += sums[row] != expected[row];
  printf("batch: %s, %d wrong of %d\n", status == USW_OK ? "ran" : usw_error_text(), wrong, ROWS);
  usw_set_destroy(batch);
  return status != USW_OK || wrong;
}
