/* gcc's OpenMP clause as a peer. Two OpenMP runtimes in one process would fight for its cores: this plugin has none and
 * starts a program beside it that has gcc's. */
#include "libgomp.h"
#include "host_threads.h"
#include "plugin.h"

#include <dlfcn.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct peer_case {
  int kernel, type;
};

static struct {
  pid_t process; /* 0: not started */
  int socket, memory;
  char *mapped; /* all of the memory */
  size_t mapped_bytes;
  double seconds;
} state;

/* The program beside this library. */
static int find_program(char *file_out, size_t file_bytes) {
  Dl_info library;
  if (!dladdr(&peer_plugin, &library))
    return -1;
  const char *slash = strrchr(library.dli_fname, '/');
  const int folder = slash ? (int)(slash - library.dli_fname) : 0;
  return snprintf(file_out, file_bytes, "%.*s/usw-peer-libgomp", folder, library.dli_fname) < (int)file_bytes ? 0 : -1;
}

static int spawn(int socket) {
  char file[PATH_MAX], threads[16];
  char *const arguments[] = {"usw-peer-libgomp", threads, NULL};
  posix_spawn_file_actions_t actions;
  cpu_set_t bound;
  snprintf(threads, sizeof threads, "%d", peer_host_threads());
  if (find_program(file, sizeof file) || posix_spawn_file_actions_init(&actions))
    return -1;
  int failed = posix_spawn_file_actions_adddup2(&actions, socket, LIBGOMP_SOCKET);
  failed = failed || posix_spawn_file_actions_adddup2(&actions, state.memory, LIBGOMP_MEMORY);
  peer_host_unbind(&bound);
  failed = failed || posix_spawn(&state.process, file, &actions, NULL, arguments, environ);
  peer_host_bind(&bound);
  posix_spawn_file_actions_destroy(&actions);
  if (failed)
    state.process = 0;
  return failed ? -1 : 0;
}

static int start(void) {
  int sockets[2];
  if (state.process)
    return 0;
  /* Messages stay whole. Duplicates for the process lose their close-on-exec. */
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
    return -1;
  state.socket = sockets[0];
  state.memory = memfd_create("usw-peer-libgomp", MFD_CLOEXEC);
  const int failed = state.memory < 0 || spawn(sockets[1]);
  close(sockets[1]);
  if (!failed)
    return 0;
  close(sockets[0]);
  if (state.memory >= 0)
    close(state.memory);
  return -1;
}

/* One request and its reply. */
static int ask(const libgomp_request_t *request, libgomp_reply_t *reply_out) {
  if (start() || send(state.socket, request, sizeof *request, MSG_NOSIGNAL) != sizeof *request)
    return -1;
  if (recv(state.socket, reply_out, sizeof *reply_out, 0) != sizeof *reply_out)
    return -1; /* it has ended */
  return reply_out->status;
}

/* The process sees its end when the socket closes. */
__attribute__((destructor)) static void end(void) {
  if (!state.process)
    return;
  close(state.socket);
  waitpid(state.process, NULL, 0);
}

static const peer_form_t forms[] = {{"libgomp", "process", PEER_OWN_CLOCK | PEER_OTHER_PROCESS | PEER_PLAIN_LOOP},
                                    {NULL, NULL, 0}};

static const char *version(void) {
  static libgomp_reply_t reply;
  const libgomp_request_t request = {.what = LIBGOMP_VERSION};
  return ask(&request, &reply) ? "libgomp: usw-peer-libgomp, beside usw-bench, does not start" : reply.text;
}

static const peer_case_t *find(const char *kernel, const char *type) {
#define ONE(...) +1
  enum { KERNELS = USW_FUNCTIONS(ONE, ), TYPES = USW_TYPES(ONE, ) };
  static peer_case_t cases[KERNELS][TYPES];
  libgomp_request_t request = {.what = LIBGOMP_FIND};
  libgomp_reply_t reply;
  while (request.kernel < KERNELS && strcmp(bench_kernels[request.kernel].name, kernel) != 0)
    request.kernel++;
  while (request.type < TYPES && strcmp(bench_types[request.type].name, type) != 0)
    request.type++;
  if (request.kernel == KERNELS || request.type == TYPES || ask(&request, &reply))
    return NULL;
  peer_case_t *found = &cases[request.kernel][request.type];
  *found = (peer_case_t){request.kernel, request.type};
  return found;
}

/* Room for that many bytes in the memory: it only grows. */
static int make_room(size_t bytes) {
  if (bytes <= state.mapped_bytes)
    return 0;
  if (state.mapped_bytes)
    munmap(state.mapped, state.mapped_bytes);
  state.mapped_bytes = 0;
  if (ftruncate(state.memory, (off_t)bytes))
    return -1;
  state.mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, state.memory, 0);
  if (state.mapped == MAP_FAILED)
    return -1;
  state.mapped_bytes = bytes;
  return 0;
}

static int prepare(const peer_case_t *found, const void *x, const void *y, size_t n) {
  const bench_type_t *type = &bench_types[found->type];
  const libgomp_request_t request = {LIBGOMP_PREPARE, found->kernel, found->type, n};
  libgomp_reply_t reply;
  if (make_room(libgomp_offset(type, n, y ? 2 : 1)))
    return -1;
  memcpy(state.mapped, x, n * type->bytes);
  if (y)
    memcpy(state.mapped + libgomp_offset(type, n, 1), y, n * type->bytes);
  return ask(&request, &reply);
}

static int run(const peer_case_t *found, int form, const void *x, const void *y, size_t n, void *result_out) {
  const libgomp_request_t request = {LIBGOMP_RUN, found->kernel, found->type, n};
  libgomp_reply_t reply;
  (void)form, (void)x, (void)y;
  if (ask(&request, &reply))
    return -1;
  state.seconds = reply.seconds;
  *(bench_value_t *)result_out = reply.value;
  return 0;
}

static int settle(void) { return 0; }

static double seconds(void) { return state.seconds; }

const peer_plugin_t peer_plugin = {version, forms, find, prepare, run, settle, seconds};
