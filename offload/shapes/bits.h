/* A bit operator over one stream of integers. Bits have no sign: the kernels of unsigned types serve the signed ones.
 * Entry: name, operator, type. */
#include "entry.h"

#define USW_KERNEL USW_ENTRY_KERNEL
#define USW_OPERATION USW_ENTRY_OPERATION
#define USW_TYPE USW_ENTRY_CODE
#define USW_FACTS USW_FACT_EXACT
#define USW_RESULT USW_ENTRY_ELEMENT
#define USW_NATIVE_CLAUSE 1
#define USW_BY_BLOCKS (USW_ENTRY_RANKS > 1)
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ENTRY_ELEMENT, x)
#define USW_REDUCERS(R, S) R(USW_ENTRY_ELEMENT, value, USW_ENTRY_OPERATION)
#define USW_TAKES_INITIAL 1
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(value, x); }
#if USW_BY_BLOCKS
/* A word of elements at a time; then those of the one that is left. */
USW_VISIT_BLOCKS(i, step, blocks) {
  uint32_t word = USW_IDENTITY(USW_ENTRY_OPERATION, uint32_t);
  USW_UNROLL for (size_t b = 0; b < blocks; b++) {
    USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w++) {
      word = usw_operate(USW_ENTRY_OPERATION, word, usw_block_word(x[b], w));
    }
  }
  USW_UNROLL for (size_t k = 0; k < sizeof word; k += sizeof(USW_ENTRY_ELEMENT)) {
    usw_combine(value, (USW_ENTRY_ELEMENT)(word >> 8 * k));
  }
}
#endif
#if USW_SCAN
USW_BEGIN(initial) { usw_combine(value, initial); }
#endif
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { *result = a->value; }
#include <upsweep/kernel_end.h>
