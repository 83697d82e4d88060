#include "plugins.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The file of a plugin: beside the program. */
static int find_file(const char *name, char *file_out, size_t file_bytes) {
  char program[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0)
    return -1;
  program[length] = 0;
  const int folder = (int)(strrchr(program, '/') - program);
  return snprintf(file_out, file_bytes, "%.*s/libusw_peer_%s.so", folder, program, name) < (int)file_bytes ? 0 : -1;
}

static const peer_plugin_t *open_plugin(const char *name) {
  char file[PATH_MAX];
  if (find_file(name, file, sizeof file) || access(file, R_OK)) {
    fprintf(stderr,
            "usw-bench: no peer %s: libusw_peer_%s.so is not beside usw-bench (CMake says why it is not built; CUB and "
            "cuBLAS are made by perf/peers/build, in a bundle by run --build-peers)\n",
            name, name);
    return NULL;
  }
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  const peer_plugin_t *plugin = library ? dlsym(library, "peer_plugin") : NULL;
  if (plugin)
    fprintf(stderr, "usw-bench: peer %s: %s\n", name, plugin->version());
  else
    fprintf(stderr, "usw-bench: no peer %s: %s\n", name, dlerror());
  return plugin;
}

const peer_plugin_t *peer_plugin_find(const char *name) {
  enum { MAX_PLUGINS = 16 };
  static struct {
    const char *name;
    const peer_plugin_t *plugin;
  } known[MAX_PLUGINS];
  for (int k = 0; k < MAX_PLUGINS; k++) {
    if (known[k].name && strcmp(known[k].name, name) != 0)
      continue;
    if (!known[k].name) {
      known[k].name = name;
      known[k].plugin = open_plugin(name);
    }
    return known[k].plugin;
  }
  return NULL;
}
