/* Runs of equal keys: where each begins, behind the last one where it ends, and its key (lib/api/keys.c). Keys are equal if their bits are, so
 * that unsigned types serve the signed ones. Entry: type. */
#include "entry.h"

#define USW_KERNEL USW_CAT(runs_, USW_ENTRY_TYPE)
#define USW_SCAN 1
/* 1 is_long: beginnings take two words each, the lower one first. */
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ENTRY_ELEMENT, key) VALUE(uint64_t, items) VALUE(uint64_t, is_long)
#define USW_OUTPUTS(OUT) OUT(uint32_t, begins) OUT(USW_ENTRY_ELEMENT, unique)
#define USW_REDUCERS(R, S) R(uint64_t, runs, USW_PLUS)
#define USW_COUNT_OF_CHOSEN runs
#define USW_IS_CHOSEN(i) (arguments->key[i] != arguments->key[(i) - 1])
#define USW_PUT_CHOSEN(k, i)                                                                                           \
  USW_F(_put)(arguments->begins, k, i, arguments->is_long);                                                            \
  arguments->unique[(ptrdiff_t)(k) * arguments->usw_stride_unique] = arguments->key[i];
#include <upsweep/kernel.h>
USW_INLINE void USW_F(_put)(uint32_t *to, uint64_t number, uint64_t value, uint64_t is_long) {
  to[is_long ? 2 * number : number] = (uint32_t)value;
  if (is_long)
    to[2 * number + 1] = (uint32_t)(value >> 32);
}
USW_VISIT(i) {
  const int begins_here = i == 0 || key != usw_previous(key);
  const uint64_t number = usw_scanned(runs);
  if (begins_here) {
    usw_write_at(unique, number, key);
    usw_inc(runs);
    if (!usw_spans->usw_is_mute)
      USW_F(_put)(usw_spans->usw_base_of_begins, number, i, is_long);
  }
  if (i + 1 == items && !usw_spans->usw_is_mute)
    USW_F(_put)(usw_spans->usw_base_of_begins, number + (uint64_t)begins_here, items, is_long);
}
#include <upsweep/kernel_end.h>
