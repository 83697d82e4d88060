/* Every row of the error table: the status, a text that names the culprit, a result that stays as it
 * was, and a library that works afterwards.   errors [--place NAME] */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 1000 };

static test_place_t place;
static place_memory_t x, y; /* of the place: 1.0 each */
static char last_line[512];
static int lines;

static void keep_line(usw_log_level_t level, const char *line, void *context) {
  CHECK(context == &lines);
  CHECK(level == USW_LOG_ERROR);
  snprintf(last_line, sizeof last_line, "%s", line);
  lines++;
}

static usw_options_t here(void) { return place_options(&place); }

static void still_works(int line) {
  double sum = 0;
  const usw_options_t options = here();
  const usw_status_t status = usw_reduce(USW_PLUS, USW_F64, x.data, ITEMS, &sum, &options);
  check_count(status == USW_OK && sum == ITEMS, __FILE__, line, "the next call gives %s (%s), sum %g",
              usw_status_name(status), usw_error_text(), sum);
}

/* A call with some arguments wrong. */
typedef struct {
  usw_operation_t operation;
  usw_type_t type;
  const void *x, *y;
  size_t n;
  usw_options_t options;
  int no_result, result_shift, is_pair;
} call_t;

static call_t good_call(void) {
  const call_t call = {USW_PLUS, USW_F64, x.data, y.data, ITEMS, here(), 0, 0, 0};
  return call;
}

static void refused(usw_status_t expected, const char *culprit, const call_t *call, int line) {
  _Alignas(16) unsigned char result[64], before[64];
  memset(result, 0xa5, sizeof result);
  memcpy(before, result, sizeof before);
  lines = 0;
  void *to = call->no_result ? NULL : result + call->result_shift;
  const usw_status_t status =
      call->is_pair ? usw_reduce_pair(call->operation, call->type, call->x, call->y, call->n, to, &call->options)
                    : usw_reduce(call->operation, call->type, call->x, call->n, to, &call->options);
  check_count(status == expected, __FILE__, line, "expected %s, got %s: %s", usw_status_name(expected),
              usw_status_name(status), usw_error_text());
  check_count(memcmp(result, before, sizeof result) == 0, __FILE__, line, "the result was written");
  check_text_has(usw_error_text(), culprit, __FILE__, line);
  check_count(lines == 1 && strcmp(last_line, usw_error_text()) == 0, __FILE__, line, "%d log lines, the last '%s'",
              lines, last_line);
  still_works(line);
}

/* Change one thing of a good call, and see it refused. */
#define REFUSED(expected, culprit, change)                                                                             \
  do {                                                                                                                 \
    call_t call = good_call();                                                                                         \
    change;                                                                                                            \
    refused(expected, culprit, &call, __LINE__);                                                                       \
  } while (0)
#define REFUSED_PAIR(expected, culprit, change)                                                                        \
  REFUSED(expected, culprit, call.is_pair = 1; call.operation = USW_DOT; change)

static void bad_arguments(void) {
  const char *bytes = x.data;
  REFUSED(USW_ERROR_INVALID, "'x' is NULL", call.x = NULL);
  REFUSED(USW_ERROR_INVALID, "'x' is NULL", call.x = NULL; call.n = 1);
  REFUSED(USW_ERROR_INVALID, "NULL", call.no_result = 1);
  REFUSED(USW_ERROR_INVALID, "NULL", call.no_result = 1; call.n = 0);
  REFUSED(USW_ERROR_INVALID, "sum_f64: 'x' is NULL", call.x = NULL);
  REFUSED(USW_ERROR_INVALID, "sum_u64: 'x' is NULL", call.x = NULL; call.type = USW_U64); /* another type's kernel */
  REFUSED(USW_ERROR_INVALID, "aligned to 8", call.result_shift = 4);
  REFUSED(USW_ERROR_INVALID, "aligned to 8", call.x = bytes + 4);
  REFUSED(USW_ERROR_INVALID, "aligned to 8", call.x = bytes + 1; call.n = 1);
  REFUSED(USW_ERROR_INVALID, "aligned to 4", call.x = bytes + 2; call.type = USW_F32);
  REFUSED_PAIR(USW_ERROR_INVALID, "'y' is NULL", call.y = NULL);
  REFUSED_PAIR(USW_ERROR_INVALID, "'x' is NULL", call.x = NULL);
  REFUSED_PAIR(USW_ERROR_INVALID, "aligned to 8", call.y = (const char *)y.data + 4);
}

