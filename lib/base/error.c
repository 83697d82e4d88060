/* Status names and texts, this thread's last error, and the log: its callback, or stderr. */

#include "base/error.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static _Thread_local char last_error[USWI_TEXT_BYTES];

static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;
static usw_log_callback_t log_callback;
static void *log_context;
static atomic_int printed = USWI_PRINT_VARIABLES;

const char *usw_status_name(usw_status_t status) {
  switch (status) {
#define NAME(name, value, text)                                                                                        \
  case USW_##name:                                                                                                     \
    return "USW_" #name;
    USW_STATUSES(NAME)
#undef NAME
  }
  return "USW_STATUS_UNKNOWN";
}

const char *usw_status_text(usw_status_t status) {
  switch (status) {
#define TEXT(name, value, text)                                                                                        \
  case USW_##name:                                                                                                     \
    return text;
    USW_STATUSES(TEXT)
#undef TEXT
  }
  return "unknown status";
}

const char *usw_error_text(void) { return last_error; }

void uswi_keep_error_text(char text[USWI_TEXT_BYTES]) { memcpy(text, last_error, USWI_TEXT_BYTES); }

void usw_set_log_callback(usw_log_callback_t callback, void *context) {
  pthread_mutex_lock(&log_mutex);
  log_callback = callback;
  log_context = context;
  pthread_mutex_unlock(&log_mutex);
}

void uswi_log_print(uswi_print_t what) { atomic_store(&printed, what); }

/* One call of fprintf(), so that lines of several threads stay whole. */
static void hand_out(usw_log_level_t level, uswi_print_t least, const char *line) {
  pthread_mutex_lock(&log_mutex);
  const usw_log_callback_t callback = log_callback;
  void *const context = log_context;
  pthread_mutex_unlock(&log_mutex);
  if (callback)
    callback(level, line, context);
  else if (atomic_load(&printed) >= (int)least)
    fprintf(stderr, "upsweep: %s\n", line);
}

usw_status_t uswi_fail(usw_status_t status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last_error, sizeof last_error, format, arguments);
  va_end(arguments);
  uswi_keep_one_line(last_error);
  hand_out(USW_LOG_ERROR, USWI_PRINT_ERRORS, last_error);
  return status;
}

usw_status_t usw_error_set(usw_status_t status, const char *text) { return uswi_fail(status, "%s", text); }

static void hand_out_line(usw_log_level_t level, uswi_print_t least, const char *format, va_list arguments) {
  char line[USWI_TEXT_BYTES];
  vsnprintf(line, sizeof line, format, arguments);
  uswi_keep_one_line(line);
  hand_out(level, least, line);
}

void uswi_log(usw_log_level_t level, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  hand_out_line(level, USWI_PRINT_INFO, format, arguments);
  va_end(arguments);
}

void uswi_warn_of_variable(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  hand_out_line(USW_LOG_WARNING, USWI_PRINT_VARIABLES, format, arguments);
  va_end(arguments);
}
