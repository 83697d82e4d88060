/* The library's reductions over ranks: calls of their kernels. */
#include <stddef.h>

#include "exchange.h"

/* What a rank hands over: one stream, two, or parts of as many as the operation reads. */
typedef struct {
  uint32_t streams; /* 0: parts */
  const void *x, *y;
  size_t n; /* items, or parts */
  const usw_part_t *parts;
} own_t;

static own_t one(const void *x, size_t n) { return (own_t){.streams = 1, .x = x, .n = n}; }

static own_t two(const void *x, const void *y, size_t n) { return (own_t){.streams = 2, .x = x, .y = y, .n = n}; }

static own_t in_parts(const usw_part_t *parts, size_t count) { return (own_t){.parts = parts, .n = count}; }

/* The call of a kernel, and what it points to. */
typedef struct {
  uswi_mpi_call_t call;
  uint64_t streams[2];
  usw_variable_t variable;
} described_t;

/* How many streams an operation reads; of none 1, which is refused then. */
static uint32_t streams_of(usw_operation_t operation) {
#define STREAMS(name, OPERATION, streams, ...) [USW_##OPERATION] = streams,
  static const uint8_t known[] = {USW_FUNCTIONS(STREAMS, )};
#undef STREAMS
  return (size_t)operation < sizeof known && known[operation] ? known[operation] : 1;
}

/* What chooses the kernel, from options of another size as far as they reach, else the default. The call fails, but the rank takes part in what the
 * other ranks do: else they would wait for ever. */
static usw_options_t level_of(const usw_options_t *options) {
#define REACHES(member) (options->size >= offsetof(usw_options_t, member) + sizeof options->member)
  usw_options_t level = {.size = sizeof level};
  if (REACHES(accuracy))
    level.accuracy = options->accuracy;
  if (REACHES(nan))
    level.nan = options->nan;
  if (REACHES(fold))
    level.fold = options->fold;
  return level;
#undef REACHES
}

static usw_status_t kernel_of(usw_operation_t operation, usw_type_t type, uint32_t streams,
                              const usw_options_t *options, const usw_kernel_t **kernel_out) {
  if (!options || options->size == sizeof *options)
    return usw_kernel_of(operation, type, streams, options, kernel_out);
  const usw_options_t level = level_of(options);
  return usw_kernel_of(operation, type, streams, &level, kernel_out);
}

static usw_status_t describe(described_t *d, usw_operation_t operation, usw_type_t type, own_t own, void *result_out,
                             MPI_Comm comm, const usw_options_t *options) {
  const usw_kernel_t *kernel;
  const uint32_t streams = own.streams ? own.streams : streams_of(operation);
  const usw_status_t status = kernel_of(operation, type, streams, options, &kernel);
  if (status != USW_OK)
    return status;
  d->streams[0] = (uint64_t)(uintptr_t)own.x;
  d->streams[1] = (uint64_t)(uintptr_t)own.y;
  d->variable = (usw_variable_t){result_out, 1};
  d->call = own.streams ? uswi_mpi_call(kernel, own.n, d->streams, &d->variable, comm, options)
                        : uswi_mpi_call_of_parts(kernel, USWI_MPI_PARTS, own.parts, own.n, &d->variable, comm, options);
  return USW_OK;
}

/* ---- every rank gets the result ---- */

static usw_status_t allreduce(usw_operation_t operation, usw_type_t type, own_t own, void *result_out, MPI_Comm comm,
                              const usw_options_t *options) {
  described_t d;
  const usw_status_t status = describe(&d, operation, type, own, result_out, comm, options);
  return status == USW_OK ? uswi_mpi_allreduce(&d.call) : status;
}

usw_status_t usw_mpi_allreduce(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *result_out,
                               MPI_Comm comm, const usw_options_t *options) {
  return allreduce(operation, type, one(x, n), result_out, comm, options);
}

usw_status_t usw_mpi_allreduce_pair(usw_operation_t operation, usw_type_t type, const void *x, const void *y, size_t n,
                                    void *result_out, MPI_Comm comm, const usw_options_t *options) {
  return allreduce(operation, type, two(x, y, n), result_out, comm, options);
}

usw_status_t usw_mpi_allreduce_parts(usw_operation_t operation, usw_type_t type, const usw_part_t *parts, size_t count,
                                     void *result_out, MPI_Comm comm, const usw_options_t *options) {
  return allreduce(operation, type, in_parts(parts, count), result_out, comm, options);
}

/* ---- one rank gets it ---- */

