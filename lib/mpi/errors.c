#include "errors.h"

#include <stdarg.h>
#include <stdio.h>

usw_status_t uswi_mpi_fail(usw_status_t status, const char *owner, const char *format, ...) {
  char text[USWI_MPI_TEXT_BYTES];
  va_list values;
  va_start(values, format);
  const int bytes = snprintf(text, sizeof text, "%s: ", owner);
  vsnprintf(text + bytes, sizeof text - (size_t)bytes, format, values);
  va_end(values);
  return usw_error_set(status, text);
}

usw_status_t uswi_mpi_check(const char *owner, int error) {
  char text[MPI_MAX_ERROR_STRING];
  int bytes = 0;
  if (error == MPI_SUCCESS)
    return USW_OK;
  if (MPI_Error_string(error, text, &bytes) != MPI_SUCCESS)
    bytes = 0;
  return uswi_mpi_fail(USW_ERROR_EXCHANGE, owner, "MPI's error %d: %.*s", error, bytes, text);
}
