#include "npz.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

/* What the functions below share while one member is read. */
typedef struct npz_reader {
  const char *file, *member;
  zip_t *archive;
  zip_file_t *stream;
  zip_uint64_t bytes_left; /* of the member, by the archive's directory */
  char *error;
  size_t error_bytes;
} npz_reader_t;

__attribute__((format(printf, 2, 3))) static int npz_fail(npz_reader_t *reader, const char *format, ...) {
  const int used = snprintf(reader->error, reader->error_bytes, "%s: %s: ", reader->file, reader->member);
  if (used > 0 && (size_t)used < reader->error_bytes) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->error + used, reader->error_bytes - (size_t)used, format, arguments);
    va_end(arguments);
  }
  return -1;
}

static int npz_open(npz_reader_t *reader) {
  int code = 0;
  reader->archive = zip_open(reader->file, ZIP_RDONLY, &code);
  if (!reader->archive) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    npz_fail(reader, "cannot open the file: %s%s", zip_error_strerror(&error),
             code == ZIP_ER_NOZIP || code == ZIP_ER_INCONS ? " (truncated, or no .npz file)" : "");
    zip_error_fini(&error);
    return -1;
  }
  zip_stat_t facts;
  if (zip_stat(reader->archive, reader->member, 0, &facts) != 0 || !(facts.valid & ZIP_STAT_SIZE))
    return npz_fail(reader, "no such array in the file");
  reader->bytes_left = facts.size;
  reader->stream = zip_fopen(reader->archive, reader->member, 0);
  if (!reader->stream)
    return npz_fail(reader, "cannot be read: %s", zip_strerror(reader->archive));
  return 0;
}

static void npz_close(npz_reader_t *reader) {
  if (reader->stream)
    zip_fclose(reader->stream);
  if (reader->archive)
    zip_discard(reader->archive);
}

/* Exactly `bytes` bytes, or an error. */
static int npz_take(npz_reader_t *reader, void *into, size_t bytes) {
  if (bytes > reader->bytes_left)
    return npz_fail(reader, "truncated: %zu bytes are missing", (size_t)(bytes - reader->bytes_left));
  for (size_t done = 0; done < bytes;) {
    const size_t most = (size_t)1 << 30;
    const size_t wanted = bytes - done < most ? bytes - done : most;
    const zip_int64_t got = zip_fread(reader->stream, (char *)into + done, wanted);
    if (got < 0)
      return npz_fail(reader, "damaged: %s", zip_error_strerror(zip_file_get_error(reader->stream)));
    if (got == 0)
      return npz_fail(reader, "truncated: %zu bytes are missing", bytes - done);
    done += (size_t)got;
    reader->bytes_left -= (zip_uint64_t)got;
  }
  return 0;
}

/* What follows `'key':` in the header's dictionary, or NULL. */
static const char *npz_value(const char *header, const char *key) {
  char quoted[32];
  snprintf(quoted, sizeof quoted, "'%s':", key);
  const char *at = strstr(header, quoted);
  if (!at)
    return NULL;
  at += strlen(quoted);
  return at + strspn(at, " ");
}

static int npz_check_type(npz_reader_t *reader, const char *header, const char *dtype) {
  char found[24];
  const char *descr = npz_value(header, "descr"), *fortran = npz_value(header, "fortran_order");
  if (!descr || !fortran)
    return npz_fail(reader, "its header is no .npy header");
  if (sscanf(descr, "'%22[ -&(-~]'", found) != 1)
    return npz_fail(reader, "its elements are records, not plain '%s'", dtype);
  if (found[0] == '>')
    return npz_fail(reader, "its elements are big endian ('%s')", found);
  if (strcmp(found, dtype) != 0)
    return npz_fail(reader, "its elements are '%s' where '%s' is needed", found, dtype);
  if (strncmp(fortran, "False", 5) != 0)
    return npz_fail(reader, "it is stored in Fortran order; C order is needed");
  return 0;
}

static int npz_check_shape(npz_reader_t *reader, const char *header, int dimensions, npz_array_t *array) {
  const char *shape = npz_value(header, "shape");
  size_t extents[2] = {1, 1};
  int count = 0;
  if (!shape || *shape != '(')
    return npz_fail(reader, "its header has no shape");
  for (shape++; *shape && *shape != ')'; count++) {
    char *end;
    const unsigned long long extent = strtoull(shape, &end, 10);
    if (end == shape)
      return npz_fail(reader, "its header has no readable shape");
    if (count < 2)
      extents[count] = (size_t)extent;
    shape = end + strspn(end, ", ");
  }
  if (count != dimensions)
    return npz_fail(reader, "it has %d dimensions where %d are needed", count, dimensions);
  if (extents[0] == 0 || extents[1] == 0)
    return npz_fail(reader, "it is empty");
  array->rows = extents[0];
  array->columns = extents[1];
  return 0;
}

/* The header: magic number, version, length, then a Python dictionary as text. */
static int npz_read_header(npz_reader_t *reader, const char *dtype, int dimensions, npz_array_t *array) {
  unsigned char start[8], length[4] = {0};
  if (npz_take(reader, start, sizeof start))
    return -1;
  if (memcmp(start, "\x93NUMPY", 6) != 0)
    return npz_fail(reader, "it is no .npy file");
  const unsigned version = start[6];
  if (version < 1 || version > 3)
    return npz_fail(reader, "its .npy version is %u; 1 to 3 are known", version);
  if (npz_take(reader, length, version == 1 ? 2 : 4))
    return -1;
  const size_t bytes = (size_t)length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
  char header[4096];
  if (bytes >= sizeof header)
    return npz_fail(reader, "its header is too long (%zu bytes)", bytes);
  if (npz_take(reader, header, bytes))
    return -1;
  header[bytes] = 0;
  if (npz_check_type(reader, header, dtype))
    return -1;
  return npz_check_shape(reader, header, dimensions, array);
}

static int npz_read_data(npz_reader_t *reader, size_t element_bytes, npz_array_t *array) {
  if (array->columns > SIZE_MAX / element_bytes / array->rows)
    return npz_fail(reader, "its shape is too large");
  const size_t bytes = array->rows * array->columns * element_bytes;
  if (bytes > reader->bytes_left) /* known before any memory is asked for */
    return npz_fail(reader, "truncated: %zu bytes are missing", (size_t)(bytes - reader->bytes_left));
  array->data = malloc(bytes);
  if (!array->data)
    return npz_fail(reader, "no memory for its %zu bytes", bytes);
  if (npz_take(reader, array->data, bytes) == 0)
    return 0;
  free(array->data);
  array->data = NULL;
  return -1;
}

int npz_read(const char *file, const char *member, const char *dtype, size_t element_bytes, int dimensions,
             npz_array_t *array_out, char *error_out, size_t error_bytes) {
  npz_reader_t reader = {file, member, NULL, NULL, 0, error_out, error_bytes};
  npz_array_t array = {NULL, 1, 1};
  int failed = npz_open(&reader);
  if (!failed)
    failed = npz_read_header(&reader, dtype, dimensions, &array);
  if (!failed)
    failed = npz_read_data(&reader, element_bytes, &array);
  npz_close(&reader);
  if (!failed)
    *array_out = array;
  return failed;
}