static void too_large(void) {
  REFUSED(USW_ERROR_INVALID, "n = ", call.n = SIZE_MAX);
  REFUSED(USW_ERROR_INVALID, "n = ", call.n = SIZE_MAX / 8 + 2);
  REFUSED(USW_ERROR_INVALID, "n = ", call.n = (size_t)PTRDIFF_MAX / 8 + 1);
  REFUSED(USW_ERROR_INVALID, "n = ", call.n = SIZE_MAX; call.type = USW_U8);
  REFUSED(USW_ERROR_INVALID, "stride", call.options.stride[0] = PTRDIFF_MAX / 2);
  REFUSED(USW_ERROR_INVALID, "stride", call.options.stride[0] = PTRDIFF_MIN + 1; call.n = 2);
  REFUSED(USW_ERROR_INVALID, "stride", call.options.stride[0] = PTRDIFF_MAX; call.n = 3; call.type = USW_U8);
  REFUSED(USW_ERROR_INVALID, "n = ", call.options.stride[0] = USW_STRIDE_NONE; call.n = SIZE_MAX);
  REFUSED(USW_ERROR_INVALID, "n = ", call.options.stride[0] = USW_STRIDE_NONE; call.n = SIZE_MAX;
          call.options.accuracy = USW_EXACT); /* which is run by sweeps */
  REFUSED_PAIR(USW_ERROR_INVALID, "'y'", call.options.stride[1] = PTRDIFF_MAX / 4);
}

static void unsupported(void) {
  REFUSED(USW_ERROR_UNSUPPORTED, "operation 0", call.operation = USW_NO_OPERATION);
  REFUSED(USW_ERROR_UNSUPPORTED, "operation 31", call.operation = (usw_operation_t)31);
  REFUSED(USW_ERROR_UNSUPPORTED, "operation -1", call.operation = (usw_operation_t)-1);
  REFUSED(USW_ERROR_UNSUPPORTED, "operation 1000", call.operation = (usw_operation_t)1000);
  REFUSED(USW_ERROR_UNSUPPORTED, "type 0", call.type = USW_NO_TYPE);
  REFUSED(USW_ERROR_UNSUPPORTED, "type 31", call.type = (usw_type_t)31);
  REFUSED(USW_ERROR_UNSUPPORTED, "type -3", call.type = (usw_type_t)-3);
  REFUSED(USW_ERROR_UNSUPPORTED,
          "argmin of cf64: it takes i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32 and f64",
          call.operation = USW_ARGMIN;
          call.type = USW_CF64);
  REFUSED(USW_ERROR_UNSUPPORTED, "bit_and of f64: it takes i8, i16, i32, i64, u8, u16, u32 and u64",
          call.operation = USW_BIT_AND);
  REFUSED(USW_ERROR_UNSUPPORTED, "sum of b8: it takes i8", call.type = USW_BOOL);
  REFUSED(USW_ERROR_UNSUPPORTED, "usw_reduce_pair", call.operation = USW_DOT);
  REFUSED(USW_ERROR_UNSUPPORTED, "usw_reduce()", call.is_pair = 1);
  REFUSED_PAIR(USW_ERROR_UNSUPPORTED, "dotc of f32: it takes cf32 and cf64", call.operation = USW_DOTC;
               call.type = USW_F32);
  REFUSED(USW_ERROR_UNSUPPORTED, "USW_COMPENSATED", call.operation = USW_MULTIPLIES;
          call.options.accuracy = USW_COMPENSATED);
  REFUSED(USW_ERROR_UNSUPPORTED, "USW_REPRODUCIBLE", call.operation = USW_MULTIPLIES;
          call.options.accuracy = USW_REPRODUCIBLE);
}

