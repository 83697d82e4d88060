#include "context.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <upsweep/upsweep.h>

/* The build says which sources and flags these are; a program built by hand may not know. */
#ifndef BENCH_COMMIT
#define BENCH_COMMIT "unknown"
#endif
#ifndef BENCH_FLAGS
#define BENCH_FLAGS "unknown"
#endif
#ifdef __clang__
#define BENCH_COMPILER "clang " __clang_version__
#else
#define BENCH_COMPILER "gcc " __VERSION__
#endif

/* Copies what follows `key` and its colon in the first line of `file` that starts with key. */
static void value_in_file(const char *file, const char *key, char *value_out, size_t value_bytes) {
  FILE *stream = fopen(file, "r");
  char line[512];
  snprintf(value_out, value_bytes, "unknown");
  if (!stream)
    return;
  while (fgets(line, sizeof line, stream)) {
    if (strncmp(line, key, strlen(key)) != 0)
      continue;
    const char *value = strchr(line, ':');
    if (!value)
      continue;
    value += 1 + strspn(value + 1, " \t");
    snprintf(value_out, value_bytes, "%.*s", (int)strcspn(value, "\n"), value);
    break;
  }
  fclose(stream);
}

/* "580.82.07" of the first line of the NVIDIA kernel module's version file. */
static void driver_version(char *version_out, size_t version_bytes) {
  char line[512];
  value_in_file("/proc/driver/nvidia/version", "NVRM version", line, sizeof line);
  for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) {
    if (strspn(word, "0123456789.") != strlen(word) || !strchr(word, '.'))
      continue;
    snprintf(version_out, version_bytes, "%s", word);
    return;
  }
  snprintf(version_out, version_bytes, "unknown");
}

/* The CUDA driver's name of its first device. OpenMP has no call for a device's name. */
static int nvidia_name(char *name_out, int name_bytes) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver)
    return -1;
  int (*initialize)(unsigned) = (int (*)(unsigned))dlsym(driver, "cuInit");
  int (*get_name)(char *, int, int) = (int (*)(char *, int, int))dlsym(driver, "cuDeviceGetName");
  const int failed = !initialize || !get_name || initialize(0) || get_name(name_out, name_bytes, 0);
  dlclose(driver);
  return failed ? -1 : 0;
}

void bench_device_name(int device, char *name_out, size_t name_bytes) {
  const char *target = device < 0 ? "host" : usw_device_target(device);
  if (target && strcmp(target, "nvptx") == 0 && nvidia_name(name_out, (int)name_bytes) == 0)
    return;
  if (target && (device < 0 || strcmp(target, "x86_64") == 0))
    value_in_file("/proc/cpuinfo", "model name", name_out, name_bytes);
  else
    snprintf(name_out, name_bytes, "%s", target ? target : "unknown");
}

/* Folders of absolute paths are left out: they belong to one machine. */
static const char *without_folder(const char *argument) {
  const char *slash = strrchr(argument, '/');
  return argument[0] == '/' ? slash + 1 : argument;
}

static void add_command(cJSON *context, int argc, char *const *argv) {
  char line[2048];
  const char *slash = strrchr(argv[0], '/');
  size_t used = (size_t)snprintf(line, sizeof line, "%s", slash ? slash + 1 : argv[0]);
  for (int k = 1; k < argc && used < sizeof line; k++)
    used += (size_t)snprintf(line + used, sizeof line - used, " %s", without_folder(argv[k]));
  cJSON_AddStringToObject(context, "command", line);
}

cJSON *bench_context(int device, int argc, char *const *argv) {
  cJSON *context = cJSON_CreateObject();
  char text[256];
  const time_t now = time(NULL);
  struct tm parts;
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
  cJSON_AddStringToObject(context, "date", text);
  bench_device_name(device, text, sizeof text);
  cJSON_AddStringToObject(context, "device", text);
  const char *target = device < 0 ? "host" : usw_device_target(device);
  cJSON_AddStringToObject(context, "target", target ? target : "unknown");
  driver_version(text, sizeof text);
  cJSON_AddStringToObject(context, "driver", text);
  bench_device_name(-1, text, sizeof text);
  cJSON_AddStringToObject(context, "host", text);
  cJSON_AddNumberToObject(context, "host_threads", omp_get_max_threads());
  const int version = usw_version();
  snprintf(text, sizeof text, "%d.%d.%d", version / 10000, version / 100 % 100, version % 100);
  cJSON_AddStringToObject(context, "upsweep", text);
  const char *commit = getenv("USW_BENCH_COMMIT"), *wait = getenv("USW_WAIT");
  cJSON_AddStringToObject(context, "commit", commit ? commit : BENCH_COMMIT);
  cJSON_AddStringToObject(context, "compiler", BENCH_COMPILER);
  cJSON_AddStringToObject(context, "flags", BENCH_FLAGS);
  cJSON_AddStringToObject(context, "wait", wait ? wait : "spin");
  add_command(context, argc, argv);
  return context;
}
