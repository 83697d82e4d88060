/* How many elements are not zero. Entry: name, PLUS, type. */
#include "entry.h"

#define USW_ENTRY_IS_DOUBLE (USW_ENTRY_IS_WIDE && !USW_ENTRY_IS_COMPLEX)
#if USW_ENTRY_IS_DOUBLE && !defined(UPSWEEP_SHAPES_COUNT_H)
#define UPSWEEP_SHAPES_COUNT_H
#include "chains.h"

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* Whether the calling thread's arithmetic takes subnormal numbers for what they are. */
USW_INLINE int usw_sees_subnormals(void) {
  const volatile double least = 0x1p-1074;
  return least != 0;
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif
#endif

#define USW_KERNEL USW_ENTRY_KERNEL
#define USW_OPERATION USW_COUNT
#define USW_TYPE USW_ENTRY_CODE
#define USW_FACTS USW_FACT_EXACT
#define USW_RESULT uint64_t
#define USW_NATIVE_CLAUSE 1
#define USW_BY_BLOCKS USW_ENTRY_IS_BYTES
#define USW_BY_RUNS (USW_ENTRY_RANKS > 1 || USW_ENTRY_IS_DOUBLE)
#if USW_ENTRY_IS_DOUBLE
#define USW_HOST_RUN_ITEMS 8192 /* which are never looked at twice */
#endif
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ENTRY_ELEMENT, x)
#define USW_REDUCERS(R, S) R(uint64_t, value, USW_ENTRY_OPERATION)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(value, (uint64_t)USW_ENTRY_NONZERO(x)); }
#if USW_BY_BLOCKS
USW_VISIT_BLOCKS(i, step, blocks) { usw_combine(value, usw_nonzeros(x, blocks)); }
#endif
#if USW_ENTRY_IS_DOUBLE
/* By comparing, an instruction less than by the bits, where the calling thread's arithmetic does not take subnormal numbers for
 * zero. */
USW_VISIT_RUN(i, count, chains) {
  enum { AT_ONCE = 4 };
  usw_chain_flags_t nonzeros[AT_ONCE] = {{0}};
  usw_chains_t number = {0};
  size_t k = 0;
  if (!usw_sees_subnormals())
    return 0;
  for (; k + AT_ONCE * USW_CHAINS <= count; k += AT_ONCE * USW_CHAINS)
    for (size_t v = 0; v < AT_ONCE; v++) {
      __builtin_memcpy(&number, &x[k + v * USW_CHAINS], sizeof number);
      nonzeros[v] -= number != 0;
    }
  uint64_t total = 0;
  for (size_t v = 0; v < AT_ONCE * USW_CHAINS; v++)
    total += (uint64_t)nonzeros[v / USW_CHAINS][v % USW_CHAINS];
  for (; k < count; k++)
    total += (uint64_t)USW_ENTRY_NONZERO(x[k]);
  usw_combine(value, total);
  return 1;
}
#elif USW_BY_RUNS
USW_VISIT_RUN(i, count, chains) {
  enum { FEW = 128 }; /* so many fit an integer of an element's size, in which vectors count them */
  for (size_t first = 0; first < count; first += FEW) {
    const size_t end = count - first < FEW ? count : first + FEW;
    USW_ENTRY_KEY nonzeros = 0;
    for (size_t k = first; k < end; k++)
      nonzeros += (USW_ENTRY_KEY)USW_ENTRY_NONZERO(x[k]);
    usw_combine(value, (uint64_t)nonzeros);
  }
  return 1;
}
#endif
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { *result = a->value; }
#include <upsweep/kernel_end.h>
