/* What the Fortran module upsweep_mpi calls: handles of Fortran become those of C, options and reports get their sizes. */
#include <upsweep/mpi.h>

/* As in upsweep_mpi.f90.in. */
enum { ALLREDUCE, REDUCE, SCAN, EXSCAN, IALLREDUCE, INIT };
typedef struct {
  const void *x, *y; /* y is read where there are two streams */
  size_t n;
  ptrdiff_t stride[2];
  int streams, root; /* streams: 0 where there are parts, n of them */
  usw_part_t *parts;
} own_t;

usw_status_t usw_mpi_fortran_run(int what, usw_operation_t operation, usw_type_t type, const own_t *own, void *result,
                                 int comm, const usw_options_t *options, usw_report_t *report,
                                 usw_mpi_request_t *request);
int usw_mpi_fortran_device(int comm, int *device_out);
int usw_mpi_fortran_locate(size_t n, int64_t index, int *rank_out, int64_t *local_out, int comm);

static usw_status_t run_pair(int what, usw_operation_t operation, usw_type_t type, const own_t *own, void *result,
                             MPI_Comm comm, const usw_options_t *options, usw_mpi_request_t *request) {
  switch (what) {
  case IALLREDUCE:
    return usw_mpi_iallreduce_pair(operation, type, own->x, own->y, own->n, result, comm, options, request);
  case INIT:
    return usw_mpi_allreduce_pair_init(operation, type, own->x, own->y, own->n, result, comm, options, request);
  default:
    return usw_mpi_allreduce_pair(operation, type, own->x, own->y, own->n, result, comm, options);
  }
}

static usw_status_t run_one(int what, usw_operation_t operation, usw_type_t type, const own_t *own, void *result,
                            MPI_Comm comm, const usw_options_t *options, usw_mpi_request_t *request) {
  switch (what) {
  case REDUCE:
    return usw_mpi_reduce(operation, type, own->x, own->n, result, own->root, comm, options);
  case SCAN:
    return usw_mpi_scan(operation, type, own->x, own->n, result, comm, options);
  case EXSCAN:
    return usw_mpi_exscan(operation, type, own->x, own->n, result, comm, options);
  case IALLREDUCE:
    return usw_mpi_iallreduce(operation, type, own->x, own->n, result, comm, options, request);
  case INIT:
    return usw_mpi_allreduce_init(operation, type, own->x, own->n, result, comm, options, request);
  default:
    return usw_mpi_allreduce(operation, type, own->x, own->n, result, comm, options);
  }
}

static usw_status_t run_parts(int what, usw_operation_t operation, usw_type_t type, const own_t *own, void *result,
                              MPI_Comm comm, const usw_options_t *options, usw_mpi_request_t *request) {
  switch (what) {
  case REDUCE:
    return usw_mpi_reduce_parts(operation, type, own->parts, own->n, result, own->root, comm, options);
  case SCAN:
    return usw_mpi_scan_parts(operation, type, own->parts, own->n, result, comm, options);
  case EXSCAN:
    return usw_mpi_exscan_parts(operation, type, own->parts, own->n, result, comm, options);
  case IALLREDUCE:
    return usw_mpi_iallreduce_parts(operation, type, own->parts, own->n, result, comm, options, request);
  case INIT:
    return usw_mpi_allreduce_parts_init(operation, type, own->parts, own->n, result, comm, options, request);
  default:
    return usw_mpi_allreduce_parts(operation, type, own->parts, own->n, result, comm, options);
  }
}

usw_status_t usw_mpi_fortran_run(int what, usw_operation_t operation, usw_type_t type, const own_t *own, void *result,
                                 int comm, const usw_options_t *options, usw_report_t *report,
                                 usw_mpi_request_t *request) {
  static usw_status_t (*const runs[])(int, usw_operation_t, usw_type_t, const own_t *, void *, MPI_Comm,
                                      const usw_options_t *, usw_mpi_request_t *) = {run_parts, run_one, run_pair};
  usw_options_t how = {0};
  if (options)
    how = *options;
  how.size = USW_INIT(usw_options_t);
  how.report = report;
  how.stride[0] = own->stride[0];
  how.stride[1] = own->stride[1];
  if (report)
    report->size = USW_INIT(usw_report_t);
  for (size_t k = 0; own->streams == 0 && k < own->n; k++)
    own->parts[k].size = USW_INIT(usw_part_t);
  return runs[own->streams](what, operation, type, own, result, MPI_Comm_f2c(comm), &how, request);
}

int usw_mpi_fortran_device(int comm, int *device_out) { return usw_mpi_device(MPI_Comm_f2c(comm), device_out); }

int usw_mpi_fortran_locate(size_t n, int64_t index, int *rank_out, int64_t *local_out, int comm) {
  return usw_mpi_locate(n, index, rank_out, local_out, MPI_Comm_f2c(comm));
}
