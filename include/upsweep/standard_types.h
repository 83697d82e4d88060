/* C's own types in the one-word names of upsweep.h: a pointer to long long, char or _Float16 as one to the type of the same width
 * and signedness that the typed functions take. Used by upsweep.h alone, in C. */
#ifndef UPSWEEP_STANDARD_TYPES_H
#define UPSWEEP_STANDARD_TYPES_H

#include <limits.h>
#include <upsweep/types.h>

/** @cond */
#if LONG_MAX > 0x7fffffff
typedef int64_t usw_long_t;
typedef uint64_t usw_unsigned_long_t;
#else
typedef int32_t usw_long_t;
typedef uint32_t usw_unsigned_long_t;
#endif
#if CHAR_MIN < 0
typedef int8_t usw_char_t;
#else
typedef uint8_t usw_char_t;
#endif

/* The types are all distinct on every ABI; int64_t may be one of them, which then stays itself. */
#define USW_STANDARD_TYPES(ROW, p)                                                                                     \
  ROW(char, usw_char_t, p)                                                                                             \
  ROW(signed char, int8_t, p)                                                                                          \
  ROW(long, usw_long_t, p)                                                                                             \
  ROW(unsigned long, usw_unsigned_long_t, p)                                                                           \
  ROW(long long, int64_t, p)                                                                                           \
  ROW(unsigned long long, uint64_t, p)

/* _Float16: of gcc from 12 on, of clang from 15 on, where the processor's ABI has it. */
#if defined(__FLT16_MANT_DIG__) && (!defined(__clang__) || __clang_major__ >= 15)
#define USW_HAS_NATIVE_HALF 1
__extension__ typedef _Float16 usw_native_f16_t;
#define USW_NATIVE_HALF(ROW, p) ROW(usw_native_f16_t, usw_f16_t, p)
#else
#define USW_NATIVE_HALF(ROW, p)
#endif

#define USW_FIXED_ROW(standard, fixed, p)                                                                              \
  standard * : (fixed *)(uintptr_t)(p), const standard * : (const fixed *)(uintptr_t)(p),
#define USW_FIXED(p) _Generic((p), USW_STANDARD_TYPES(USW_FIXED_ROW, p) USW_NATIVE_HALF(USW_FIXED_ROW, p) default: (p))
/** @endcond */

#endif
