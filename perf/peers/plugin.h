/* Peers that need another compiler live in shared libraries beside usw-bench, which opens those that it finds:
 * libusw_peer_<name>.so. Each exports one structure, named peer_plugin. */
#ifndef BENCH_PEERS_PLUGIN_H
#define BENCH_PEERS_PLUGIN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is special about a form. */
enum {
  PEER_OWN_CLOCK = 1,     /* its times are what seconds() says, not those of the wall clock around the call */
  PEER_OTHER_PROCESS = 2, /* it runs in a process of its own */
  PEER_OTHER_THREADS = 4, /* it runs on threads of its own. Theirs and ours would wait for each other's cores: calls of
                             a form with this or PEER_OTHER_PROCESS come in bursts, with a pause before that sends our
                             threads to sleep, and one behind for theirs */
  PEER_PLAIN_LOOP = 8,    /* it adds floats one after the other: more digits are lost than in Upsweep's sums */
  PEER_NO_RESULT = 16     /* it writes no result, for it only reads what a call has to read: a reference */
};

/* One way to call a peer, and the competitor that it counts as. */
typedef struct peer_form {
  const char *competitor; /* NULL ends a list */
  const char *name;
  unsigned special;
} peer_form_t;

/* A function of a peer for one type; only the plugin knows what it holds. */
typedef struct peer_case peer_case_t;

/* Functions that can fail return 0, or -1. */
typedef struct peer_plugin {
  const char *(*version)(void); /* of the peer and of what it was built with; lives for ever */
  const peer_form_t *forms;
  /* A kernel by its name in functions.def, a type by its tag. NULL if the peer does not have it. */
  const peer_case_t *(*find)(const char *kernel, const char *type);
  /* All that need not be timed: scratch for n elements on the device that x is on. y is NULL for kernels of one stream. */
  int (*prepare)(const peer_case_t *found, const void *x, const void *y, size_t n);
  /* Writes what usw_reduce() would write, to host memory. `form` is an index of forms. */
  int (*run)(const peer_case_t *found, int form, const void *x, const void *y, size_t n, void *result_out);
  /* After each call, untimed: waits until the device is idle again. */
  int (*settle)(void);
  /* How long the last call took by the peer's own clock, for forms with PEER_OWN_CLOCK; or NULL. */
  double (*seconds)(void);
} peer_plugin_t;

/* What a plugin defines; usw-bench looks it up by name. */
extern __attribute__((visibility("default"))) const peer_plugin_t peer_plugin;

#ifdef __cplusplus
}
#endif

#endif
