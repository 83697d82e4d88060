/* NCCL wants a communicator of its own, whose ranks are bound to GPUs: each of MPI's keeps one as an attribute, until it is freed. */
#include "nccl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- NCCL, and what it needs of the driver ---- */

typedef struct {
  char bytes[128];
} nccl_id_t; /* by value, as ncclUniqueId */

typedef struct {
  char bytes[16];
} gpu_id_t; /* as CUuuid: no two GPUs have the same */

enum { SUCCESS = 0, INT8 = 0 }; /* ncclSuccess, ncclInt8 */

/* FIELD(name, its name there, result, parameters). NCCL works for the GPU of the thread's current context. */
#define FUNCTIONS_OF_NCCL(FIELD)                                                                                       \
  FIELD(get_id, "ncclGetUniqueId", int, (nccl_id_t *))                                                                 \
  FIELD(connect, "ncclCommInitRank", int, (void **, int, nccl_id_t, int))                                              \
  FIELD(gather, "ncclAllGather", int, (const void *, void *, size_t, int, void *, void *))                             \
  FIELD(disconnect, "ncclCommDestroy", int, (void *))                                                                  \
  FIELD(abandon, "ncclCommAbort", int, (void *))                                                                       \
  FIELD(text, "ncclGetErrorString", const char *, (int))
#define FUNCTIONS_OF_DRIVER(FIELD)                                                                                     \
  FIELD(context_of, "cuStreamGetCtx", int, (void *, void **))                                                          \
  FIELD(push, "cuCtxPushCurrent_v2", int, (void *))                                                                    \
  FIELD(pop, "cuCtxPopCurrent_v2", int, (void **))                                                                     \
  FIELD(get_device, "cuCtxGetDevice", int, (int *))                                                                    \
  FIELD(get_gpu_id, "cuDeviceGetUuid_v2", int, (gpu_id_t *, int))

static struct {
#define POINTER(field, name, result, parameters) result(*field) parameters;
  FUNCTIONS_OF_NCCL(POINTER)
  FUNCTIONS_OF_DRIVER(POINTER)
#undef POINTER
  int is_complete;
} nccl;
static char why_not[USWI_MPI_TEXT_BYTES]; /* what the loader says of the file that USW_NCCL names */

static void *find(void *library, const char *name, int *is_complete) {
  void *const function = library ? dlsym(library, name) : NULL;
  *is_complete &= function != NULL;
  return function;
}

static void load(void) {
  const char *const named = getenv("USW_NCCL");
  int is_complete = 1;
  if (named && strcmp(named, "none") == 0)
    return;
  void *const library = dlopen(named ? named : "libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  void *const driver = library ? dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL) : NULL;
#define FIND(field, name, result, parameters) *(void **)&nccl.field = find(library, name, &is_complete);
  FUNCTIONS_OF_NCCL(FIND)
#undef FIND
#define FIND(field, name, result, parameters) *(void **)&nccl.field = find(driver, name, &is_complete);
  FUNCTIONS_OF_DRIVER(FIND)
#undef FIND
  nccl.is_complete = is_complete;
  if (!is_complete && named) {
    const char *const text = dlerror();
    strncpy(why_not, text ? text : named, sizeof why_not - 1);
  }
}

static int is_loaded(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return nccl.is_complete;
}

static usw_status_t check(const uswi_mpi_call_t *call, const char *function, int error) {
  return error == SUCCESS ? USW_OK
                          : uswi_mpi_fail(USW_ERROR_EXCHANGE, call->kernel->name, "%s: %s", function, nccl.text(error));
}

/* ---- connections, as attributes of MPI's communicators ---- */

typedef struct {
  void *comm;    /* NULL: there is no connection */
  void *context; /* of the GPU that it is for */
  int has_failed;
} kept_t;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int key = MPI_KEYVAL_INVALID;

static void disconnect(kept_t *kept, int (*by)(void *)) {
  if (kept->comm)
    by(kept->comm);
  kept->comm = NULL;
}

/* Called when MPI frees the communicator, and by MPI_Finalize(). */
static int forget(MPI_Comm comm, int of_key, void *value, void *unused) {
  (void)comm, (void)of_key, (void)unused;
  disconnect(value, nccl.disconnect);
  free(value);
  return MPI_SUCCESS;
}

static int make_key(void) {
  pthread_mutex_lock(&lock);
  const int error =
      key == MPI_KEYVAL_INVALID ? MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, NULL) : MPI_SUCCESS;
  pthread_mutex_unlock(&lock);
  return error;
}

/* NULL: nothing is kept. */
static kept_t *find_kept(MPI_Comm comm) {
  kept_t *kept = NULL;
  int is_there = 0;
  if (make_key() != MPI_SUCCESS || MPI_Comm_get_attr(comm, key, &kept, &is_there) != MPI_SUCCESS)
    is_there = 0;
  return is_there ? kept : NULL;
}

/* NULL: there is no memory. */
static kept_t *get_kept(MPI_Comm comm) {
  kept_t *kept = find_kept(comm);
  if (kept)
    return kept;
  kept = calloc(1, sizeof *kept);
  if (!kept || MPI_Comm_set_attr(comm, key, kept) == MPI_SUCCESS)
    return kept;
  free(kept);
  return NULL;
}

int uswi_nccl_has_failed(MPI_Comm comm) {
  const kept_t *kept = find_kept(comm);
  return kept && kept->has_failed;
}

void uswi_nccl_give_up(MPI_Comm comm) {
  kept_t *const kept = get_kept(comm);
  if (kept) /* else they try again */
    kept->has_failed = 1;
}