static usw_status_t reduce(usw_operation_t operation, usw_type_t type, own_t own, void *result_out, int root,
                           MPI_Comm comm, const usw_options_t *options) {
  described_t d;
  const usw_status_t status = describe(&d, operation, type, own, result_out, comm, options);
  return status == USW_OK ? uswi_mpi_reduce(&d.call, root) : status;
}

usw_status_t usw_mpi_reduce(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *result_out,
                            int root, MPI_Comm comm, const usw_options_t *options) {
  return reduce(operation, type, one(x, n), result_out, root, comm, options);
}

usw_status_t usw_mpi_reduce_parts(usw_operation_t operation, usw_type_t type, const usw_part_t *parts, size_t count,
                                  void *result_out, int root, MPI_Comm comm, const usw_options_t *options) {
  return reduce(operation, type, in_parts(parts, count), result_out, root, comm, options);
}

/* ---- each rank gets that of the ranks up to it ---- */

static usw_status_t scan(usw_operation_t operation, usw_type_t type, own_t own, void *result_out, int is_exclusive,
                         MPI_Comm comm, const usw_options_t *options) {
  described_t d;
  const usw_status_t status = describe(&d, operation, type, own, result_out, comm, options);
  return status == USW_OK ? uswi_mpi_scan(&d.call, is_exclusive) : status;
}

usw_status_t usw_mpi_scan(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *result_out,
                          MPI_Comm comm, const usw_options_t *options) {
  return scan(operation, type, one(x, n), result_out, 0, comm, options);
}

usw_status_t usw_mpi_scan_parts(usw_operation_t operation, usw_type_t type, const usw_part_t *parts, size_t count,
                                void *result_out, MPI_Comm comm, const usw_options_t *options) {
  return scan(operation, type, in_parts(parts, count), result_out, 0, comm, options);
}

usw_status_t usw_mpi_exscan(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *result_out,
                            MPI_Comm comm, const usw_options_t *options) {
  return scan(operation, type, one(x, n), result_out, 1, comm, options);
}

usw_status_t usw_mpi_exscan_parts(usw_operation_t operation, usw_type_t type, const usw_part_t *parts, size_t count,
                                  void *result_out, MPI_Comm comm, const usw_options_t *options) {
  return scan(operation, type, in_parts(parts, count), result_out, 1, comm, options);
}

/* ---- later ---- */

static usw_status_t request(usw_operation_t operation, usw_type_t type, own_t own, void *result_out, MPI_Comm comm,
                            const usw_options_t *options, int is_persistent, usw_mpi_request_t *request_out) {
  described_t d;
  const usw_status_t status = describe(&d, operation, type, own, result_out, comm, options);
  return status == USW_OK ? uswi_mpi_make_request(&d.call, is_persistent, request_out) : status;
}

usw_status_t usw_mpi_iallreduce(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *result_out,
                                MPI_Comm comm, const usw_options_t *options, usw_mpi_request_t *request_out) {
  return request(operation, type, one(x, n), result_out, comm, options, 0, request_out);
}

usw_status_t usw_mpi_iallreduce_pair(usw_operation_t operation, usw_type_t type, const void *x, const void *y, size_t n,
                                     void *result_out, MPI_Comm comm, const usw_options_t *options,
                                     usw_mpi_request_t *request_out) {
  return request(operation, type, two(x, y, n), result_out, comm, options, 0, request_out);
}

usw_status_t usw_mpi_iallreduce_parts(usw_operation_t operation, usw_type_t type, const usw_part_t *parts, size_t count,
                                      void *result_out, MPI_Comm comm, const usw_options_t *options,
                                      usw_mpi_request_t *request_out) {
  return request(operation, type, in_parts(parts, count), result_out, comm, options, 0, request_out);
}

usw_status_t usw_mpi_allreduce_init(usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                                    void *result_out, MPI_Comm comm, const usw_options_t *options,
                                    usw_mpi_request_t *request_out) {
  return request(operation, type, one(x, n), result_out, comm, options, 1, request_out);
}

usw_status_t usw_mpi_allreduce_pair_init(usw_operation_t operation, usw_type_t type, const void *x, const void *y,
                                         size_t n, void *result_out, MPI_Comm comm, const usw_options_t *options,
                                         usw_mpi_request_t *request_out) {
  return request(operation, type, two(x, y, n), result_out, comm, options, 1, request_out);
}

usw_status_t usw_mpi_allreduce_parts_init(usw_operation_t operation, usw_type_t type, const usw_part_t *parts,
                                          size_t count, void *result_out, MPI_Comm comm, const usw_options_t *options,
                                          usw_mpi_request_t *request_out) {
  return request(operation, type, in_parts(parts, count), result_out, comm, options, 1, request_out);
}
