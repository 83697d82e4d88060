/* Arithmetic that takes subnormal numbers for zero and rounds to zero what would be one, for the thread that calls: what
 * programs linked with -ffast-math have. On x86-64. */
#ifndef USW_TESTS_FLUSH_H
#define USW_TESTS_FLUSH_H

#ifdef __SSE2__
enum { FTZ_AND_DAZ = 0x8040 };
static inline void flush(int on) {
  __builtin_ia32_ldmxcsr(on ? __builtin_ia32_stmxcsr() | FTZ_AND_DAZ
                            : __builtin_ia32_stmxcsr() & ~(unsigned)FTZ_AND_DAZ);
}
static inline int is_flushing(void) { return (__builtin_ia32_stmxcsr() & FTZ_AND_DAZ) == FTZ_AND_DAZ; }
#else
static inline void flush(int on) { (void)on; }
static inline int is_flushing(void) { return 1; }
#endif

#endif
