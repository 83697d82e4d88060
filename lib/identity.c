/* Identities by codes: the constants of identity.h for every operator and type. */
#include <string.h>
#include <upsweep/identity.h>
#include <upsweep/upsweep.h>

#include "error.h"
#include "state.h"

/* For each type: write the operator's identity; 0 if the type does not have the operator. */
#define OPERATOR_CASE(NAME, name, code, types, integers, reals, identity, T, CLASS)                                    \
  USW_HAS_##types##_##CLASS(case USW_##NAME : value = USW_IDENTITY_##identity(T); break;)
#define IDENTITY_OF(tag, CODE, code, T, sum, key, CLASS)                                                               \
  static int identity_of_##tag(usw_operation_t operation, void *identity_out) {                                        \
    T value;                                                                                                           \
    switch ((int)operation) {                                                                                          \
      USW_OPERATORS(OPERATOR_CASE, T, CLASS)                                                                           \
    default:                                                                                                           \
      return 0;                                                                                                        \
    }                                                                                                                  \
    if (identity_out)                                                                                                  \
      memcpy(identity_out, &value, sizeof value);                                                                      \
    return 1;                                                                                                          \
  }
USW_TYPES(IDENTITY_OF)

usw_status_t usw_identity(usw_operation_t operation, usw_type_t type, void *identity_out) {
  usw_status_t status = uswi_enter();
  int known = 0;
  if (status != USW_OK)
    return status;
  switch ((int)type) {
#define TYPE_CASE(tag, CODE, code, T, sum, key, CLASS)                                                                 \
  case USW_##CODE:                                                                                                     \
    known = identity_of_##tag(operation, identity_out);                                                                \
    break;
    USW_TYPES(TYPE_CASE)
  default:
    break;
  }
  if (known)
    return USW_OK;
  return uswi_fail(USW_ERROR_UNSUPPORTED, "operation %d has no identity over type %d", (int)operation, (int)type);
}
