/** @defgroup status Statuses and errors
 *  What every call returns, and how to learn more about a failure. @ref errors says which input gives which status.
 *  @{ */
#ifndef UPSWEEP_STATUS_H
#define UPSWEEP_STATUS_H

#include <upsweep/export.h>
#include <upsweep/status.def>

/** Outcome of a call. On any value but USW_OK the results are as they were before the call. */
typedef enum usw_status {
#define USW_STATUS_VALUE(name, value, text) USW_##name = value, /**< text */
  USW_STATUSES(USW_STATUS_VALUE)
#undef USW_STATUS_VALUE
} usw_status_t;

USW_BEGIN_C

/** The name of a status, as it is written in the source: "USW_ERROR_PLACE".
 *
 *  @param[in] status any value.
 *  @return a string that lives for ever; "USW_STATUS_UNKNOWN" for a value that is no status.
 *  @note Threads: safe from any number of threads at once.  @since 0.1 */
USW_API const char *usw_status_name(usw_status_t status);

/** One line of English about a status.
 *
 *  @param[in] status any value.
 *  @return a string that lives for ever.
 *  @note Threads: safe from any number of threads at once.  @since 0.1 */
USW_API const char *usw_status_text(usw_status_t status);

/** What exactly was wrong with the last call of this thread that failed: which argument, which value, where.
 *
 *  @return a string owned by the library, valid until this thread's next failing call; "" before the first failure.
 *  @note Threads: every thread has its own text.  @since 0.1  @see tests/api/errors.c */
USW_API const char *usw_error_text(void);

/** Set this thread's error text, and tell the log, for code that wraps the library's calls and finds an error itself.
 *
 *  @param[in] status what the wrapper returns.
 *  @param[in] text   what usw_error_text() is to say; copied.
 *  @return status.
 *  @note Threads: every thread has its own text.  @since 0.1 */
USW_API usw_status_t usw_error_set(usw_status_t status, const char *text);

/** How much a log line matters. */
typedef enum usw_log_level {
  USW_LOG_ERROR = 1,   /**< a call failed: the line is its usw_error_text() */
  USW_LOG_WARNING = 2, /**< something is not as it was asked for, and what is done instead */
  USW_LOG_INFO = 3,    /**< worth knowing */
} usw_log_level_t;

/** Receives the library's log lines (no newline at the end). May be called from any thread that calls the library. */
typedef void (*usw_log_callback_t)(usw_log_level_t level, const char *line, void *context);

/** Set who receives log lines.
 *
 *  Without a receiver they go to stderr as far as USW_LOG says: by default a line about an environment variable that cannot be
 *  honored, and nothing else (@ref environment).
 *
 *  Set it before the first other call to see lines about the environment as well.
 *  @param[in] callback the receiver, or NULL for none.
 *  @param[in] context  handed to the callback as it is; must live as long as the callback is set.
 *  @note Threads: safe at any time; a line under way may still reach the previous receiver.  @since 0.1 */
USW_API void usw_set_log_callback(usw_log_callback_t callback, void *context);

USW_END_C
/** @} */
#endif
