/* Identities by codes: the constants of identity.h for every operator and type. */
#include <string.h>
#include <upsweep/half.h>
#include <upsweep/identity.h>
#include <upsweep/upsweep.h>

#include "api/library.h"
#include "base/error.h"

/* An identity as it is stored; halves are found as floats. */
#define STORE(tag, T)                                                                                                  \
  static T store_##tag(T value) { return value; }
#define SCALAR_STORE(tag, CODE, code, T, value, sum, real, key, class, ...) USW_HAS_LOGICAL_##class(STORE(tag, T))
USW_TYPES(SCALAR_STORE, )
STORE(f32, float)
STORE(f64, double)
STORE(cf32, usw_cf32_t)
STORE(cf64, usw_cf64_t)
static usw_f16_t store_f16(float value) { return usw_float_to_f16(value); }
static usw_bf16_t store_bf16(float value) { return usw_float_to_bf16(value); }

/* For each type: write the operator's identity; 0 if the type does not have the operator.
 * NOLINTBEGIN(bugprone-branch-clone): operators may share an identity. */
#define OPERATOR_CASE(NAME, name, code, group, integers, reals, complexes, identity, T, CLASS)                         \
  USW_HAS_##group##_##CLASS(case USW_##NAME : value = USW_IDENTITY_##identity(T); break;)
#define IDENTITY_OF(tag, CODE, code, T, V, sum, real, key, CLASS, ...)                                                 \
  static int identity_of_##tag(usw_operation_t operation, void *identity_out) {                                        \
    V value;                                                                                                           \
    switch ((int)operation) {                                                                                          \
      USW_OPERATORS(OPERATOR_CASE, V, CLASS)                                                                           \
    default:                                                                                                           \
      return 0;                                                                                                        \
    }                                                                                                                  \
    const T stored = store_##tag(value);                                                                               \
    if (identity_out)                                                                                                  \
      memcpy(identity_out, &stored, sizeof stored);                                                                    \
    return 1;                                                                                                          \
  }
USW_TYPES(IDENTITY_OF, )
/* NOLINTEND(bugprone-branch-clone) */

usw_status_t usw_identity(usw_operation_t operation, usw_type_t type, void *identity_out) {
  usw_status_t status = uswi_enter();
  int known = 0;
  if (status != USW_OK)
    return status;
  switch ((int)type) {
#define TYPE_CASE(tag, CODE, ...)                                                                                      \
  case USW_##CODE:                                                                                                     \
    known = identity_of_##tag(operation, identity_out);                                                                \
    break;
    USW_TYPES(TYPE_CASE, )
  default:
    break;
  }
  if (known)
    return USW_OK;
  return uswi_fail(USW_ERROR_UNSUPPORTED, "operation %d has no identity over type %d", (int)operation, (int)type);
}
