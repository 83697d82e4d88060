/* Failures and log lines: the function that decides on an error says so here, once; callers only
 * hand it on. */
#ifndef USWI_BASE_ERROR_H
#define USWI_BASE_ERROR_H

#include <upsweep/status.h>

/* Remember what exactly went wrong as this thread's usw_error_text() and log it; returns the
 * status. */
usw_status_t uswi_fail(usw_status_t status, const char *format, ...) __attribute__((cold, format(printf, 2, 3)));

/* Hand a line to the log callback, if there is one. */
void uswi_log(usw_log_level_t level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
