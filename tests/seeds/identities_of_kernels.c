/* What kernels start from: the known identity of every operator over the types that have it (complex numbers: complex.c).
 * A kernel without streams, whose body does nothing, gives the identities alone.   identities_of_kernels [--place NAME] */
#include <string.h>
#include <upsweep/upsweep.h>

#include "strategies.h"

#define ARITHMETIC_REDUCERS(R)                                                                                         \
  R(IDENTITY_TYPE, plus, USW_PLUS)                                                                                     \
  R(IDENTITY_TYPE, multiplies, USW_MULTIPLIES)
#define LOGICAL_REDUCERS(R)                                                                                            \
  R(IDENTITY_TYPE, logical_and, USW_LOGICAL_AND)                                                                       \
  R(IDENTITY_TYPE, logical_or, USW_LOGICAL_OR)
#define FLOATING_REDUCERS(R)                                                                                           \
  ARITHMETIC_REDUCERS(R)                                                                                               \
  R(IDENTITY_TYPE, minimum, USW_MINIMUM)                                                                               \
  R(IDENTITY_TYPE, maximum, USW_MAXIMUM)
#define INTEGER_REDUCERS(R)                                                                                            \
  FLOATING_REDUCERS(R)                                                                                                 \
  LOGICAL_REDUCERS(R)                                                                                                  \
  R(IDENTITY_TYPE, bit_and, USW_BIT_AND)                                                                               \
  R(IDENTITY_TYPE, bit_or, USW_BIT_OR)                                                                                 \
  R(IDENTITY_TYPE, bit_xor, USW_BIT_XOR)

#define IDENTITY_REDUCERS(R) INTEGER_REDUCERS(R)
#define IDENTITY_KERNEL of_i8
#define IDENTITY_TYPE int8_t
#include "identity_kernel.h"
#define IDENTITY_KERNEL of_u8
#define IDENTITY_TYPE uint8_t
#include "identity_kernel.h"
#define IDENTITY_KERNEL of_i16
#define IDENTITY_TYPE int16_t
#include "identity_kernel.h"
#define IDENTITY_KERNEL of_u16
#define IDENTITY_TYPE uint16_t
#include "identity_kernel.h"
#define IDENTITY_KERNEL of_i32
#define IDENTITY_TYPE int32_t
#include "identity_kernel.h"
#define IDENTITY_KERNEL of_u32
#define IDENTITY_TYPE uint32_t
#include "identity_kernel.h"
#define IDENTITY_KERNEL of_i64
#define IDENTITY_TYPE int64_t
#include "identity_kernel.h"
#define IDENTITY_KERNEL of_u64
#define IDENTITY_TYPE uint64_t
#include "identity_kernel.h"
#undef IDENTITY_REDUCERS

#define IDENTITY_REDUCERS(R) FLOATING_REDUCERS(R)
#define IDENTITY_KERNEL of_f32
#define IDENTITY_TYPE float
#include "identity_kernel.h"
#define IDENTITY_KERNEL of_f64
#define IDENTITY_TYPE double
#include "identity_kernel.h"
#define IDENTITY_KERNEL of_f16
#define IDENTITY_TYPE usw_f16_t
#include "identity_kernel.h"
#define IDENTITY_KERNEL of_bf16
#define IDENTITY_TYPE usw_bf16_t
#include "identity_kernel.h"
#undef IDENTITY_REDUCERS

#define IDENTITY_REDUCERS(R) LOGICAL_REDUCERS(R)
#define IDENTITY_KERNEL of_bool
#define IDENTITY_TYPE usw_b8_t
#include "identity_kernel.h"
#undef IDENTITY_REDUCERS

typedef void (*check_t)(size_t n, usw_options_t options);

int main(int argc, char **argv) {
  static const check_t checks[] = {check_of_f16, check_of_bf16, check_of_i8,  check_of_u8,  check_of_i16,
                                   check_of_u16, check_of_i32,  check_of_u32, check_of_i64, check_of_u64,
                                   check_of_f32, check_of_f64,  check_of_bool};
  static const size_t sizes[] = {0, 1, 2, 300, 5000};
  const test_place_t place = place_of_arguments(argc, argv);
  const strategies_t strategies = strategies_of(&place);
  for (int s = 0; s < strategies.count; s++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
      for (size_t t = 0; t < sizeof checks / sizeof *checks; t++)
        checks[t](sizes[k], strategies.options[s]);
  return check_report();
}
