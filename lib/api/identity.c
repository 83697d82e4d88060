/* Identities by codes: the constants of identity.h for every operator and type. */
#include <string.h>
#include <upsweep/half.h>
#include <upsweep/identity.h>
#include <upsweep/upsweep.h>

#include "api/library.h"
#include "base/error.h"
#include "policy/catalog.h"

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

static int write_identity(usw_operation_t operation, usw_type_t type, void *identity_out) {
  switch ((int)type) {
#define TYPE_CASE(tag, CODE, ...)                                                                                      \
  case USW_##CODE:                                                                                                     \
    return identity_of_##tag(operation, identity_out);
    USW_TYPES(TYPE_CASE, )
  default:
    return 0;
  }
}

static int has_identity(usw_operation_t operation, usw_type_t type) { return write_identity(operation, type, NULL); }

usw_status_t usw_identity(usw_operation_t operation, usw_type_t type, void *identity_out) {
  usw_status_t status = uswi_enter();
  char list[USWI_TYPE_LIST_BYTES];
  if (status != USW_OK || write_identity(operation, type, identity_out))
    return status;
  status = uswi_check_codes(operation, type);
  if (status != USW_OK)
    return status;
  if (operation > USW_LOGICAL_OR)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s has no identity: only USW_PLUS to USW_LOGICAL_OR have one",
                     uswi_operation_name(operation));
  return uswi_fail(USW_ERROR_UNSUPPORTED, "%s has no identity over %s: it has one over %s",
                   uswi_operation_name(operation), uswi_type_name(type),
                   uswi_list_types(has_identity, operation, list));
}
