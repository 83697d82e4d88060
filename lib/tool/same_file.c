#include "same_file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINKS = 40 };

int tool_are_one_file(const struct stat *one, const struct stat *other) {
  return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* Where a file that is not there yet would be created: its folder, and its name in it. 0, or -1: nowhere. */
static int find_new_place(const char *path, struct stat *folder, char name[PATH_MAX]) {
  char at[PATH_MAX], target[PATH_MAX];
  if (snprintf(at, sizeof at, "%s", path) >= PATH_MAX)
    return -1;
  for (int links = 0; links < MOST_LINKS; links++) {
    char *const slash = strrchr(at, '/');
    const size_t folder_bytes = slash ? (size_t)(slash + 1 - at) : 0;
    const ssize_t length = readlink(at, target, sizeof target - 1);
    if (length < 0) {
      snprintf(name, PATH_MAX, "%s", at + folder_bytes);
      at[folder_bytes] = 0;
      return stat(*at ? at : ".", folder);
    }
    target[length] = 0;
    const size_t kept = *target == '/' ? 0 : folder_bytes;
    if (snprintf(at + kept, sizeof at - kept, "%s", target) >= (int)(sizeof at - kept))
      return -1;
  }
  return -1;
}

int tool_is_same_file(const char *one, const char *other) {
  struct stat facts[2];
  char names[2][PATH_MAX];
  const int is_there = stat(one, &facts[0]) == 0;
  if ((stat(other, &facts[1]) == 0) != is_there)
    return 0;
  if (is_there)
    return tool_are_one_file(&facts[0], &facts[1]);
  return find_new_place(one, &facts[0], names[0]) == 0 && find_new_place(other, &facts[1], names[1]) == 0 &&
         tool_are_one_file(&facts[0], &facts[1]) && strcmp(names[0], names[1]) == 0;
}
