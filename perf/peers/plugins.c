#include "plugins.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A file beside the program. */
static int find_file(const char *name, char *file_out, size_t file_bytes) {
  char program[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0)
    return -1;
  program[length] = 0;
  const int folder = (int)(strrchr(program, '/') - program);
  return snprintf(file_out, file_bytes, "%.*s/%s", folder, program, name) < (int)file_bytes ? 0 : -1;
}

const void *peer_object_find(const char *what, const char *file_name, const char *symbol) {
  char file[PATH_MAX];
  if (find_file(file_name, file, sizeof file) || access(file, R_OK)) {
    fprintf(stderr,
            "usw-bench: no %s: %s is not beside usw-bench (CMake says why it is not built; what needs nvcc is made by "
            "perf/peers/build, in a bundle by run --build-peers)\n",
            what, file_name);
    return NULL;
  }
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  const void *object = library ? dlsym(library, symbol) : NULL;
  if (!object)
    fprintf(stderr, "usw-bench: no %s: %s\n", what, dlerror());
  return object;
}

static const peer_plugin_t *open_plugin(const char *name) {
  char what[64], file[64];
  snprintf(what, sizeof what, "peer %s", name);
  snprintf(file, sizeof file, "libusw_peer_%s.so", name);
  const peer_plugin_t *plugin = peer_object_find(what, file, "peer_plugin");
  if (plugin)
    fprintf(stderr, "usw-bench: %s: %s\n", what, plugin->version());
  return plugin;
}

static struct {
  const char *name;
  const peer_plugin_t *plugin; /* NULL: there is none that works */
} known[16];
enum { MAX_PLUGINS = sizeof known / sizeof *known };

const peer_plugin_t *peer_plugin_opened(const char *name) {
  for (int k = 0; k < MAX_PLUGINS && known[k].name; k++)
    if (strcmp(known[k].name, name) == 0)
      return known[k].plugin;
  return NULL;
}

const peer_plugin_t *peer_plugin_find(const char *name) {
  int k = 0;
  while (k < MAX_PLUGINS && known[k].name && strcmp(known[k].name, name) != 0)
    k++;
  if (k == MAX_PLUGINS)
    return NULL;
  if (!known[k].name) {
    known[k].name = name;
    known[k].plugin = open_plugin(name);
  }
  return known[k].plugin;
}
