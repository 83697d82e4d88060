/* Failures and log lines: the function that decides on an error says so here, once; callers only
 * hand it on. */
#ifndef USWI_BASE_ERROR_H
#define USWI_BASE_ERROR_H

#include <upsweep/status.h>

/* Remember what exactly went wrong as this thread's usw_error_text() and log it; returns the
 * status. */
usw_status_t uswi_fail(usw_status_t status, const char *format, ...) __attribute__((cold, format(printf, 2, 3)));

/* Keep this thread's usw_error_text(), for another thread or a later call to hand on. */
enum { USWI_TEXT_BYTES = 512 };
void uswi_keep_error_text(char text[USWI_TEXT_BYTES]) __attribute__((cold));

/* Hand a line to the log callback; without one it is printed on stderr if `uswi_log_print` says so. */
void uswi_log(usw_log_level_t level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a warning that an environment variable cannot be honored. */
void uswi_warn_of_variable(const char *format, ...) __attribute__((cold, format(printf, 1, 2)));

/* What is printed on stderr where there is no log callback: USW_LOG. Each value includes the ones before it. */
typedef enum uswi_print {
  USWI_PRINT_NOTHING,
  USWI_PRINT_VARIABLES, /* warnings of environment variables */
  USWI_PRINT_INFO,      /* all warnings and information */
  USWI_PRINT_ERRORS     /* failing calls */
} uswi_print_t;
void uswi_log_print(uswi_print_t what);

#endif
