/* Errors of calls over ranks. */
#ifndef USWI_MPI_ERRORS_H
#define USWI_MPI_ERRORS_H

#include <upsweep/mpi.h>

enum { USWI_MPI_TEXT_BYTES = 512 };

/* usw_error_set() with a text that begins with the owner. */
usw_status_t uswi_mpi_fail(usw_status_t status, const char *owner, const char *format, ...)
    __attribute__((cold, format(printf, 3, 4)));

/* USW_OK, or USW_ERROR_EXCHANGE with MPI's text. */
usw_status_t uswi_mpi_check(const char *owner, int error);

#endif