/* Messages of functions that take codes and no data: names, and what there is instead. */
static void names(void) {
  usw_set_t *set = NULL;
  const uint32_t keys = 0;
  double sum = 0;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_identity(USW_DOT, USW_F64, NULL));
  CHECK_TEXT_HAS(usw_error_text(), "dot has no identity: only USW_PLUS to USW_LOGICAL_OR have one");
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_identity(USW_BIT_OR, USW_CF32, NULL));
  CHECK_TEXT_HAS(usw_error_text(),
                 "bit_or has no identity over cf32: it has one over i8, i16, i32, i64, u8, u16, u32 and u64");
  CHECK_STATUS(USW_OK, usw_set_create(&set));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_set_add(set, USW_ARGMAX, USW_F64, NULL, 1, &sum, 0));
  CHECK_TEXT_HAS(usw_error_text(), "usw_set_add: argmax, of reducer 0, is not one of USW_PLUS to USW_LOGICAL_OR");
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_set_add(set, USW_MINIMUM, USW_CF64, NULL, 1, &sum, 0));
  CHECK_TEXT_HAS(usw_error_text(), "there is no min of cf64: it takes i8");
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_set_add_span(set, USW_PLUS, USW_F64, NULL, 1, USW_F32, &keys, &sum, 1, 0));
  CHECK_TEXT_HAS(usw_error_text(), "usw_set_add_span: keys of f32: they are u32, i32, u64 or i64");
  usw_set_destroy(set);
}

static void bad_options(void) {
  usw_report_t report = {.size = USW_INIT(usw_report_t) - 1};
  REFUSED(USW_ERROR_VERSION, "options.size", call.options.size = 0);
  REFUSED(USW_ERROR_VERSION, "options.size", call.options.size--);
  REFUSED(USW_ERROR_VERSION, "options.size", call.options.size++);
  REFUSED(USW_ERROR_VERSION, "report.size", call.options.report = &report);
  REFUSED(USW_ERROR_INVALID, "place", call.options.place = (usw_place_t)7);
  REFUSED(USW_ERROR_INVALID, "place", call.options.place = (usw_place_t)-1);
  REFUSED(USW_ERROR_INVALID, "strategy", call.options.strategy = (usw_strategy_t)(USW_STRATEGY_MULTIPASS + 1));
  REFUSED(USW_ERROR_INVALID, "nan", call.options.nan = (usw_nan_t)2);
  REFUSED(USW_ERROR_INVALID, "accuracy", call.options.accuracy = (usw_accuracy_t)9);
  REFUSED(USW_ERROR_INVALID, "teams", call.options.teams = 65536);
}

static void bad_places(void) {
  REFUSED(USW_ERROR_DEVICE, "device 1000", call.options.place = USW_DEVICE; call.options.device = 1000);
  REFUSED(USW_ERROR_DEVICE, "device -1", call.options.place = USW_DEVICE; call.options.device = -1);
  if (place.place == USW_HOST) {
    REFUSED(USW_ERROR_UNSUPPORTED, "USW_STRATEGY_HOST", call.options.strategy = USW_STRATEGY_TREE);
    REFUSED(USW_ERROR_UNSUPPORTED, "USW_STRATEGY_HOST", call.options.strategy = USW_STRATEGY_HOST_FINISH);
    REFUSED(USW_ERROR_UNSUPPORTED, "USW_STRATEGY_HOST", call.options.strategy = USW_STRATEGY_CLAUSE);
    REFUSED(USW_ERROR_UNSUPPORTED, "USW_STRATEGY_HOST", call.options.strategy = USW_STRATEGY_MULTIPASS);
    return;
  }
  REFUSED(USW_ERROR_UNSUPPORTED, "USW_STRATEGY_HOST", call.options.strategy = USW_STRATEGY_HOST);
  if (strcmp(place.target, "x86_64") == 0) /* where the clause's threads meet in any order */
    REFUSED(USW_ERROR_UNSUPPORTED, "USW_FAST", call.options.strategy = USW_STRATEGY_CLAUSE);
}

