/* What the library says about itself: version, statuses, identities, devices, environment. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/oracle.h"
#include "oracle/pattern.h"
#include "support/check.h"

static void statuses(void) {
#define STATUS_ROW(name, value, text)                                                                                  \
  CHECK_I64(value, USW_##name);                                                                                        \
  CHECK_TEXT_HAS(usw_status_name(USW_##name), "USW_" #name);                                                           \
  CHECK(strcmp(usw_status_text(USW_##name), text) == 0);
  USW_STATUSES(STATUS_ROW)
#undef STATUS_ROW
  CHECK_TEXT_HAS(usw_status_name((usw_status_t)12345), "USW_STATUS_UNKNOWN");
  CHECK(usw_status_text((usw_status_t)-1)[0] != 0);
}

/* The identity of an operator for a type by the table of the contract; 0 if the type does not have the operator. */
static int contract_identity(usw_operation_t operation, usw_type_t type, long double *identity_out) {
  const type_facts_t *f = type_facts(type);
  const int is_integer = f->class_of == CLASS_INTEGER, is_number = f->class_of != CLASS_BOOLEAN;
  const int is_logical = is_integer || f->class_of == CLASS_BOOLEAN;
  const int has_order = is_number && f->class_of != CLASS_COMPLEX;
  const int value_bits = 8 * (int)f->bytes - f->is_signed;
  switch ((int)operation) {
  case USW_PLUS:
    *identity_out = 0;
    return is_number;
  case USW_MULTIPLIES:
    *identity_out = 1;
    return is_number;
  case USW_MINIMUM:
    *identity_out = is_integer ? ldexpl(1, value_bits) - 1 : INFINITY;
    return has_order;
  case USW_MAXIMUM:
    *identity_out = !is_integer ? -INFINITY : f->is_signed ? -ldexpl(1, value_bits) : 0;
    return has_order;
  case USW_BIT_AND:
    *identity_out = f->is_signed ? -1 : ldexpl(1, value_bits) - 1;
    return is_integer;
  case USW_BIT_OR:
  case USW_BIT_XOR:
    *identity_out = 0;
    return is_integer;
  case USW_LOGICAL_AND:
    *identity_out = 1;
    return is_logical;
  case USW_LOGICAL_OR:
    *identity_out = 0;
    return is_logical;
  default:
    return 0;
  }
}

/* An identity goes to an element of the type, and not a byte further. */
static void check_identity(usw_operation_t operation, usw_type_t type) {
  long double expected = 0;
  number_t got;
  unsigned char element[32], before[32];
  memset(element, 0xa5, sizeof element);
  memcpy(before, element, sizeof before);
  const usw_status_t status = contract_identity(operation, type, &expected) ? USW_OK : USW_ERROR_UNSUPPORTED;
  const size_t bytes = status == USW_OK ? type_bytes(type) : 0;
  check_count(usw_identity(operation, type, NULL) == status && usw_identity(operation, type, element) == status,
              __FILE__, __LINE__, "identity of operation %d, type %s: not %s", (int)operation, type_name(type),
              usw_status_name(status));
  check_count(memcmp(element + bytes, before + bytes, sizeof element - bytes) == 0, __FILE__, __LINE__,
              "identity of operation %d, type %s: wrote behind the element", (int)operation, type_name(type));
  if (status != USW_OK)
    return;
  numbers_of(type, element, 1, &got);
  check_count(got.re == expected && !signbit(got.re) == !signbit(expected) && got.im == 0 && !signbit(got.im), __FILE__,
              __LINE__, "identity of operation %d, type %s: expected %Lg, got %Lg + %Lgi", (int)operation,
              type_name(type), expected, got.re, got.im);
}

static void identities(void) {
  int types = 0;
  for (usw_type_t type = (usw_type_t)1; type_facts(type); type = (usw_type_t)(type + 1), types++)
    for (int operation = -1; operation < 80; operation++)
      check_identity((usw_operation_t)operation, type);
  CHECK_I64(15, types);
  char any[32];
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_identity(USW_PLUS, USW_NO_TYPE, any));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_identity(USW_PLUS, (usw_type_t)77, any));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_identity(USW_PLUS, (usw_type_t)-1, any));
}

/* Sizes of some results as literals; tests/api/cases.c asks for all of them. */
static void result_sizes(void) {
  CHECK_U64(8, usw_result_bytes(USW_PLUS, USW_U8));
  CHECK_U64(4, usw_result_bytes(USW_PLUS, USW_BF16));
  CHECK_U64(16, usw_result_bytes(USW_DOTC, USW_CF64));
  CHECK_U64(4, usw_result_bytes(USW_NORM2, USW_CF32));
  CHECK_U64(2, usw_result_bytes(USW_MINIMUM, USW_F16));
  CHECK_U64(1, usw_result_bytes(USW_LOGICAL_AND, USW_CF64));
  CHECK_U64(16, usw_result_bytes(USW_ARGMAX, USW_I8));
  CHECK_U64(56, usw_result_bytes(USW_DESCRIBE, USW_F64));
  CHECK_U64(0, usw_result_bytes(USW_MINIMUM, USW_CF64));
  CHECK_U64(0, usw_result_bytes(USW_NORM1, USW_I32));
  CHECK_U64(0, usw_result_bytes(USW_NO_OPERATION, USW_F64));
}

static void environment(void) {
  static const char *const names[] = {"USW_PLACE", "USW_STRATEGY", "USW_WAIT",   "USW_THREADS",
                                      "USW_TEAMS", "USW_HOST_ISA", "USW_BACKEND"};
  const size_t bytes = usw_environment_help(NULL, 0);
  char *whole = malloc(bytes), *part = malloc(bytes);
  CHECK_U64(bytes, usw_environment_help(whole, bytes));
  CHECK_U64(bytes, strlen(whole) + 1);
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    CHECK_TEXT_HAS(whole, names[k]);
  CHECK_TEXT_HAS(whole, "USW_TEAMS=3");
  for (size_t room = 1; room < bytes; room += room < 20 ? 1 : 37) {
    memset(part, 'x', bytes);
    CHECK_U64(bytes, usw_environment_help(part, room));
    check_count(strlen(part) < room && strncmp(part, whole, strlen(part)) == 0 && strlen(part) == room - 1 &&
                    part[room] == 'x',
                __FILE__, __LINE__, "environment help in %zu bytes is '%.*s'", room, (int)room, part);
  }
  free(whole);
  free(part);
}

static void devices(void) {
  int device = -5;
  const int gpus = usw_gpu_count(&device);
  CHECK(gpus >= 0 && (gpus > 0) == (device != -5));
  CHECK_I64(gpus, usw_gpu_count(NULL));
  if (gpus > 0)
    CHECK(usw_device_target(device) != NULL);
  CHECK(usw_device_target(-1) == NULL);
  CHECK(usw_device_target(1 << 30) == NULL);
}

int main(void) {
  setenv("USW_TEAMS", "3", 1);
  CHECK_I64(USW_VERSION, usw_version());
  CHECK_I64(USW_VERSION_MAJOR * 10000 + USW_VERSION_MINOR * 100 + USW_VERSION_PATCH, USW_VERSION);
  CHECK(strcmp(usw_error_text(), "") == 0);
  statuses();
  identities();
  result_sizes();
  environment();
  devices();
  return check_report();
}
