/* What the plugin libgomp.c and its process, libgomp_process.c, tell each other: requests down a socket, replies up, and
 * data in a file of memory that both see. Both come from one build, so that numbers of kernels and types, their places in
 * bench_kernels and bench_types, mean the same. */
#ifndef BENCH_PEERS_LIBGOMP_H
#define BENCH_PEERS_LIBGOMP_H

#include "bench/bench.h"

/* Where the process finds the socket and the memory. */
enum { LIBGOMP_SOCKET = 0, LIBGOMP_MEMORY = 3 };

typedef enum libgomp_what {
  LIBGOMP_VERSION, /* the reply's text */
  LIBGOMP_FIND,    /* is there such a case? */
  LIBGOMP_PREPARE, /* take the first n elements of each stream from the memory */
  LIBGOMP_RUN,     /* one call over what was taken */
} libgomp_what_t;

typedef struct libgomp_request {
  libgomp_what_t what;
  int kernel, type;
  size_t n;
} libgomp_request_t;

typedef struct libgomp_reply {
  int status; /* 0, or -1 */
  double seconds;
  bench_value_t value;
  char text[128];
} libgomp_reply_t;

/* Where stream `input` starts in the memory: on a page. */
static inline size_t libgomp_offset(const bench_type_t *type, size_t n, int input) {
  return (size_t)input * ((n * type->bytes + 4095) / 4096 * 4096);
}

#endif
