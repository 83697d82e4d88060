/* A container that may use the time of two processors out of 64 is bound to none of them: threads beyond its quota only make
 * it wait for the next period. Linux's cgroups tell: version 2 by cpu.max, version 1 by two files. */

#include "machine/quota.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Not on the stack, of which a first call's thread may have little. */
typedef struct text {
  char line[PATH_MAX], folder[PATH_MAX], file[PATH_MAX];
} text_t;

static uint32_t processors_of(long long quota, long long period) {
  if (quota <= 0 || period <= 0)
    return 0;
  const long long processors = (quota + period - 1) / period;
  return processors < UINT32_MAX ? (uint32_t)processors : 0;
}

/* The number that a file begins with; 0: there is no such file, or no number ("max"). */
static long long number_in(text_t *text, const char *name, long long *second) {
  long long number = 0;
  if ((size_t)snprintf(text->file, sizeof text->file, "%s/%s", text->folder, name) >= sizeof text->file)
    return 0;
  FILE *file = fopen(text->file, "r");
  if (!file)
    return 0;
  if (fscanf(file, second ? "%lld %lld" : "%lld", &number, second) < (second ? 2 : 1))
    number = 0;
  fclose(file);
  return number;
}

static uint32_t quota_of_folder(text_t *text) {
  long long period = 0, quota = number_in(text, "cpu.max", &period);
  if (quota == 0) {
    quota = number_in(text, "cpu.cfs_quota_us", NULL);
    period = number_in(text, "cpu.cfs_period_us", NULL);
  }
  return processors_of(quota, period);
}

/* The least of a folder and of those that it lies in, up to the mount. */
static uint32_t least_up_to(text_t *text, size_t mount_length) {
  uint32_t least = 0;
  for (;;) {
    const uint32_t quota = quota_of_folder(text);
    if (quota && (!least || quota < least))
      least = quota;
    char *slash = strrchr(text->folder, '/');
    if (!slash || (size_t)(slash - text->folder) < mount_length)
      return least;
    *slash = 0;
  }
}

/* "0::/path" is version 2; "4:cpu,cpuacct:/path" names the controllers of version 1. */
static uint32_t quota_of_line(const char *root, text_t *text) {
  char *controllers = strchr(text->line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
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
  const int mount_length = snprintf(text->folder, sizeof text->folder, "%s/sys/fs/cgroup%s", root, mount);
  snprintf(text->folder + mount_length, sizeof text->folder - (size_t)mount_length, "%s",
           strcmp(path, "/") == 0 ? "" : path);
  return least_up_to(text, (size_t)mount_length);
}

uint32_t uswi_quota_below(const char *root) {
  uint32_t least = 0;
  text_t *text = malloc(sizeof *text);
  if (!text)
    return 0;
  snprintf(text->file, sizeof text->file, "%s/proc/self/cgroup", root);
  FILE *file = fopen(text->file, "r");
  while (file && fgets(text->line, sizeof text->line, file)) {
    const uint32_t quota = quota_of_line(root, text);
    if (quota && (!least || quota < least))
      least = quota;
  }
  if (file)
    fclose(file);
  free(text);
  return least;
}

uint32_t uswi_quota(void) { return uswi_quota_below(""); }
