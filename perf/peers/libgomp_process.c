/* gcc's OpenMP clause in a process of its own: usw-peer-libgomp THREADS. The plugin libgomp.c starts it; it ends when the
 * socket closes. The loops are those of host_clause.c, compiled by gcc for the levels of the processor family that the
 * library is compiled for. */
#include "host_levels.h"
#include "libgomp.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>

/* What the build made of host_clause.c. */
#define DECLARE(level, ...) int peer_host_clause_##level(const bench_call_t *call, bench_value_t *result_out);
PEER_LEVELS(DECLARE)

static struct {
  const char *flags; /* of the level */
  bench_peer_t clause;
  bench_call_t call; /* of the case that was prepared */
  void *streams[2];
  size_t bytes[2]; /* that streams have room for */
} state;

static void choose_level(void) {
#define CHOOSE(level, its_flags, is_there)                                                                             \
  if (!state.clause && (is_there))                                                                                     \
    state.flags = (its_flags), state.clause = peer_host_clause_##level;
  PEER_LEVELS(CHOOSE)
}

/* A private copy, in memory of the same kind that the program has its own data in: a file of memory may not have huge
 * pages. */
static int take(const char *memory, const bench_type_t *type, size_t n, int input) {
  const size_t bytes = n * type->bytes;
  if (bytes > state.bytes[input]) {
    free(state.streams[input]);
    state.streams[input] = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    state.bytes[input] = state.streams[input] ? bytes : 0;
  }
  if (!state.streams[input])
    return -1;
  memcpy(state.streams[input], memory + libgomp_offset(type, n, input), bytes);
  return 0;
}

static int prepare(const libgomp_request_t *request) {
  const bench_kernel_t *kernel = &bench_kernels[request->kernel];
  const bench_type_t *type = &bench_types[request->type];
  const size_t bytes = libgomp_offset(type, request->n, kernel->inputs);
  char *memory = mmap(NULL, bytes, PROT_READ, MAP_SHARED, LIBGOMP_MEMORY, 0);
  int failed = 0;
  if (memory == MAP_FAILED)
    return -1;
  for (int input = 0; input < kernel->inputs; input++)
    failed |= take(memory, type, request->n, input);
  munmap(memory, bytes);
  state.call = (bench_call_t){kernel, type, request->n, state.streams[0], state.streams[1], -1};
  return failed;
}

/* A case is there if it can run. */
static int find(const libgomp_request_t *request) {
  static const _Alignas(16) unsigned char element[16];
  const bench_kernel_t *kernel = &bench_kernels[request->kernel];
  const bench_type_t *type = &bench_types[request->type];
  const bench_call_t call = {kernel, type, 1, element, element, -1};
  bench_value_t value;
  return bench_has(kernel, type) ? state.clause(&call, &value) : -1;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void answer(const libgomp_request_t *request, libgomp_reply_t *reply_out) {
  double start = 0;
  switch (request->what) {
  case LIBGOMP_VERSION:
    snprintf(reply_out->text, sizeof reply_out->text,
             "libgomp: gcc %s, -O3 -fopenmp, %s, %d threads in their own process", __VERSION__, state.flags,
             omp_get_max_threads());
    reply_out->status = 0;
    break;
  case LIBGOMP_FIND:
    reply_out->status = find(request);
    break;
  case LIBGOMP_PREPARE:
    reply_out->status = prepare(request);
    break;
  case LIBGOMP_RUN:
    start = now();
    reply_out->status = state.clause(&state.call, &reply_out->value);
    reply_out->seconds = now() - start;
    break;
  }
}

int main(int argc, char **argv) {
  libgomp_request_t request;
  choose_level();
  if (argc != 2 || atoi(argv[1]) < 1 || !state.clause) {
    fputs("usage: usw-peer-libgomp THREADS (usw-bench starts it)\n", stderr);
    return 2;
  }
  omp_set_num_threads(atoi(argv[1]));
  while (recv(LIBGOMP_SOCKET, &request, sizeof request, 0) == sizeof request) {
    libgomp_reply_t reply = {.status = -1};
    answer(&request, &reply);
    if (send(LIBGOMP_SOCKET, &reply, sizeof reply, MSG_NOSIGNAL) != sizeof reply)
      break;
  }
  return 0;
}
