/* Files that have several names. */
#ifndef USW_TOOL_SAME_FILE_H
#define USW_TOOL_SAME_FILE_H

#include <sys/stat.h>

/* Whether these are the facts of one file. */
int tool_are_one_file(const struct stat *one, const struct stat *other);

/* Whether two names are of one file, by symbolic and hard links too. The file need not be there yet. */
int tool_is_same_file(const char *one, const char *other);

#endif
