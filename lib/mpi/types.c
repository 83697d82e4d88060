/* An operator of MPI's is a function without a context: which kernel merges its messages is found by the handle of their datatype, which MPI
 * passes on as it got it. An attribute of the datatype would do, too, and take twice as long as the merge. */
#include "types.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "errors.h"

static _Atomic(uswi_mpi_type_t *) types; /* grows until MPI_Finalize() */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int has_ops;
static MPI_Op ops[2]; /* the second one commutes */

static const uswi_mpi_type_t *known_type(MPI_Datatype handle) {
  const uswi_mpi_type_t *type = atomic_load_explicit(&types, memory_order_acquire);
  while (type && type->type != handle)
    type = type->next;
  return type;
}

static void merge(void *from, void *into, int *count, MPI_Datatype *type) {
  const uswi_mpi_type_t *const known = known_type(*type);
  for (size_t k = 0; known && k < (size_t)*count; k++) {
    char *const later = (char *)into + k * known->bytes;
    usw_message_merge(known->kernel, (const char *)from + k * known->bytes, later, later);
  }
}

/* Called by MPI_Finalize(), while MPI is still there. */
static int clear(MPI_Comm comm, int key, void *value, void *unused) {
  (void)comm, (void)key, (void)value, (void)unused;
  for (uswi_mpi_type_t *type = atomic_exchange(&types, NULL), *next; type; type = next) {
    next = type->next;
    MPI_Type_free(&type->type);
    free(type);
  }
  has_ops = 0;
  MPI_Op_free(&ops[0]);
  return MPI_Op_free(&ops[1]);
}

static int make_ops(void) {
  int error = MPI_SUCCESS, key = MPI_KEYVAL_INVALID;
  if (has_ops)
    return error;
  for (int commutes = 0; commutes < 2 && error == MPI_SUCCESS; commutes++)
    error = MPI_Op_create(merge, commutes, &ops[commutes]);
  if (error == MPI_SUCCESS)
    error = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, clear, &key, NULL);
  if (error == MPI_SUCCESS)
    error = MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  if (error == MPI_SUCCESS)
    error = MPI_Comm_free_keyval(&key); /* the attribute stays */
  has_ops = error == MPI_SUCCESS;
  return error;
}

/* A type is one message: MPI never cuts one. */
static int make_datatype(size_t bytes, MPI_Datatype *type_out) {
#if MPI_VERSION >= 4
  return MPI_Type_contiguous_c((MPI_Count)bytes, MPI_BYTE, type_out);
#else
  return MPI_Type_contiguous((int)bytes, MPI_BYTE, type_out);
#endif
}

static int is_too_long(size_t bytes) { return MPI_VERSION < 4 && bytes > INT_MAX; }

/* In the order of ranks, unless no order shows: floating sums round, and indices count on. */
static int commutes(const usw_kernel_t *kernel) {
  int has_index = 0;
  for (uint32_t m = 0; m < kernel->member_count; m++)
    has_index |= kernel->members[m].is_index != 0;
  return (kernel->facts & USW_FACT_EXACT) && !(kernel->facts & USW_FACT_ORDERED) && !has_index;
}

static const uswi_mpi_type_t *find(const usw_kernel_t *kernel, size_t bytes) {
  const uswi_mpi_type_t *type = atomic_load_explicit(&types, memory_order_acquire);
  while (type && (type->kernel != kernel || type->bytes != bytes))
    type = type->next;
  return type;
}

static usw_status_t make(const char *owner, uswi_mpi_type_t *type) {
  usw_status_t status = uswi_mpi_check(owner, make_ops());
  if (status == USW_OK)
    status = uswi_mpi_check(owner, make_datatype(type->bytes, &type->type));
  if (status != USW_OK)
    return status;
  type->op = ops[commutes(type->kernel)];
  status = uswi_mpi_check(owner, MPI_Type_commit(&type->type));
  if (status != USW_OK)
    MPI_Type_free(&type->type);
  return status;
}

static usw_status_t add(const char *owner, const usw_kernel_t *kernel, size_t bytes, const uswi_mpi_type_t **type_out) {
  uswi_mpi_type_t *type = calloc(1, sizeof *type);
  if (!type)
    return uswi_mpi_fail(USW_ERROR_MEMORY, owner, "no room for a datatype");
  type->kernel = kernel;
  type->bytes = bytes;
  const usw_status_t status = make(owner, type);
  if (status != USW_OK) {
    free(type);
    return status;
  }
  type->next = atomic_load(&types);
  atomic_store_explicit(&types, type, memory_order_release);
  *type_out = type;
  return USW_OK;
}

static usw_status_t check_mpi(const char *owner) {
  int has_begun, has_ended;
  MPI_Initialized(&has_begun);
  MPI_Finalized(&has_ended);
  if (!has_begun || has_ended)
    return uswi_mpi_fail(USW_ERROR_STATE, owner, has_begun ? "MPI is finalized" : "MPI is not initialized");
  return USW_OK;
}

usw_status_t uswi_mpi_type(const char *owner, const usw_kernel_t *kernel, size_t bytes,
                           const uswi_mpi_type_t **type_out) {
  *type_out = find(kernel, bytes);
  if (*type_out)
    return USW_OK;
  usw_status_t status = check_mpi(owner);
  if (status == USW_OK && is_too_long(bytes))
    status =
        uswi_mpi_fail(USW_ERROR_UNSUPPORTED, owner, "its spans take %zu bytes, this MPI sends at most 2^31 - 1", bytes);
  if (status != USW_OK)
    return status;
  pthread_mutex_lock(&lock);
  *type_out = find(kernel, bytes);
  if (!*type_out)
    status = add(owner, kernel, bytes, type_out);
  pthread_mutex_unlock(&lock);
  return status;
}
