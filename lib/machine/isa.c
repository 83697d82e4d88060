#include "machine/isa.h"

uswi_isa_t uswi_isa_best(void) {
#ifdef __x86_64__
  if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("popcnt"))
    return USWI_ISA_BASE;
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("fma"))
    return USWI_ISA_V2;
  if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512cd") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
    return USWI_ISA_V3;
  return USWI_ISA_V4;
#else
  return USWI_ISA_BASE;
#endif
}

const char *uswi_isa_name(uswi_isa_t isa) {
  static const char *const names[] = {"base", "v2", "v3", "v4"};
  return names[isa];
}
