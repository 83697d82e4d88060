/* The function that valgrind looks for, in a file of its own: nothing of it may be inlined or specialized. */
#include "calls.h"

__attribute__((noinline)) usw_status_t counted_calls(counts_case_t *counted) {
  usw_status_t (*const run)(counts_case_t *) = counted->form->run;
  usw_status_t status = USW_OK;
  for (int k = 0; k < COUNTS_CALLS; k++) {
    const usw_status_t one = run(counted);
    if (one != USW_OK)
      status = one;
  }
  return status;
}
