/* A container that may use the time of two processors out of 64 is bound to none of them: threads beyond its quota only make
 * it wait for the next period. Linux's cgroups tell: version 2 by cpu.max, version 1 by two files. */

#include "machine/quota.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static uint32_t processors_of(long long quota, long long period) {
  if (quota <= 0 || period <= 0)
    return 0;
  const long long processors = (quota + period - 1) / period;
  return processors < UINT32_MAX ? (uint32_t)processors : 0;
}

/* The number that a file begins with; 0: there is no such file, or no number ("max"). */
static long long number_in(const char *folder, const char *name, long long *second) {
  char path[PATH_MAX];
  long long number = 0;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  if (!file)
    return 0;
  if (fscanf(file, second ? "%lld %lld" : "%lld", &number, second) < (second ? 2 : 1))
    number = 0;
  fclose(file);
  return number;
}

static uint32_t quota_of_folder(const char *folder) {
  long long period = 0, quota = number_in(folder, "cpu.max", &period);
  if (quota == 0) {
    quota = number_in(folder, "cpu.cfs_quota_us", NULL);
    period = number_in(folder, "cpu.cfs_period_us", NULL);
  }
  return processors_of(quota, period);
}

/* The least of a folder and of those that it lies in, up to the mount. */
static uint32_t least_up_to(char *folder, size_t mount_length) {
  uint32_t least = 0;
  for (;;) {
    const uint32_t quota = quota_of_folder(folder);
    if (quota && (!least || quota < least))
      least = quota;
    char *slash = strrchr(folder, '/');
    if (!slash || (size_t)(slash - folder) < mount_length)
      return least;
    *slash = 0;
  }
}

/* "0::/path" is version 2; "4:cpu,cpuacct:/path" names the controllers of version 1. */
static uint32_t quota_of_line(const char *root, char *line) {
  char folder[PATH_MAX];
  char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
  if (!path)
    return 0;
  *path++ = 0;
  path[strcspn(path, "\n")] = 0;
  const char *mount = NULL;
  if (controllers[1] == 0)
    mount = "";
  for (char *rest = NULL, *word = strtok_r(controllers + 1, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
    if (strcmp(word, "cpu") == 0)
      mount = "/cpu";
  if (!mount)
    return 0;
  const int mount_length = snprintf(folder, sizeof folder, "%s/sys/fs/cgroup%s", root, mount);
  snprintf(folder + mount_length, sizeof folder - (size_t)mount_length, "%s", strcmp(path, "/") == 0 ? "" : path);
  return least_up_to(folder, (size_t)mount_length);
}

uint32_t uswi_quota_below(const char *root) {
  char line[PATH_MAX];
  uint32_t least = 0;
  snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
  FILE *file = fopen(line, "r");
  while (file && fgets(line, sizeof line, file)) {
    const uint32_t quota = quota_of_line(root, line);
    if (quota && (!least || quota < least))
      least = quota;
  }
  if (file)
    fclose(file);
  return least;
}

uint32_t uswi_quota(void) { return uswi_quota_below(""); }
