/* What the sub-commands of usw share. The tool is a user of the library: it includes public headers only. */
#ifndef USW_TOOL_TOOL_H
#define USW_TOOL_TOOL_H

#include <stddef.h>
#include <stdint.h>

enum { TOOL_OK = 0, TOOL_FAILURE = 1, TOOL_BAD_INPUT = 2 }; /* exit codes */

/* The sub-commands: argv[0] is "usw reduce" and so on. Each returns an exit code. */
int tool_reduce(int argc, char **argv);
int tool_scan(int argc, char **argv);
int tool_info(int argc, char **argv);
int tool_explain(int argc, char **argv);

/* One line on standard error: "<command>: <subject>: <text>", without the subject if it is NULL. Returns
 * TOOL_BAD_INPUT. */
__attribute__((format(printf, 3, 4))) int tool_fail(const char *command, const char *subject, const char *format, ...);

#endif
