/** @addtogroup types
 *  @{ */
#ifndef UPSWEEP_HALF_H
#define UPSWEEP_HALF_H

#include <upsweep/types.h>

/** The value of a binary16 number; every one of them is a float. The same on every machine and compiler, also where the
 *  thread's arithmetic takes subnormal floats for zero.
 *
 *  @param[in] half any number, infinity or NaN.
 *  @return its value; a NaN for a NaN.
 *  @since 0.1 */
static inline float usw_f16_to_float(usw_f16_t half) {
#if defined(__NVPTX__) || defined(__AMDGCN__) /* which have an instruction for it */
  _Float16 number;
  __builtin_memcpy(&number, &half, sizeof number);
  return (float)number;
#else
  const uint32_t magnitude = half.bits & 0x7fff, exponent = magnitude >> 10;
  const float subnormal = (float)(int32_t)magnitude * 0x1p-24f;
  uint32_t bits;
  __builtin_memcpy(&bits, &subnormal, sizeof bits);
  bits = exponent == 0 ? bits : (magnitude << 13) + ((exponent == 31 ? 224u : 112u) << 23); /* biases 127 and 15 */
  bits |= (uint32_t)(half.bits & 0x8000) << 16;
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
#endif
}

/** The value of a bfloat16 number; every one of them is a float. The same on every machine and compiler.
 *
 *  @param[in] half any number, infinity or NaN.
 *  @return its value.
 *  @since 0.1 */
static inline float usw_bf16_to_float(usw_bf16_t half) {
  const uint32_t bits = (uint32_t)half.bits << 16;
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

/** The binary16 number nearest to a float, ties to even.
 *
 *  @param[in] value any float.
 *  @return infinity from 65520 on, a quiet NaN for a NaN.
 *  @since 0.1 */
static inline usw_f16_t usw_float_to_f16(float value) {
  usw_f16_t half;
#if defined(__NVPTX__) || defined(__AMDGCN__)
  const _Float16 number = (_Float16)value;
  __builtin_memcpy(&half, &number, sizeof half);
#else
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  const uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) {
    half.bits = (uint16_t)(sign | 0x7e00);
  } else if (magnitude >= 0x47800000) { /* 2^16 */
    half.bits = (uint16_t)(sign | 0x7c00);
  } else if (magnitude < 0x38800000) { /* 2^-14: subnormal; adding 0.5 rounds at 2^-24 */
    float small;
    __builtin_memcpy(&small, &magnitude, sizeof small);
    small += 0.5f;
    uint32_t rounded;
    __builtin_memcpy(&rounded, &small, sizeof rounded);
    half.bits = (uint16_t)(sign | (rounded - 0x3f000000));
  } else {
    const uint32_t even = magnitude + 0xfff + (magnitude >> 13 & 1);
    half.bits = (uint16_t)(sign | ((even - 0x38000000) >> 13));
  }
#endif
  return half;
}

/** The bfloat16 number nearest to a float, ties to even.
 *
 *  @param[in] value any float.
 *  @return infinity beyond the largest one, a quiet NaN for a NaN.
 *  @since 0.1 */
static inline usw_bf16_t usw_float_to_bf16(float value) {
  usw_bf16_t half;
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7fffffff) > 0x7f800000)
    half.bits = (uint16_t)(bits >> 16 | 0x40);
  else
    half.bits = (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  return half;
}

/** @} */
#endif