static void *context_of(const usw_gathering_t *gathering) {
  void *context = NULL;
  return nccl.context_of(gathering->stream, &context) == SUCCESS ? context : NULL;
}

usw_status_t uswi_nccl_state(const uswi_mpi_call_t *call, const usw_gathering_t *gathering,
                             uswi_nccl_state_t *state_out) {
  *state_out = USWI_NCCL_CANNOT;
  if (!is_loaded())
    return *why_not ? uswi_mpi_fail(USW_ERROR_EXCHANGE, call->kernel->name, "USW_NCCL: %s", why_not) : USW_OK;
  const kept_t *kept = find_kept(call->comm);
  void *const context = context_of(gathering);
  if (context)
    *state_out = kept && kept->comm && kept->context == context ? USWI_NCCL_IS_CONNECTED : USWI_NCCL_CAN_CONNECT;
  return USW_OK;
}

/* ---- what all ranks do ---- */

static int compare(const void *a, const void *b) { return memcmp(a, b, sizeof(gpu_id_t)); }

static gpu_id_t own_gpu(void *context) {
  gpu_id_t id = {{0}};
  void *popped;
  int device;
  if (nccl.push(context) != SUCCESS)
    return id;
  if (nccl.get_device(&device) != SUCCESS || nccl.get_gpu_id(&id, device) != SUCCESS)
    memset(&id, 0, sizeof id);
  nccl.pop(&popped);
  return id;
}

/* Whether each rank has a GPU of its own: a rank that has would wait for ever for others to whom NCCL says that they have not. */
static usw_status_t check_gpus(const uswi_mpi_call_t *call, void *context, gpu_id_t *room, int ranks,
                               int *are_own_out) {
  const gpu_id_t own = own_gpu(context);
  const int error = MPI_Allgather(&own, sizeof own, MPI_BYTE, room, sizeof own, MPI_BYTE, call->comm);
  qsort(room, (size_t)ranks, sizeof *room, compare);
  *are_own_out = 1;
  for (int r = 1; r < ranks; r++)
    *are_own_out &= compare(&room[r - 1], &room[r]) != 0;
  return uswi_mpi_check(call->kernel->name, error);
}

/* Rank 0's number for the connection, or its failure. */
static usw_status_t share_id(const uswi_mpi_call_t *call, nccl_id_t *id_out, int *error_out) {
  struct {
    int error;
    nccl_id_t id;
  } shared = {.error = SUCCESS};
  if (uswi_mpi_rank(call) == 0)
    shared.error = nccl.get_id(&shared.id);
  const int error = MPI_Bcast(&shared, sizeof shared, MPI_BYTE, 0, call->comm);
  *id_out = shared.id;
  *error_out = shared.error;
  return uswi_mpi_check(call->kernel->name, error);
}

static int connect_own(const uswi_mpi_call_t *call, nccl_id_t id, int ranks, kept_t *kept) {
  void *popped;
  int error = nccl.push(kept->context);
  if (error != SUCCESS)
    return error;
  error = nccl.connect(&kept->comm, ranks, id, uswi_mpi_rank(call));
  nccl.pop(&popped);
  if (error != SUCCESS)
    kept->comm = NULL;
  return error;
}

/* *are_connected_out: all of them, or none. */
static usw_status_t connect_all(const uswi_mpi_call_t *call, int ranks, kept_t *kept, int *are_connected_out) {
  nccl_id_t id;
  int error;
  usw_status_t status = share_id(call, &id, &error);
  if (status != USW_OK)
    return status;
  int64_t are_connected = error == SUCCESS && connect_own(call, id, ranks, kept) == SUCCESS;
  status = uswi_mpi_agree_on(call, USW_OK, &are_connected, 1);
  *are_connected_out = status == USW_OK && are_connected;
  if (!*are_connected_out)
    disconnect(kept, nccl.abandon);
  return status;
}

usw_status_t uswi_nccl_connect(const uswi_mpi_call_t *call, const usw_gathering_t *gathering, int *is_connected_out) {
  kept_t *const kept = get_kept(call->comm);
  usw_status_t own = USW_OK;
  int ranks, are_own = 0;
  *is_connected_out = 0;
  MPI_Comm_size(call->comm, &ranks);
  gpu_id_t *const room = malloc((size_t)ranks * sizeof *room);
  if (!kept || !room)
    own = uswi_mpi_fail(USW_ERROR_MEMORY, call->kernel->name, "no room for a communicator of NCCL's");
  usw_status_t status = uswi_mpi_agree(call, own);
  if (status == USW_OK) {
    disconnect(kept, nccl.disconnect); /* those of another GPU, on this rank or on others */
    kept->context = context_of(gathering);
    status = check_gpus(call, kept->context, room, ranks, &are_own);
  }
  free(room);
  if (status == USW_OK && are_own)
    status = connect_all(call, ranks, kept, is_connected_out);
  if (status == USW_OK)
    kept->has_failed = !*is_connected_out;
  return status;
}

usw_status_t uswi_nccl_gather(const uswi_mpi_call_t *call, const usw_gathering_t *gathering) {
  kept_t *const kept = find_kept(call->comm);
  const size_t bytes = gathering->record_bytes;
  const int error = nccl.gather((char *)gathering->records + (size_t)uswi_mpi_rank(call) * bytes, gathering->records,
                                bytes, INT8, kept->comm, gathering->stream);
  const usw_status_t status = uswi_mpi_agree(call, check(call, "ncclAllGather", error));
  if (status != USW_OK)
    disconnect(kept, nccl.abandon); /* which ends what waits for a rank that has not begun */
  return status;
}