/* A GPU reads its own memory only, and the host its own. */
static void wrong_memory(void) {
  if (strcmp(place.target, "nvptx") != 0 && strcmp(place.target, "amdgcn") != 0)
    return;
  double *plain = calloc(ITEMS, sizeof *plain);
  const void *const host_data = plain;
  REFUSED(USW_ERROR_PLACE, "'x'", call.x = host_data);
  REFUSED(USW_ERROR_PLACE, "memory of device", call.options.place = USW_HOST);
  REFUSED_PAIR(USW_ERROR_PLACE, "'y'", call.y = host_data);
  REFUSED_PAIR(USW_ERROR_PLACE, "'x'", call.x = host_data);
  REFUSED_PAIR(USW_ERROR_PLACE, "'y'", call.y = host_data; call.options.place = USW_AUTO_PLACE);
  double sum = 1;
  CHECK_STATUS(USW_OK, usw_sum_f64(plain, ITEMS, &sum)); /* on the host, by itself */
  CHECK_F64(0, sum);
  CHECK_STATUS(USW_OK, usw_sum_f64(x.data, ITEMS, &sum)); /* on the GPU, by itself */
  CHECK_F64(ITEMS, sum);
  free(plain);
}

static void *error_of_other_thread(void *unused) {
  (void)unused;
  double sum;
  CHECK(strcmp(usw_error_text(), "") == 0);
  CHECK_STATUS(USW_ERROR_INVALID, usw_sum_f64(NULL, 3, &sum));
  CHECK_TEXT_HAS(usw_error_text(), "n = 3");
  return NULL;
}

static void texts_are_per_thread(void) {
  double sum;
  pthread_t thread;
  CHECK_STATUS(USW_ERROR_INVALID, usw_sum_f64(NULL, 5, &sum));
  pthread_create(&thread, NULL, error_of_other_thread, NULL);
  pthread_join(thread, NULL);
  CHECK_TEXT_HAS(usw_error_text(), "n = 5");
}

static void forked_child(void) {
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    double data[2] = {1, 2}, sum = 42;
    const usw_status_t status = usw_sum_f64(data, 2, &sum);
    const int right = status == USW_ERROR_STATE && sum == 42 && strstr(usw_error_text(), "fork") &&
                      usw_finalize() == USW_ERROR_STATE && usw_gpu_count(NULL) == 0 && usw_device_target(0) == NULL;
    _exit(right ? 0 : 1);
  }
  int how = 1;
  waitpid(child, &how, 0);
  CHECK_I64(0, how);
  still_works(__LINE__);
}

static void finalized(void) {
  double data[2] = {1, 2}, sum = 42;
  CHECK_STATUS(USW_OK, usw_finalize());
  CHECK_STATUS(USW_ERROR_STATE, usw_finalize());
  CHECK_STATUS(USW_ERROR_STATE, usw_sum_f64(data, 2, &sum));
  CHECK_TEXT_HAS(usw_error_text(), "usw_finalize");
  CHECK_STATUS(USW_ERROR_STATE, usw_reduce(USW_PLUS, USW_F64, data, 2, &sum, NULL));
  CHECK_STATUS(USW_ERROR_STATE, usw_identity(USW_PLUS, USW_F64, &sum));
  CHECK_F64(42, sum);
  CHECK_I64(0, usw_gpu_count(NULL));
  CHECK(usw_device_target(0) == NULL);
  CHECK(usw_environment_help(NULL, 0) > 1);
}

int main(int argc, char **argv) {
  double ones[ITEMS];
  place = place_of_arguments(argc, argv);
  usw_set_log_callback(keep_line, &lines);
  for (int i = 0; i < ITEMS; i++)
    ones[i] = 1;
  x = memory_get(&place, ones, sizeof ones, 0);
  y = memory_get(&place, ones, sizeof ones, 0);
  bad_arguments();
  too_large();
  unsupported();
  names();
  bad_options();
  bad_places();
  wrong_memory();
  texts_are_per_thread();
  forked_child();
  memory_free(&x);
  memory_free(&y);
  finalized();
  return check_report();
}
