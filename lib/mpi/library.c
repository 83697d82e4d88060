/* The library's reductions over ranks: calls of their kernels. */
#include "exchange.h"

/* What a kernel's call takes. */
typedef struct {
  const usw_kernel_t *kernel;
  uint64_t streams[2];
  usw_variable_t variable;
} described_t;

static usw_status_t describe(described_t *d, usw_operation_t operation, usw_type_t type, uint32_t streams,
                             const void *x, const void *y, void *result_out, const usw_options_t *options) {
  d->streams[0] = (uint64_t)(uintptr_t)x;
  d->streams[1] = (uint64_t)(uintptr_t)y;
  d->variable = (usw_variable_t){result_out, 1};
  return usw_kernel_of(operation, type, streams, options, &d->kernel);
}

usw_status_t usw_mpi_allreduce(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *result_out,
                               MPI_Comm comm, const usw_options_t *options) {
  described_t d;
  const usw_status_t status = describe(&d, operation, type, 1, x, NULL, result_out, options);
  return status == USW_OK ? usw_mpi_kernel_allreduce(d.kernel, n, d.streams, &d.variable, comm, options) : status;
}

usw_status_t usw_mpi_allreduce_pair(usw_operation_t operation, usw_type_t type, const void *x, const void *y, size_t n,
                                    void *result_out, MPI_Comm comm, const usw_options_t *options) {
  described_t d;
  const usw_status_t status = describe(&d, operation, type, 2, x, y, result_out, options);
  return status == USW_OK ? usw_mpi_kernel_allreduce(d.kernel, n, d.streams, &d.variable, comm, options) : status;
}

/* How many streams an operation reads; of none 1, which is refused then. */
static uint32_t streams_of(usw_operation_t operation) {
#define STREAMS(name, OPERATION, streams, ...) [USW_##OPERATION] = streams,
  static const uint8_t known[] = {USW_FUNCTIONS(STREAMS, )};
#undef STREAMS
  return (size_t)operation < sizeof known && known[operation] ? known[operation] : 1;
}

usw_status_t usw_mpi_allreduce_parts(usw_operation_t operation, usw_type_t type, const usw_part_t *parts, size_t count,
                                     void *result_out, MPI_Comm comm, const usw_options_t *options) {
  const usw_kernel_t *kernel;
  const usw_variable_t variable = {result_out, 1};
  const usw_status_t status = usw_kernel_of(operation, type, streams_of(operation), options, &kernel);
  if (status != USW_OK)
    return status;
  uswi_mpi_call_t call = uswi_mpi_call_of_parts(kernel, USWI_MPI_PARTS, parts, count, &variable, comm, options);
  return uswi_mpi_allreduce(&call);
}

usw_status_t usw_mpi_reduce(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *result_out,
                            int root, MPI_Comm comm, const usw_options_t *options) {
  described_t d;
  const usw_status_t status = describe(&d, operation, type, 1, x, NULL, result_out, options);
  return status == USW_OK ? usw_mpi_kernel_reduce(d.kernel, n, d.streams, &d.variable, root, comm, options) : status;
}

usw_status_t usw_mpi_scan(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *result_out,
                          MPI_Comm comm, const usw_options_t *options) {
  described_t d;
  const usw_status_t status = describe(&d, operation, type, 1, x, NULL, result_out, options);
  return status == USW_OK ? usw_mpi_kernel_scan(d.kernel, n, d.streams, &d.variable, 0, comm, options) : status;
}

usw_status_t usw_mpi_exscan(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *result_out,
                            MPI_Comm comm, const usw_options_t *options) {
  described_t d;
  const usw_status_t status = describe(&d, operation, type, 1, x, NULL, result_out, options);
  return status == USW_OK ? usw_mpi_kernel_scan(d.kernel, n, d.streams, &d.variable, 1, comm, options) : status;
}

usw_status_t usw_mpi_iallreduce(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *result_out,
                                MPI_Comm comm, const usw_options_t *options, usw_mpi_request_t *request_out) {
  described_t d;
  const usw_status_t status = describe(&d, operation, type, 1, x, NULL, result_out, options);
  return status == USW_OK ? usw_mpi_kernel_iallreduce(d.kernel, n, d.streams, &d.variable, comm, options, request_out)
                          : status;
}

usw_status_t usw_mpi_iallreduce_pair(usw_operation_t operation, usw_type_t type, const void *x, const void *y, size_t n,
                                     void *result_out, MPI_Comm comm, const usw_options_t *options,
                                     usw_mpi_request_t *request_out) {
  described_t d;
  const usw_status_t status = describe(&d, operation, type, 2, x, y, result_out, options);
  return status == USW_OK ? usw_mpi_kernel_iallreduce(d.kernel, n, d.streams, &d.variable, comm, options, request_out)
                          : status;
}

usw_status_t usw_mpi_allreduce_init(usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                                    void *result_out, MPI_Comm comm, const usw_options_t *options,
                                    usw_mpi_request_t *request_out) {
  described_t d;
  const usw_status_t status = describe(&d, operation, type, 1, x, NULL, result_out, options);
  return status == USW_OK ? usw_mpi_kernel_init(d.kernel, n, d.streams, &d.variable, comm, options, request_out)
                          : status;
}

usw_status_t usw_mpi_allreduce_pair_init(usw_operation_t operation, usw_type_t type, const void *x, const void *y,
                                         size_t n, void *result_out, MPI_Comm comm, const usw_options_t *options,
                                         usw_mpi_request_t *request_out) {
  described_t d;
  const usw_status_t status = describe(&d, operation, type, 2, x, y, result_out, options);
  return status == USW_OK ? usw_mpi_kernel_init(d.kernel, n, d.streams, &d.variable, comm, options, request_out)
                          : status;
}
