/* The plugins beside this program: see plugin.h. */
#ifndef BENCH_PEERS_PLUGINS_H
#define BENCH_PEERS_PLUGINS_H

#include "plugin.h"

/* The plugin libusw_peer_<name>.so, opened at the first call. NULL if there is none that works, with one line on stderr
 * that says why. */
const peer_plugin_t *peer_plugin_find(const char *name);

/* The same, if it has been asked for before; opens nothing. */
const peer_plugin_t *peer_plugin_opened(const char *name);

/* What a shared library beside this program exports as `symbol`. NULL if there is none, with one line on stderr that says
 * why there is no `what`. */
const void *peer_object_find(const char *what, const char *file_name, const char *symbol);

#endif
