/* What the library says about itself: version, statuses, identities, devices, environment. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

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

/* An identity goes to an element of the type, and not a byte further. */
static void identity_is(usw_operation_t operation, usw_type_t type, const void *expected, size_t bytes) {
  unsigned char got[32];
  memset(got, 0xa5, sizeof got);
  CHECK_STATUS(USW_OK, usw_identity(operation, type, NULL));
  CHECK_STATUS(USW_OK, usw_identity(operation, type, got));
  check_count(memcmp(got, expected, bytes) == 0, __FILE__, __LINE__, "identity of operation %d, type %d: wrong value",
              (int)operation, (int)type);
  for (size_t k = bytes; k < sizeof got; k++)
    if (!check_count(got[k] == 0xa5, __FILE__, __LINE__, "identity of operation %d, type %d: wrote behind the element",
                     (int)operation, (int)type))
      break;
}

#define IDENTITY_IS(operation, TYPE, T, value)                                                                         \
  do {                                                                                                                 \
    const T expected = value;                                                                                          \
    identity_is(operation, USW_##TYPE, &expected, sizeof expected);                                                    \
  } while (0)

static void identities(void) {
  IDENTITY_IS(USW_PLUS, F64, double, 0);
  IDENTITY_IS(USW_PLUS, F32, float, 0);
  IDENTITY_IS(USW_PLUS, I64, int64_t, 0);
  IDENTITY_IS(USW_PLUS, I32, int32_t, 0);
  IDENTITY_IS(USW_PLUS, U8, uint8_t, 0);
  IDENTITY_IS(USW_MINIMUM, F64, double, INFINITY);
  IDENTITY_IS(USW_MINIMUM, F32, float, INFINITY);
  IDENTITY_IS(USW_MINIMUM, I64, int64_t, INT64_MAX);
  IDENTITY_IS(USW_MINIMUM, I32, int32_t, INT32_MAX);
  IDENTITY_IS(USW_MINIMUM, U8, uint8_t, UINT8_MAX);
  IDENTITY_IS(USW_MAXIMUM, F64, double, -INFINITY);
  IDENTITY_IS(USW_MAXIMUM, F32, float, -INFINITY);
  IDENTITY_IS(USW_MAXIMUM, I64, int64_t, INT64_MIN);
  IDENTITY_IS(USW_MAXIMUM, I32, int32_t, INT32_MIN);
  IDENTITY_IS(USW_MAXIMUM, U8, uint8_t, 0);
  char any[32];
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_identity(USW_NO_OPERATION, USW_F64, any));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_identity(USW_DOT, USW_F64, any));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_identity(USW_PLUS, USW_NO_TYPE, any));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_identity((usw_operation_t)-1, USW_F64, any));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_identity(USW_PLUS, (usw_type_t)77, any));
}

static void environment(void) {
  static const char *const names[] = {"USW_PLACE", "USW_STRATEGY", "USW_WAIT", "USW_THREADS", "USW_TEAMS"};
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
  environment();
  devices();
  return check_report();
}
