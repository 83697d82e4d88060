/* The elements whose flags are not zero, one behind the other (lib/api/select.c). Elements are only moved, so that one type of a size serves all
 * others. Entry: type. */
#include "entry.h"

#define USW_KERNEL USW_CAT(select_, USW_ENTRY_TYPE)
#define USW_SCAN 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ENTRY_ELEMENT, x) IN(uint8_t, flag)
#define USW_SELECTS 1
#define USW_OUTPUTS(OUT) OUT(USW_ENTRY_ELEMENT, result)
#define USW_REDUCERS(R, S) R(uint64_t, kept, USW_PLUS)
#define USW_COUNT_OF_CHOSEN kept
#define USW_IS_CHOSEN(i) (arguments->flag[i] != 0)
#define USW_PUT_CHOSEN(k, i) arguments->result[(ptrdiff_t)(k) * arguments->usw_stride_result] = arguments->x[i];
#include <upsweep/kernel.h>
USW_VISIT(i) {
  if (flag) {
    usw_write_at(result, usw_scanned(kept), x);
    usw_inc(kept);
  }
}
#include <upsweep/kernel_end.h>
