/* Datatypes and operators of messages, made once for each kernel and size. */
#ifndef USWI_MPI_TYPES_H
#define USWI_MPI_TYPES_H

#include <upsweep/mpi.h>

/* One kernel's messages of one size. */
typedef struct uswi_mpi_type {
  const usw_kernel_t *kernel;
  size_t bytes;
  MPI_Datatype type;
  MPI_Op op;
  struct uswi_mpi_type *next;
} uswi_mpi_type_t;

/* Find or make it. */
usw_status_t uswi_mpi_type(const char *owner, const usw_kernel_t *kernel, size_t bytes,
                           const uswi_mpi_type_t **type_out);

#endif
